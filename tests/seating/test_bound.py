"""The proven minimum: never above what can be reached, and where the literature gives one, no lower."""

from collections.abc import Sequence
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.seating import Round, TableRule, split
from competitions.seating.bound import Bounds, Plan, bounds
from tests.seating.draws import all_seatings, in_a_row, sum_of_squares


def bound(players: int, rounds: int, sizes: Sequence[int], played: Sequence[Round] = ()) -> Bounds:
    plans = [Plan(frozenset(range(1, players + 1)), tuple(sizes))] * rounds
    return bounds(played=played, plans=plans)


def by_the_formula(players: int, rounds: int, sizes: Sequence[int]) -> int:
    """T meetings over P pairs, as evenly as can be."""
    meetings = rounds * sum(size * (size - 1) // 2 for size in sizes)
    pairs = players * (players - 1) // 2
    each, more = divmod(meetings, pairs)
    return more * (each + 1) ** 2 + (pairs - more) * each**2


@pytest.mark.parametrize(
    ("players", "rounds", "sizes", "formula"),
    [
        (8, 7, (4, 4), 252),
        (10, 4, (4, 3, 3), 54),
        (10, 5, (5, 5), 230),
        (12, 4, (4, 4, 4), 84),
        (12, 6, (4, 4, 4), 192),
        (14, 5, (5, 5, 4), 208),
        (15, 5, (5, 5, 5), 240),
        (15, 7, (3,) * 5, 105),
        (16, 5, (4,) * 4, 120),
        (18, 4, (6, 6, 6), 234),
        (20, 5, (4,) * 5, 150),
        (24, 6, (4,) * 6, 216),
        (25, 6, (5,) * 5, 300),
    ],
)
def test_the_bound_is_that_of_the_formula_or_higher(
    players: int, rounds: int, sizes: tuple[int, ...], formula: int
) -> None:
    assert by_the_formula(players, rounds, sizes) == formula
    assert bound(players, rounds, sizes).squares >= formula


@pytest.mark.parametrize(
    ("players", "rounds", "sizes", "again", "squares"),
    [
        (10, 4, (4, 3, 3), 3, 60),
        (10, 5, (5, 5), 32, 260),
        (12, 4, (4, 4, 4), 9, 108),
        (12, 6, (4, 4, 4), 15, 198),
        (14, 5, (5, 5, 4), 20, 230),
        (15, 5, (5, 5, 5), 24, 270),
        (18, 4, (6, 6, 6), 27, 288),
    ],
)
def test_where_tables_are_fewer_than_their_seats_people_must_meet_again(
    players: int, rounds: int, sizes: tuple[int, ...], again: int, squares: int
) -> None:
    found = bound(players, rounds, sizes)
    assert (found.again, found.squares) == (again, squares)


@given(players=st.integers(3, 60), rounds=st.integers(1, 8), preferred=st.integers(3, 6))
def test_without_a_past_spreading_gives_the_formula(players: int, rounds: int, preferred: int) -> None:
    sizes = split(players, TableRule(preferred, 3, 8)).sizes
    assert bound(players, rounds, sizes).squares >= by_the_formula(players, rounds, sizes)


@pytest.mark.parametrize("sizes", [(3, 3), (4, 3), (3, 2, 2), (2, 2, 2)])
@pytest.mark.parametrize("rounds", [2, 3])
def test_no_draw_of_few_players_goes_below_the_bound(sizes: tuple[int, ...], rounds: int) -> None:
    players = sum(sizes)
    ways = [Round(tuple(map(tuple, way))) for way in all_seatings(range(1, players + 1), sizes)]
    ways = list({frozenset(map(frozenset, way.tables)): way for way in ways}.values())
    draws = [(ways[0], *rest) for rest in product(ways, repeat=rounds - 1)]
    proven = bound(players, rounds, sizes)
    assert min(map(in_a_row, draws)) >= proven.again
    assert min(map(sum_of_squares, draws)) >= proven.squares


@given(seed=st.integers(0, 10**6), gone=st.integers(0, 3), come=st.integers(0, 3))
def test_whatever_was_played_one_more_round_by_lot_is_not_below_the_bound(seed: int, gone: int, come: int) -> None:
    rng = Random(seed)
    rule = TableRule(4, 3, 5)

    def by_lot(people: list[int]) -> Round:
        rng.shuffle(people)
        starts = iter(people)
        return Round(tuple(tuple(next(starts) for _ in range(size)) for size in split(len(people), rule).sizes))

    played = [by_lot(list(range(1, 13))) for _ in range(3)]
    people = list(range(1 + gone, 13 + come))
    following = [by_lot(people[:]) for _ in range(2)]
    proven = bounds(played=played, plans=[Plan(frozenset(people), each.sizes) for each in following])
    assert sum_of_squares([*played, *following]) >= proven.squares
    assert in_a_row([*played, *following]) >= proven.again


def test_groups_that_are_to_be_kept_apart_must_meet_when_there_are_too_few_tables() -> None:
    apart = [(one, other) for one, other in combinations(range(1, 6), 2)]
    found = bounds(played=(), plans=[Plan(frozenset(range(1, 13)), (4, 4, 4))] * 2, apart=apart)
    assert found.apart == 4  # five people at three tables: two pairs in each round
