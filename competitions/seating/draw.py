"""Drawing rounds: who sits at which table, in which seat, who sits out.

Three steps, each of which leaves the counts of the ones before as they are: who sits out and who sits together
(`groups`), at which table number (`rotation`), in which seat (`chairs`). The draw is the same for the same seed, in
whatever order the players are given. Keep the seed for all rounds of a competition: then rounds drawn one by one go on
with the perfect schedule that the first of them began, where there is one.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from competitions.seating.bound import Bounds, Plan
from competitions.seating.chairs import arrange
from competitions.seating.errors import BadDraw, NoTables
from competitions.seating.groups import Task
from competitions.seating.lots import Seed, lots
from competitions.seating.objective import seat_counts, table_counts
from competitions.seating.rotation import rotate
from competitions.seating.rounds import Pair, Player, Round, check_pairs, check_players, check_rounds, in_order
from competitions.seating.sizes import TableRule, split
from scoring.wording import say, say_n


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw: the rounds played, the rounds drawn after them, and what no draw could have done better.

    `how`: the construction, or what kind of search, in words.
    """

    played: tuple[Round, ...]
    rounds: tuple[Round, ...]
    bounds: Bounds
    how: str
    apart: frozenset[Pair] = frozenset()
    first_seat: int = 1


def draw(
    *,
    players: Iterable[Player],
    rounds: int,
    rule: TableRule,
    seed: Seed,
    played: Sequence[Round] = (),
    keep_apart: Iterable[Collection[Player]] = (),
    absent: Mapping[int, Collection[Player]] | None = None,
    first_seat: int = 1,
    effort: float = 1.0,
) -> Drawn:
    """Draw so many rounds for the players, after the rounds `played`, which stay as they are.

    - `keep_apart`: pairs that are not to meet. Where they have to, they do.
    - `absent`: for a round, counted from 1 at the first one drawn, who is not there. That is no sitting out.
    - `first_seat`: the seat that acts first in a session's first deal.
    - `effort`: 1.0 takes some seconds at most where no construction is known; half of it half as long.

    Raise NoTables when so many cannot sit at such tables, BadDraw when the request contradicts itself.
    """
    people = check_players(list(players))
    plans = plan_rounds(people, rounds=rounds, rule=rule, absent=absent or {})
    check_rounds(played, played=True)
    apart = check_pairs(keep_apart)
    if first_seat < 1:
        raise BadDraw(say("Seats are counted from 1, so none is seat {seat}.", seat=first_seat))
    grouped = Task(plans, played, apart, seed, effort).solve()
    seated = seat(grouped.rounds, played=played, first_seat=first_seat, seed=seed)
    return Drawn(tuple(played), seated, grouped.bounds, grouped.how, apart, first_seat)


def plan_rounds(
    people: Sequence[Player], *, rounds: int, rule: TableRule, absent: Mapping[int, Collection[Player]]
) -> list[Plan]:
    """Who is there in each round, and the table sizes. Raise NoTables or BadDraw, with the round where they differ."""
    if rounds < 1:
        raise BadDraw(say("There are {rounds} rounds to draw.", rounds=rounds))
    for number, missing in absent.items():
        if not 1 <= number <= rounds:
            raise BadDraw(
                say_n(
                    "Somebody is absent in round {number}, but {n} is drawn.",
                    "Somebody is absent in round {number}, but {n} are drawn.",
                    rounds,
                    number=number,
                )
            )
        for player in missing:
            if player not in people:
                raise BadDraw(
                    say("{name} is absent in round {number}, but does not take part.", name=str(player), number=number)
                )
    plans = []
    for number in range(1, rounds + 1):
        present = frozenset(people) - frozenset(absent.get(number, ()))
        try:
            sizes = split(len(present), rule).sizes
        except NoTables as refusal:
            if not absent:
                raise
            raise NoTables(say("Round {number}: {why}", number=number, why=refusal.message)) from None
        plans.append(Plan(present, sizes))
    return plans


def seat(rounds: Sequence[Round], *, played: Sequence[Round], first_seat: int, seed: Seed) -> tuple[Round, ...]:
    """The same groups with table numbers and seats that are even, the played rounds included."""
    rng = lots("seats", seed)
    tables = [[list(table) for table in each.tables] for each in rounds]
    for each in tables:
        for table in each:
            table[:] = in_order(table)
            rng.shuffle(table)
    rotate(tables, before=table_counts(played), rng=rng)
    arrange([table for each in tables for table in each], before=seat_counts(played), first_seat=first_seat)
    return tuple(
        Round(tuple(map(tuple, seated)), each.sitting_out) for seated, each in zip(tables, rounds, strict=True)
    )
