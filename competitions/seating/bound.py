"""What no draw can do better than: the proven minimum beside which every draw is printed.

Two people who meet m times count m². Two arguments bound the sum from below, and the larger holds:

- Spreading: a player who will meet D opponents does best to meet those most whom he has met least. Where nothing has
  been played, T meetings over P pairs give q = T // P for all and one more for r = T - qP: r(q+1)² + (P-r)q².
- Overlap: the sum is T + 2 × (pairs that meet in both of two rounds, summed over all two rounds), since a pair that
  meets m times is counted in m(m-1)/2 of them. And two rounds must share pairs when a table is larger than the other
  round has tables: of 6 people who come from 3 tables at least 3 pairs were together (pigeonhole).

The second also bounds the repeats between a round and the one before it.
"""

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from heapq import heapify, heapreplace
from itertools import combinations

from competitions.seating.rounds import Pair, Player, Round, meetings

APART = -1
"""Stands for the meetings of a pair that is not to meet: none can be added."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A round still to be drawn: who is there, at tables of which sizes. Whoever is too many sits out."""

    present: frozenset[Player]
    sizes: tuple[int, ...]

    @property
    def sitting_out(self) -> int:
        """How many have no seat."""
        return len(self.present) - sum(self.sizes)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The proven minima of a draw, what is played included.

    - `apart`: meetings of pairs that are to be kept apart.
    - `again`: pairs that meet in two rounds in a row.
    - `squares`: the sum of m² over all pairs.
    - `repeats`: meetings of two who have met before; not what a draw aims at, but what people count.
    """

    apart: int
    again: int
    squares: int
    repeats: int


def bounds(*, played: Sequence[Round], plans: Sequence[Plan], apart: Collection[Pair] = ()) -> Bounds:
    """What the rounds `plans` after the rounds `played` cannot go below.

    `squares` counts on every pair of `apart` never to meet again if it need not: that is what a draw does first.
    """
    seated = [_Seated.of_round(each) for each in played] + [_Seated.of_plan(plan) for plan in plans]
    overlaps = {
        (one, other): _overlap(seated[one], seated[other])
        for one, other in combinations(range(len(seated)), 2)
        if other >= len(played)
    }
    pairs = [set(each.pairs()) for each in played]
    overlaps.update({(i, j): len(pairs[i] & pairs[j]) for i, j in combinations(range(len(pairs)), 2)})
    met = meetings(played)
    must_meet = sum(_must_meet(apart, plan) for plan in plans)
    total = sum(size * (size - 1) // 2 for each in seated for size in each.sizes)
    repeated = sum(met.values()) - len(met)
    # A round repeats at least what it shares with any one before it.
    shared = [max((overlaps[i, j] for i in range(j)), default=0) for j in range(len(played), len(seated))]
    return Bounds(
        apart=sum(met[pair] for pair in apart) + must_meet,
        again=sum(overlaps[one, one + 1] for one in range(len(seated) - 1)),
        squares=max(
            total + 2 * sum(overlaps.values()),
            _spread(met, plans, frozenset() if must_meet else frozenset(apart)),
        ),
        repeats=max(repeated + sum(shared), total - _possible(met, plans)),
    )


def bounds_of(
    rounds: Sequence[Round], *, played: Sequence[Round], plans: Sequence[Plan], apart: Collection[Pair]
) -> Bounds:
    """The bounds of `plans` beside the `rounds` drawn for them.

    A draw may have a reason to bring pairs together that need not meet: whose turn it is to sit out, standing, seeds, a
    schedule that is to change as little as can be. Then `squares` does not count on keeping them apart."""
    proven = bounds(played=played, plans=plans, apart=apart)
    met = meetings([*played, *rounds])
    if sum(met[pair] for pair in apart) > proven.apart:
        return replace(proven, squares=bounds(played=played, plans=plans).squares)
    return proven


def _possible(met: Mapping[Pair, int], plans: Sequence[Plan]) -> int:
    """How many pairs there are that have met or could."""
    people = {player for plan in plans for player in plan.present}
    outside = sum(1 for one, other in met if one not in people or other not in people)
    return outside + len(people) * (len(people) - 1) // 2


def shared_pairs(sizes: Sequence[int], tables: int, strangers: int = 0) -> int:
    """The fewest pairs at tables of `sizes` who sat together when everybody sat at one of so many tables.

    Up to `strangers` of them sat at none. A table of k people from t tables has the fewest such pairs when they come
    from all of them as evenly as can be; one stranger among them saves (k-1) // t, so the largest tables have them.
    """
    sizes = list(sizes)
    for _ in range(strangers):
        largest = max(range(len(sizes)), key=sizes.__getitem__)
        if sizes[largest] <= tables:
            return 0
        sizes[largest] -= 1
    return sum(together(size, tables) for size in sizes)


def together(people: int, tables: int) -> int:
    """The fewest pairs at one table when so many people are spread over so many tables."""
    each, more = divmod(people, tables)
    return tables * (each * (each - 1) // 2) + more * each


@dataclass(frozen=True, slots=True)
class _Seated:
    """The tables of a round, the people at them, and how many of those, unknown who, are not."""

    sizes: tuple[int, ...]
    people: AbstractSet[Player]
    but: int = 0

    @classmethod
    def of_round(cls, each: Round) -> "_Seated":
        return cls(each.sizes, {player for table in each.tables for player in table})

    @classmethod
    def of_plan(cls, plan: Plan) -> "_Seated":
        return cls(plan.sizes, plan.present, plan.sitting_out)


def _overlap(one: _Seated, other: _Seated) -> int:
    """The fewest pairs that sit together in both rounds, seen from the tables of either."""
    common = max(0, len(one.people & other.people) - one.but - other.but)
    return max(
        shared_pairs(one.sizes, len(other.sizes), sum(one.sizes) - common),
        shared_pairs(other.sizes, len(one.sizes), sum(other.sizes) - common),
    )


def _must_meet(apart: Collection[Pair], plan: Plan) -> int:
    """Meetings of pairs to be kept apart that one round cannot avoid: groups of mutual foes with too few tables."""
    foes: dict[Player, set[Player]] = {}
    for one, other in apart:
        if one in plan.present and other in plan.present:
            foes.setdefault(one, {one}).add(other)
            foes.setdefault(other, {other}).add(one)
    groups = {frozenset(group) for group in foes.values() if all(group == foes[member] for member in group)}
    tables = len(plan.sizes)
    return max(0, sum(together(max(len(group) - plan.sitting_out, 0), tables) for group in groups))


def _spread(met: Mapping[Pair, int], plans: Sequence[Plan], apart: frozenset[Pair]) -> int:
    """The least sum of m² when each player's coming meetings go to those he has met least.

    Everybody who sits in every round has so many at least as the smallest tables give; the rest go wherever they cost
    least. As every meeting has two ends, the sum over players is twice the sum over pairs.
    """
    people = {player for plan in plans for player in plan.present}
    counts: dict[Player, list[int]] = {player: [] for player in people}
    for pair in apart | met.keys():
        for player, other in (pair, pair[::-1]):
            if player in people and other in people:
                counts[player].append(APART if pair in apart else met[pair])
    ends = sum(size * (size - 1) for plan in plans for size in plan.sizes)
    fillings = []
    for player, known in counts.items():
        filling = _Filling([count for count in known if count != APART], strangers=len(people) - 1 - len(known))
        if not filling.levels:
            continue
        fillings.append(filling)
        if all(player in plan.present and not plan.sitting_out for plan in plans):
            least = sum(min(plan.sizes) - 1 for plan in plans)
            filling.add(least)
            ends -= least
    heap = [(filling.next_cost, number) for number, filling in enumerate(fillings)]
    heapify(heap)
    while ends > 0 and heap:
        filling = fillings[heap[0][1]]
        ends -= filling.add_level(ends)
        heapreplace(heap, (filling.next_cost, heap[0][1]))
    added = sum(filling.cost for filling in fillings)
    return sum(count * count for count in met.values()) + -(-added // 2)


class _Filling:
    """How often one player has met each other one, filled up from the lowest. `cost`: what that added to the sum."""

    __slots__ = ("cost", "levels")

    def __init__(self, counts: list[int], *, strangers: int) -> None:
        self.levels: dict[int, int] = {0: strangers} if strangers else {}
        for count in counts:
            self.levels[count] = self.levels.get(count, 0) + 1
        self.cost = 0

    @property
    def next_cost(self) -> int:
        """What one more meeting adds: (m+1)² - m²."""
        return 2 * min(self.levels) + 1

    def add(self, count: int) -> None:
        """Add so many meetings."""
        while count > 0:
            count -= self.add_level(count)

    def add_level(self, most: int) -> int:
        """Add up to `most` meetings with those met least. Return how many."""
        lowest = min(self.levels)
        added = min(most, self.levels[lowest])
        self.levels[lowest] -= added
        if not self.levels[lowest]:
            del self.levels[lowest]
        self.levels[lowest + 1] = self.levels.get(lowest + 1, 0) + added
        self.cost += added * (2 * lowest + 1)
        return added
