"""What somebody may enter who holds a table's score slip and nothing else (access.Caller.table)."""

from games.access import seat_of
from games.engine.session_events import DealFact
from games.errors import Forbidden, Refusal
from games.models import User
from games.services.writing import Draft
from scoring.wording import say


def check_entry(draft: Draft, number: int, before: DealFact | None) -> None:
    """Whether the caller may enter deal `number`, of which `before` is on record, with another result. Scorers may.

    From the slip come the deals of the table until it is over, and, while nobody has confirmed it, once more what came
    from the slip before. Raises `session_finished`, Forbidden."""
    if not draft.caller.table:
        return
    if before is None:
        standing = [deal for deal in draft.state.current if deal.voided_by is None]
        planned = draft.state.settings.get("deals_planned")
        if draft.session.status == "finished" or (planned is not None and len(standing) >= planned):
            raise Refusal("session_finished", say("All deals of this table are entered."))
        return
    if before.voided_by is not None:
        raise Forbidden("forbidden", say("Deal {number} is void: ask a scorer.", number=number))
    if before.confirmed_by is not None:
        raise Forbidden("forbidden", say("Deal {number} is confirmed: ask a scorer to change it.", number=number))
    if before.mode == "hosted" or not _from_slip(before):
        said = say("Deal {number} was not entered here: ask a scorer to change it.", number=number)
        raise Forbidden("forbidden", said)


def _from_slip(deal: DealFact) -> bool:
    username = User.objects.filter(pk=deal.entered_by or 0).values_list("username", flat=True).first()
    return username is not None and seat_of(username) is not None
