"""What each bot prefers."""

from collections import Counter
from random import Random

import pytest

from games.bots import available
from games.engine.cards import card_text
from games.engine.rules import Rules
from tests.bots.views import decision


def choices(bot: str, hand: str, legal: str, rules: Rules | None = None) -> Counter[str]:
    view = decision(hand, legal, rules)
    return Counter(card_text(available()[bot].choose(view, Random(seed))) for seed in range(300))


def test_random_plays_every_legal_card_equally_often() -> None:
    counts = choices("random", "7C 8D 2H AS", "7C 8D 2H")
    assert set(counts) == {"7C", "8D", "2H"}
    assert min(counts.values()) > 70


def test_far_first_plays_the_card_farthest_from_its_seven_and_draws_among_equals() -> None:
    assert set(choices("far-first", "7C 9D 2H TS", "7C 9D 2H TS")) == {"2H"}
    assert set(choices("far-first", "7C 9D 5H TS", "7C 9D 5H")) == {"9D", "5H"}


def test_far_first_counts_the_ace_where_the_rules_have_it() -> None:
    assert set(choices("far-first", "AC KH", "AC KH")) == {"AC"}
    assert set(choices("far-first", "AC KH", "AC KH", Rules.from_json("ace-low"))) == {"AC", "KH"}
    assert set(choices("far-first", "AC 2H", "AC 2H", Rules.from_json("ace-low"))) == {"AC"}


@pytest.mark.parametrize(
    ("why", "hand", "legal", "chosen"),
    [
        ("its next card outward is its own", "8C 9C 8D", "8C 8D", "8C"),
        ("it leads to a far card", "8C KC 6D 5D", "8C 6D", "8C"),
        ("of two ways to a far card, the one that frees fewer of the others' cards", "8C QC KC 8D KD", "8C 8D", "8C"),
        ("of two gates with nothing behind, the one with less behind", "9C JD", "9C JD", "JD"),
        ("an end card gives nothing away", "AC 9D", "AC 9D", "AC"),
        ("a seven opens the suit where it holds the far cards", "7C AC 2C 7D 8D", "7C 7D", "7C"),
        ("a seven with nothing behind waits", "7C TD JD", "7C TD", "TD"),
    ],
)
def test_follow_plays_what_leads_to_its_own_cards_and_to_few_others(
    why: str, hand: str, legal: str, chosen: str
) -> None:
    assert set(choices("follow", hand, legal)) == {chosen}, why


def test_follow_knows_where_the_row_ends() -> None:
    # With the ace low nothing lies beyond the king, and the two is a gate to the ace.
    assert set(choices("follow", "KC 2H", "KC 2H")) == {"2H"}
    assert set(choices("follow", "KC 2H", "KC 2H", Rules.from_json("ace-low"))) == {"KC"}
    # Nothing lies below the seven of the short deck.
    assert set(choices("follow", "7C AC 8D", "7C 8D", Rules.from_json("short-32"))) == {"7C"}
