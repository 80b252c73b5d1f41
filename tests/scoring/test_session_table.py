"""The table of a session: which deals count, the totals, the places (rules.md 5)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.result import DealResult, Points
from scoring.schemes import scheme_from_text
from scoring.table import places, session_table
from tests.scoring import cases
from tests.scoring.cases import plain_result

A, B, C = plain_result(0, 1, 2), plain_result(1, 0, 2), plain_result(1, 2, 0)


def test_a_session_without_deals_has_everybody_in_first_place() -> None:
    table = session_table(scheme_from_text("wins"), [], 4)
    assert (table.totals, table.places, table.counted, table.finished) == ((0,) * 4, (1,) * 4, (), False)


def test_a_target_is_reached_when_it_is_equalled() -> None:
    assert session_table(scheme_from_text("wins:target=2"), [A, A], 3).finished
    assert session_table(scheme_from_text("card-count:target=4"), [A, B], 3).finished


def test_deals_after_the_deciding_one_do_not_count() -> None:
    table = session_table(scheme_from_text("wins:target=2"), [A, B, A, C, C, C], 3)
    assert table.counted == (True, True, True, False, False, False)
    assert table.totals == (2, 1, 0)


def test_a_deal_without_result_counts_nowhere() -> None:
    table = session_table(scheme_from_text("wins:target=2"), [None, A, None, A, None], 3)
    assert table.counted == (False, True, False, True, False)


def test_the_wins_race_is_over_after_its_longest_course() -> None:
    course = [A, B, C, A, B, C, A]  # seats * (target - 1) + 1 deals
    assert session_table(scheme_from_text("wins"), course, 3).finished
    assert not session_table(scheme_from_text("wins"), course[:-1], 3).finished


def test_the_lowest_count_wins_whoever_crossed_and_equals_share() -> None:
    table = session_table(
        scheme_from_text("card-count:target=5"), [plain_result(0, 3, 1, 2), plain_result(1, 2, 0, 3)], 4
    )
    assert table.finished
    assert (table.totals, table.places) == ((1, 5, 1, 5), (1, 3, 1, 3))


def test_the_deal_that_makes_as_many_count_as_were_planned_is_the_deciding_one() -> None:
    table = session_table(scheme_from_text("wins:target=9"), [A, None, B, C, C], 3, limit=3)
    assert (table.counted, table.finished) == ((True, False, True, True, False), True)
    assert not session_table(scheme_from_text("wins:target=9"), [A, None, B], 3, limit=3).finished


def test_a_scheme_that_is_over_earlier_does_not_wait_for_the_planned_deals() -> None:
    table = session_table(scheme_from_text("wins:target=2"), [A, A, A], 3, limit=3)
    assert (table.counted, table.finished) == ((True, True, False), True)


def test_adjustments_move_totals_and_places_but_not_the_end() -> None:
    scheme = scheme_from_text("wins:target=2")
    table = session_table(scheme, [A, B, A, C], 3, [(0, -1), (2, 2), (2, 1), (0, Fraction(1, 2))])
    assert table.totals == (Fraction(3, 2), 1, 3)
    assert table.places == (2, 3, 1)
    assert (table.counted, table.finished) == ((True, True, True, False), True)
    assert not session_table(scheme, [A], 3, [(1, 5)]).finished


def test_points_stay_exact() -> None:
    third = [(seat, Fraction(1, 3)) for seat in (0, 0, 0)]
    table = session_table(scheme_from_text("wins"), [B], 3, third)
    assert table.totals == (1, 1, 0)
    assert table.places == (1, 1, 3)


def test_the_first_result_that_lacks_what_is_needed_is_named() -> None:
    known = DealResult(0, (17, 18, 17), 0, (0, 2, 2), None, (0, 1, 0), (0, 0, 0), ())
    table = session_table(scheme_from_text("pool"), [None, known, A, known, B], 3)
    assert table.missing == 2
    assert (table.totals, table.counted) == ((7, -4, -3), (False, True, False, False, False))


def test_a_result_that_does_not_count_may_lack_what_it_likes() -> None:
    known = DealResult(0, (17, 18, 17), 0, (0, 2, 2), None, (0, 1, 0), (0, 0, 0), ())
    assert session_table(scheme_from_text("pool:deals=1"), [known, A], 3).missing is None


@pytest.mark.parametrize(
    ("totals", "lowest_wins", "expected"),
    [
        ([10, 20, 20, 5], False, (3, 1, 1, 4)),
        ([10, 20, 20, 5], True, (2, 3, 3, 1)),
        ([7, 6, 6, 5], False, (1, 2, 2, 4)),
        ([0, 0, 0], True, (1, 1, 1)),
        ([Fraction(1, 3), Fraction(2, 6), 0], False, (1, 1, 3)),
    ],
)
def test_equals_share_a_place_and_use_up_as_many_as_they_are(
    totals: list[Points], lowest_wins: bool, expected: tuple[int, ...]
) -> None:
    assert places(totals, lowest_wins=lowest_wins) == expected


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=8))
def test_lowest_first_is_highest_first_upside_down(totals: list[int]) -> None:
    assert places(totals, lowest_wins=True) == places([-total for total in totals], lowest_wins=False)


@given(st.lists(cases.results(4, complete=True), max_size=10), st.permutations(range(4)))
def test_no_seat_is_preferred(results: list[DealResult], order: list[int]) -> None:
    totals = session_table(scheme_from_text("wins"), results, 4).totals
    moved = places([totals[seat] for seat in order], lowest_wins=False)
    assert moved == tuple(places(totals, lowest_wins=False)[seat] for seat in order)
