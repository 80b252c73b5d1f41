"""Where a card lies in its row, counted outward from the seven (rules.md 3.1, 3.2)."""

from games.engine.cards import RANKS, SEVEN
from games.engine.rules import Rules


def distance(rules: Rules, card: int) -> int:
    """Steps from the card to the seven of its suit; 0 for the seven itself."""
    _, place, seven = _place(rules, card)
    return abs(place - seven)


def beyond(rules: Rules, card: int) -> tuple[tuple[int, ...], ...]:
    """For each side that the card opens, the cards of its row further out, the nearest first.

    One side for a card below or above the seven, both for the seven. All of them are still in hands while the card is.
    """
    row, place, seven = _place(rules, card)
    sides = []
    if place <= seven:
        sides.append(row[:place][::-1])
    if place >= seven:
        sides.append(row[place + 1 :])
    return tuple(sides)


def _place(rules: Rules, card: int) -> tuple[tuple[int, ...], int, int]:
    row = rules.tables.suits[card // len(RANKS)]
    return row, row.index(card), row.index(card // len(RANKS) * len(RANKS) + SEVEN)
