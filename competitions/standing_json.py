"""Standings as JSON, to be kept: exact, and short, since a season's table is written and read again for every version.

    {"form": 1, "lower_is_better": false, "ranked": 12, "rounds": [1, 2, 3], "tie_breaks": ["wins"], "rows": [row, …]}

Everything below is a list by position. Points are whole numbers, or texts "n/d".

- row: entrant, rank, total, the values of the tie-breaks in their order, what decided against the rank above (null
  nothing, 0 the total, n the nth tie-break), lines, adjustments, the marks it is unranked for;
- adjustment: id, points, reason, cancelled;
- line: a text of two letters, then round, points, and its results. The first letter says `p`layed, `b`ye, `a`bsent as
  somebody entered, the second that it `c`ounts, was `d`ropped, has `n`o value. The first letter `m`, missed, is for
  absences that nobody entered, many in a row: first round, last round (of those in `rounds`), points of each;
- result: table, points, place, size, total, wins, deals, cards left, chips; ending before the first that nobody knows.

Nothing is written that the rest says: who shares a rank is level, and who decided is on the rank above. At the start of
a season, when all are level, each row names all the others; written out, 2,000 players would be four million numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any, Literal, TypeAlias

from scoring.counting import RoundLine
from scoring.entries import Adjustment, EntrantId, TableResult
from scoring.result import Points
from scoring.standings import TOTAL, Decision, Row, Standings
from scoring.tiebreaks import tie_breaks

FORM = 1
"""Counted up when what is written changes its meaning; what is stored is never rewritten."""

KINDS: Mapping[str, Literal["played", "bye", "absent"]] = {"p": "played", "b": "bye", "a": "absent", "m": "absent"}
WHYS: Mapping[str, Literal["counts", "dropped", "no value"]] = {"c": "counts", "d": "dropped", "n": "no value"}
UNKNOWN: tuple[Any, ...] = (None, None, 0, 0, None, None, None, None, None)
"""The values of a result that are left away at its end."""

Json: TypeAlias = dict[str, Any]


def standings_json(table: Standings) -> Json:
    """The table as JSON (see the top). Ids of entrants, tables and adjustments are whole numbers or texts.

    Raise TypeError on other ids: they would not come back equal.
    """
    keys = [one.key for one in table.tie_breaks]
    number_of = {key: number for number, key in enumerate([TOTAL, *keys])}
    position = {number: index for index, number in enumerate(table.rounds)}
    return {
        "form": FORM,
        "lower_is_better": table.lower_is_better,
        "ranked": table.ranked,
        "rounds": list(table.rounds),
        "tie_breaks": keys,
        "rows": [_row_json(row, number_of, position) for row in table.rows],
    }


def standings_from_json(stored: Mapping[str, Any]) -> Standings:
    """The table that was written, equal to it. Raise ValueError for another form, BadTieBreak when one is gone."""
    if stored.get("form") != FORM:
        raise ValueError(f"These standings are written in form {stored.get('form')}; this program reads form {FORM}.")
    return _Reader(stored).table()


def number_json(value: Points | None) -> int | str | None:
    """Points as JSON, exactly: a whole number, or a text "n/d"."""
    if value is None or isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else str(value)


def _row_json(row: Row, number_of: Mapping[str, int], position: Mapping[int, int]) -> list[object]:
    return [
        _id(row.entrant),
        row.rank,
        number_json(row.total),
        [value for _, value in row.tie_breaks],
        None if row.decided is None else number_of[row.decided.by],
        _lines_json(row.rounds, position),
        [[_id(one.id), number_json(one.points), one.reason, one.cancelled] for one in row.adjustments],
        list(row.unranked_for),
    ]


def _lines_json(lines: Sequence[RoundLine], position: Mapping[int, int]) -> list[list[Any]]:
    written: list[list[Any]] = []
    for line in lines:
        points = number_json(line.points)
        if line.results:
            results = [_result_json(result) for result in line.results]
            written.append([line.kind[0] + line.why[0], line.round, points, *results])
            continue
        what = "m" + line.why[0]
        before = written[-1] if written else None
        if before and before[0] == what and before[3] == points and position[before[2]] + 1 == position[line.round]:
            before[2] = line.round
        else:
            written.append([what, line.round, line.round, points])
    return written


def _result_json(result: TableResult) -> list[object]:
    values: list[object] = [
        None if result.table is None else _id(result.table),
        number_json(result.points),
        result.place,
        result.size,
        number_json(result.total),
        result.wins,
        result.deals,
        result.cards_left,
        number_json(result.chips),
    ]
    while values and values[-1] == UNKNOWN[len(values) - 1]:
        values.pop()
    return values


def _id(value: object) -> int | str:
    if not isinstance(value, int | str):
        raise TypeError(f"Ids in standings that are kept are whole numbers or texts, not {value!r}.")
    return value


class _Reader:
    """One reading. Lines of missed rounds and fractions are made once and shared."""

    def __init__(self, stored: Mapping[str, Any]) -> None:
        self.stored = stored
        self.rounds: list[int] = stored["rounds"]
        self.position = {number: index for index, number in enumerate(self.rounds)}
        self.asked = tie_breaks(stored["tie_breaks"])
        self.keys = [one.key for one in self.asked]
        self.fractions: dict[str, Fraction] = {}
        self.missed: dict[tuple[str, object], list[RoundLine]] = {}

    def table(self) -> Standings:
        stored = self.stored
        rows = tuple(self.rows(stored["rows"]))
        asked = tuple(type(one) for one in self.asked)
        return Standings(rows, stored["ranked"], tuple(self.rounds), asked, stored["lower_is_better"])

    def rows(self, stored: Sequence[Sequence[Any]]) -> Iterator[Row]:
        above: Sequence[Any] = ()
        against: tuple[EntrantId, ...] = ()
        for rank, grouped in groupby(stored, key=lambda row: row[1]):
            group = list(grouped)
            level = tuple(row[0] for row in group) if rank is not None else ()
            for row in group:
                yield Row(
                    entrant=row[0],
                    rank=rank,
                    total=self.points(row[2]),
                    rounds=tuple(self.lines(row[0], row[5])),
                    adjustments=tuple(
                        Adjustment(key, row[0], self.points(points), reason, cancelled)
                        for key, points, reason, cancelled in row[6]
                    ),
                    tie_breaks=tuple(zip(self.keys, row[3], strict=True)),
                    decided=self.decision(row, above, against),
                    level=level,
                    unranked_for=tuple(row[7]),
                )
            above, against = group[0], level

    def decision(self, row: Sequence[Any], above: Sequence[Any], against: tuple[EntrantId, ...]) -> Decision | None:
        number = row[4]
        if number is None:
            return None
        if number == 0:
            return Decision(TOTAL, against, self.points(row[2]), self.points(above[2]))
        return Decision(self.keys[number - 1], against, row[3][number - 1], above[3][number - 1])

    def lines(self, entrant: EntrantId, stored: Sequence[Sequence[Any]]) -> Iterator[RoundLine]:
        for what, number, *rest in stored:
            if what[0] == "m":
                last, points = rest
                yield from self.run(what, points)[self.position[number] : self.position[last] + 1]
            else:
                kind = KINDS[what[0]]
                results = tuple(self.result(entrant, number, kind, values) for values in rest[1:])
                yield RoundLine(number, kind, self.number(rest[0]), results, WHYS[what[1]])

    def run(self, what: str, points: object) -> list[RoundLine]:
        """The line of a missed round, for every round there is."""
        if (what, points) not in self.missed:
            value, why = self.number(points), WHYS[what[1]]
            self.missed[what, points] = [RoundLine(number, "absent", value, (), why) for number in self.rounds]
        return self.missed[what, points]

    def result(
        self, entrant: EntrantId, number: int, kind: Literal["played", "bye", "absent"], values: Sequence[Any]
    ) -> TableResult:
        table, points, place, size, total, wins, deals, cards_left, chips = [*values, *UNKNOWN[len(values) :]]
        return TableResult(
            entrant, number, table, self.number(points), place, size, self.number(total), wins, deals, cards_left,
            self.number(chips), kind,
        )  # fmt: skip

    def points(self, value: object) -> Points:
        """Points that are known."""
        points = self.number(value)
        assert points is not None
        return points

    def number(self, value: object) -> Points | None:
        if value is None or isinstance(value, int):
            return value
        text = str(value)
        if text not in self.fractions:
            self.fractions[text] = Fraction(text)
        return self.fractions[text]
