"""Standings in words, each a sentence that can be said in other languages (scoring.wording). Names are handed in when
it is shown: a table that is kept knows ids only."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from scoring.counting import RoundLine
from scoring.entries import EntrantId
from scoring.points import quantity, shown
from scoring.result import Points
from scoring.standings import NO_RESULT, TOTAL, Row, Standings
from scoring.tiebreaks import available
from scoring.wording import Listed, listed, mark, say, say_n

Name = Callable[[EntrantId], str]

NAMED = 5
"""How many of those who are equal, or on the rank above, are named; of more the number is given. Before the first
result everybody is equal with everybody."""

UNRANKED = {
    # Translators: why somebody has no rank: left out of the ranking by the organiser.
    "excluded": mark("excluded"),
    # Translators: why somebody has no rank: withdrew from the competition.
    "withdrawn": mark("withdrawn"),
    # Translators: why somebody has no rank: a program that plays.
    "bot": mark("bot"),
    # Translators: why somebody has no rank.
    NO_RESULT: mark("no result yet"),
}
"""Why somebody has no rank, by scoring.entries.MARKS and NO_RESULT."""


def order_of_tie_breaks(table: Standings) -> str:
    """The line to print with a table: "Level totals are decided by: 1. Wins; 2. …"."""
    if not table.tie_breaks:
        return say("Equal totals share a place.")
    # Translators: one of a numbered list in a sentence: 1. Wins; 2. Chips.
    keys = [
        say("{number}. {tie_break}", number=number, tie_break=one.title)
        for number, one in enumerate(table.tie_breaks, 1)
    ]
    return say(
        "Equal totals are decided by: {tie_breaks}. Who is equal on all of it shares a place.",
        tie_breaks=Listed(keys, "; "),
    )


def sentence(table: Standings, row: Row, name: Name) -> str:
    """Where a row stands and why, in one sentence: "3rd of 12 with 14 points, behind Ann by Wins (3 to 4)."."""
    points = points_of(row.total)
    if row.rank is None:
        return say("Not ranked ({reasons}), with {points}.", reasons=unranked_for(row.unranked_for), points=points)
    place = {"place": ordinal(row.rank), "ranked": table.ranked, "points": points}
    # Of many only the number is told: listing them for each of them would take their square.
    many = len(row.level) - 1 > NAMED
    level = others(len(row.level) - 1) if many else names(row.level_with if len(row.level) > 1 else (), name)
    if not row.decided:
        if len(row.level) > 1:
            return say("{place} of {ranked} with {points}, equal with {level} on everything.", **place, level=level)
        # Translators: 3rd of 12 with 14 points.
        return say("{place} of {ranked} with {points}.", **place)
    behind = {
        "above": names(row.decided.against, name),
        "reason": compared(row.decided.by, row.decided.own, row.decided.theirs),
    }
    if len(row.level) > 1:
        return say(
            "{place} of {ranked} with {points}, equal with {level} on everything, behind {above} by {reason}.",
            **place,
            level=level,
            **behind,
        )
    # Translators: {above} are names, or “6 others”; {reason} is a tie-break with its values: Wins (3 to 4).
    return say("{place} of {ranked} with {points}, behind {above} by {reason}.", **place, **behind)


def counted(table: Standings, row: Row) -> str:
    """How the total comes about: "Rounds 1 and 3 count: 5 + 3. Round 2 is dropped: 1. Adjustment -2 (late)."."""
    told: list[str] = []
    if lines := [line for line in row.rounds if line.why == "counts"]:
        told.append(
            say_n(
                "Round {rounds} counts: {points}.",
                "Rounds {rounds} count: {points}.",
                len(lines),
                rounds=_numbers(line.round for line in lines),
                points=Listed(map(_points, lines), " + "),
            )
        )
    if lines := [line for line in row.rounds if line.why == "dropped"]:
        told.append(
            say_n(
                "Round {rounds} is dropped: {points}.",
                "Rounds {rounds} are dropped: {points}.",
                len(lines),
                rounds=_numbers(line.round for line in lines),
                points=Listed(map(_points, lines), ", "),
            )
        )
    missed = set(table.rounds) - {line.round for line in row.rounds if line.why != "no value"}
    if missed and row.rounds:
        told.append(
            say_n(
                "No result in round {rounds}.",
                "No result in rounds {rounds}.",
                len(missed),
                rounds=_numbers(sorted(missed)),
            )
        )
    for adjustment in row.adjustments:
        number = shown(adjustment.points)
        points = say("+{number}", number=number) if adjustment.points > 0 else number
        values = {"points": points, "reason": adjustment.reason}
        if adjustment.cancelled:
            told.append(say("Adjustment {points} ({reason}; cancelled, not added).", **values))
        else:
            told.append(say("Adjustment {points} ({reason}).", **values))
    return Listed(told) if told else say("No results yet.")


@lru_cache(maxsize=4096)
def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th. A language that says no such thing says the number."""
    if number % 100 not in (11, 12, 13):
        match number % 10:
            case 1:
                # Translators: a rank or a place as one of a row, such as 1st, 21st. The plain {number} will do.
                return say("{number}st", number=number)
            case 2:
                return say("{number}nd", number=number)
            case 3:
                return say("{number}rd", number=number)
    return say("{number}th", number=number)


@lru_cache(maxsize=4096)
def points_of(value: Points) -> str:
    """ "14 points", "2.50 points"."""
    return say_n("{points} point", "{points} points", quantity(value), points=shown(value))


def others(count: int) -> str:
    """ "6 others", in place of their names."""
    # Translators: so many other players, in place of their names.
    return say_n("{n} other", "{n} others", count)


def names(ids: Sequence[EntrantId], name: Name) -> str:
    """Those by name, or how many they are where they are more than NAMED."""
    if len(ids) == 1:
        return name(ids[0])
    return others(len(ids)) if len(ids) > NAMED else listed([name(who) for who in ids])


def unranked_for(reasons: Sequence[str]) -> str:
    """Why somebody has no rank: "bot, withdrawn"."""
    return Listed([say(UNRANKED[reason]) for reason in reasons], ", ")


def title_of(key: str) -> str:
    """What decided, by its name: TOTAL or the key of a tie-break."""
    return say("points") if key == TOTAL else available()[key].title


def value_of(key: str, value: Points | str) -> str:
    """A total, or what a tie-break says somebody is worth, for people."""
    return available()[key].heard(value) if isinstance(value, str) else shown(value)


def compared(key: str, own: Points | str, theirs: Points | str) -> str:
    """What parts two, with both values as people read them: "Wins (3 to 4)"."""
    values = {"tie_break": title_of(key), "own": value_of(key, own), "theirs": value_of(key, theirs)}
    if values["own"] == values["theirs"]:
        return say("{tie_break} ({own}; they differ by less than is shown)", **values)
    return say("{tie_break} ({own} to {theirs})", **values)


def _numbers(rounds: Iterable[int]) -> str:
    return listed([str(number) for number in rounds])


def _points(line: RoundLine) -> str:
    points = shown(line.points or 0)
    match line.kind:
        case "bye":
            return say("{points} (bye)", points=points)
        case "absent":
            return say("{points} (absent)", points=points)
        case _:
            return points
