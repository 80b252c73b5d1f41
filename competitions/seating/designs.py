"""Schedules that are known to be perfect: nobody meets twice before everybody could have met once.

- Transversal designs: t tables, players in groups of t. In round m, table b has from group x the player number
  D[x][m] + b. Two players of different groups meet in the one round m where D[x][m] - D[y][m] is the difference of
  their numbers. So D has to take every difference once for every two groups: then there are t rounds without a repeat.
  D[x][m] = x·m does it in a field; for 12 tables a matrix found by search does. One group may be incomplete: tables
  with and without a player of it differ by one.
- Affine planes: t groups of t (or one player fewer). In a last round the groups themselves sit together, and everybody
  has met everybody.
- Starters: a round turned around a circle (`starters`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from competitions.seating.fields import ring
from competitions.seating.starters import STARTERS, Table

MOST_TABLES = 50
"""Beyond it, people are so many that a search finds rounds without repeats at once."""

TWELVE = (
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
    (0, 2, 1, 6, 8, 7, 10, 9, 11, 4, 3, 5),
    (0, 3, 8, 10, 1, 9, 2, 6, 5, 7, 11, 4),
    (0, 4, 10, 9, 7, 1, 11, 5, 3, 2, 8, 6),
    (0, 8, 6, 4, 3, 10, 9, 11, 2, 5, 1, 7),
)
"""Six rows over the sums of 2 × 6 places: between any two, each difference turns up once."""


@dataclass(frozen=True, slots=True)
class Design:
    """Rounds of tables of the players 0, 1, … `met[p][q]`: how often the two meet in them."""

    title: str
    rounds: tuple[tuple[Table, ...], ...]
    met: tuple[tuple[int, ...], ...]

    @property
    def most(self) -> int:
        """How often those meet who meet most often."""
        return max(max(row) for row in self.met)

    @property
    def whole(self) -> bool:
        """Whether all have met equally often in the end."""
        return len({count for one, row in enumerate(self.met) for count in row[:one]}) == 1

    def strangers(self, count: int) -> tuple[int, ...]:
        """So many players of whom no two meet, found from each player on; none when there are too few."""
        for first in range(len(self.met)):
            found = [first]
            for player in range(first + 1, len(self.met)):
                if len(found) < count and not any(self.met[player][other] for other in found):
                    found.append(player)
            if len(found) == count:
                return tuple(found)
        return ()

    def first(self, rounds: int) -> tuple[tuple[Table, ...], ...]:
        """So many rounds, from the start again where the design is whole; fewer than asked for where it is not."""
        times = -(-rounds // len(self.rounds)) if self.whole else 1
        return (self.rounds * times)[:rounds]


def designs(players: int, sizes: Sequence[int]) -> Iterator[Design]:
    """The known schedules for tables of these sizes, largest first. Whoever is at no table of a round sits out."""
    size, tables = sizes[0], len(sizes)
    if set(sizes) == {size} and players - size * tables < 2:
        for starter in STARTERS.get((players, size), ()):
            rounds = starter.schedule(players)
            yield _design(f"{starter.title} of {players} players", players, rounds)
    yield from _narrowed(players, sizes)
    if players == sum(sizes) and tables <= MOST_TABLES:
        yield from _transversal(tuple(sizes))


def _narrowed(players: int, sizes: Sequence[int]) -> Iterator[Design]:
    """Turned schedules without repeats, less some players who never meet, or whose meeting's round is left out."""
    size, tables = sizes[0], len(sizes)
    too_many = size * tables - players
    if too_many != sum(size - each for each in sizes) or not 0 < too_many < min(tables, size + 1):
        return
    for starter in STARTERS.get((size * tables, size), ()):
        whole = _design(f"{starter.title} of {size * tables} players", size * tables, starter.schedule(size * tables))
        if whole.most > 1:
            continue
        *rounds, last = whole.rounds
        left_out = whole.strangers(too_many)
        if left_out:
            rounds.append(last)
        else:
            left_out = last[0][:too_many]
        rest = [player for player in range(size * tables) if player not in left_out]
        number = {player: index for index, player in enumerate(rest)}
        narrow = [
            sorted((tuple(number[p] for p in table if p in number) for table in each), key=len, reverse=True)
            for each in rounds
        ]
        yield _design(f"{whole.title}, less {too_many}", players, narrow)


def _transversal(sizes: tuple[int, ...]) -> Iterator[Design]:
    tables = len(sizes)
    rows = _differences(tables)
    if sizes[0] > len(rows):
        return
    sums = _sums(tables)
    incomplete = sizes.index(sizes[-1])  # players of the last group, if it is one player short of a table or more
    groups = sizes[-1] + (1 if incomplete else 0)
    rounds = []
    for number in range(tables):
        by_table: list[list[int]] = [[] for _ in sizes]
        for group in range(groups):
            there = incomplete if incomplete and group == groups - 1 else tables
            for table in range(tables):
                place = sums[rows[group][number]][table]
                if place < there:
                    by_table[table].append(group * tables + place)
        rounds.append([tuple(table) for table in sorted(by_table, key=len, reverse=True)])
    players = sum(sizes)
    title = f"transversal design of {tables} tables"
    if sizes[0] == tables and players >= tables * tables - 1:
        rounds.append([tuple(range(start, min(start + tables, players))) for start in range(0, players, tables)])
        title = f"affine plane of order {tables}"
    yield _design(f"{title}, less {missing}" if (missing := sizes[0] * tables - players) else title, players, rounds)


def _differences(tables: int) -> Sequence[Sequence[int]]:
    if tables == 12:
        return TWELVE
    field = ring(tables)
    return [field.products[each] for each in field.apart]


def _sums(tables: int) -> Sequence[Sequence[int]]:
    if tables == 12:
        return [[(one // 6 + other // 6) % 2 * 6 + (one + other) % 6 for other in range(12)] for one in range(12)]
    return ring(tables).sums


def _design(title: str, players: int, rounds: Sequence[Sequence[Table]]) -> Design:
    met = [[0] * players for _ in range(players)]
    for tables in rounds:
        for table in tables:
            for one, other in permutations(table, 2):
                met[one][other] += 1
    return Design(title, tuple(map(tuple, rounds)), tuple(map(tuple, met)))
