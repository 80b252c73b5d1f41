"""Deals played on a real table: entered with their cards and actions, or by their result only (rules.md 4.2, 5.6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games import eventlog
from games.access import Caller, role_needed
from games.engine import paper
from games.engine.deal import Deal
from games.engine.rules import Rules, check_dealer, check_seats
from games.engine.session_events import DealFact, Kind
from games.errors import Invalid, Refusal
from games.models import Deal as DealRow
from games.models import Role
from games.projection import result_json
from games.services.dealing import freeze, wrong_number
from games.services.keys import Key
from games.services.sessions import checked_reason
from games.services.slips import check_entry
from games.services.writing import Draft, Receipt, write
from scoring.result import DealResult
from scoring.wording import say


@dataclass(frozen=True, slots=True)
class PaperResult:
    """What a score slip says, by seat; None where it says nothing. `withheld` are (payer, payee) pairs."""

    cards_left: Sequence[int]
    forced_passes: Sequence[int] | None = None
    wrongful_passes: Sequence[int] | None = None
    withheld: Sequence[tuple[int, int]] | None = None


def record_deal(
    *,
    caller: Caller,
    session: str,
    number: int,
    dealer: int | None = None,
    hands: Sequence[int] | None = None,
    actions: bytes = b"",
    result: PaperResult | None = None,
    anyway: bool = False,
    reason: str = "",
    seen: int | None = None,
    now: datetime,
    door: str,
    key: Key | None = None,
) -> Receipt:
    """Enter deal `number`: with `hands` (card masks, seat 0 first) and the actions so far, or by `result` alone.

    The next number is a new deal; the number of a recorded or result-only deal is entered again as a new take, for a
    `reason`, which an organiser may do in a closed session too.
    `dealer` may be left out where the rotation says who deals. Scorers and organisers. Raises `wrong_number`,
    `dealer_needed`, `deal_running`, `hosted_deal`, `bad_deal`, `bad_result`, `missing_passes`, `reason_required`,
    `session_closed`, `doubtful_result` where something must be miscounted (rules.md 5.7) and is not to be kept
    `anyway`, or the engine's code for the first action refused. The first deal freezes the session.

    `seen`: the take of this deal that the caller has looked at, 0 for none; where another result is on record by now,
    raises `wrong_take`. What whoever holds a score slip may enter, services/slips.py says.

    Just the result that is on record is entered once, however often it is sent. Where a deal waits for a second person,
    and one enters just what is on record, it is confirmed by that.
    """

    def decide(draft: Draft) -> None:
        draft.require(Role.SCORER)
        if result is not None:
            enter_result(draft, number=number, dealer=dealer, result=result, anyway=anyway, reason=reason, seen=seen)
            return
        if draft.caller.table:
            raise role_needed(Role.SCORER)
        state = draft.state
        seats, at = _where(draft, number, dealer)
        before = next((deal for deal in state.current if deal.number == number), None)
        take = state.next_take(number)
        data: dict[str, Any] = {"number": number, "take": take}
        if hands is None:
            raise Invalid("bad_deal", say("Give the hands as dealt, or the result."))
        check_seats(state.rules, len(hands))
        if len(hands) != seats:
            raise Invalid(
                "bad_deal",
                say("{hands} hands were given; the session has {seats} seats.", hands=len(hands), seats=seats),
            )
        fresh = Deal.from_hands(state.rules.with_wrongful_pass(None), at, hands)
        deck = eventlog.dealing_order(hands, at)
        if before is not None and _is_record(draft, before, at, deck, actions) and _is_second(draft, before):
            draft.add(Kind.CONFIRMED, deal=before.ordinal)
            return
        why = checked_reason(reason, required=take > 1)
        draft.add_deal(Kind.RECORDED, deal=fresh, deck=deck, actions=actions, data=data, reason=why)

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)


def enter_result(
    draft: Draft,
    *,
    number: int,
    dealer: int | None = None,
    result: PaperResult,
    anyway: bool = False,
    reason: str = "",
    seen: int | None = None,
) -> None:
    """Add the result of deal `number` to a draft, as `record_deal` does and with its refusals."""
    state = draft.state
    seats, at = _where(draft, number, dealer)
    before = next((deal for deal in state.current if deal.number == number), None)
    take = state.next_take(number)
    outcome = checked_result(result, state.rules, seats=seats, dealer=at, anyway=anyway)
    check_scorable(draft, outcome)
    if before is None or not _is_result(before, at, outcome):
        if before is not None and seen not in (None, before.take):
            raise _moved_on(before)
        check_entry(draft, number, before)
        data = {"number": number, "take": take, "result": result_json(outcome)}
        draft.add_result(dealer=at, result=outcome, data=data, reason=checked_reason(reason, required=take > 1))
    elif _is_second(draft, before):
        draft.add(Kind.CONFIRMED, deal=before.ordinal)


def _where(draft: Draft, number: int, dealer: int | None) -> tuple[int, int]:
    """How many seats deal `number` has, and which of them dealt; freezes the session at its first deal."""
    state = draft.state
    seats = freeze(draft) if not state.frozen else state.seats
    assert seats is not None
    rotation = check_number(draft, number)
    at = rotation if dealer is None else dealer
    if at is None:
        raise Invalid("dealer_needed", say("Say which seat dealt: this is the first deal of the session."))
    check_dealer(seats, at)
    return seats, at


def confirm(
    *,
    caller: Caller,
    session: str,
    number: int,
    take: int | None = None,
    now: datetime,
    door: str,
    key: Key | None = None,
) -> Receipt:
    """Confirm deal `number`, which somebody else entered on paper: from now on it counts. `take` is the one that was
    looked at, where the caller knows. Scorers and organisers.

    Raises `nothing_to_confirm`, `already_confirmed`, `same_person`, and `wrong_take` where it has been entered anew."""

    def decide(draft: Draft) -> None:
        draft.require(Role.SCORER)
        fact = draft.state.deal_at(number)
        if take not in (None, fact.take):
            raise _moved_on(fact)
        draft.state.check_correctable(organiser=draft.may(Role.ORGANISER))
        finished = draft.played[fact.ordinal].result is not None
        draft.state.check_confirm(fact, caller.user, finished=finished, entered_by=_entered_by(draft, fact))
        draft.add(Kind.CONFIRMED, deal=fact.ordinal)

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)


def _moved_on(fact: DealFact) -> Refusal:
    message = say(
        "Deal {number} was entered again meanwhile: look at take {take} first.", number=fact.number, take=fact.take
    )
    return Refusal("wrong_take", message)


def _entered_by(draft: Draft, fact: DealFact) -> set[int | None]:
    """Everybody who entered a part of a deal: the cards of one recorded as it was played may have come from several."""
    entered: set[int | None] = {fact.entered_by}
    if fact.mode == "recorded":
        entered |= {item.actor for item in eventlog.actions(draft.session.pk, _row(draft, fact))}
    return entered


def _is_second(draft: Draft, deal: DealFact) -> bool:
    """Whether a deal waits for a second person, and the caller is one."""
    return draft.state.unconfirmed(deal) and draft.caller.user not in _entered_by(draft, deal)


def _is_result(deal: DealFact, dealer: int, result: DealResult) -> bool:
    """Whether a deal stands as just this result."""
    on_record = (deal.mode, deal.dealer, deal.voided_by) == ("result", dealer, None)
    return on_record and bool(deal.data["result"] == result_json(result))


def _is_record(draft: Draft, deal: DealFact, dealer: int, deck: bytes, actions: bytes) -> bool:
    """Whether a deal stands, to its end, as just these cards and actions."""
    if (deal.mode, deal.dealer, draft.played[deal.ordinal].packed) != ("recorded", dealer, actions):
        return False
    return eventlog.deck_of(_row(draft, deal)) == deck


def _row(draft: Draft, deal: DealFact) -> DealRow:
    return next(row for row in draft.rows if row.ordinal == deal.ordinal)


def check_number(draft: Draft, number: int) -> int | None:
    """The dealer that the rotation gives deal `number`; raises where that number cannot be entered now."""
    state = draft.state
    if number == state.next_number:
        state.check_dealable(draft.live)
        return state.next_dealer
    if number > state.next_number:
        raise wrong_number(state)
    fact = state.deal_at(number)
    state.check_amend(fact, organiser=draft.may(Role.ORGANISER))
    return fact.dealer


def checked_result(result: PaperResult, rules: Rules, *, seats: int, dealer: int, anyway: bool = False) -> DealResult:
    """The result as scoring takes it. Raises, with a sentence for the scorer, `bad_result` for what no deal can come to
    (rules.md 5.6), and `doubtful_result` where something must be miscounted (5.7), unless it is to be kept `anyway`."""
    if (found := paper.fault(result, deck=rules.deck, seats=seats, dealer=dealer)) is not None:
        raise Invalid("bad_result", found)
    if not anyway and (doubt := paper.doubt(result, rules, dealer)) is not None:
        raise Invalid("doubtful_result", doubt)
    return paper.result_of(result, deck=rules.deck, dealer=dealer)


def check_scorable(draft: Draft, result: DealResult) -> None:
    """Raises `missing_passes` where the session's scheme needs what the result does not have (rules.md 5.6)."""
    scheme = draft.state.scheme
    if scheme.missing(result):
        raise Invalid(
            "missing_passes",
            say("{scheme} needs the passes of each seat, and the sevens withheld.", scheme=scheme.title),
        )
