"""A drawn schedule after somebody came or went: everybody stays where he is, but for those who must move.

In each round the number of tables stays if it can, those of a table that is given up are placed anew, and a table that
is too large for the new sizes gives somebody up. Of all that can be done with so few moves, what is best for the counts
of `objective` is looked for, one round after the other.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from competitions.seating.board import Weights
from competitions.seating.bound import Plan, bounds
from competitions.seating.chairs import FIRST, best_order
from competitions.seating.draw import Drawn, plan_rounds
from competitions.seating.lots import Seed, lots
from competitions.seating.objective import seat_counts, table_counts
from competitions.seating.rounds import (
    Pair,
    Player,
    Round,
    check_pairs,
    check_players,
    check_rounds,
    in_order,
    meetings,
    pair_of,
)
from competitions.seating.sitouts import choose, last_rounds_out, turns
from competitions.seating.sizes import TableRule, even_sizes


def amend(
    planned: Sequence[Round],
    *,
    players: Iterable[Player],
    rule: TableRule,
    seed: Seed,
    played: Sequence[Round] = (),
    keep_apart: Iterable[Collection[Player]] = (),
    absent: Mapping[int, Collection[Player]] | None = None,
    first_seat: int = 1,
) -> Drawn:
    """The rounds `planned`, not yet played, for the players who now take part. `changes` lists the differences.

    Raise NoTables when so many cannot sit at such tables, BadDraw when the request contradicts itself.
    """
    people = check_players(list(players))
    check_rounds(played, what="Played round")
    check_rounds(planned)
    apart = check_pairs(keep_apart)
    plans = plan_rounds(people, rounds=len(planned), rule=rule, absent=absent or {})
    plans = [
        Plan(plan.present, _sizes(len(plan.present), len(each.tables), rule) or plan.sizes)
        for plan, each in zip(plans, planned, strict=True)
    ]
    rng = lots("amend", seed)
    turn, last_out = turns(played, people), last_rounds_out(played)
    done = list(played)
    for number, (plan, each) in enumerate(zip(plans, planned, strict=True)):
        rather = dict.fromkeys(each.sitting_out, 1)
        out = choose(plan.sitting_out, present=plan.present, turn=turn, last_out=last_out, rng=rng, rather=rather)
        for player in out:
            turn[player] += 1
            last_out[player] = len(done)
        others = [*done, *planned[number + 1 :]]
        price = _prices(done, planned[number + 1 :], apart, max(plan.sizes))
        tables = _Repair(each, plan, out, price, table_counts(others), rng).tables
        done.append(Round(_in_seats(tables, each, others, first_seat), out))
    proven = bounds(played=played, plans=plans, apart=apart)
    return Drawn(tuple(played), tuple(done[len(played) :]), proven, "amended", apart, first_seat)


def _sizes(players: int, tables: int, rule: TableRule) -> tuple[int, ...] | None:
    """The sizes with as many tables as before; None where the rule says how many, or they cannot be."""
    if rule.full_only or rule.tables is not None or not tables or players < tables:
        return None
    sizes = even_sizes(players, tables)
    return sizes if rule.smallest <= sizes[-1] and sizes[0] <= rule.largest else None


@dataclass(frozen=True, slots=True)
class _Prices:
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


def _prices(done: Sequence[Round], to_come: Sequence[Round], apart: frozenset[Pair], largest: int) -> _Prices:
    near = {pair for each in [*done[-1:], *to_come[:1]] for pair in each.pairs()}
    rounds = len(done) + len(to_come) + 1
    return _Prices(meetings([*done, *to_come]), frozenset(near), apart, Weights.of(largest=largest + 1, rounds=rounds))


class _Repair:
    """One round: `tables` by number, where everybody who could stay is where he was.

    `had`: how often each player sits at each table number in the other rounds.
    """

    def __init__(
        self,
        before: Round,
        plan: Plan,
        out: Collection[Player],
        price: _Prices,
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


def _in_seats(
    tables: Sequence[Sequence[Player]], before: Round, others: Sequence[Round], first_seat: int
) -> tuple[tuple[Player, ...], ...]:
    """Everybody in his old seat where it is still there; the free seats to the rest, as evenly as can be."""
    had = seat_counts(others)
    found = []
    for number, table in enumerate(tables):
        old = before.tables[number] if number < len(before.tables) else ()
        seats: list[Player | None] = [player if player in table else None for player in old[: len(table)]]
        seats += [None] * (len(table) - len(seats))
        rest = in_order(player for player in table if player not in seats)
        free = [seat for seat, player in enumerate(seats, 1) if player is None]
        order = best_order(
            rest, free, lambda player, seat: (2 * had[player, seat] + 1) * (FIRST if seat == first_seat else 1)
        )
        for seat, player in zip(free, order, strict=True):
            seats[seat - 1] = player
        found.append(tuple(player for player in seats if player is not None))
    return tuple(found)
