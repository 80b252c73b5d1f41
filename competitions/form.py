"""How one entrant fared, read off standings: whom he met, his latest results, his place after each round. Pure."""

from bisect import insort
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import lcm

from competitions.crosstable import Met
from scoring.counting import RoundLine
from scoring.entries import EntrantId, TableResult
from scoring.result import Points
from scoring.standings import NO_RESULT, Row, Standings

LATEST = 5
"""Results that make somebody's form."""


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """A round of an entrant, with everybody's result at the tables he had in it, his own among them, by place."""

    line: RoundLine
    tables: tuple[tuple[TableResult, ...], ...]


def rounds_played(table: Standings, who: EntrantId) -> tuple[RoundPlayed, ...]:
    """The rounds of an entrant by number, with whom he sat at tables with. Raises KeyError for nobody's id."""
    row = table.row(who)
    own = {(result.round, result.table) for line in row.rounds for result in line.results if result.kind == "played"}
    seated: dict[tuple[int, object], list[TableResult]] = defaultdict(list)
    for other in table.rows:
        for line in other.rounds:
            for result in line.results:
                if (result.round, result.table) in own and result.kind == "played":
                    seated[result.round, result.table].append(result)
    return tuple(
        RoundPlayed(
            line,
            tuple(
                tuple(sorted(seated[result.round, result.table], key=lambda one: one.place))
                for result in line.results
                if result.kind == "played"
            ),
        )
        for line in row.rounds
    )


def head_to_head(played: Sequence[RoundPlayed], who: EntrantId) -> Mapping[EntrantId, Met]:
    """Everybody whom an entrant met, and how it went: his line of the crosstable (competitions.crosstable). At a table
    that two share the one with the better place is ahead. In the order of meeting."""
    counts: dict[EntrantId, list[int]] = {}
    for line in played:
        for seats in line.tables:
            mine = next(result for result in seats if result.entrant == who)
            for theirs in seats:
                if theirs.entrant != who:
                    count = counts.setdefault(theirs.entrant, [0, 0, 0])
                    count[0] += 1
                    count[1] += mine.place < theirs.place
                    count[2] += mine.place > theirs.place
    return {other: Met(*count) for other, count in counts.items()}


def latest_results(row: Row, most: int = LATEST) -> tuple[TableResult, ...]:
    """An entrant's last results at tables, at most so many, the latest last; those of dropped rounds too."""
    played = [result for line in row.rounds for result in line.results if result.kind == "played"]
    return tuple(played[-most:])


def places(table: Standings, who: EntrantId, *, best: int | None, drop: int) -> tuple[int | None, ...]:
    """An entrant's place after each of the table's rounds, by the points of the rounds up to then alone: equals share
    it. None while he had no place.

    `best`, `drop`: how many rounds count (scoring.entries.Settings). Of what came later nothing is known here but
    that: points given, and who is kept out of the ranks, hold from the first round on. The places are those of
    scoring.standings without tie-breaks, where every round of the table was held.
    """
    sign = -1 if table.lower_is_better else 1
    ranked = [row for row in table.rows if not set(row.unranked_for) - {NO_RESULT}]
    if all(row.entrant != who for row in ranked):
        return (None,) * len(table.rounds)
    worth = {row.entrant: {one.round: one.points for one in row.rounds if one.points is not None} for row in ranked}
    given = {row.entrant: [one.points for one in row.adjustments if not one.cancelled] for row in ranked}
    # In whole numbers of the smallest part: sums of many fractions take long.
    denominators = {points.denominator for own in worth.values() for points in own.values()}
    part = lcm(*denominators, *(points.denominator for own in given.values() for points in own))

    def whole(points: Points) -> int:
        return sign * points.numerator * (part // points.denominator)

    added = {entrant: sum(map(whole, own)) for entrant, own in given.items()}
    values: dict[EntrantId, list[int]] = {row.entrant: [] for row in ranked}
    # Where fewer points are better nobody has a place before a result or points given.
    totals = {entrant: added[entrant] for entrant in values if given[entrant] or not table.lower_is_better}
    found: list[int | None] = []
    for count, number in enumerate(table.rounds, 1):
        keep = max(1, count - drop if best is None else best)
        for entrant, own in values.items():
            points = worth[entrant].get(number)
            if points is not None:
                insort(own, whole(points))
            if points is not None or len(own) >= keep:
                totals[entrant] = sum(own[-keep:]) + added[entrant]
        mine = totals.get(who)
        found.append(None if mine is None else 1 + sum(total > mine for total in totals.values()))
    return tuple(found)
