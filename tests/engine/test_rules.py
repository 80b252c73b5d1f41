"""Profiles, options and hand sizes (rules.md 2, 6)."""

import pytest

from games.engine.errors import BadDeal, BadRules
from games.engine.rules import MAX_SEATS, PROFILES, Rules, check_dealer, check_seats, hand_sizes

TEN = "pagat pool yellowclub yellowclub-chips diamond-start heart-start ace-low short-32 duel bicycle".split()  # noqa: SIM905


def test_the_ten_profiles_are_there_and_are_written_as_their_bare_names() -> None:
    assert list(PROFILES) == TEN
    for name in TEN:
        assert Rules.from_json(name).to_json() == name
        assert Rules.from_json({"profile": name}) == Rules.from_json(name)


@pytest.mark.parametrize(
    ("name", "differing"),
    [
        ("pagat", {}),
        ("pool", {}),
        ("yellowclub", {}),
        ("yellowclub-chips", {}),
        ("diamond-start", {"start": "holder:7D"}),
        ("heart-start", {"start": "holder:7H"}),
        ("ace-low", {"ace": "low"}),
        ("short-32", {"deck": 32}),
        ("duel", {"min_seats": 2}),
        ("bicycle", {"ace": "low"}),
    ],
)
def test_each_profile_differs_from_the_base_as_rules_md_6_says(name: str, differing: dict[str, object]) -> None:
    base = {"deck": 52, "ace": "high", "start": "left_of_dealer", "min_seats": 3, "wrongful_pass": None}
    assert Rules.from_json(name).options() == {**base, **differing}


def test_options_are_written_only_where_they_differ_from_the_profile_and_in_their_order() -> None:
    rules = Rules.from_json({"wrongful_pass": "fined", "min_seats": 2, "ace": "low", "deck": 52, "profile": "pagat"})
    assert rules.to_json() == {"profile": "pagat", "ace": "low", "min_seats": 2, "wrongful_pass": "fined"}
    assert list(rules.to_json()) == ["profile", "ace", "min_seats", "wrongful_pass"]


def test_hosted_play_is_written_whether_it_refuses_or_fines_and_recorded_play_never() -> None:
    rules = Rules.from_json("pool")
    for value in ("refused", "fined"):
        hosted = rules.with_wrongful_pass(value)
        assert hosted.to_json() == {"profile": "pool", "wrongful_pass": value}
        assert Rules.from_json(hosted.to_json()) == hosted
        assert hosted.with_wrongful_pass(None) == rules


def test_an_override_may_take_back_what_the_profile_changes() -> None:
    rules = Rules.from_json({"profile": "short-32", "deck": 52, "ace": "low"})
    assert rules.to_json() == {"profile": "short-32", "deck": 52, "ace": "low"}


@pytest.mark.parametrize(
    "value",
    [
        "hoyle-1890",
        "",
        "Pagat",
        None,
        7,
        [],
        {},
        {"ace": "low"},
        {"profile": None},
        {"profile": ["pagat"]},
        {"profile": "nope"},
        {"profile": "pagat", "jokers": 1},
        {"profile": "pagat", "deck": 36},
        {"profile": "pagat", "deck": "32"},
        {"profile": "pagat", "deck": 52.0},
        {"profile": "pagat", "deck": True},
        {"profile": "pagat", "deck": None},
        {"profile": "pagat", "ace": "both"},
        {"profile": "pagat", "ace": ["low"]},
        {"profile": "pagat", "start": "holder:8D"},
        {"profile": "pagat", "start": "holder:7d"},
        {"profile": "pagat", "min_seats": 4},
        {"profile": "pagat", "min_seats": False},
        {"profile": "pagat", "wrongful_pass": "allowed"},
        {"profile": "pagat", "wrongful_pass": None},
        {"profile": "short-32", "ace": "low"},
        {"profile": "bicycle", "deck": 32},
    ],
)
def test_anything_else_is_refused_with_a_sentence(value: object) -> None:
    with pytest.raises(BadRules) as error:
        Rules.from_json(value)
    assert error.value.code == "bad_rules"
    assert error.value.message.endswith(".")


def test_rules_that_rules_md_refuses_cannot_be_made_at_all() -> None:
    with pytest.raises(BadRules):
        Rules(profile="pagat", deck=32, ace="low")


@pytest.mark.parametrize(
    ("deck", "seats", "sizes"),
    [
        (52, 2, (26, 26)),
        (52, 3, (18, 17, 17)),
        (52, 4, (13, 13, 13, 13)),
        (52, 5, (11, 11, 10, 10, 10)),
        (52, 6, (9, 9, 9, 9, 8, 8)),
        (52, 7, (8, 8, 8, 7, 7, 7, 7)),
        (52, 8, (7, 7, 7, 7, 6, 6, 6, 6)),
        (32, 3, (11, 11, 10)),
        (32, 5, (7, 7, 6, 6, 6)),
        (32, 7, (5, 5, 5, 5, 4, 4, 4)),
        (32, 8, (4, 4, 4, 4, 4, 4, 4, 4)),
    ],
)
def test_the_first_seats_from_the_dealers_left_hold_one_card_more(
    deck: int, seats: int, sizes: tuple[int, ...]
) -> None:
    for dealer in range(seats):
        left = (dealer + 1) % seats
        dealt = hand_sizes(deck, seats, dealer)
        assert dealt[left:] + dealt[:left] == sizes


def test_three_to_eight_seats_play_and_two_only_where_the_rules_say_so() -> None:
    for seats in range(12):
        for rules, fewest in ((Rules.from_json("pagat"), 3), (Rules.from_json("duel"), 2)):
            if fewest <= seats <= MAX_SEATS:
                check_seats(rules, seats)
            else:
                with pytest.raises(BadDeal):
                    check_seats(rules, seats)


@pytest.mark.parametrize("dealer", [-1, 4, 99])
def test_the_dealer_is_one_of_the_seats(dealer: int) -> None:
    with pytest.raises(BadDeal):
        check_dealer(4, dealer)
