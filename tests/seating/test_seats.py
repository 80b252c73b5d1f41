"""Seats and table numbers, evened out whatever was before."""

from collections import Counter
from itertools import permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.seating.chairs import arrange, best_order
from competitions.seating.rotation import rotate
from competitions.seating.rounds import Player

seeds = st.integers(0, 2**32 - 1)


def by_lot(rng: Random, players: int, rounds: int, size: int) -> list[list[list[Player]]]:
    found = []
    for _ in range(rounds):
        people: list[Player] = list(range(players))
        rng.shuffle(people)
        found.append([people[start : start + size] for start in range(0, players, size)])
    return found


@settings(max_examples=40)
@given(seed=seeds, tables=st.integers(1, 6), size=st.integers(2, 8), rounds=st.integers(1, 9))
def test_any_groups_of_one_size_can_be_seated_with_counts_that_differ_by_one(
    seed: int, tables: int, size: int, rounds: int
) -> None:
    drawn = by_lot(Random(seed), tables * size, rounds, size)
    flat = [table for each in drawn for table in each]
    groups = [set(table) for table in flat]
    arrange(flat, before={}, first_seat=1)
    assert [set(table) for table in flat] == groups
    counts = Counter((player, seat) for table in flat for seat, player in enumerate(table))
    for player in range(tables * size):
        times = [counts[player, seat] for seat in range(size)]
        assert max(times) - min(times) <= 1


@settings(max_examples=30)
@given(seed=seeds, size=st.integers(2, 5))
def test_after_a_past_each_table_is_in_the_best_of_all_orders(seed: int, size: int) -> None:
    rng = Random(seed)
    table: list[Player] = list(range(size))
    before = {(player, seat): rng.randrange(4) for player in table for seat in range(1, size + 1)}

    def cost(order: tuple[Player, ...]) -> tuple[int, int]:
        seated = list(enumerate(order, 1))
        return (
            sum(before[player, seat] for seat, player in seated if seat == 1),
            sum(before[player, seat] for seat, player in seated),
        )

    best = min(map(cost, permutations(table)))
    arrange([table], before=before, first_seat=1)
    assert cost(tuple(table)) == best


@given(seed=seeds, size=st.integers(1, 6))
def test_the_best_order_is_that_which_trying_all_finds(seed: int, size: int) -> None:
    rng = Random(seed)
    prices = [[rng.randrange(50) for _ in range(size)] for _ in range(size)]

    def cost(player: Player, seat: int) -> int:
        assert isinstance(player, int)
        return prices[player][seat]

    found = best_order(range(size), range(size), cost)
    cheapest = min(sum(map(cost, order, range(size))) for order in permutations(range(size)))
    assert sum(map(cost, found, range(size))) == cheapest


@settings(max_examples=20)
@given(seed=seeds, tables=st.integers(2, 6), rounds=st.integers(1, 6))
def test_table_numbers_are_no_worse_after_rotation_and_groups_stay_together(
    seed: int, tables: int, rounds: int
) -> None:
    drawn = by_lot(Random(seed), tables * 4, rounds, 4)
    before = [{frozenset(table) for table in each} for each in drawn]
    rotate(drawn, before={}, rng=Random(seed))
    assert [{frozenset(table) for table in each} for each in drawn] == before
    counts = Counter((player, number) for each in drawn for number, table in enumerate(each) for player in table)
    for each in drawn:  # no exchange of two numbers in one round gains anything
        for one in range(tables):
            for other in range(one):
                exchanged = counts.copy()
                for here, there in ((one, other), (other, one)):
                    exchanged.subtract((player, here) for player in each[here])
                    exchanged.update((player, there) for player in each[here])
                assert sum(c**3 for c in exchanged.values()) >= sum(c**3 for c in counts.values())
