"""Cards as drawings, and texts in the language of the page.

The suits are symbols that `pages/base.html` brings once; a card is a group of shapes 60 wide and 84 high.
"""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.engine.cards import CARD_OF_TEXT, SUITS, card_text
from games.engine.rules import Rules
from games.wording import SUIT_NAMES, card_name, corner, said

register = template.Library()
register.filter("said", said)

WIDTH, HEIGHT = 60, 84
STEP_X, STEP_Y = 64, 90
"""From one card to the next, to the right and down."""


def face(card: int) -> SafeString:
    """The shapes of a card, from 0 0 to 60 84."""
    suit = card_text(card)[1]
    return format_html(
        '<rect class="paper" width="60" height="84" rx="7"/><text class="{0}" x="30" y="39">{1}</text>'
        '<use class="{0}" href="#suit-{2}" x="15" y="47" width="30" height="30"/>',
        "red" if suit in "DH" else "black",
        corner(card),
        suit,
    )


@register.simple_tag(name="card")
def card_tag(card: int | str) -> SafeString:
    """A card as a picture of its own, by number or text: `{% card "7D" %}`."""
    number = CARD_OF_TEXT[card] if isinstance(card, str) else card
    return format_html(
        '<svg class="card" viewBox="-1 -1 62 86" role="img" aria-label="{}">{}</svg>', card_name(number), face(number)
    )


@register.simple_tag(name="suit")
def suit_tag(suit: str) -> SafeString:
    """A suit as a small picture: `{% suit "D" %}`."""
    return format_html(
        '<svg class="suit {}" role="img" aria-label="{}"><use href="#suit-{}"/></svg>',
        "red" if suit in "DH" else "black",
        SUIT_NAMES[suit],
        suit,
    )


@register.simple_tag(name="layout")
def layout_tag(
    rules: Rules, rows: Sequence[tuple[int, int] | None], label: str = "", fitting: int = 0, last: str = ""
) -> SafeString:
    """The four rows, all cards in their places: those that are laid have the class `laid`, those of the set `fitting`
    the class `fits`; a script may lay others. `rows` as in games.engine.seat_view; `label` says in words what lies
    there; `last` is the card that was laid last, which is marked."""
    deck = rules.tables.deck
    columns = len(deck) // len(SUITS)
    classes = {card: " fits" for card in deck if fitting >> card & 1} | dict.fromkeys(laid(rules, rows), " laid")
    if last:
        classes[CARD_OF_TEXT[last]] = " laid last"
    places = [
        (classes.get(card, ""), card_text(card), at % columns * STEP_X, at // columns * STEP_Y, face(card))
        for at, card in enumerate(deck)
    ]
    shapes = format_html_join("", '<g class="place{}" data-card="{}" transform="translate({} {})">{}</g>', places)
    width, height = columns * STEP_X - STEP_X + WIDTH + 2, 3 * STEP_Y + HEIGHT + 2
    return format_html(
        '<svg class="layout" viewBox="-1 -1 {} {}" role="img" aria-label="{}">{}</svg>', width, height, label, shapes
    )


def laid(rules: Rules, rows: Sequence[tuple[int, int] | None]) -> list[int]:
    """The cards of the rows, from the lowest to the highest of each."""
    at = rules.tables.position
    return [
        card
        for row, suit in zip(rows, rules.tables.suits, strict=True)
        if row is not None
        for card in suit
        if at[row[0]] <= at[card] <= at[row[1]]
    ]


@register.simple_tag(name="example")
def example_tag(text: str, profile: str = "pagat") -> SafeString:
    """A layout by the ends of its rows, with the cards that fit next: `{% example "6H-8H 7C-7C" %}`."""
    rules = Rules.from_json(profile)
    ends = [(CARD_OF_TEXT[row[:2]], CARD_OF_TEXT[row[3:]]) for row in text.split()]
    by_suit = {card_text(low)[1]: (low, high) for low, high in ends}
    rows = [by_suit.get(suit) for suit in SUITS]
    fitting = rules.tables.first_open
    for card in laid(rules, rows):
        fitting ^= rules.tables.change[card]
    names = ["–".join(dict.fromkeys(map(card_name, row))) for row in ends]
    return layout_tag(rules, rows, ", ".join(names), fitting)
