"""Corrections: void, substitute, re-seat, adjust, undo. Each is an event with a reason; nothing is edited or deleted.

They are possible in a closed session too, which stays closed."""

from collections.abc import Mapping
from datetime import datetime

from games.access import Caller
from games.engine.session_events import SCORERS_OWN, Kind
from games.errors import Invalid
from games.models import Player, Role
from games.services.keys import Key
from games.services.sessions import checked_reason
from games.services.writing import Draft, Receipt, write
from scoring.wording import say

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
    from_number: int | None = None,
    reason: str,
    now: datetime,
    door: str,
    key: Key | None = None,
) -> Receipt:
    """From the next deal on, or from deal `from_number`, another player (public id) sits in `seat`, until a later
    substitution. `credit` says who gets the seat's points: the `last` player, the `first`, or each for their own
    `deals`. A hosted deal that is being played keeps its players."""

    def decide(draft: Draft) -> None:
        draft.require(Role.ORGANISER)
        found = draft.player(player)
        number = draft.state.next_number if from_number is None else from_number
        draft.state.check_substitute(seat, found.pk, number, credit)
        draft.add(
            Kind.SUBSTITUTED,
            seat=seat,
            reason=checked_reason(reason),
            data={"player": found.pk, "from_number": number, "credit": credit},
        )

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)


def reseat(
    *,
    caller: Caller,
    session: str,
    seats: Mapping[int, str],
    from_number: int = 1,
    to_number: int | None = None,
    onwards: bool = False,
    reason: str,
    now: datetime,
    door: str,
    key: Key | None = None,
) -> Receipt:
    """Say who sat in which seat (public ids by seat) in deals `from_number` to `to_number`, by default the latest that
    is over: the players sat in other chairs than was entered. Seats that are not named keep their players. Results stay
    with the seats, so each deal's points are those of whoever sat there. `onwards`: they keep these seats in the deals
    to come, as after the latest deal of a closed session: nobody is left over there who never played.

    Raises `bad_player`, `bad_seat`, `already_seated`, `no_such_deal`, `bad_range`, `deal_running`, `not_started`,
    `reason_required`."""

    def decide(draft: Draft) -> None:
        draft.require(Role.ORGANISER)
        state, live = draft.state, draft.live
        over = [deal.number for deal in state.current if live is None or deal.ordinal != live.ordinal]
        latest = over[-1] if over else None
        if onwards and to_number not in (None, latest):
            raise Invalid("bad_range", say("They stay in these seats only from the latest deal on: end with that one."))
        until = None if onwards else to_number or latest
        if state.closed_by is not None and until == latest:
            until = None
        sitting = _sitters(draft, seats)
        state.check_reseat(sitting, from_number, until, live)
        why = checked_reason(reason)
        numbers = [number for number in over if number >= from_number and (until is None or number <= until)]
        before = [state.players_of(number) for number in [*numbers, *([state.next_number] if onwards else [])]]
        moved = {seat: pk for seat, pk in sitting.items() if any(players[seat] != pk for players in before)}
        if moved:
            by_seat = {str(seat): pk for seat, pk in moved.items()}
            data = {"seats": by_seat, "from_number": from_number, "to_number": until}
            draft.add(Kind.RESEATED, reason=why, data=data)

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)


def _sitters(draft: Draft, seats: Mapping[int, str]) -> dict[int, int]:
    """The players (row ids) by seat: whoever sits at this table, under their own id or that of the person they are
    merged into, or active ones of the club; raises `bad_player`."""
    at_table = Player.objects.filter(pk__in={occupant.player for occupant in draft.state.occupants})
    here = dict(at_table.exclude(merged_into=None).values_list("merged_into__public_id", "pk"))
    here |= dict(at_table.values_list("public_id", "pk"))
    return {seat: here.get(public_id) or draft.player(public_id).pk for seat, public_id in seats.items()}


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
            raise Invalid(
                "bad_points",
                say(
                    "Points are a whole number other than 0, up to {most}.",
                    most=LARGEST_ADJUSTMENT,
                ),
            )
        draft.add(Kind.ADJUSTED, seat=seat, reason=checked_reason(reason), data={"points": points})

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)


def undo(
    *, caller: Caller, session: str, seq: int, reason: str, now: datetime, door: str, key: Key | None = None
) -> Receipt:
    """Cancel the event `seq`: a void, take, confirmation, substitution, re-seat, adjustment, closing or undo. A take
    and its confirmation are a scorer's to undo, while the session is open."""

    def decide(draft: Draft) -> None:
        draft.require(Role.SCORER)
        target = draft.state.check_undo(seq, organiser=draft.may(Role.ORGANISER))
        if target.kind not in SCORERS_OWN:
            draft.require(Role.ORGANISER)
        draft.add(Kind.UNDONE, deal=target.deal, reason=checked_reason(reason), data={"seq": seq})

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)
