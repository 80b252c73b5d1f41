"""A score slip: what it may say, and the parallel check (rules.md 5.6, 5.7)."""

import random
from typing import NamedTuple

import pytest

from games.engine.deal import PASS, Deal
from games.engine.paper import doubt, fault, result_of
from games.engine.rules import PROFILES, Rules


class Slip(NamedTuple):
    cards_left: list[int] | None = None
    forced_passes: list[int] | None = None
    wrongful_passes: list[int] | None = None
    withheld: list[tuple[int, int]] | None = None


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
def test_the_slip_of_every_deal_that_was_played_is_taken_as_its_result(profile: str) -> None:
    rng = random.Random(profile)
    for _ in range(40):
        rules = Rules(**{**Rules.from_json(profile).options(), "profile": profile})
        deal = a_result(rules, rng.randint(max(3, rules.min_seats), 8), rng)
        slip = Slip(list(deal.cards_left()), list(deal.forced), list(deal.wrongful), list(deal.withheld))
        assert fault(slip, deck=rules.deck, seats=deal.seats, dealer=deal.dealer) is None
        assert doubt(slip, rules, deal.dealer) is None
        played = deal.result()
        found = result_of(slip, deck=rules.deck, dealer=deal.dealer)
        assert found.left_cards is None
        for name in ("dealer", "hand_sizes", "winner", "cards_left", "forced_passes", "wrongful_passes", "withheld"):
            assert getattr(found, name) == getattr(played, name)


@pytest.mark.parametrize(
    ("slip", "words"),
    [
        (Slip([2, 3, 0]), "cards_left has 3 entries; the table has 4 seats"),
        (Slip([2, 3, -1, 0]), "cards_left of seat 2 is -1"),
        (Slip([2, 3, 1, 0], [1, 1, 1]), "forced_passes has 3 entries"),
        (Slip([2, 3, 1, 0], None, [0, 0, 0, -2]), "wrongful_passes of seat 3 is -2"),
        (Slip([2, 3, 1, 1]), "Exactly one seat goes out with 0 cards left; nobody has"),
        (Slip([2, 0, 1, 0]), "seat 1 and seat 3 have"),
        (Slip([2, 14, 1, 0]), "Seat 1 cannot have 14 cards left: it was dealt 13"),
        (Slip([2, 3, 1, 0], withheld=[(1, 1)]), "to another, not by seat 1 to seat 1"),
        (Slip([2, 3, 1, 0], withheld=[(1, 4)]), "to another, not by seat 1 to seat 4"),
    ],
)
def test_what_no_deal_can_come_to_is_said(slip: Slip, words: str) -> None:
    assert words in (fault(slip, deck=52, seats=4, dealer=3) or "")


def test_a_deal_that_is_not_finished_needs_no_winner() -> None:
    assert fault(Slip([2, 3, 1, 1]), deck=52, seats=4, dealer=3, finished=False) is None


NONE_WRONG = [0, 0, 0, 0]


def test_a_pass_too_many_or_a_card_miscounted_is_noticed_and_named() -> None:
    # Seat 0 begins; seat 3 wins in its fourteenth turn: everybody had fourteen.
    rules = Rules()
    assert doubt(Slip([2, 3, 1, 0], [3, 4, 2, 1], NONE_WRONG), rules, 3) is None
    said = "Turns go round the table: cards played and passes together should come to 14 for seat 1, not 15."
    assert doubt(Slip([2, 3, 1, 0], [3, 5, 2, 1], NONE_WRONG), rules, 3) == said
    assert "14 for seat 1, not 13" in (doubt(Slip([2, 4, 1, 0], [3, 4, 2, 1], NONE_WRONG), rules, 3) or "")


def test_a_wrongful_pass_is_a_turn_too() -> None:
    assert doubt(Slip([2, 3, 1, 0], [3, 3, 2, 1], [0, 1, 0, 0]), Rules(), 3) is None
    assert doubt(Slip([2, 3, 1, 0], [3, 3, 2, 1], NONE_WRONG), Rules(), 3) is not None


def test_the_winner_may_be_who_is_miscounted() -> None:
    said = doubt(Slip([2, 3, 1, 0], [3, 4, 2, 3], NONE_WRONG), Rules(), 3) or ""
    assert said.endswith("should come to 14 for seat 3, not 16.")


def test_the_seats_after_the_winner_have_had_one_turn_less() -> None:
    rules = Rules()
    assert doubt(Slip([2, 0, 2, 3], [3, 1, 2, 3], NONE_WRONG), rules, 3) is None
    assert doubt(Slip([2, 0, 2, 3], [2, 1, 3, 4], NONE_WRONG), rules, 3) is not None


def test_where_passes_are_not_known_nothing_is_doubted() -> None:
    for slip in (Slip([2, 3, 1, 0]), Slip([2, 3, 1, 0], [9, 0, 0, 0]), Slip([2, 3, 1, 0], None, [9, 0, 0, 0])):
        assert doubt(slip, Rules(), 3) is None


def test_where_the_holder_of_a_card_begins_any_seat_may_have_begun() -> None:
    slip = Slip([2, 0, 2, 3], [2, 1, 2, 3], NONE_WRONG)
    assert doubt(slip, Rules(), 3) is not None
    assert doubt(slip, Rules.from_json("diamond-start"), 3) is None
