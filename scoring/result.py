"""What a scheme may know of a deal (rules.md 5.5, 5.6)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

Points: TypeAlias = int | Fraction
"""Points are exact; they are rounded only where they are shown."""


@dataclass(frozen=True, slots=True)
class DealResult:
    """The result of one finished deal. Every tuple has one entry a seat, seat 0 first, but for `withheld`.

    `None` means unknown: a club may record cards left and nothing else (rules.md 5.6).

    - `dealer`: the seat that dealt.
    - `hand_sizes`: cards dealt to each seat.
    - `winner`: the seat that laid its last card, the only one with 0 `cards_left`.
    - `left_cards`: the cards left in each hand, as texts ("7D"); empty for the winner.
    - `forced_passes`: passes made without a legal card. `wrongful_passes`: made with one, and not corrected.
    - `withheld`: one (payer, payee) pair of seats for each payment of rules.md 5.3; empty when there was none.
    """

    dealer: int
    hand_sizes: tuple[int, ...]
    winner: int
    cards_left: tuple[int, ...]
    left_cards: tuple[tuple[str, ...], ...] | None = None
    forced_passes: tuple[int, ...] | None = None
    wrongful_passes: tuple[int, ...] | None = None
    withheld: tuple[tuple[int, int], ...] | None = None
