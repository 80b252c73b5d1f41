"""Which results count: an entrant's rounds, their points, what is dropped, and the total."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from scoring.entries import Adjustment, BadStandings, Entrant, EntrantId, Settings, TableResult, listing
from scoring.points import exact
from scoring.result import Points
from scoring.wording import say

TableKey: TypeAlias = tuple[int, object]
"""Round and table: what the results of one table have in common."""


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round of one entrant.

    - `points`: the sum of its results, or the declared value of an absence; None when it is no result.
    - `results`: what came in for it, by table; empty for an absence that nobody entered.
    - `why`: it "counts", was "dropped" as one of the worst, or has "no value". Only points that count are in the total.
    """

    round: int
    kind: Literal["played", "bye", "absent"]
    points: Points | None
    results: tuple[TableResult, ...]
    why: Literal["counts", "dropped", "no value"]

    @property
    def counts(self) -> bool:
        return self.why == "counts"


@dataclass(frozen=True)
class Record:
    """All of one entrant: its adjustments by id, the exact total of what counts, and its rounds in their order: those
    with a result or a declared value. Another round was missed without one."""

    entrant: Entrant
    rounds: tuple[RoundLine, ...]
    adjustments: tuple[Adjustment, ...]
    total: Points

    @cached_property
    def played(self) -> tuple[TableResult, ...]:
        """Every result at a table, dropped or not, by round and table."""
        return tuple(result for line in self.rounds for result in line.results if result.kind == "played")

    @cached_property
    def counting(self) -> tuple[TableResult, ...]:
        """The results at tables in rounds that count."""
        return tuple(r for line in self.rounds if line.counts for r in line.results if r.kind == "played")

    @cached_property
    def values(self) -> dict[int, Points]:
        """The points of each round that has a value, dropped or not."""
        return {line.round: line.points for line in self.rounds if line.points is not None}


@dataclass(frozen=True, slots=True)
class Field:
    """Everything that standings and tie-breaks look at: one record an entrant, and who sat at each table."""

    records: Mapping[EntrantId, Record]
    tables: Mapping[TableKey, tuple[TableResult, ...]]
    rounds: tuple[int, ...]
    lower_is_better: bool


def field(
    entrants: Iterable[Entrant],
    results: Iterable[TableResult],
    adjustments: Iterable[Adjustment],
    settings: Settings,
    held: Iterable[int] | None = None,
) -> Field:
    """Put results to entrants and count them. The order of what comes in does not matter.

    `held`: the rounds that are over, where an entrant without any result was absent; left out, every round that was
    played at a table. Raise BadStandings when an id is used twice, somebody unknown has a result or an adjustment, or
    two results of one entrant exclude each other.
    """
    by_id: dict[EntrantId, Entrant] = {}
    for entrant in entrants:
        if entrant.id in by_id:
            raise BadStandings(say("The entrant {entrant_id} is listed twice.", entrant_id=entrant.id))
        by_id[entrant.id] = entrant
    ids = sorted(by_id, key=listing)

    mine: dict[EntrantId, dict[int, list[TableResult]]] = {who: defaultdict(list) for who in ids}
    tables: dict[TableKey, list[TableResult]] = defaultdict(list)
    for result in results:
        if result.entrant not in by_id:
            raise BadStandings(
                say(
                    "Round {round}: {entrant} has a result, but is not entered.",
                    round=result.round,
                    entrant=result.entrant,
                )
            )
        mine[result.entrant][result.round].append(result)
        if result.kind == "played":
            tables[result.round, result.table].append(result)
    for (number, table), seats in tables.items():
        _check_table(number, table, seats)
    rounds = {number for number, _ in tables} if held is None else set(held)

    adjusted = _adjusted(by_id, adjustments)
    records = {}
    for who in ids:
        lines = _lines(mine[who], rounds, settings)
        changes = tuple(sorted(adjusted[who], key=lambda change: listing(change.id)))
        total = sum(line.points for line in lines if line.counts and line.points is not None)
        total += sum(change.points for change in changes if not change.cancelled)
        records[who] = Record(by_id[who], lines, changes, exact(total))
    every = rounds.union(*(set(own) for own in mine.values()))
    seated = {key: tuple(sorted(seats, key=lambda r: listing(r.entrant))) for key, seats in tables.items()}
    return Field(records, seated, tuple(sorted(every)), settings.lower_is_better)


