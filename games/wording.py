"""What people read, in the language of whoever reads it: sentences, cards and suits by their names.

The catalogues lie in fantan_site/locale; devtools/catalogues.py keeps them.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext, ngettext, pgettext, pgettext_lazy

from games.engine.cards import SUITS, card_text
from scoring.wording import in_language

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise
else:
    Text = str
"""A text, or one that is looked up when it is shown (gettext_lazy)."""

SUIT_NAMES = {
    "C": pgettext_lazy("suit", "clubs"),
    "D": pgettext_lazy("suit", "diamonds"),
    "H": pgettext_lazy("suit", "hearts"),
    "S": pgettext_lazy("suit", "spades"),
}
_OF_SUITS = {
    "C": pgettext_lazy("a card of", "clubs"),
    "D": pgettext_lazy("a card of", "diamonds"),
    "H": pgettext_lazy("a card of", "hearts"),
    "S": pgettext_lazy("a card of", "spades"),
}
_RANK_NAMES = {
    "2": pgettext_lazy("rank", "two"),
    "3": pgettext_lazy("rank", "three"),
    "4": pgettext_lazy("rank", "four"),
    "5": pgettext_lazy("rank", "five"),
    "6": pgettext_lazy("rank", "six"),
    "7": pgettext_lazy("rank", "seven"),
    "8": pgettext_lazy("rank", "eight"),
    "9": pgettext_lazy("rank", "nine"),
    "T": pgettext_lazy("rank", "ten"),
    "J": pgettext_lazy("rank", "jack"),
    "Q": pgettext_lazy("rank", "queen"),
    "K": pgettext_lazy("rank", "king"),
    "A": pgettext_lazy("rank", "ace"),
}
_CORNERS = {
    "T": "10",
    "J": pgettext_lazy("corner of a card", "J"),
    "Q": pgettext_lazy("corner of a card", "Q"),
    "K": pgettext_lazy("corner of a card", "K"),
    "A": pgettext_lazy("corner of a card", "A"),
}


def said(text: str) -> str:
    """A sentence (scoring.wording) in the language of this request; any other text as it is."""
    words: str = in_language(text, gettext, ngettext)
    return words


def card_name(card: int) -> str:
    """“seven of diamonds”."""
    text = card_text(card)
    # Translators: a card by its name, such as seven of diamonds.
    pattern = pgettext("card", "{rank} of {suit}")
    return pattern.format(rank=_RANK_NAMES[text[0]], suit=_OF_SUITS[text[1]])


def corner(card: int) -> str:
    """What stands in the corner of a card: 2 to 10, J, Q, K, A, or the letters of the language."""
    rank = card_text(card)[0]
    return str(_CORNERS.get(rank, rank))


def rows_in_words(rows: Iterable[tuple[int, int] | None]) -> str:
    """The layout for who cannot see it: “clubs: nothing yet; diamonds: six to nine; …”. `rows` as in
    games.engine.seat_view."""
    return "; ".join(_row_in_words(suit, row) for suit, row in zip(SUITS, rows, strict=True))


def _row_in_words(suit: str, row: tuple[int, int] | None) -> str:
    if row is None:
        return gettext("{suit}: nothing yet").format(suit=SUIT_NAMES[suit])
    low, high = (_RANK_NAMES[card_text(card)[0]] for card in row)
    if row[0] == row[1]:
        return gettext("{suit}: {rank}").format(suit=SUIT_NAMES[suit], rank=low)
    return gettext("{suit}: {low} to {high}").format(suit=SUIT_NAMES[suit], low=low, high=high)


def words_of_cards() -> dict[str, Any]:
    """The same for scripts, which say for themselves what lies there: cards, suits and ranks by their letters, and the
    patterns of `rows_in_words`."""
    deck = {card_text(card): card_name(card) for card in range(52)}
    return {
        "cards": deck,
        "suits": {suit: str(name) for suit, name in SUIT_NAMES.items()},
        "ranks": {rank: str(name) for rank, name in _RANK_NAMES.items()},
        "rows": [gettext("{suit}: nothing yet"), gettext("{suit}: {rank}"), gettext("{suit}: {low} to {high}")],
    }
