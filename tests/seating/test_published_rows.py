"""The rows of published and measured schedules: the sum of m² that must be reached."""

import pytest

from competitions.seating import TableRule, draw, report
from tests.seating.draws import in_a_row, of_sizes, sum_of_squares

FOUND_ELSEWHERE = [
    # players, rounds, table sizes, the best sum of m² known, which is at the proven minimum in every row
    (8, 7, (4, 4), 252),
    (10, 4, (4, 3, 3), 60),
    (10, 5, (5, 5), 260),
    (12, 4, (4, 4, 4), 108),
    (12, 6, (4, 4, 4), 198),
    (14, 5, (5, 5, 4), 230),
    (15, 5, (5, 5, 5), 270),
    (15, 7, (3,) * 5, 105),
    (16, 5, (4,) * 4, 120),
    (18, 4, (6, 6, 6), 288),
    (20, 5, (4,) * 5, 150),
    (24, 6, (4,) * 6, 216),
    (25, 6, (5,) * 5, 300),
    (9, 4, (3,) * 3, 36),
    (16, 10, (4,) * 4, 480),
    (24, 7, (4,) * 6, 252),
    (28, 8, (4,) * 7, 336),
    (48, 10, (4,) * 12, 720),
    (49, 8, (7,) * 7, 1176),
    (64, 9, (8,) * 8, 2016),
    (12, 11, (4,) * 3, 594),
    (18, 8, (3,) * 6, 144),
    (21, 10, (3,) * 7, 210),
    (30, 6, (5,) * 6, 360),
    (26, 6, (6, 5, 5, 5, 5), 360),
    (23, 7, (4, 4, 4, 4, 4, 3), 231),
]


@pytest.mark.parametrize(("players", "rounds", "sizes", "squares"), FOUND_ELSEWHERE)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_best_known_draw_is_reached_and_proven(
    players: int, rounds: int, sizes: tuple[int, ...], squares: int, seed: int
) -> None:
    drawn = of_sizes(players, rounds, sizes, seed=seed)
    found = report(drawn)
    assert sum_of_squares(drawn.rounds) == squares
    assert (found.squares.value, found.squares.minimum, found.squares.ratio) == (squares, squares, 1.0)
    assert in_a_row(drawn.rounds) == found.again.value == found.again.minimum


@pytest.mark.parametrize("players", [199, 200, 201])
def test_two_hundred_players_need_no_repeat_in_eight_rounds(players: int) -> None:
    found = report(draw(players=range(players), rounds=8, rule=TableRule(5, 4, 6), seed=1))
    assert (found.repeats.value, found.again.value) == (0, 0)
    assert found.squares.ratio == 1.0
    assert found.seat_gap <= 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "rounds", "sizes", "most"),
    [
        (32, 10, (4,) * 8, 1.06),
        (20, 8, (4,) * 5, 1.03),
        (22, 7, (6, 6, 5, 5), 1.02),
        (25, 7, (5, 4, 4, 4, 4, 4), 1.09),
        (29, 9, (5,) + (4,) * 6, 1.02),
    ],
)
def test_where_no_construction_is_known_a_search_comes_near_the_bound(
    players: int, rounds: int, sizes: tuple[int, ...], most: float
) -> None:
    found = report(of_sizes(players, rounds, sizes))
    assert found.again.value == found.again.minimum
    assert found.squares.ratio <= most
