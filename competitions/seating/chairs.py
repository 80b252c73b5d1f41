"""Seats at the tables: everybody sits in every seat, and acts first, as evenly often as can be.

Take two seats, and draw an arrow for each table from who sits in the one to who sits in the other. To turn an arrow is
to have the two change seats. Turning all arrows on a way from player to player changes only the counts of its two ends:
so a way from somebody who has too much of the one seat to somebody who has too little of it is turned, the shortest
first, until there is none. Where all tables are of one size and nothing has been played, this ends with counts that
differ by one at most, for any two seats and so for all: the arrows of every such drawing can be turned so that at each
point those that come in and those that go out differ by one at most. Where the past or the sizes forbid that, each
table is put in the best of all orders besides.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from competitions.seating.rounds import Player

FIRST = 1000
"""What acting first counts for beside another seat: more than all that can be gained elsewhere."""

PASSES = 20
"""The most times that all pairs of seats are gone through; four are seldom needed."""


def arrange(
    tables: Sequence[list[Player]], *, before: Mapping[tuple[Player, int], int], first_seat: int, passes: int = PASSES
) -> None:
    """Put each table in an order that makes seats and first actions even: the first seat before the others.

    `tables` may be of several rounds. `before`: how often each player had each seat already. Seats count from 1.
    """
    chairs = _Chairs(tables, before, first_seat)
    seats = range(1, max(map(len, tables), default=0) + 1)
    pairs = list(combinations(sorted(seats, key=lambda seat: seat != first_seat), 2))
    for _ in range(passes):
        gains = [chairs.even_out(one, other) for one, other in pairs]
        gains += [chairs.reorder(number) for number in range(len(tables))]
        if not any(gains):
            return


def best_order(people: Sequence[Player], seats: Sequence[int], cost: Callable[[Player, int], int]) -> list[Player]:
    """The people in the order of the seats that costs least; there are as many seats as people.

    The best way to fill the first seats with some people is built on the best ways with one of them fewer.
    """
    everybody = (1 << len(people)) - 1
    prices = [[cost(player, seat) for player in people] for seat in seats]
    best: dict[int, tuple[int, list[Player]]] = {0: (0, [])}
    for prices_here in prices:
        longer: dict[int, tuple[int, list[Player]]] = {}
        for seated, (total, order) in best.items():
            for index, player in enumerate(people):
                now = seated | 1 << index
                price = total + prices_here[index]
                if now != seated and (now not in longer or price < longer[now][0]):
                    longer[now] = (price, [*order, player])
        best = longer
    return best[everybody][1]


class _Chairs:
    """The tables, and for each player and seat the numbers of the tables where he sits in it."""

    def __init__(
        self, tables: Sequence[list[Player]], before: Mapping[tuple[Player, int], int], first_seat: int
    ) -> None:
        self.tables = tables
        self.before = before
        self.first_seat = first_seat
        self.players = list(dict.fromkeys(player for table in tables for player in table))
        self.sits: defaultdict[tuple[Player, int], list[int]] = defaultdict(list)
        for number, table in enumerate(tables):
            for seat, player in enumerate(table, 1):
                self.sits[player, seat].append(number)

    def even_out(self, one: int, other: int) -> bool:
        """Turn ways between the two seats while that gains anything. Whether it did."""
        gained = False
        for start in self.players:
            for seat, instead in ((one, other), (other, one)):
                while self._exchange(start, seat, instead) < 0 and self._turn_way(start, seat, instead):
                    gained = True
        return gained

    def reorder(self, number: int) -> bool:
        """Put one table in its best order, the others as they are. Whether anything was gained."""
        table = self.tables[number]
        for seat, player in enumerate(table, 1):
            self.sits[player, seat].remove(number)

        def price(player: Player, seat: int) -> int:
            return self._weight(seat) * (2 * self._count(player, seat) + 1)

        best = best_order(table, range(1, len(table) + 1), price)
        before, after = (sum(price(player, seat) for seat, player in enumerate(each, 1)) for each in (table, best))
        if after < before:
            table[:] = best
        for seat, player in enumerate(table, 1):
            self.sits[player, seat].append(number)
        return after < before

    def _exchange(self, player: Player, seat: int, instead: int) -> int:
        """What the squares of the player's counts change by when he has `seat` once less and `instead` once more."""
        has, has_instead = self._count(player, seat), self._count(player, instead)
        return self._weight(seat) * (1 - 2 * has) + self._weight(instead) * (1 + 2 * has_instead)

    def _count(self, player: Player, seat: int) -> int:
        return self.before.get((player, seat), 0) + len(self.sits[player, seat])

    def _weight(self, seat: int) -> int:
        return FIRST if seat == self.first_seat else 1

    def _turn_way(self, start: Player, seat: int, instead: int) -> bool:
        """Turn the shortest way from `start`, who gives `seat` up, that gains anything. Whether there is one."""
        gain = self._exchange(start, seat, instead)
        came_by: dict[Player, tuple[Player, int]] = {}
        queue = deque([start])
        while queue:
            player = queue.popleft()
            for number in self.sits[player, seat]:
                table = self.tables[number]
                if len(table) < instead:
                    continue
                end = table[instead - 1]
                if end == start or end in came_by:
                    continue
                came_by[end] = (player, number)
                if gain + self._exchange(end, instead, seat) < 0:
                    self._turn(end, start, came_by, seat, instead)
                    return True
                queue.append(end)
        return False

    def _turn(
        self, end: Player, start: Player, came_by: Mapping[Player, tuple[Player, int]], seat: int, instead: int
    ) -> None:
        while end != start:
            player, number = came_by[end]
            table = self.tables[number]
            table[seat - 1], table[instead - 1] = end, player
            for who, lost, won in ((player, seat, instead), (end, instead, seat)):
                self.sits[who, lost].remove(number)
                self.sits[who, won].append(number)
            end = player
