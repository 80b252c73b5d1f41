"""One round of a draw: who sits where. And what can be counted from rounds alone."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TypeAlias

from competitions.seating.errors import BadDraw
from scoring.wording import say, say_n

Player: TypeAlias = int | str
"""Whatever tells one person from another; in one draw all are numbers, or all are texts."""

Pair: TypeAlias = tuple[Player, Player]
"""Two people, in the order of `in_order`."""


@dataclass(frozen=True, slots=True)
class Round:
    """Who sits where: `tables[0]` is table 1, and its first player sits in seat 1. The others sit out."""

    tables: tuple[tuple[Player, ...], ...]
    sitting_out: tuple[Player, ...] = ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """Players at each table, by table number."""
        return tuple(map(len, self.tables))

    def people(self) -> Iterator[Player]:
        """Everybody in the round: at table 1, 2, …, then those who sit out."""
        for table in self.tables:
            yield from table
        yield from self.sitting_out

    def pairs(self) -> Iterator[Pair]:
        """Every two who sit at one table."""
        for table in self.tables:
            yield from combinations(in_order(table), 2)


def in_order(players: Iterable[Player]) -> list[Player]:
    """The players in an order of their own, whatever order they came in."""
    return sorted(players, key=lambda player: (isinstance(player, str), player))


def pair_of(one: Player, other: Player) -> Pair:
    """The two as `meetings` names them."""
    first, second = in_order((one, other))
    return first, second


def meetings(rounds: Iterable[Round]) -> Counter[Pair]:
    """How often every two met who met at all."""
    return Counter(pair for each in rounds for pair in each.pairs())


def met_again(rounds: Sequence[Round]) -> list[set[Pair]]:
    """For each round but the first, the pairs that had met in the round before it."""
    met = [set(each.pairs()) for each in rounds]
    return [one & other for one, other in pairwise(met)]


def check_rounds(rounds: Iterable[Round], *, played: bool = False) -> None:
    """Raise BadDraw when somebody has two places in one round, or a table has nobody."""
    for number, each in enumerate(rounds, 1):
        named = say("Played round {number}", number=number) if played else say("Round {number}", number=number)
        counts = Counter(each.people())
        twice = in_order(player for player, count in counts.items() if count > 1)
        if twice:
            name, places = str(twice[0]), counts[twice[0]]
            raise BadDraw(
                say_n(
                    "{round}: {name} has {n} place.", "{round}: {name} has {n} places.", places, round=named, name=name
                )
            )
        if not all(each.tables):
            raise BadDraw(say("{round}: table {table} is empty.", round=named, table=each.sizes.index(0) + 1))


def check_players(players: Collection[Player]) -> list[Player]:
    """The players in order. Raise BadDraw when one is named twice."""
    counts = Counter(players)
    twice = in_order(player for player, count in counts.items() if count > 1)
    if twice:
        raise BadDraw(
            say_n("{name} is named {n} time.", "{name} is named {n} times.", counts[twice[0]], name=str(twice[0]))
        )
    return in_order(counts)


def check_pairs(pairs: Iterable[Collection[Player]]) -> frozenset[Pair]:
    """The pairs to keep apart, each once. Raise BadDraw for a pair that is not two people."""
    checked = set()
    for pair in pairs:
        people = in_order(set(pair))
        if len(people) != 2 or len(pair) != 2:
            if not pair:
                raise BadDraw(say("A pair to keep apart is two people, not nobody."))
            raise BadDraw(say("A pair to keep apart is two people, not {names}.", names=", ".join(map(str, pair))))
        checked.add((people[0], people[1]))
    return frozenset(checked)
