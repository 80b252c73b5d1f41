"""How many sit at each table."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from competitions.seating import NoTables, TableRule, split


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (7, (4, 3)),
        (9, (5, 4)),
        (11, (6, 5)),
        (13, (5, 4, 4)),
        (16, (6, 5, 5)),
        (17, (6, 6, 5)),
        (23, (5, 5, 5, 4, 4)),
        (3, (3,)),
        (8, (4, 4)),
        (12, (4, 4, 4)),
        (200, (5,) * 40),
    ],
)
def test_sizes_are_as_near_to_five_as_they_can_be(players: int, sizes: tuple[int, ...]) -> None:
    assert split(players, TableRule(5, 3, 8)).sizes == sizes


@pytest.mark.parametrize(("players", "sizes"), [(10, (4, 3, 3)), (17, (4, 4, 3, 3, 3)), (8, (4, 4)), (9, (3, 3, 3))])
def test_tables_of_three_or_four(players: int, sizes: tuple[int, ...]) -> None:
    assert split(players, TableRule(4, 3, 4)).sizes == sizes


@pytest.mark.parametrize(
    ("players", "rule", "reason"),
    [
        (7, TableRule(5, 4, 6), "7 players cannot sit at tables of 4 to 6: 1 table would hold 6 at most, 2 tables"),
        (5, TableRule(4, 3, 4), "5 players cannot sit at tables of 3 to 4"),
        (10, TableRule(4, 4, 4), "10 players cannot sit at tables of 4: 2 tables would hold 8 at most, 3 tables"),
        (2, TableRule(5, 3, 8), "2 players cannot sit at tables of 3 to 8: one table needs 3"),
        (1, TableRule(5, 3, 8), "1 player cannot sit"),
        (0, TableRule(5, 3, 8), "nobody to seat"),
        (11, TableRule(4, 4, 6, tables=3), "11 players cannot sit at tables of 4 to 6 if there must be 3 tables"),
        (3, TableRule(4, 3, 5, full_only=True), "3 players cannot fill 1 table of 4"),
        (11, TableRule(4, 3, 5, tables=3, full_only=True), "11 players cannot fill 3 tables of 4"),
    ],
)
def test_an_impossible_number_is_refused_with_the_reason(players: int, rule: TableRule, reason: str) -> None:
    with pytest.raises(NoTables, match=reason) as refusal:
        split(players, rule)
    assert refusal.value.code == "no_tables"


@pytest.mark.parametrize(
    ("sizes", "reason"),
    [
        ((5, 6, 4), "largest table .4. is smaller than the smallest .6."),
        ((9, 3, 8), "preferred size 9 is not one of 3 to 8"),
        ((1, 1, 4), "2 players or more"),
    ],
)
def test_a_rule_that_contradicts_itself_is_refused(sizes: tuple[int, int, int], reason: str) -> None:
    with pytest.raises(NoTables, match=reason):
        TableRule(*sizes)


def test_no_tables_at_all_are_refused() -> None:
    with pytest.raises(NoTables, match="1 table or more"):
        TableRule(4, 3, 5, tables=0)


def test_with_a_fixed_number_of_tables_whoever_has_no_room_sits_out() -> None:
    drawn = split(17, TableRule(4, 3, 5, tables=3))
    assert (drawn.sizes, drawn.sitting_out) == ((5, 5, 5), 2)


def test_with_full_tables_only_whoever_is_left_over_sits_out() -> None:
    drawn = split(18, TableRule(4, 3, 5, full_only=True))
    assert (drawn.sizes, drawn.sitting_out) == ((4, 4, 4, 4), 2)


def test_of_two_splits_as_near_the_one_with_more_tables_is_taken() -> None:
    assert split(12, TableRule(5, 3, 8)).sizes == (4, 4, 4)


@given(players=st.integers(1, 300), limits=st.tuples(*[st.integers(2, 8)] * 3).map(sorted))
def test_a_split_seats_everybody_within_the_range_or_there_is_none(players: int, limits: list[int]) -> None:
    smallest, preferred, largest = limits
    possible = [
        count for count in range(1, players + 1) if smallest <= players // count and -(-players // count) <= largest
    ]
    try:
        sizes = split(players, TableRule(preferred, smallest, largest)).sizes
    except NoTables:
        assert not possible
        return
    assert len(sizes) in possible
    assert sum(sizes) == players
    assert smallest <= min(sizes) <= max(sizes) <= min(largest, min(sizes) + 1)
    nearest = min(abs(players / count - preferred) for count in possible)
    assert abs(players / len(sizes) - preferred) == pytest.approx(nearest)


@given(players=st.integers(1, 100), preferred=st.integers(3, 6), tables=st.none() | st.integers(1, 20))
def test_full_tables_leave_over_fewer_than_fill_one_more(players: int, preferred: int, tables: int | None) -> None:
    assume(players >= preferred * (tables or 1))
    drawn = split(players, TableRule(preferred, 3, 8, tables=tables, full_only=True))
    assert set(drawn.sizes) == {preferred}
    assert sum(drawn.sizes) + drawn.sitting_out == players
    assert drawn.sitting_out < preferred or len(drawn.sizes) == tables
