"""Corrections: void, substitute, adjust, undo. Each is an event with a reason; nothing is edited or deleted."""

from datetime import datetime

from games.access import Caller
from games.engine.session import SCORERS_OWN, Kind
from games.errors import Invalid
from games.models import Role
from games.services.keys import Key
from games.services.sessions import checked_reason
from games.services.writing import Draft, Receipt, write

LARGEST_ADJUSTMENT = 1_000_000


def void(
    *, caller: Caller, session: str, number: int, reason: str, now: datetime, door: str, key: Key | None = None
) -> Receipt:
    """Void deal `number`: it is kept and counts nowhere; its dealer deals again if it was the last one (rules.md 2.1,
    2.5). Voiding a running hosted deal opens its hands and cannot be undone."""

    def decide(draft: Draft) -> None:
        draft.require(Role.ORGANISER)
        fact = draft.state.deal_at(number)
        draft.state.check_void(fact)
        running = fact.mode == "hosted" and draft.played[fact.ordinal].result is None
        draft.add(
            Kind.VOIDED, deal=fact.ordinal, reason=checked_reason(reason), data={"final": True} if running else {}
        )

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)


def substitute(
    *,
    caller: Caller,
    session: str,
    seat: int,
    player: str,
    credit: str = "last",
    reason: str,
    now: datetime,
    door: str,
    key: Key | None = None,
) -> Receipt:
    """From the next deal on another player (public id) sits in `seat`. `credit` says who gets the seat's points: the
    `last` player, the `first`, or each for their own `deals`."""

    def decide(draft: Draft) -> None:
        draft.require(Role.ORGANISER)
        found = draft.player(player)
        number = draft.state.next_number
        draft.state.check_substitute(seat, found.pk, number, credit)
        draft.add(
            Kind.SUBSTITUTED,
            seat=seat,
            reason=checked_reason(reason),
            data={"player": found.pk, "from_number": number, "credit": credit},
        )

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)


def adjust(
    *,
    caller: Caller,
    session: str,
    seat: int,
    points: int,
    reason: str,
    now: datetime,
    door: str,
    key: Key | None = None,
) -> Receipt:
    """Add points to a seat, negative for a penalty. Totals and places change, never which deals count."""

    def decide(draft: Draft) -> None:
        draft.require(Role.ORGANISER)
        draft.state.check_adjust(seat)
        if points == 0 or abs(points) > LARGEST_ADJUSTMENT:
            raise Invalid("bad_points", f"Points are a whole number other than 0, up to {LARGEST_ADJUSTMENT}.")
        draft.add(Kind.ADJUSTED, seat=seat, reason=checked_reason(reason), data={"points": points})

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)


def undo(
    *, caller: Caller, session: str, seq: int, reason: str, now: datetime, door: str, key: Key | None = None
) -> Receipt:
    """Cancel the event `seq`: a void, take, confirmation, substitution, adjustment, closing or undo. A take and its
    confirmation are a scorer's to undo."""

    def decide(draft: Draft) -> None:
        draft.require(Role.SCORER)
        target = draft.state.check_undo(seq)
        if target.kind not in SCORERS_OWN:
            draft.require(Role.ORGANISER)
        draft.add(Kind.UNDONE, deal=target.deal, reason=checked_reason(reason), data={"seq": seq})

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)
