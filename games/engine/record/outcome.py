"""What a recorded deal came to: its actions replayed, its result checked (rules.md 3, 4, 5.6)."""

from typing import NamedTuple

from games.engine.deal import Deal
from games.engine.errors import IllegalAction, RecordError
from games.engine.paper import fault, result_of
from games.engine.record.types import GivenResult, Record
from scoring.result import DealResult
from scoring.wording import say


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
    given = result_of(result, deck=record.rules.deck, dealer=record.dealer)
    return Outcome(
        finished=True,
        winner=given.winner,
        cards_left=given.cards_left,
        forced_passes=given.forced_passes,
        wrongful_passes=given.wrongful_passes,
        given=given,
    )


def _check_result(record: Record, result: GivenResult, *, finished: bool) -> None:
    """Raises RecordError `bad_result` for what no deal of these rules and seats can come to."""
    found = fault(result, deck=record.rules.deck, seats=len(record.players), dealer=record.dealer, finished=finished)
    if found is not None:
        raise RecordError("bad_result", found)


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
                "result_mismatch",
                say(
                    "{key} is {given} in the record; the actions give {replayed}.",
                    key=key,
                    given=_listed(given),
                    replayed=_listed(value),
                ),
            )


def _listed(value: tuple[object, ...]) -> str:
    return "[" + ", ".join([_listed(item) if isinstance(item, tuple) else str(item) for item in value]) + "]"
