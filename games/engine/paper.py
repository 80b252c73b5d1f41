"""The parallel check of a paper sheet (rules.md 5.7). Pure."""

from collections.abc import Sequence

from games.engine.rules import Rules, hand_sizes


def turns_taken(
    rules: Rules, dealer: int, cards_left: Sequence[int], passes: Sequence[int]
) -> tuple[tuple[int, ...], bool]:
    """How often each seat had its turn (cards played and passes, forced and wrongful), and whether that can be.

    Turns go round: the seats from the starter up to the winner have had one more than the others. Where the holder of
    a card starts, any seat may have been the one. `cards_left` has exactly one 0; all have one entry a seat.
    """
    seats = len(cards_left)
    sizes = hand_sizes(rules.deck, seats, dealer)
    turns = tuple(size - left + passed for size, left, passed in zip(sizes, cards_left, passes, strict=True))
    winner = list(cards_left).index(0)
    starters = [(dealer + 1) % seats] if rules.tables.start is None else range(seats)
    return turns, any(turns == _going_round(turns[winner], starter, winner, seats) for starter in starters)


def _going_round(most: int, starter: int, winner: int, seats: int) -> tuple[int, ...]:
    up_to = (winner - starter) % seats
    return tuple(most - ((seat - starter) % seats > up_to) for seat in range(seats))
