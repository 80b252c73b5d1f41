"""What a recorded deal came to: its actions replayed, its result checked (rules.md 3, 4, 5.6)."""

from typing import NamedTuple

from games.engine.deal import Deal
from games.engine.errors import IllegalAction, RecordError
from games.engine.record.types import GivenResult, Record
from games.engine.rules import hand_sizes
from scoring.result import DealResult


class Outcome(NamedTuple):
    """Where a record ends. Tuples have one entry a seat; all is None or False for a voided deal.

    `forced_passes`, `wrongful_passes`: None where not recorded. `actions`: how many, a correction counting as one, None
    for a result alone. `deal`: the deal as its log leaves it, None where nothing was replayed.
    """

    voided: bool = False
    finished: bool = False
    winner: int | None = None
    cards_left: tuple[int, ...] | None = None
    forced_passes: tuple[int, ...] | None = None
    wrongful_passes: tuple[int, ...] | None = None
    actions: int | None = None
    deal: Deal | None = None
    given: DealResult | None = None

    def result(self) -> DealResult | None:
        """What scoring may know; None for a deal that is voided or not finished."""
        if not self.finished:
            return None
        return self.given if self.deal is None else self.deal.result()


def replay_record(record: Record) -> Outcome:
    """Replay a record that `parse` has accepted, and check its result.

    Raises RecordError: a code of IllegalAction with the action's index, `bad_result` or `result_mismatch`.
    """
    if record.voided is not None:
        return Outcome(voided=True)
    result = record.result
    if record.result_only:
        assert result is not None
        return _of_result(record, result)
    assert record.hands is not None
    deal = Deal(record.rules, record.dealer, record.hands)
    try:
        deal.apply_all(record.actions or b"")
    except IllegalAction as error:
        raise RecordError(error.code, error.message, error.action) from None
    if result is not None:
        _check_result(record, result, finished=deal.over)
        _compare(result, deal)
    return Outcome(
        finished=deal.winner is not None,
        winner=deal.winner,
        cards_left=deal.cards_left(),
        forced_passes=tuple(deal.forced),
        wrongful_passes=tuple(deal.wrongful),
        actions=len(deal.log),
        deal=deal,
    )


def _of_result(record: Record, result: GivenResult) -> Outcome:
    _check_result(record, result, finished=True)
    assert result.cards_left is not None
    given = DealResult(
        dealer=record.dealer,
        hand_sizes=hand_sizes(record.rules.deck, len(record.players), record.dealer),
        winner=result.cards_left.index(0),
        cards_left=result.cards_left,
        forced_passes=result.forced_passes,
        wrongful_passes=result.wrongful_passes,
        withheld=result.withheld,
    )
    return Outcome(
        finished=True,
        winner=given.winner,
        cards_left=result.cards_left,
        forced_passes=result.forced_passes,
        wrongful_passes=result.wrongful_passes,
        given=given,
    )


def _check_result(record: Record, result: GivenResult, *, finished: bool) -> None:
    """Raises RecordError `bad_result` for what no deal of these rules and seats can come to."""
    seats = len(record.players)
    for key in ("cards_left", "forced_passes", "wrongful_passes"):
        counts: tuple[int, ...] | None = getattr(result, key)
        if counts is not None and len(counts) != seats:
            raise _bad(f"{key} has {len(counts)} numbers for {seats} seats.")
        if counts is not None and min(counts) < 0:
            raise _bad(f"{key} has a number below zero.")
    left = result.cards_left
    if left is not None:
        sizes = hand_sizes(record.rules.deck, seats, record.dealer)
        for seat, (count, size) in enumerate(zip(left, sizes, strict=True)):
            if count > size:
                raise _bad(f"Seat {seat} has {count} cards left, but it was dealt {size}.")
        if finished and left.count(0) != 1:
            raise _bad(f"cards_left must have exactly one zero, the winner's; it has {left.count(0)}.")
    for payer, payee in result.withheld or ():
        if payer == payee or not (0 <= payer < seats and 0 <= payee < seats):
            raise _bad(f"withheld names seats {payer} and {payee}; expected two different seats of 0 to {seats - 1}.")


def _compare(result: GivenResult, deal: Deal) -> None:
    """Raises RecordError `result_mismatch` unless every key given says what the replay says."""
    replayed = {
        "cards_left": deal.cards_left(),
        "forced_passes": tuple(deal.forced),
        "wrongful_passes": tuple(deal.wrongful),
        "withheld": tuple(sorted(deal.withheld)),
    }
    for key, value in replayed.items():
        given = getattr(result, key)
        if key == "withheld" and given is not None:
            given = tuple(sorted(given))
        if given is not None and given != value:
            raise RecordError(
                "result_mismatch", f"{key} is {_listed(given)} in the record; the actions give {_listed(value)}."
            )


def _listed(value: tuple[object, ...]) -> str:
    return "[" + ", ".join([_listed(item) if isinstance(item, tuple) else str(item) for item in value]) + "]"


def _bad(message: str) -> RecordError:
    return RecordError("bad_result", message)
