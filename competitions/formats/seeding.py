"""A round by seeds: the strongest at different tables, everybody without a seed by lot."""

from collections.abc import Collection, Sequence
from itertools import chain, cycle
from random import Random

from competitions.formats.base import Ask
from competitions.seating import Drawn, Player, Round, split
from competitions.seating.bound import Plan, bounds_of
from competitions.seating.chairs import arrange
from competitions.seating.lots import lots
from competitions.seating.objective import seat_counts
from competitions.seating.rounds import Pair, check_pairs, in_order
from competitions.seating.sitouts import choose, last_rounds_out, turns

LOTS = 200
"""Lots drawn for those without a seed where some are to be kept apart; the best is taken."""


def seeded(ask: Ask, players: Collection[int]) -> list[int]:
    """Those of the players who have a seed, the strongest first; equal seeds by lot."""
    found = sorted(player for player in players if player in ask.seeds)
    lots("seeds", ask.seed).shuffle(found)
    return sorted(found, key=lambda player: ask.seeds[player])


def without_seat(ask: Ask, players: Collection[int], *, strongest: bool) -> tuple[int, ...]:
    """Whom the tables have no room for: those who sat out least often, then by seed, then by lot.

    `strongest`: of these the strongest seeds, and anybody without one last. Else the other way."""
    count = split(len(players), ask.rule).sitting_out
    order = seeded(ask, players)
    weakness = {player: place for place, player in enumerate(order)}
    sign = -1 if strongest else 1
    chosen = choose(
        count,
        present=players,
        turn=turns(ask.played, players),
        last_out=last_rounds_out(ask.played),
        rng=lots("without a seat", f"{ask.seed} {ask.number}"),
        rather={player: sign * weakness.get(player, len(order)) for player in players},
    )
    return tuple(int(player) for player in chosen)


def by_seeds(ask: Ask, players: Collection[int], out: Collection[int]) -> Drawn:
    """One round of the players, but for `out`. The seeds go round the tables as a snake does: 1 2 3 4, 4 3 2 1, 1 …"""
    rng, apart = lots("by seeds", f"{ask.seed} {ask.number}"), check_pairs(ask.apart)
    seating = sorted(set(players) - set(out))
    strong = seeded(ask, seating)
    others = [player for player in seating if player not in ask.seeds]
    sizes = split(len(players), ask.rule).sizes
    tables = min(
        (_dealt(strong, others, sizes, rng) for _ in range(LOTS if apart else 1)),
        key=lambda tables: _kept_together(tables, apart),
    )
    for table in tables:
        rng.shuffle(table)
    arrange(tables, before=seat_counts(ask.played), first_seat=1)
    drawn = Round(tuple(map(tuple, tables)), tuple(in_order(out)))
    proven = bounds_of([drawn], played=ask.played, plans=[Plan(frozenset(players), sizes)], apart=apart)
    return Drawn(ask.played, (drawn,), proven, "by seeds", apart)


def _dealt(strong: Sequence[int], others: Sequence[int], sizes: Sequence[int], rng: Random) -> list[list[Player]]:
    people = [*strong, *rng.sample(others, len(others))]
    tables: list[list[Player]] = [[] for _ in sizes]
    for player, number in zip(people, snake(sizes), strict=True):
        tables[number].append(player)
    return tables


def snake(sizes: Sequence[int]) -> list[int]:
    """The table, from 0, of the strongest, the next, …: forth and back over the tables that have room."""
    rows = ([number for number, size in enumerate(sizes) if size > row] for row in range(max(sizes)))
    return list(chain.from_iterable(row[::step] for row, step in zip(rows, cycle((1, -1)), strict=False)))


def _kept_together(tables: Sequence[Sequence[Player]], apart: Collection[Pair]) -> int:
    at = {player: number for number, table in enumerate(tables) for player in table}
    return sum(one in at and at[one] == at.get(other) for one, other in apart)
