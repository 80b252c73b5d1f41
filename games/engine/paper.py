"""A score slip: what it may say, the result it comes to, and the parallel check (rules.md 5.6, 5.7). Pure."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from games.engine.errors import Seat
from games.engine.rules import Rules, hand_sizes
from scoring.result import DealResult
from scoring.wording import Listed, mark, say


class Slip(Protocol):
    """What was written down, by seat; None where nothing was. `withheld` are (payer, payee) pairs of seats."""

    @property
    def cards_left(self) -> Sequence[int] | None: ...
    @property
    def forced_passes(self) -> Sequence[int] | None: ...
    @property
    def wrongful_passes(self) -> Sequence[int] | None: ...
    @property
    def withheld(self) -> Sequence[tuple[int, int]] | None: ...


COLUMNS = ("cards_left", "forced_passes", "wrongful_passes")


def fault(slip: Slip, *, deck: int, seats: int, dealer: int, finished: bool = True) -> str | None:
    """What no deal with this deck and dealer can come to, in a sentence; None for a slip that is possible.

    `finished`: the deal was played to its end, so that exactly one seat has no cards left (rules.md 5.6)."""
    return next(_faults(slip, deck, seats, dealer, finished), None)


def _faults(slip: Slip, deck: int, seats: int, dealer: int, finished: bool) -> Iterator[str]:
    for name in COLUMNS:
        counts: Sequence[int] | None = getattr(slip, name)
        if counts is not None and len(counts) != seats:
            yield say(
                "{name} has {counts} entries; the table has {seats} seats.", name=name, counts=len(counts), seats=seats
            )
        for seat, count in enumerate(counts or ()):
            if count < 0:
                yield say(
                    "{name} of seat {seat} is {count}; it cannot be negative.", name=name, seat=Seat(seat), count=count
                )
    if slip.cards_left is not None:
        zeros = [seat for seat, left in enumerate(slip.cards_left) if left == 0]
        if finished and len(zeros) != 1:
            # Translators: seats in a row: “seat 0 and seat 3”.
            who = [say("seat {seat}", seat=Seat(seat)) for seat in zeros]
            yield (
                say("Exactly one seat goes out with 0 cards left; {seats} have.", seats=Listed(who, mark(" and ")))
                if who
                else say("Exactly one seat goes out with 0 cards left; nobody has.")
            )
        for seat, (left, size) in enumerate(zip(slip.cards_left, hand_sizes(deck, seats, dealer), strict=True)):
            if left > size:
                yield say(
                    "Seat {seat} cannot have {left} cards left: it was dealt {size}.",
                    seat=Seat(seat),
                    left=left,
                    size=size,
                )
    for payer, payee in slip.withheld or ():
        if payer == payee or not (0 <= payer < seats and 0 <= payee < seats):
            yield say(
                "A withheld seven is paid by one seat of the table to another, not by seat {payer} to seat {payee}.",
                payer=Seat(payer),
                payee=Seat(payee),
            )


def result_of(slip: Slip, *, deck: int, dealer: int) -> DealResult:
    """The result of a deal known by its slip only, which has no `fault`."""
    assert slip.cards_left is not None
    return DealResult(
        dealer=dealer,
        hand_sizes=hand_sizes(deck, len(slip.cards_left), dealer),
        winner=list(slip.cards_left).index(0),
        cards_left=tuple(slip.cards_left),
        left_cards=None,
        forced_passes=None if slip.forced_passes is None else tuple(slip.forced_passes),
        wrongful_passes=None if slip.wrongful_passes is None else tuple(slip.wrongful_passes),
        withheld=None if slip.withheld is None else tuple((payer, payee) for payer, payee in slip.withheld),
    )


def doubt(slip: Slip, rules: Rules, dealer: int) -> str | None:
    """What must be miscounted on a slip without `fault`, in a sentence that names the seats (rules.md 5.7).

    Turns go round: the seats from the starter up to the winner have had one more than the others, where a turn is a
    card played or a pass. It is a doubt and no fault, since a miscounted slip is often all there is. Where passes are
    not known there is none.
    """
    left, forced, wrongful = slip.cards_left, slip.forced_passes, slip.wrongful_passes
    if left is None or forced is None or wrongful is None:
        return None
    seats, winner = len(left), list(left).index(0)
    sizes = hand_sizes(rules.deck, seats, dealer)
    turns = [size - rest + a + b for size, rest, a, b in zip(sizes, left, forced, wrongful, strict=True)]
    # Where the holder of a card starts, any seat may have been the one. The winner may be who is miscounted.
    starters = [(dealer + 1) % seats] if rules.tables.start is None else range(seats)
    rounds = [_going_round(most, start, winner, seats) for most in (turns[winner], *turns) for start in starters]
    nearest = min(rounds, key=lambda right: sum(a != b for a, b in zip(turns, right, strict=True)))
    wrong = [
        # Translators: how many turns a seat must have had, and how many are on the slip.
        say("{right} for seat {seat}, not {counted}", right=right, seat=Seat(seat), counted=counted)
        for seat, (counted, right) in enumerate(zip(turns, nearest, strict=True))
        if counted != right
    ]
    if not wrong:
        return None
    between = mark(", and ")
    return say(
        "Turns go round the table: cards played and passes together should come to {wrong}.",
        wrong=Listed(wrong, between),
    )


def _going_round(most: int, starter: int, winner: int, seats: int) -> list[int]:
    """The turns of each seat where the winner had `most`."""
    up_to = (winner - starter) % seats
    return [most - ((seat - starter) % seats > up_to) for seat in range(seats)]
