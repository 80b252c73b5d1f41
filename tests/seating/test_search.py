"""The search itself: its sums are right, and trying everything finds nothing better."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.seating.anneal import anneal
from competitions.seating.board import Board, Past, Weights
from competitions.seating.exact import Exhaustive, TooMany, partitions

seeds = st.integers(0, 2**32 - 1)


def filled(seed: int, *, rounds: int = 3, sizes: tuple[int, ...] = (4, 3, 3), out: int = 2) -> Board:
    """A board filled by lot, with a past, people to be kept apart and places of different cost."""
    rng = Random(seed)
    people = sum(sizes) + out
    groups = []
    for _ in range(rounds):
        order = iter(rng.sample(range(people), people))
        groups.append([[next(order) for _ in range(size)] for size in (*sizes, out)])
    met = [(one, other, rng.randrange(3)) for one in range(people) for other in range(one)]
    past = Past(met, [(0, 1), (2, 3)], [rng.randrange(9) for _ in range(people)], 3)
    place = [[[rng.randrange(3) for _ in range(len(sizes) + 1)] for _ in range(people)] for _ in range(rounds)]
    weights = Weights.of(largest=max(sizes), rounds=rounds + 3, finest=12)
    return Board(people, groups, weights, past, [(1, 4), (5, 6)], place)


@given(seed=seeds)
def test_the_change_of_a_swap_is_what_counting_anew_finds(seed: int) -> None:
    board, rng = filled(seed), Random(seed + 1)
    for _ in range(10):
        number = rng.randrange(board.rounds)
        one, other = rng.sample(range(board.people), 2)
        if board.where[number][one] != board.where[number][other]:
            board.swap(number, one, other, board.change(number, one, other))
    running = board.cost, board.coarse, board.together, board.company, board.where
    board.rebuild()
    assert running == (board.cost, board.coarse, board.together, board.company, board.where)


@settings(max_examples=20)
@given(seed=seeds)
def test_annealing_leaves_the_best_that_it_saw(seed: int) -> None:
    board = filled(seed)
    before = board.cost
    anneal(board, rng=Random(seed), steps=500, hot=2.0 * board.weights.unit, cold=1.5 * board.weights.unit)
    assert board.cost <= before
    kept = board.cost
    board.rebuild()
    assert board.cost == kept


@pytest.mark.parametrize(("sizes", "ways"), [((3, 3), 10), ((4, 4), 35), ((4, 3), 35), ((5, 4), 126), ((3, 3, 3), 280)])
def test_every_way_to_seat_people_is_tried_once(sizes: tuple[int, ...], ways: int) -> None:
    found = [frozenset(map(frozenset, way)) for way in partitions(tuple(range(sum(sizes))), sizes)]
    assert len(found) == len(set(found)) == ways


@settings(max_examples=15)
@given(seed=seeds, rounds=st.integers(1, 3))
def test_trying_everything_finds_the_cheapest_draw(seed: int, rounds: int) -> None:
    rng = Random(seed)
    met = [(one, other, rng.randrange(3)) for one in range(6) for other in range(one)]
    past = Past(met, [(0, 1), (2, 3)], (), 2)
    every = Exhaustive(6, (3, 3), rounds, past=past, apart=[(0, 5)])
    costs = [every.cost(way) for way in product(every.ways, repeat=rounds)]
    found = every.best(below=max(costs) + 1)
    assert every.cost(found) == min(costs)
    assert every.best(below=min(costs)) == []


def test_what_is_too_much_to_try_is_not_tried() -> None:
    with pytest.raises(TooMany):
        Exhaustive(10, (5, 5), 2, past=Past(), apart=())
    with pytest.raises(TooMany):
        Exhaustive(9, (3, 3, 3), 8, past=Past(), apart=()).best(below=10**9)
