"""Chips: what is paid, to whom, and what a result has to name (rules.md 5.2, 5.3)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.schemes import available, scheme_from_text
from scoring.table import session_table
from tests.scoring import cases
from tests.scoring.cases import WORKED, plain_result


@pytest.mark.parametrize(
    ("scheme", "points"),
    [
        ("pool", (-6, -8, -4, 18)),
        ("chip-pot", (-6, -8, -4, 18)),
        ("yellowclub-chips", (2, -15, -2, 15)),
        ("bicycle", (-1, -20, -4, 25)),
        ("wins", (0, 0, 0, 1)),
        ("card-count", (2, 3, 1, 0)),
    ],
)
def test_the_worked_deal_of_the_rules(scheme: str, points: tuple[int, ...]) -> None:
    assert scheme_from_text(scheme).score(WORKED) == points


@given(st.data())
def test_every_deal_sums_to_zero(data: st.DataObject) -> None:
    scheme = data.draw(cases.asked_schemes(available()["chip-pot"]))
    result = data.draw(st.integers(2, 8).flatmap(lambda seats: cases.results(seats, complete=True)))
    assert sum(scheme.score(result)) == 0


def test_presets_take_other_values_for_single_parameters() -> None:
    assert scheme_from_text("yellowclub-chips:withheld_seven=0,forced_pass=1").score(WORKED) == (-6, -8, -4, 18)


def test_one_holder_of_six_and_eight_is_paid_twice() -> None:
    both = replace(WORKED, withheld=((1, 0), (1, 0)))
    assert scheme_from_text("yellowclub-chips").score(both) == (7, -15, -2, 10)


def test_the_winner_too_pays_for_a_withheld_seven() -> None:
    assert scheme_from_text("yellowclub-chips").score(replace(WORKED, withheld=((3, 2),))) == (-3, -5, 3, 5)


def test_shorter_hands_ante_more_only_where_hands_differ() -> None:
    scheme = scheme_from_text("chip-pot:ante_short=4,forced_pass=0,wrongful_pass=0,card_left=0")
    assert scheme.score(plain_result(0, 1, 2, 3)) == (3, -1, -1, -1)
    assert scheme.score(plain_result(1, 0, 2, dealer=2)) == (-1, 6, -5)


def test_chips_may_fall_below_any_floor() -> None:
    table = session_table(
        scheme_from_text("chip-pot:ante=500000000,forced_pass=0,wrongful_pass=0"), [plain_result(0, 9)] * 9, 2
    )
    assert table.totals == (9 * 500_000_009, -9 * 500_000_009)


@pytest.mark.parametrize(
    ("scheme", "unknown", "missing"),
    [
        ("pool", {"forced_passes": None}, True),
        ("pool", {"wrongful_passes": None}, True),
        ("pool", {"withheld": None}, False),
        ("yellowclub-chips", {"forced_passes": None}, False),
        ("yellowclub-chips", {"wrongful_passes": None}, True),
        ("yellowclub-chips", {"withheld": None}, True),
        ("yellowclub-chips", {"withheld": None, "wrongful_passes": (0, 0, 0, 0)}, False),
        ("yellowclub-chips", {"withheld": ()}, False),
        ("chip-pot:forced_pass=0,wrongful_pass=0", {"forced_passes": None, "wrongful_passes": None}, False),
        ("yellowclub-chips:wrongful_pass=0", {"wrongful_passes": None, "withheld": None}, False),
    ],
)
def test_only_what_costs_something_has_to_be_known(scheme: str, unknown: dict[str, None], missing: bool) -> None:
    assert scheme_from_text(scheme).missing(replace(WORKED, **unknown)) is missing


def test_a_session_lasts_its_number_of_deals() -> None:
    deals = [plain_result(0, 1, 2)] * 4
    scheme = scheme_from_text("pool:forced_pass=0,wrongful_pass=0,deals=3")
    assert session_table(scheme, deals, 3).counted == (True, True, True, False)
    assert not session_table(scheme, deals[:2], 3).finished


def test_without_a_number_of_deals_a_session_never_ends_by_itself() -> None:
    assert not session_table(
        scheme_from_text("pool:forced_pass=0,wrongful_pass=0"), [plain_result(0, 1)] * 500, 2
    ).finished
