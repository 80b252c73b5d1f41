"""Table numbers: nobody sits at the same table all day. Only tables of one size change numbers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

from competitions.seating.objective import cubes
from competitions.seating.rounds import Player

PASSES = 12
"""The most times that the rounds are gone through in one attempt."""

EXCHANGES = 10_000
"""About so many are looked at in all attempts together, of which there is one at least."""

Numbered = list[list[Player]]
"""The tables of one round, by number. Those of one size lie side by side."""


def rotate(rounds: Sequence[Numbered], *, before: Mapping[tuple[Player, int], int], rng: Random) -> None:
    """Put the tables of each round in an order in which the players' table numbers are even.

    `before`: how often each player sat at each table number already, from 1. The sum of cubes of these counts is made
    small by exchanging the numbers of two tables while that gains anything, from several orders drawn by lot.
    """
    work = sum(len(tables) ** 2 for tables in rounds)
    best: tuple[int, list[Numbered]] | None = None
    for _ in range(max(1, min(50, EXCHANGES // max(work, 1)))):
        counts = Counter(before)
        for tables in rounds:
            tables.sort(key=lambda table: (-len(table), rng.random()))
            counts.update((player, number) for number, table in enumerate(tables, 1) for player in table)
        for _ in range(PASSES):
            gains = [_exchange(tables, counts) for tables in rounds]
            if not any(gains):
                break
        cost = cubes(counts.values())
        if best is None or cost < best[0]:
            best = cost, [tables[:] for tables in rounds]
    if best:
        for tables, found in zip(rounds, best[1], strict=True):
            tables[:] = found


def _exchange(tables: Numbered, counts: Counter[tuple[Player, int]]) -> bool:
    """Exchange the numbers of two tables of the round wherever that makes them more even. Whether any was."""
    gained = False
    again = [any(counts[player, number] > 1 for player in table) for number, table in enumerate(tables, 1)]
    for one, other in combinations(range(len(tables)), 2):
        if not (again[one] or again[other]) or len(tables[one]) != len(tables[other]):
            continue
        change = _change(tables[one], one + 1, other + 1, counts) + _change(tables[other], other + 1, one + 1, counts)
        if change < 0:
            for table, here, there in ((tables[one], one + 1, other + 1), (tables[other], other + 1, one + 1)):
                for player in table:
                    counts[player, here] -= 1
                    counts[player, there] += 1
            tables[one], tables[other] = tables[other], tables[one]
            gained = True
    return gained


def _change(table: Sequence[Player], here: int, there: int, counts: Counter[tuple[Player, int]]) -> int:
    """What a third of the sum of cubes changes by when the table's number does."""
    change = 0
    for player in table:
        more, less = counts[player, there], counts[player, here] - 1
        change += more * (more + 1) - less * (less + 1)
    return change
