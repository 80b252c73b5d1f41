"""Cards as small numbers: suit * 13 + rank, suits `CDHS`, ranks `23456789TJQKA` (rules.md 1.3).

The number of a card never depends on the rules: where the ace lies is a matter of the tables in rules.py. A set of
cards is one integer, bit c standing for card c.
"""

from collections.abc import Iterable

from scoring.wording import say

SUITS = "CDHS"
RANKS = "23456789TJQKA"
CARD_TEXT: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The text of each card, by number."""

CARD_OF_TEXT: dict[str, int] = {text: card for card, text in enumerate(CARD_TEXT)}
CARD_OF_TEXT |= {"10" + suit: CARD_OF_TEXT["T" + suit] for suit in SUITS}  # read, never written

SEVEN = RANKS.index("7")


class UnreadableCard(ValueError):
    """The text is no card."""


def card_text(card: int) -> str:
    """The two characters of a card: `7D`, `TH`."""
    return CARD_TEXT[card]


def parse_card(text: str) -> int:
    """The card that the text names; `10H` is read as `TH`. Raises UnreadableCard, for lower case too."""
    card = CARD_OF_TEXT.get(text)
    if card is None:
        raise UnreadableCard(
            say(
                "{text} is not a card; a card is one of {ranks} and one of {suits}, as in 7D.",
                text=shown(text),
                ranks=RANKS,
                suits=SUITS,
            )
        )
    return card


def mask_of(cards: Iterable[int]) -> int:
    """The set of the cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> list[int]:
    """The cards in the set, by ascending number."""
    cards = []
    while mask:
        card = mask.bit_length() - 1
        cards.append(card)
        mask ^= 1 << card
    cards.reverse()
    return cards


def shown(text: str) -> str:
    """Foreign text as a message may quote it: in quotes, on one line, never long."""
    return repr(text if len(text) <= 24 else text[:24] + "…")
