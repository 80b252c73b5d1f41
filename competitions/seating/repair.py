"""One round after somebody came or went: everybody stays at his table, but for those who must move.

People at tables that are given up are placed anew, and a table that is too large for the new sizes gives somebody up.
Of all that can be done with so few moves, what costs least is looked for.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from competitions.seating.board import Weights
from competitions.seating.bound import Plan
from competitions.seating.rounds import Pair, Player, Round, in_order, meetings, pair_of


@dataclass(frozen=True, slots=True)
class Prices:
    """What it costs that two sit together in the round: see `board.Weights`."""

    met: Mapping[Pair, int]
    near: frozenset[Pair]
    apart: frozenset[Pair]
    weights: Weights

    def __call__(self, one: Player, others: Iterable[Player]) -> int:
        cost = 0
        for other in others:
            if other != one:
                pair = pair_of(one, other)
                cost += self.weights.unit * self.met.get(pair, 0)
                cost += self.weights.again * (pair in self.near) + self.weights.apart * (pair in self.apart)
        return cost


def prices_of(done: Sequence[Round], to_come: Sequence[Round], apart: frozenset[Pair], largest: int) -> Prices:
    near = {pair for each in [*done[-1:], *to_come[:1]] for pair in each.pairs()}
    rounds = len(done) + len(to_come) + 1
    return Prices(meetings([*done, *to_come]), frozenset(near), apart, Weights.of(largest=largest + 1, rounds=rounds))


class Repair:
    """One round for other people than before: `tables` by number, where everybody who could stay is where he was.

    `out` are those of the plan who sit out. `had`: how often each player sits at each table number in the other rounds.
    """

    def __init__(
        self,
        before: Round,
        plan: Plan,
        out: Collection[Player],
        price: Prices,
        had: Mapping[tuple[Player, int], int],
        rng: Random,
    ) -> None:
        seated = plan.present - frozenset(out)
        self.price = price
        self.small, self.larger = plan.sizes[-1], plan.sizes.count(plan.sizes[-1] + 1)
        kept = [[player for player in table if player in seated] for table in before.tables]
        self.tables = kept[: len(plan.sizes)] + [[] for _ in plan.sizes[len(kept) :]]
        self.home = {player: number for number, table in enumerate(self.tables) for player in table}
        self.movers = in_order(seated - self.home.keys())
        rng.shuffle(self.movers)
        self._give_up()
        for player in self.movers:
            room = [number for number in range(len(self.tables)) if self._room(number)]
            costs = [(self.price(player, self.tables[number]), had.get((player, number + 1), 0)) for number in room]
            self.tables[room[costs.index(min(costs))]].append(player)
        while self._improve():
            pass

    def _give_up(self) -> None:
        """Take from tables that are too large whoever is best taken, until those that are left fit."""
        while True:
            sizes = [len(table) for table in self.tables]
            if max(sizes) <= self.small or (max(sizes) == self.small + 1 and sizes.count(max(sizes)) <= self.larger):
                return
            candidates = [(player, table) for table in self.tables if len(table) == max(sizes) for player in table]
            player, table = max(candidates, key=lambda each: self.price(each[0], each[1]))
            table.remove(player)
            self.movers.append(player)

    def _room(self, number: int) -> bool:
        size = len(self.tables[number])
        full = sum(len(table) > self.small for table in self.tables)
        return size < self.small or (size == self.small and full < self.larger)

    def _improve(self) -> bool:
        """Make one exchange that costs less and moves no more people. Whether there is one."""
        at = {player: number for number, table in enumerate(self.tables) for player in table}
        for player in list(self.movers):
            here = self.tables[at[player]]
            for other in self.movers:
                if at[other] != at[player] and self._swap(player, other, at):
                    return True
            for table in self.tables:
                roomy = len(here) == self.small + 1 and len(table) == self.small
                if roomy and self.price(player, table) < self.price(player, here):
                    here.remove(player)
                    table.append(player)
                    return True
            home = self.home.get(player)
            if home is not None and home != at[player]:
                for other in list(self.tables[home]):
                    if other not in self.movers and self._swap(player, other, at):
                        self.movers[self.movers.index(player)] = other
                        return True
        return False

    def _swap(self, one: Player, other: Player, at: Mapping[Player, int]) -> bool:
        """Swap the two if that costs less."""
        mine, theirs = self.tables[at[one]], self.tables[at[other]]
        rest, others = [p for p in mine if p != one], [p for p in theirs if p != other]
        now = self.price(one, rest) + self.price(other, others)
        if self.price(one, others) + self.price(other, rest) >= now:
            return False
        mine[mine.index(one)] = other
        theirs[theirs.index(other)] = one
        return True
