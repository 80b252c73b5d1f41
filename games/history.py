"""A session's own events as its club may read them: what happened, when, by whom and why."""

from dataclasses import dataclass
from typing import Any

from games import eventlog
from games.access import Caller
from games.errors import Forbidden
from games.models import Role, Session, User
from games.receipts import deal_numbers, public_event, public_players
from scoring.wording import say


@dataclass(frozen=True, slots=True)
class History:
    """The session's own events in order, each ready to be shown, with `who` and `reason`."""

    session: str
    events: list[dict[str, Any]]


def history(caller: Caller, session: Session, *, after: int, limit: int) -> History:
    """The `limit` events after seq `after`, for members of the club; three statements. Raises Forbidden."""
    if not caller.has(Role.MEMBER, session.club_id):
        raise Forbidden("forbidden", say("Only members of the club see who did what."))
    events = eventlog.own_events(session.pk)
    shown = [event for event in events if event.seq > after][:limit]
    numbers, players = deal_numbers(events), public_players(shown)
    names = dict(User.objects.filter(pk__in={event.actor for event in shown}).values_list("pk", "username"))
    return History(
        session.public_id,
        [
            {
                **public_event(event, numbers, players),
                # A username may be somebody's mail address, which is nobody's business here.
                "who": names.get(event.actor or 0, "").partition("@")[0],
                "reason": event.reason,
            }
            for event in shown
        ],
    )
