"""Table numbers: nobody sits at the same table all day. Only tables of one size change numbers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

from competitions.seating.rounds import Player

PASSES = 12
STARTS = 4


def rotate(
    rounds: Sequence[list[list[Player]]], *, before: Mapping[tuple[Player, int], int], rng: Random, starts: int = STARTS
) -> None:
    """Put the tables of each round in an order in which the players' table numbers are even.

    `before`: how often each player sat at each table number already, from 1. Found by exchanging the numbers of two
    tables while that gains anything, from several orders drawn by lot; the best is kept.
    """
    best: tuple[int, list[list[list[Player]]]] | None = None
    for _ in range(starts):
        counts = Counter(before)
        for tables in rounds:
            _shuffle(tables, rng)
            for number, table in enumerate(tables, 1):
                counts.update((player, number) for player in table)
        for _ in range(PASSES):
            gains = [_improve(tables, counts) for tables in rounds]
            if not any(gains):
                break
        cost = sum(count * count for count in counts.values())
        if best is None or cost < best[0]:
            best = cost, [tables[:] for tables in rounds]
    if best:
        for tables, found in zip(rounds, best[1], strict=True):
            tables[:] = found


def _shuffle(tables: list[list[Player]], rng: Random) -> None:
    """Mix the tables of each size among themselves; tables of one size lie side by side."""
    order = sorted(tables, key=lambda table: (-len(table), rng.random()))
    tables[:] = order


def _improve(tables: list[list[Player]], counts: Counter[tuple[Player, int]]) -> bool:
    """Exchange the numbers of two tables of the round wherever that makes them more even. Whether any was."""
    gained = False
    for one, other in combinations(range(len(tables)), 2):
        mine, theirs = tables[one], tables[other]
        if len(mine) != len(theirs):
            continue
        here, there = one + 1, other + 1
        change = sum(counts[player, there] - counts[player, here] + 1 for player in mine)
        change += sum(counts[player, here] - counts[player, there] + 1 for player in theirs)
        if change < 0:
            for player in mine:
                counts[player, here] -= 1
                counts[player, there] += 1
            for player in theirs:
                counts[player, there] -= 1
                counts[player, here] += 1
            tables[one], tables[other] = theirs, mine
            gained = True
    return gained
