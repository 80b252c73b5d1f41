"""Tables by standing."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.seating import BadDraw, Player, Round, TableRule, draw_by_standing, report
from tests.seating.draws import counted, in_a_row

RULE = TableRule(4, 3, 5)
FOURS = TableRule(4, 4, 4)
LITTLE = 0.05
seeds = st.integers(0, 2**32 - 1)


def in_groups(points: Sequence[int]) -> list[list[Player]]:
    """Players 0, 1, … with so many points, as score groups."""
    return [
        [player for player, has in enumerate(points) if has == value] for value in sorted(set(points), reverse=True)
    ]


def points_at(each: Round, points: Sequence[int]) -> list[list[int]]:
    return [sorted((points[int(player)] for player in table), reverse=True) for table in each.tables]


@pytest.mark.parametrize(
    ("points", "tables"),
    [
        ([3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0], [[3, 3, 2, 2], [2, 2, 1, 1], [1, 1, 0, 0]]),
        ([4, 3, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0], [[4, 3, 2, 2], [2, 2, 2, 2], [0, 0, 0, 0]]),
        ([5] * 4 + [1] * 4, [[5] * 4, [1] * 4]),
    ],
)
def test_tables_are_filled_from_the_top(points: list[int], tables: list[list[int]]) -> None:
    found = draw_by_standing(in_groups(points), rule=FOURS, seed=1, effort=LITTLE)
    assert points_at(found.drawn.rounds[0], points) == tables


def test_whoever_fills_up_a_table_of_a_better_group_is_named() -> None:
    points = [3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0]
    found = draw_by_standing(in_groups(points), rule=FOURS, seed=1, effort=LITTLE)
    assert [(points[int(moved.player)], moved.table, moved.why) for moved in found.moved] == [
        (2, 1, "fills_up"),
        (2, 1, "fills_up"),
        (1, 2, "fills_up"),
        (1, 2, "fills_up"),
        (0, 3, "fills_up"),
        (0, 3, "fills_up"),
    ]
    assert found.moved[0].sentence().endswith("(group 2) sits at table 1 to fill it up.")


def test_repeats_are_avoided_before_standing_is_looked_at_and_the_reason_is_told() -> None:
    played = [Round(((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11), (12, 13, 14, 15)))]
    points = [9, 9, 9, 9, 5, 5, 5, 5, 3, 3, 3, 3, 0, 0, 0, 0]
    found = draw_by_standing(in_groups(points), rule=FOURS, seed=1, played=played, effort=0.3)
    assert report(found.drawn).repeats.value == 0
    for moved in found.moved:
        group = set(range(4 * moved.group - 4, 4 * moved.group))
        assert moved.home == (moved.group, moved.group)
        assert moved.table != moved.group
        assert moved.why in ("met", "makes_room")
        if moved.why == "met":
            assert moved.because
            assert set(moved.because) <= group - {moved.player}
            assert f"not table {moved.group}, to stay away from" in moved.sentence()
    assert len(found.moved) == 12


def test_in_a_group_those_who_have_not_met_sit_together_and_nobody_is_moved() -> None:
    played = [Round(((0, 1, 4, 5), (2, 3, 6, 7)))]
    found = draw_by_standing([range(8)], rule=FOURS, seed=1, played=played, effort=LITTLE)
    assert in_a_row([*played, *found.drawn.rounds]) == found.drawn.bounds.again == 4
    assert found.moved == ()


@settings(max_examples=8)
@given(players=st.integers(6, 24), seed=seeds, data=st.data())
def test_everybody_sits_once_and_the_draw_does_not_depend_on_the_order_within_groups(
    players: int, seed: int, data: st.DataObject
) -> None:
    points = data.draw(st.lists(st.integers(0, 4), min_size=players, max_size=players))
    groups = in_groups(points)
    mixed = [data.draw(st.permutations(group)) for group in groups]
    found = draw_by_standing(groups, rule=RULE, seed=seed, effort=LITTLE)
    assert found == draw_by_standing(mixed, rule=RULE, seed=seed, effort=LITTLE)
    assert sorted(found.drawn.rounds[0].people(), key=int) == list(range(players))


def test_five_rounds_of_sixteen_need_no_repeat_where_the_first_rounds_leave_a_way() -> None:
    rng, points, played = Random(3), [0] * 16, list[Round]()
    for _ in range(3):
        found = draw_by_standing(in_groups(points), rule=FOURS, seed=7, played=played, effort=0.3)
        played += found.drawn.rounds
        for table in played[-1].tables:
            for won, player in enumerate(rng.sample(table, 4)):
                points[int(player)] += won
    assert set(counted(played).values()) == {1}


def test_the_lowest_sit_out_first_and_nobody_twice_before_everybody_once() -> None:
    rule = TableRule(4, 4, 4, full_only=True)
    played: list[Round] = []
    groups = [range(3), range(3, 6), range(6, 9)]
    for _ in range(9):
        played += draw_by_standing(groups, rule=rule, seed=1, played=played, effort=LITTLE).drawn.rounds
    out = [player for each in played for player in each.sitting_out]
    assert sorted(out, key=int) == list(range(9))
    assert set(out[:3]) == {6, 7, 8}


def test_people_to_be_kept_apart_are_whatever_their_standing() -> None:
    found = draw_by_standing([range(4), range(4, 8)], rule=FOURS, seed=1, keep_apart=[(0, 1)], effort=LITTLE)
    tables = found.drawn.rounds[0].tables
    assert not any({0, 1} <= set(table) for table in tables)
    met = [moved for moved in found.moved if moved.why == "met"]
    assert len(found.moved) == 2
    assert len(met) == 1
    assert met[0].because in ((0,), (1,))


@pytest.mark.parametrize("seed", range(1, 6))
def test_two_to_be_kept_apart_who_both_have_to_play_do_not_make_the_bound_untrue(seed: int) -> None:
    rule, apart = TableRule(4, 3, 5, full_only=True), [(1, 2), (3, 6)]
    played: list[Round] = []
    for _ in range(3):
        drawn = draw_by_standing([[1, 2, 3, 5], [4, 6]], rule=rule, seed=str(seed), played=played, keep_apart=apart)
        assert report(drawn.drawn).squares.value >= report(drawn.drawn).squares.minimum
        played += drawn.drawn.rounds


def test_somebody_in_two_groups_is_refused() -> None:
    with pytest.raises(BadDraw, match="3 is named 2 times"):
        draw_by_standing([[1, 2, 3], [3, 4, 5]], rule=RULE, seed=1)
