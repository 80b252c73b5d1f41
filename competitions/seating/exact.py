"""Every seating there is, for so few players that all can be tried: proves that a draw is the best, or finds a better.

As in `bound`, the sum of m² is counted by pairs of rounds: each two ways to seat a round have a price of their own, and
a draw costs the sum of the prices of its rounds with one another and with what is played.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from competitions.seating.board import Past, Weights
from competitions.seating.bound import shared_pairs

MOST_PEOPLE = 9
MOST_LOOKS = 200_000
"""Ways looked at before the attempt is given up: well below a second."""

Tables = tuple[tuple[int, ...], ...]


class TooMany(Exception):
    """It would take too long to try everything."""


class Exhaustive:
    """A search through all draws of some rounds at the same tables, where everybody sits.

    Costs are the whole units of `board.Board`: the sum over pairs of m(m-1)/2 and, far above, repeats in a row and
    meetings of those to be kept apart.
    """

    def __init__(
        self, people: int, sizes: Sequence[int], rounds: int, *, past: Past, apart: Sequence[tuple[int, int]]
    ) -> None:
        """Raise TooMany when there are more people than can be tried."""
        if people > MOST_PEOPLE:
            raise TooMany
        self.rounds = rounds
        self.ways = list(partitions(tuple(range(people)), tuple(sizes)))
        self.floor = shared_pairs(sizes, len(sizes))
        weights = Weights.of(largest=max(sizes), rounds=rounds + past.rounds)
        self.again = weights.again // weights.unit
        bits = {frozenset(pair): number for number, pair in enumerate(combinations(range(people), 2))}
        price = [0] * len(bits)
        for one, other, count in past.met:
            price[bits[frozenset((one, other))]] += count
        for one, other in apart:
            price[bits[frozenset((one, other))]] += weights.apart // weights.unit
        self.last = sum(1 << bits[frozenset(pair)] for pair in past.last)
        together = [[bits[frozenset(pair)] for table in way for pair in combinations(table, 2)] for way in self.ways]
        self.masks = [sum(1 << bit for bit in way) for way in together]
        self.alone = [sum(price[bit] for bit in way) for way in together]
        # Before anything told people apart, all first rounds are alike.
        self.first = len(self.ways) if any(price) or self.last else 1

    def best(self, below: int) -> list[Tables]:
        """The cheapest draw; without rounds when none costs less than `below`.

        Raise TooMany when it would take too long to be sure.
        """
        self.looks = 0
        self.cheapest, self.found = below, list[int]()
        self._extend([], 0)
        return [self.ways[way] for way in self.found]

    def cost(self, rounds: Sequence[Sequence[Sequence[int]]]) -> int:
        """What a draw costs."""
        numbers = {frozenset(map(frozenset, way)): number for number, way in enumerate(self.ways)}
        chosen = [numbers[frozenset(map(frozenset, tables))] for tables in rounds]
        return sum(self._price(way, chosen[:number]) for number, way in enumerate(chosen))

    def _price(self, way: int, earlier: Sequence[int]) -> int:
        """What one more round costs after the earlier ones."""
        mask = self.masks[way]
        before = self.masks[earlier[-1]] if earlier else self.last
        shared = sum((mask & self.masks[each]).bit_count() for each in earlier)
        return self.alone[way] + self.again * (mask & before).bit_count() + shared

    def _extend(self, chosen: list[int], cost: int) -> None:
        if len(chosen) == self.rounds:
            self.cheapest, self.found = cost, chosen
            return
        to_come = self._to_come(len(chosen) + 1)
        for way in range(len(self.ways) if chosen else self.first):
            self.looks += 1
            price = cost + self._price(way, chosen)
            if price + to_come < self.cheapest:
                if self.looks > MOST_LOOKS:
                    raise TooMany
                self._extend([*chosen, way], price)

    def _to_come(self, chosen: int) -> int:
        """What the rounds after so many cost at least: their pairs with all before, and repeats in a row."""
        left = self.rounds - chosen
        pairs = self.rounds * (self.rounds - 1) // 2 - chosen * (chosen - 1) // 2
        return self.floor * (pairs + self.again * left)


def partitions(people: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[Tables]:
    """Every way to put the people at tables of these sizes, equal sizes side by side and not told apart."""
    if not sizes:
        yield ()
        return
    size, rest = sizes[0], sizes[1:]
    for head in combinations(people, size):
        left = tuple(person for person in people if person not in head)
        for tables in partitions(left, rest):
            # Of tables of one size, the one with the smallest number comes first.
            if not tables or len(tables[0]) != size or head < tables[0]:
                yield (head, *tables)
