"""What is printed beside the proven minimum."""

from competitions.seating import Reached, TableRule, draw, report
from tests.seating.draws import of_sizes


def test_a_report_counts_what_was_reached_beside_the_proven_minimum() -> None:
    found = report(of_sizes(8, 7, (4, 4)))
    assert (found.again, found.repeats, found.squares) == (Reached(24, 24), Reached(56, 56), Reached(252, 252))
    assert found.met == {3: 28}


def test_a_perfect_draw_is_told_to_be_perfect() -> None:
    found = report(of_sizes(16, 5, (4,) * 4, seed=3))
    assert (found.players, found.rounds, found.played, found.how) == (16, 5, 0, "affine plane of order 4")
    assert (found.again, found.repeats, found.squares) == (Reached(0, 0), Reached(0, 0), Reached(120, 120))
    assert (found.met, found.sat_out, found.first) == ({1: 120}, (0, 0), (1, 2))
    assert (found.seat_gap, found.same_table) == (1, 3)


def test_meetings_are_counted_by_number() -> None:
    found = report(of_sizes(24, 6, (4,) * 6))
    assert found.met == {0: 60, 1: 216}


def test_sitting_out_and_keeping_apart_are_counted_where_there_is_any() -> None:
    rule = TableRule(4, 3, 5, full_only=True)
    found = report(draw(players=range(9), rounds=10, rule=rule, seed=1, keep_apart=[(0, 1)], effort=0.05))
    assert found.sat_out == (1, 2)
    assert found.apart == Reached(0, 0)


def test_the_ratio_of_nothing_to_nothing_is_one() -> None:
    assert Reached(0, 0).ratio == 1.0
    assert Reached(3, 0).ratio == float("inf")
    assert Reached(3, 2).ratio == 1.5
