"""Tables by standing: leaders with leaders, as far as that repeats no meeting that can be avoided.

People come in score groups, the best first, and fill the tables from table 1. So a group has its tables, and may share
the first and the last of them with its neighbours; which of the group sits at which of its tables is free. A search
then does first what `objective` puts first (pairs kept apart, repeats in a row, the sum of m²), and among draws that
are equal in it takes the one with the fewest people away from their group's tables, squares of the distance counted.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from competitions.seating.anneal import anneal
from competitions.seating.board import Board, Weights
from competitions.seating.bound import Plan, bounds_of
from competitions.seating.chairs import arrange
from competitions.seating.draw import Drawn
from competitions.seating.lots import Seed, lots
from competitions.seating.objective import seat_counts
from competitions.seating.rounds import (
    Pair,
    Player,
    Round,
    check_pairs,
    check_players,
    check_rounds,
    in_order,
    meetings,
)
from competitions.seating.search import deal_out, numbered, past_of
from competitions.seating.sitouts import choose, last_rounds_out, turns
from competitions.seating.sizes import TableRule, split
from scoring.wording import listed, say

STEPS = 60_000
SEARCHES = 3


@dataclass(frozen=True, slots=True)
class Moved:
    """Why somebody sits with another score group than his own. Groups and tables count from 1, the best first.

    - `why`: `fills_up` (a table that the group above leaves seats at), `met` (he has met people at the tables of his
      group, `because`, or is to be kept apart from them), `makes_room` (for `because`, who were moved to those tables).
    """

    player: Player
    group: int
    table: int
    home: tuple[int, int]
    why: str
    because: tuple[Player, ...] = ()

    def sentence(self, name: Callable[[Player], str] = str) -> str:
        """The same for people."""
        first, last = self.home
        about: dict[str, Any] = {
            "name": name(self.player),
            "group": self.group,
            "table": self.table,
            "first": first,
            "last": last,
        }
        if self.why == "fills_up":
            return say("{name} (group {group}) sits at table {table} to fill it up.", **about)
        about["others"] = listed(map(name, self.because))
        if self.why == "met" and first == last:
            return say(
                "{name} (group {group}) sits at table {table}, not table {first}, to stay away from {others}.", **about
            )
        if self.why == "met":
            return say(
                "{name} (group {group}) sits at table {table}, not tables {first} to {last}, to stay away from "
                "{others}.",
                **about,
            )
        if first == last:
            return say(
                "{name} (group {group}) sits at table {table}, not table {first}, to make room for {others}.", **about
            )
        return say(
            "{name} (group {group}) sits at table {table}, not tables {first} to {last}, to make room for {others}.",
            **about,
        )


@dataclass(frozen=True, slots=True)
class SwissRound:
    """The round drawn, beside what no draw could do better, and everybody who sits with another group."""

    drawn: Drawn
    moved: tuple[Moved, ...]


def draw_by_standing(
    groups: Sequence[Collection[Player]],
    *,
    rule: TableRule,
    seed: Seed,
    played: Sequence[Round] = (),
    keep_apart: Iterable[Collection[Player]] = (),
    first_seat: int = 1,
    effort: float = 1.0,
) -> SwissRound:
    """Draw the next round for score groups, the best first. In a group the order means nothing.

    Who has to sit out comes from those who did least often, the lowest group first. Table numbers go by standing and
    are not rotated. Raise NoTables or BadDraw as `draw` does.
    """
    people = check_players([player for group in groups for player in group])
    check_rounds(played, played=True)
    apart = check_pairs(keep_apart)
    plan = Plan(frozenset(people), split(len(people), rule).sizes)
    rng = lots("standing", f"{seed} {len(played)}")
    rank = {player: number for number, group in enumerate(groups) for player in group}
    turn, last_out = turns(played, people), last_rounds_out(played)
    out = choose(plan.sitting_out, present=people, turn=turn, last_out=last_out, rng=rng, rather=rank)
    seating = [in_order(player for player in group if player not in out) for group in groups]
    homes = _homes(seating, plan.sizes)
    tables = _tables(seating, plan, homes, out, played, apart, rng, effort)
    moved = _explained(tables, rank, homes, played, apart)
    for table in tables:
        rng.shuffle(table)
    arrange(tables, before=seat_counts(played), first_seat=first_seat)
    drawn = Round(tuple(map(tuple, tables)), out)
    proven = bounds_of([drawn], played=played, plans=[plan], apart=apart)
    return SwissRound(Drawn(tuple(played), (drawn,), proven, "by standing", apart, first_seat), tuple(moved))


def _homes(groups: Sequence[Sequence[Player]], sizes: Sequence[int]) -> dict[Player, tuple[int, int]]:
    """For each player the first and the last table, from 0, of his group, when tables are filled from the top."""
    table_of = [table for table, size in enumerate(sizes) for _ in range(size)]
    homes = {}
    start = 0
    for group in groups:
        if group:
            span = (table_of[start], table_of[start + len(group) - 1])
            homes.update(dict.fromkeys(group, span))
            start += len(group)
    return homes


def _tables(
    groups: Sequence[Sequence[Player]],
    plan: Plan,
    homes: dict[Player, tuple[int, int]],
    out: Sequence[Player],
    played: Sequence[Round],
    apart: frozenset[Pair],
    rng: Random,
    effort: float,
) -> list[list[Player]]:
    """The best of some searches, each from tables filled from the top, by lot within the groups."""
    people = in_order(homes)
    number = {player: index for index, player in enumerate(people)}
    largest, tables = max(plan.sizes), len(plan.sizes)
    # One table away from home outweighs all that a swap can change in the company.
    away = 4 * largest * largest * (len(played) + 2)
    weights = Weights.of(largest=largest, rounds=len(played) + 1, finest=away * 4 * tables * tables)
    place = [[away * _distance(homes[player], table) ** 2 for table in range(tables)] + [0] for player in people]
    best: Board | None = None
    for _ in range(SEARCHES):
        filling = []
        for group in groups:
            mixed = [number[player] for player in group]
            rng.shuffle(mixed)
            filling += mixed
        board = Board(
            len(people),
            [deal_out(filling, plan.sizes, ())],
            weights,
            past_of(played, number),
            numbered(apart, number),
            [place],
        )
        unit = weights.unit
        if tables > 1:
            anneal(board, rng=rng, steps=round(effort * STEPS), hot=0.5 * unit, cold=0.15 * unit)
            anneal(board, rng=rng, steps=round(effort * STEPS), hot=2.0 * away, cold=0.2 * away)
        if best is None or board.cost < best.cost:
            best = board
    assert best is not None
    return [in_order(people[person] for person in table) for table in best.groups[0][:-1]]


def _distance(home: tuple[int, int], table: int) -> int:
    return max(home[0] - table, table - home[1], 0)


def _explained(
    tables: Sequence[Sequence[Player]],
    rank: dict[Player, int],
    homes: dict[Player, tuple[int, int]],
    played: Sequence[Round],
    apart: frozenset[Pair],
) -> list[Moved]:
    """Everybody who sits where his group does not, or at a table that belongs to a better group first."""
    avoided = meetings(played).keys() | apart
    away = {player for number, table in enumerate(tables) for player in table if _distance(homes[player], number)}
    found = []
    for number, table in enumerate(tables):
        for player in table:
            first, last = homes[player]
            about = (player, rank[player] + 1, number + 1, (first + 1, last + 1))
            if player not in away:
                if any(rank[other] < rank[player] and other not in away for other in table):
                    found.append(Moved(*about, "fills_up"))
                continue
            there = [other for each in tables[first : last + 1] for other in each]
            met = [other for other in there if tuple(in_order((player, other))) in avoided]
            if met:
                found.append(Moved(*about, "met", tuple(met)))
            else:
                found.append(Moved(*about, "makes_room", tuple(other for other in there if other in away)))
    return found
