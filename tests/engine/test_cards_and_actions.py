"""Cards and actions as numbers and as text (rules.md 1.3)."""

import pytest

from games.engine.actions import UnreadableAction, action_text, is_action, parse_action
from games.engine.cards import CARD_TEXT, UnreadableCard, card_text, cards_of, mask_of, parse_card


def test_every_card_is_written_as_rank_and_suit_and_read_back() -> None:
    assert len(set(CARD_TEXT)) == 52
    assert [card_text(parse_card(text)) for text in CARD_TEXT] == list(CARD_TEXT)
    assert card_text(0) == "2C"
    assert card_text(51) == "AS"


def test_ten_is_read_as_t_and_written_as_t() -> None:
    assert card_text(parse_card("10H")) == "TH"
    assert action_text(parse_action("^10H")) == "^TH"


@pytest.mark.parametrize(
    "text", ["", "7", "7d", "1D", "1X", "D7", "7DD", " 7D", "7D ", "7♦", "100D", "-", "^7D", "11H"]
)
def test_anything_else_is_no_card(text: str) -> None:
    with pytest.raises(UnreadableCard):
        parse_card(text)


@pytest.mark.parametrize("text", ["", "^", "^-", "--", "7d", "^7d", "^^7D", "1X", "pass", "- ", "−"])
def test_anything_else_is_no_action(text: str) -> None:
    with pytest.raises(UnreadableAction):
        parse_action(text)


def test_every_action_is_one_byte_and_is_read_back() -> None:
    actions = [number for number in range(256) if is_action(number)]
    assert len(actions) == 52 + 1 + 52
    assert [parse_action(action_text(action)) for action in actions] == actions


def test_a_set_of_cards_is_a_number() -> None:
    cards = [parse_card(text) for text in ("2C", "7D", "AS")]
    assert cards_of(mask_of(reversed(cards))) == cards
    assert cards_of(0) == []


def test_a_message_quotes_foreign_text_on_one_line_and_never_at_length() -> None:
    with pytest.raises(UnreadableCard) as error:
        parse_card("\n\u202e" + "x" * 10_000)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 150
