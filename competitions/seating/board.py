"""The rounds being drawn, as numbers, with the cost of any swap at hand. What `anneal` works on.

People are 0, 1, …; a round is a list of tables and, last, the list of those who sit out. The cost of a draw is one
whole number in which the counts of `objective.Score` down to `company` stand in separate digits, as it were: one unit
of a count outweighs all that a swap can change in the counts after it.

For each round there is a matrix of what it costs that two people sit together in it: how often they meet in the other
rounds (a pair that meets m times makes m(m-1)/2 such meetings, and m² = m + 2·m(m-1)/2), whether in a neighbouring
round, and whether they are to be kept apart. A swap then costs a few sums over two tables, and only a swap that is made
touches the matrices.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

Groups = list[list[int]]
"""One round: the people at each table, then those who sit out."""


@dataclass(frozen=True, slots=True)
class Past:
    """What the played rounds left: pairs with the times they met, pairs of the last round, opponents of each."""

    met: Collection[tuple[int, int, int]] = ()
    last: Collection[tuple[int, int]] = ()
    company: Sequence[int] = ()
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class Weights:
    """What one of each count costs. Below `unit` are the company and, where they are asked for, places."""

    unit: int
    again: int
    apart: int

    @classmethod
    def of(cls, *, largest: int, rounds: int, finest: int = 0) -> "Weights":
        """Weights for tables of up to `largest` in so many rounds, played ones included.

        `finest` is the most that a swap can change in the costs of places that are to stay below `unit`.
        """
        touched = 4 * largest  # pairs made or broken by one swap
        company = 4 * largest * largest * (rounds + 1)
        unit = 2 * (company + finest) + 1
        again = unit * (touched * (rounds + 1))
        return cls(unit, again, again * (2 * touched + 1))


@dataclass(slots=True)
class Board:
    """The state of a search. `groups[r]` are the tables of round r and, last, who sits out.

    - `place[r][p][t]`: what it costs that p sits at table t of round r (or sits out); empty where nothing is asked.
    - `where[r][p]`: the table of p in round r, -1 for who is not there.
    - `cost`: of the present state. `coarse`: the whole units in it.
    """

    people: int
    groups: list[Groups]
    weights: Weights
    past: Past = field(default_factory=Past)
    apart: Collection[tuple[int, int]] = ()
    place: Sequence[Sequence[Sequence[int]]] = ()
    where: list[list[int]] = field(init=False)
    together: list[list[list[int]]] = field(init=False)
    company: list[int] = field(init=False)
    cost: int = field(init=False)
    coarse: int = field(init=False)

    def __post_init__(self) -> None:
        self.rebuild()

    @property
    def rounds(self) -> int:
        """Rounds being drawn."""
        return len(self.groups)

    def present(self, number: int) -> list[int]:
        """Everybody who is there in the round."""
        return [person for table in self.groups[number] for person in table]

    def snapshot(self) -> list[Groups]:
        """The groups as they stand, to be given to `restore` later."""
        return [[table[:] for table in groups] for groups in self.groups]

    def restore(self, groups: Iterable[Groups]) -> None:
        """Put back what `snapshot` gave."""
        self.groups = [[table[:] for table in each] for each in groups]
        self.rebuild()

    def rebuild(self) -> None:
        """Count everything anew from the groups."""
        people, weights = self.people, self.weights
        base = [[0] * people for _ in range(people)]
        for one, other, count in self.past.met:
            base[one][other] = base[other][one] = count * weights.unit
        for one, other in self.apart:
            base[one][other] += weights.apart
            base[other][one] += weights.apart
        self.together = [[row[:] for row in base] for _ in self.groups]
        self.company = list(self.past.company) or [0] * people
        if self.together:
            for one, other in self.past.last:
                self.together[0][one][other] += weights.again
                self.together[0][other][one] += weights.again
        self.where = []
        self.cost = sum(count * count for count in self.company)
        self.coarse = 0
        for number, groups in enumerate(self.groups):
            at = [-1] * people
            self.where.append(at)
            for table, members in enumerate(groups):
                for person in members:
                    at[person] = table
                if table < len(groups) - 1:
                    self._seat(number, members)
                if self.place:
                    for person in members:
                        self._add(self.place[number][person][table])

    def _seat(self, number: int, members: Sequence[int]) -> None:
        """Count a table into the cost, and into the matrices of the other rounds."""
        matrix = self.together[number]
        for index, one in enumerate(members):
            self._add(sum(map(matrix[one].__getitem__, members[:index])))
            self.cost += (len(members) - 1) * (2 * self.company[one] + len(members) - 1)
            self.company[one] += len(members) - 1
            for other in members[:index]:
                self._meet(number, one, other, 1)

    def _add(self, cost: int) -> None:
        """Add to the cost, and its whole units: what is below them is less than half of one."""
        unit = self.weights.unit
        self.cost += cost
        self.coarse += (cost + unit // 2) // unit

    def _meet(self, number: int, one: int, other: int, times: int) -> None:
        for near, matrix in enumerate(self.together):
            if near != number:
                step = times * self.weights.unit
                if abs(near - number) == 1:
                    step += times * self.weights.again
                matrix[one][other] += step
                matrix[other][one] += step

    def discomfort(self, number: int, person: int) -> int:
        """What it costs that the person sits with those at his table of the round."""
        return sum(map(self.together[number][person].__getitem__, self.groups[number][self.where[number][person]]))

    def change(self, number: int, one: int, other: int) -> int:
        """What the cost would change by if the two swapped places in the round."""
        matrix = self.together[number]
        of_one, of_other = matrix[one], matrix[other]
        get_one, get_other = of_one.__getitem__, of_other.__getitem__
        at = self.where[number]
        here, there = at[one], at[other]
        groups = self.groups[number]
        out = len(groups) - 1
        mine, theirs = groups[here], groups[there]
        cost = 0
        if here != out:
            cost += sum(map(get_other, mine)) - sum(map(get_one, mine)) - of_other[one]
        if there != out:
            cost += sum(map(get_one, theirs)) - sum(map(get_other, theirs)) - of_one[other]
        if self.place:
            places = self.place[number]
            cost += places[one][there] - places[one][here] + places[other][here] - places[other][there]
        if here == out or there == out or len(mine) != len(theirs):
            more = (0 if there == out else len(theirs) - 1) - (0 if here == out else len(mine) - 1)
            cost += 2 * more * (self.company[one] - self.company[other] + more)
        return cost

    def swap(self, number: int, one: int, other: int, change: int) -> None:
        """Swap the two in the round, who are not at one table; `change` is what `change` said."""
        self._add(change)
        at = self.where[number]
        here, there = at[one], at[other]
        groups = self.groups[number]
        out = len(groups) - 1
        mine, theirs = groups[here], groups[there]
        mine[mine.index(one)] = other
        theirs[theirs.index(other)] = one
        at[one], at[other] = there, here
        more = (0 if there == out else len(theirs) - 1) - (0 if here == out else len(mine) - 1)
        self.company[one] += more
        self.company[other] -= more
        unit, again = self.weights.unit, self.weights.again
        left = [person for person in mine if person != other] if here != out else []
        met = [person for person in theirs if person != one] if there != out else []
        for near, matrix in enumerate(self.together):
            if near == number:
                continue
            step = unit + again if abs(near - number) == 1 else unit
            of_one, of_other = matrix[one], matrix[other]
            for person in left:
                of_one[person] -= step
                of_other[person] += step
                row = matrix[person]
                row[one] -= step
                row[other] += step
            for person in met:
                of_one[person] += step
                of_other[person] -= step
                row = matrix[person]
                row[one] += step
                row[other] -= step
