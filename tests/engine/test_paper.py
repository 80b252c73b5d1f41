"""The parallel check of a paper sheet (rules.md 5.7)."""

import random

import pytest

from games.engine.deal import PASS, Deal
from games.engine.paper import turns_taken
from games.engine.rules import PROFILES, Rules


def a_result(rules: Rules, seats: int, rng: random.Random) -> Deal:
    """A deal played to its end, now and then with a wrongful pass."""
    deck = list(rules.tables.deck)
    rng.shuffle(deck)
    deal = Deal.from_deck(rules, rng.randrange(seats), deck, seats)
    while not deal.over:
        legal = deal.legal()
        deal.apply(rng.choice(legal) if legal and rng.random() > 0.05 else PASS)
    return deal


@pytest.mark.parametrize("profile", PROFILES)
def test_every_deal_that_was_played_passes_the_check(profile):
    rng = random.Random(profile)
    for _ in range(40):
        rules = Rules(**{**Rules.from_json(profile).options(), "profile": profile})
        deal = a_result(rules, rng.randint(max(3, rules.min_seats), 8), rng)
        passes = [forced + wrongful for forced, wrongful in zip(deal.forced, deal.wrongful, strict=True)]
        assert turns_taken(rules, deal.dealer, deal.cards_left(), passes)[1]


def test_a_pass_too_many_or_a_card_miscounted_is_noticed():
    rules = Rules()
    # Seat 0 begins; seat 3 wins in its fourteenth turn: everybody had fourteen.
    good = turns_taken(rules, 3, [2, 3, 1, 0], [3, 4, 2, 1])
    assert good == ((14, 14, 14, 14), True)
    assert not turns_taken(rules, 3, [2, 3, 1, 0], [3, 5, 2, 1])[1]
    assert not turns_taken(rules, 3, [2, 4, 1, 0], [3, 4, 2, 1])[1]


def test_the_seats_after_the_winner_have_had_one_turn_less():
    rules = Rules()
    assert turns_taken(rules, 3, [2, 0, 2, 3], [3, 1, 2, 3])[1]
    assert not turns_taken(rules, 3, [2, 0, 2, 3], [2, 1, 3, 4])[1]
