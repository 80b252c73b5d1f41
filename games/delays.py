"""What spectators see later than those at the table: the session's setting `spectator_delay`, in seconds.

Held back is what was played: the view, streams, and the cards of a hosted deal that has just ended. Whoever plays sees
his own seat as ever, scorers and organisers see everything.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from games import eventlog, selectors
from games.access import Caller
from games.engine.session_events import Kind
from games.errors import Refusal
from games.exporting import Deals
from games.models import Deal, Event, Role, Session
from games.past import Past
from games.selectors import TableView
from scoring.wording import say


def is_later(caller: Caller, session: Session) -> bool:
    """Whether the caller sees the session later than it happens."""
    return session.spectator_delay > 0 and not sees_at_once(caller, session)


def sees_at_once(caller: Caller, session: Session) -> bool:
    """Whether the caller would see it at once, however long others wait."""
    return caller.system or caller.has(Role.SCORER, session.club_id)


@dataclass(frozen=True, slots=True)
class Shown:
    """How far spectators see the log now: up to event `until`; and when they see more of it, if there is more."""

    until: int
    more_at: datetime | None


def shown(session: Session, now: datetime, *, since: int = 0) -> Shown:
    """For those who see the session later: one statement, none where it has no delay. `since`: up to where they see it
    anyway."""
    if not session.spectator_delay:
        return Shown(session.seq, None)
    delay = timedelta(seconds=session.spectator_delay)
    held = eventlog.first_after(session.pk, now - delay, since=since)
    if held is None or held[0] > session.seq:
        return Shown(session.seq, None)
    seq, at = held
    return Shown(seq - 1, at + delay)


def until(caller: Caller, session: Session, now: datetime) -> int:
    """How far the caller sees the log of a session."""
    return shown(session, now).until if is_later(caller, session) else session.seq


def spectate(session: Session, until: int) -> TableView:
    """`selectors.spectate` as things stood after event `until`."""
    return selectors.spectate(session) if until == session.seq else Past(session, until).table()


@dataclass(frozen=True, slots=True)
class Held:
    """The hosted deals of a session whose end somebody does not see yet: `deals` by ordinal; with 0 among them, all."""

    deals: tuple[int, ...] = ()

    def holds(self, row: Deal) -> bool:
        return row.mode == "hosted" and (row.ordinal in self.deals or 0 in self.deals)


NOTHING = Held()


def held(caller: Caller, session: Session, now: datetime) -> Held:
    """What is held back from the caller: one statement, none where he sees everything at once."""
    if not is_later(caller, session):
        return NOTHING
    recent = Event.objects.filter(session=session, at__gt=now - timedelta(seconds=session.spectator_delay))
    telling = recent.filter(Q(deal__gt=0) | Q(kind=int(Kind.CLOSED)))
    return Held(tuple(telling.values_list("deal", flat=True).order_by("deal").distinct()))


def check_shown(caller: Caller, session: Session, number: int, now: datetime) -> None:
    """Raises `deal_running` for a hosted deal that the caller does not see the end of yet, NotFound for none."""
    if not is_later(caller, session):
        return
    if held(caller, session, now).holds(selectors.deal_of(session, number)):
        raise Refusal("deal_running", say("Spectators of this session see it later: the deal opens to you soon."))


_SHOWN = """(s.spectator_delay = 0 OR d.mode <> 'hosted' OR NOT EXISTS (
    SELECT FROM games_event e WHERE e.session_id = d.session_id AND (e.deal = d.ordinal OR e.kind = %s)
    AND e.at > %s - s.spectator_delay * interval '1 second'
))"""
"""As `check_shown` says of one deal."""


def undelayed(caller: Caller, club_id: int, deals: Deals, now: datetime) -> Deals:
    """Those of a club's deals whose end the caller sees by now."""
    if caller.system or caller.has(Role.SCORER, club_id):
        return deals
    return deals.but(_SHOWN, int(Kind.CLOSED), now)
