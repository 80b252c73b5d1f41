"""Points for the places of a table: exact, shared by equals, the same sum whatever is shared."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.points import BadPoints, PointsRule, exact, points_rule, shown
from scoring.result import Points
from scoring.table import places

half = Fraction(1, 2)

# Lists that organisers of tables of four and three use.
MAPS = {
    "7-5-3-1 / 7-4-1": ({"4": [7, 5, 3, 1], "3": [7, 4, 1]}, 16, 12),
    "4-2-1-0 / 4-2-1": ({"4": [4, 2, 1, 0], "3": [4, 2, 1]}, 7, 7),
    "3-2-1-0 / 3-1.5-0": ({"4": [3, 2, 1, 0], "3": [3, "1.5", 0]}, 6, Fraction(9, 2)),
    "4-3-2-1 / 4-2.5-1": ({"4": [4, 3, 2, 1], "3": [4, "5/2", 1]}, 10, Fraction(15, 2)),
    "7-4-2-0 / 7-3-0": ({"4": [7, 4, 2, 0], "3": [7, 3, 0]}, 13, 10),
}

orders = st.lists(st.integers(0, 4), min_size=2, max_size=8)


def seats_of(numbers: list[int]) -> tuple[int, ...]:
    return places(numbers, lowest_wins=False)


@pytest.mark.parametrize(("lists", "four", "three"), MAPS.values(), ids=MAPS)
def test_lists_by_table_size_pay_their_own_sum(lists: dict[str, list[object]], four: Points, three: Points) -> None:
    rule = points_rule({"places": lists})
    assert sum(rule.of_table((), (1, 2, 3, 4))) == sum(rule.of_table((), (1, 1, 3, 3))) == four
    assert sum(rule.of_table((), (3, 1, 2))) == sum(rule.of_table((), (1, 1, 1))) == three


def test_the_middle_of_three_gets_what_its_list_says() -> None:
    rule = points_rule({"places": {"4": [3, 2, 1, 0], "3": [3, "1.5", 0]}})
    assert rule.of_table((), (2, 3, 1)) == (Fraction(3, 2), 0, 3)


@pytest.mark.parametrize(
    ("size", "points"),
    [
        (2, ["1000", "0"]),
        (3, ["1000", "500", "0"]),
        (5, ["1000", "750", "500", "250", "0"]),
        (8, ["1000", "857.14", "714.29", "571.43", "428.57", "285.71", "142.86", "0"]),
    ],
)
def test_the_neutral_scale(size: int, points: list[str]) -> None:
    assert [shown(value) for value in points_rule("neutral").of_places(size)] == points


def test_third_of_sixteen_on_the_neutral_scale() -> None:
    assert points_rule("neutral").of_places(16)[2] == Fraction(2600, 3)
    assert shown(points_rule("neutral").of_places(16)[2]) == "866.67"


def test_the_neutral_scale_is_exact() -> None:
    assert sum(points_rule("neutral").of_places(8)) == 4000
    assert points_rule("neutral").of_places(8)[1] == Fraction(6000, 7)


def test_two_who_share_the_second_place_get_the_mean() -> None:
    assert points_rule({"places": [7, 5, 3, 1]}).of_table((), (1, 2, 2, 4)) == (7, 4, 4, 1)
    assert points_rule({"places": [7, 5, 3, 1]}).of_table((), (4, 2, 1, 2)) == (1, 4, 7, 4)


def test_three_who_share_the_fourth_place_get_the_mean_where_fewer_is_better() -> None:
    rule = points_rule({"places": [1, 2, 3, 4, 5, 6]})
    assert rule.of_table((), (4, 1, 4, 2, 4, 3)) == (5, 1, 5, 2, 5, 3)


def test_a_three_way_tie_is_paid_to_all_three() -> None:
    assert points_rule({"places": [4, 2, 1]}).of_table((), (1, 1, 1)) == (Fraction(7, 3),) * 3


def test_the_schemes_own_totals_are_taken_as_they_are() -> None:
    assert points_rule("scheme").of_table((5, -3, half), (1, 3, 2)) == (5, -3, half)


@given(orders)
def test_a_table_pays_the_same_sum_whatever_is_shared(numbers: list[int]) -> None:
    size = len(numbers)
    for rule in (points_rule("neutral"), points_rule({"places": [13, 8, 5, 3, 2, 1, 1, 0]})):
        assert sum(rule.of_table((), seats_of(numbers))) == sum(rule.of_places(size))


@given(orders)
def test_equal_places_get_equal_points_and_better_ones_no_fewer(numbers: list[int]) -> None:
    placed = seats_of(numbers)
    points = points_rule("neutral").of_table((), placed)
    for one, got in zip(placed, points, strict=True):
        for other, gets in zip(placed, points, strict=True):
            assert (one < other) == (got > gets)


@given(orders, st.data())
def test_no_seat_is_preferred(numbers: list[int], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(numbers))))
    rule, placed = points_rule("neutral"), seats_of(numbers)
    points = rule.of_table((), placed)
    assert rule.of_table((), [placed[seat] for seat in order]) == tuple(points[seat] for seat in order)


def test_a_table_without_a_list_is_refused_by_its_size() -> None:
    rule = points_rule({"places": {"3": [7, 4, 1], "4": [7, 5, 3, 1]}})
    rule.check_sizes([3, 4, 4])
    with pytest.raises(BadPoints, match=r"^A table of 5 has no points: there are lists for tables of 3, 4\.$"):
        rule.check_sizes([6, 5, 4])
    with pytest.raises(BadPoints, match="A table of 5"):
        rule.of_table((), (1, 2, 3, 4, 5))


def test_one_list_serves_smaller_tables_and_no_larger_ones() -> None:
    rule = points_rule({"places": [7, 5, 3, 1]})
    assert rule.of_table((), (1, 3, 2)) == (7, 3, 5)
    with pytest.raises(BadPoints, match=r"^A table of 5 has no points: there are points for 4 places\.$"):
        rule.of_places(5)


def test_any_size_will_do_for_the_neutral_scale_and_the_schemes_totals() -> None:
    points_rule("neutral").check_sizes(range(2, 9))
    points_rule("scheme").check_sizes(range(2, 9))
    with pytest.raises(BadPoints):
        points_rule("neutral").of_places(1)
    with pytest.raises(BadPoints):
        points_rule("scheme").of_places(4)


def test_places_that_are_not_those_of_a_table_are_refused() -> None:
    for placed in [(1, 2, 2, 3), (2, 2, 3), (0, 1, 2), (1, 1, 2)]:
        with pytest.raises(BadPoints, match="are not those of one table"):
            points_rule("neutral").of_table((), placed)


def test_a_rising_list_says_that_fewer_is_better() -> None:
    assert points_rule({"places": [1, 2, 3, 4]}).lower_is_better(lowest_wins=False)
    assert not points_rule({"places": {"3": [7, 4, 1]}}).lower_is_better(lowest_wins=True)
    assert not points_rule("neutral").lower_is_better(lowest_wins=True)
    assert points_rule("scheme").lower_is_better(lowest_wins=True)
    assert not points_rule("scheme").lower_is_better(lowest_wins=False)


@pytest.mark.parametrize(
    "value",
    ["scheme", "neutral", {"places": [7, 5, 3, 1]}, {"places": {"3": [3, "3/2", 0], "4": [3, 2, 1, 0]}}],
)
def test_a_rule_reads_back_from_its_own_form(value: object) -> None:
    rule = points_rule(value)
    assert rule.to_json() == value
    assert points_rule(rule.to_json()) == rule
    assert isinstance(rule, PointsRule)


@pytest.mark.parametrize(
    "value",
    [
        None, 7, "", "Neutral", [], [7, 5, 3, 1], {}, {"places": None}, {"places": "7531"}, {"places": []},
        {"places": {}}, {"places": [7]}, {"places": [1] * 9}, {"places": [5, 5, 5]}, {"places": [7, 1, 3]},
        {"places": [7, True]}, {"places": [1.5, 0]}, {"places": [float("nan"), 0]}, {"places": ["x", 0]},
        {"places": ["1e9", 0]}, {"places": ["1/0", 0]}, {"places": ["٣", 0]}, {"places": ["1.", 0]},
        {"places": [10**9, 0]}, {"places": {"3": [7, 4, 1, 0]}}, {"places": {"3": [7, 4]}}, {"places": {3: [7, 4, 1]}},
        {"places": {"9": list(range(9))}}, {"places": {"1": [1]}}, {"places": {"03": [7, 4, 1]}},
        {"places": {"3": [7, 4, 1], "4": [1, 2, 3, 4]}}, {"places": [7, 1], "more": 1}, {"list": [7, 1]},
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_a_sentence(value: object) -> None:
    with pytest.raises(BadPoints) as refused:
        points_rule(value)
    assert refused.value.code == "bad_points"
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (4, "4"), (-4, "-4"), (Fraction(4), "4"), (half, "0.50"), (Fraction(5, 2), "2.50"), (Fraction(1, 3), "0.33"),
        (Fraction(-2, 3), "-0.67"), (Fraction(1, 8), "0.12"), (Fraction(3, 8), "0.38"), (Fraction(15, 8), "1.88"),
        (Fraction(1, 1000), "0"), (Fraction(-1, 1000), "0"), (Fraction(1999, 1000), "2"), (Fraction(201, 200), "1"),
    ],
)  # fmt: skip
def test_points_are_shown_to_two_places_half_to_even(value: Points, text: str) -> None:
    assert shown(value) == text


def test_whole_fractions_become_whole_numbers() -> None:
    assert exact(Fraction(6, 3)) == 2
    assert type(exact(Fraction(6, 3))) is int
    assert exact(Fraction(1, 3)) == Fraction(1, 3)
