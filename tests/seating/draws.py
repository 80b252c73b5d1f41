"""What the tests of draws have in common: rounds by sizes, and counts made the slow and plain way."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

from competitions.seating import Drawn, Player, Round, TableRule, draw

Pairs = set[frozenset[Player]]


def of_sizes(players: int, rounds: int, sizes: Sequence[int], *, seed: int = 1, **more: object) -> Drawn:
    """A draw of players 1, 2, … at tables of exactly these sizes."""
    rule = TableRule(max(sizes), min(sizes), max(sizes), tables=len(sizes))
    return draw(players=range(1, players + 1), rounds=rounds, rule=rule, seed=seed, **more)  # type: ignore[arg-type]


def pairs_of(each: Round) -> Pairs:
    """Every two who sit together."""
    return {frozenset(pair) for table in each.tables for pair in combinations(table, 2)}


def counted(rounds: Iterable[Round]) -> Counter[frozenset[Player]]:
    """How often every two met."""
    return Counter(pair for each in rounds for pair in pairs_of(each))


def sum_of_squares(rounds: Iterable[Round]) -> int:
    """The sum of m² over pairs."""
    return sum(count * count for count in counted(rounds).values())


def in_a_row(rounds: Sequence[Round]) -> int:
    """Pairs that meet in two rounds in a row."""
    return sum(len(pairs_of(one) & pairs_of(other)) for one, other in pairwise(rounds))


def as_groups(rounds: Iterable[Round]) -> list[set[frozenset[Player]]]:
    """Who sits together in each round, whatever the table or seat."""
    return [set(map(frozenset, each.tables)) for each in rounds]


def all_seatings(players: Sequence[Player], sizes: Sequence[int]) -> Iterator[list[frozenset[Player]]]:
    """Every way to put the players at tables of these sizes, some of them more than once. For few players only."""
    if not sizes:
        yield []
        return
    for table in combinations(players, sizes[0]):
        rest = [player for player in players if player not in table]
        for others in all_seatings(rest, sizes[1:]):
            yield [frozenset(table), *others]


def fewest_in_a_row(before: Round, players: Sequence[Player], sizes: Sequence[int]) -> int:
    """The fewest pairs that must meet again right after the round, found by trying everything."""
    met = pairs_of(before)
    return min(
        sum(frozenset(pair) in met for table in seating for pair in combinations(table, 2))
        for seating in all_seatings(players, sizes)
    )
