"""What is printed beside the proven minimum."""

from competitions.seating import Reached, TableRule, draw, report
from tests.seating.draws import of_sizes


def test_a_report_counts_what_was_reached_beside_the_proven_minimum() -> None:
    assert report(of_sizes(8, 7, (4, 4))).lines()[1:5] == [
        "repeats in a row: 24, proven minimum 24",
        "repeats: 56, proven minimum 56",
        "sum of m²: 252, proven minimum 252, ratio 1.000",
        "meetings: 28 pairs 3 times",
    ]


def test_a_perfect_draw_is_told_to_be_perfect() -> None:
    assert report(of_sizes(16, 5, (4,) * 4, seed=3)).lines() == [
        "16 players, 5 rounds, 0 of them played; drawn by: affine plane of order 4",
        "repeats in a row: 0, proven minimum 0",
        "repeats: 0, proven minimum 0",
        "sum of m²: 120, proven minimum 120, ratio 1.000",
        "meetings: 120 pairs once",
        "sitting out: never",
        "acting first: 1 to 2 times each",
        "seats: the counts of one player differ by 1 at most",
        "tables: nobody more than 3 times at one",
    ]


def test_meetings_are_told_by_number() -> None:
    found = report(of_sizes(24, 6, (4,) * 6))
    assert found.met == {0: 60, 1: 216}
    assert "meetings: 60 pairs never, 216 pairs once" in found.lines()


def test_sitting_out_and_keeping_apart_are_told_where_there_is_any() -> None:
    rule = TableRule(4, 3, 5, full_only=True)
    found = report(draw(players=range(9), rounds=10, rule=rule, seed=1, keep_apart=[(0, 1)], effort=0.05))
    assert found.sat_out == (1, 2)
    assert "sitting out: 1 to 2 times each" in found.lines()
    assert found.apart == Reached(0, 0)
    assert "meetings of pairs to be kept apart: 0, proven minimum 0" in found.lines()


def test_the_ratio_of_nothing_to_nothing_is_one() -> None:
    assert Reached(0, 0).ratio == 1.0
    assert Reached(3, 0).ratio == float("inf")
    assert Reached(3, 2).ratio == 1.5
