"""Standings in plain English. Names are handed in when it is shown: a table that is kept knows ids only."""

from collections.abc import Callable, Sequence

from scoring.counting import RoundLine
from scoring.entries import EntrantId
from scoring.points import shown
from scoring.standings import TOTAL, Decision, Row, Standings

Name = Callable[[EntrantId], str]

NAMED = 5
"""How many of those who are equal, or on the rank above, are named; of more the number is given. Before the first
result everybody is equal with everybody."""


def order_of_tie_breaks(table: Standings) -> str:
    """The line to print with a table: "Level totals are decided by: 1. Wins; 2. …"."""
    if not table.tie_breaks:
        return "Equal totals share a place."
    keys = "; ".join(f"{number}. {one.title}" for number, one in enumerate(table.tie_breaks, 1))
    return f"Equal totals are decided by: {keys}. Who is equal on all of it shares a place."


def sentence(table: Standings, row: Row, name: Name) -> str:
    """Where a row stands and why, in one sentence: "3rd of 12 with 14 points, behind Ann by Wins (3 to 4)."."""
    points = f"{shown(row.total)} {'point' if row.total == 1 else 'points'}"
    if row.rank is None:
        return f"Not ranked ({', '.join(row.unranked_for)}), with {points}."
    parts = [f"{ordinal(row.rank)} of {table.ranked} with {points}"]
    if len(row.level) > 1:
        # Of many only the number is told: listing them for each of them would take their square.
        level = f"{len(row.level) - 1} others" if len(row.level) - 1 > NAMED else _names(row.level_with, name)
        parts.append(f"equal with {level} on everything")
    if row.decided:
        parts.append(f"behind {_names(row.decided.against, name)} by {_compared(table, row.decided)}")
    return ", ".join(parts) + "."


def counted(table: Standings, row: Row) -> str:
    """How the total comes about: "Rounds 1 and 3 count: 5 + 3. Round 2 is dropped: 1. Adjustment -2 (late)."."""
    parts = [_rounds([line for line in row.rounds if line.why == "counts"], "counts", "count", " + ")]
    parts.append(_rounds([line for line in row.rounds if line.why == "dropped"], "is dropped", "are dropped", ", "))
    missed = set(table.rounds) - {line.round for line in row.rounds if line.why != "no value"}
    if missed and row.rounds:
        parts.append(f"No result in round{'s' if len(missed) > 1 else ''} {_list([str(n) for n in sorted(missed)])}.")
    for adjustment in row.adjustments:
        cancelled = "; cancelled, not added" if adjustment.cancelled else ""
        sign = "+" if adjustment.points > 0 else ""
        parts.append(f"Adjustment {sign}{shown(adjustment.points)} ({adjustment.reason}{cancelled}).")
    return " ".join(part for part in parts if part) or "No results yet."


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _compared(table: Standings, decided: Decision) -> str:
    own, theirs = (value if isinstance(value, str) else shown(value) for value in (decided.own, decided.theirs))
    by = "points"
    if decided.by != TOTAL:
        by = next(one.title for one in table.tie_breaks if one.key == decided.by)
    if own == theirs:
        return f"{by} ({own}; they differ by less than is shown)"
    return f"{by} ({own} to {theirs})"


def _rounds(lines: Sequence[RoundLine], one: str, many: str, between: str) -> str:
    if not lines:
        return ""
    points = between.join(f"{shown(line.points or 0)}{_kind(line)}" for line in lines)
    numbers = _list([str(line.round) for line in lines])
    return f"Round{'s' if len(lines) > 1 else ''} {numbers} {many if len(lines) > 1 else one}: {points}."


def _kind(line: RoundLine) -> str:
    return "" if line.kind == "played" else f" ({line.kind})"


def _names(ids: Sequence[EntrantId], name: Name) -> str:
    return f"{len(ids)} others" if len(ids) > NAMED else _list([name(who) for who in ids])


def _list(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