def _adjusted(entrants: Iterable[EntrantId], adjustments: Iterable[Adjustment]) -> dict[EntrantId, list[Adjustment]]:
    adjusted: dict[EntrantId, list[Adjustment]] = {who: [] for who in entrants}
    seen = set()
    for adjustment in adjustments:
        if adjustment.entrant not in adjusted:
            raise BadStandings(
                say(
                    "The adjustment {adjustment_id} is for {entrant}, who is not entered.",
                    adjustment_id=adjustment.id,
                    entrant=adjustment.entrant,
                )
            )
        if adjustment.id in seen:
            raise BadStandings(say("There are two adjustments {adjustment_id}.", adjustment_id=adjustment.id))
        seen.add(adjustment.id)
        adjusted[adjustment.entrant].append(adjustment)
    return adjusted


def _check_table(number: int, table: object, seats: Sequence[TableResult]) -> None:
    ids = {seat.entrant for seat in seats}
    if len(ids) < len(seats):
        twice = next(who for who in sorted(ids, key=listing) if sum(seat.entrant == who for seat in seats) > 1)
        raise BadStandings(
            say("Round {number}: {twice} has two results at table {table}.", number=number, twice=twice, table=table)
        )
    if len({seat.size for seat in seats}) > 1 or sum(seat.share for seat in seats) > seats[0].size:
        raise BadStandings(
            say(
                "Round {number}: the results of table {table} do not agree on how many sat there.",
                number=number,
                table=table,
            )
        )
    placed = [seat.place for seat in seats if seat.share == 1]
    if len(placed) == seats[0].size and any(one != 1 + sum(other < one for other in placed) for one in placed):
        raise BadStandings(
            say(
                "Round {number}: {placed} are not the places of one table.",
                number=number,
                placed=" ".join(map(str, sorted(placed))),
            )
        )


def _lines(
    own: Mapping[int, Sequence[TableResult]], held: AbstractSet[int], settings: Settings
) -> tuple[RoundLine, ...]:
    """An entrant's rounds, with the worst marked as dropped: of equals the earliest (Racing Rules of Sailing, A2).

    A round without value uses up a drop, and one round always counts: else the first evening of a season with two
    drops would show nothing.
    """
    missed = held - own.keys()
    numbers = sorted(own) if settings.absence is None else sorted(missed | own.keys())
    worth = {number: _value(number, own.get(number, ()), settings) for number in numbers}
    valued = [number for number, (_, points) in worth.items() if points is not None]
    keep = len(own) + len(missed) - settings.drop if settings.best is None else settings.best
    sign = -1 if settings.lower_is_better else 1
    worst_first = sorted(valued, key=lambda number: (sign * (worth[number][1] or 0), number))
    dropped = set(worst_first[: max(0, len(valued) - max(1, keep))])
    return tuple(
        RoundLine(
            number,
            kind,
            points,
            tuple(sorted(own.get(number, ()), key=lambda result: listing(result.table))),
            "no value" if points is None else "dropped" if number in dropped else "counts",
        )
        for number, (kind, points) in worth.items()
    )


def _value(
    number: int, results: Sequence[TableResult], settings: Settings
) -> tuple[Literal["played", "bye", "absent"], Points | None]:
    """What a round was, and its points."""
    if not results:
        return "absent", settings.absence
    kind = results[0].kind
    if kind == "played" and all(result.kind == "played" for result in results):
        return kind, exact(sum(result.points for result in results if result.points is not None))
    if len(results) > 1:
        raise BadStandings(
            say(
                "Round {number}: {entrant} has a bye or an absence and another result.",
                number=number,
                entrant=results[0].entrant,
            )
        )
    points = results[0].points
    if kind == "absent" and points is None:
        points = settings.absence
    if points is None and settings.lower_is_better:
        raise BadStandings(
            say(
                "Round {number}: where fewer points are better the bye of {entrant} needs points.",
                number=number,
                entrant=results[0].entrant,
            )
        )
    return kind, points
