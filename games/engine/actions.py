"""Actions as bytes and as text: a card, a pass, or a correction (rules.md 3.5, 3.6, 4.2).

One byte holds an action: the card's number 0 to 51, PASS, or CORRECTION | card. A log is a row of such bytes.
"""

from games.engine.cards import CARD_OF_TEXT, CARD_TEXT, UnreadableCard, shown
from scoring.wording import say

PASS = 52
CORRECTION = 64
CARD_BITS = CORRECTION - 1

ACTION_OF_TEXT: dict[str, int] = {
    "-": PASS,
    **CARD_OF_TEXT,
    **{"^" + text: CORRECTION | card for text, card in CARD_OF_TEXT.items()},
}
_TEXT_OF_ACTION = {PASS: "-"} | {
    mark | card: sign + text for mark, sign in ((0, ""), (CORRECTION, "^")) for card, text in enumerate(CARD_TEXT)
}


class UnreadableAction(UnreadableCard):
    """The text is no action."""


def is_action(action: int) -> bool:
    """Whether the number stands for an action at all."""
    return action in _TEXT_OF_ACTION


def action_text(action: int) -> str:
    """`7D` for a card, `-` for a pass, `^7D` for a correction."""
    return _TEXT_OF_ACTION[action]


def parse_action(token: str) -> int:
    """The action that the token names. Raises UnreadableAction."""
    action = ACTION_OF_TEXT.get(token)
    if action is None:
        raise UnreadableAction(
            say("{token} is not an action; an action is a card as in 7D, - for a pass, or ^7D.", token=shown(token))
        )
    return action
