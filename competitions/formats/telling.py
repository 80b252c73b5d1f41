"""What a draw achieved, in words of people who run a club, from the figures that are kept of it (base.as_draw)."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from scoring.wording import Listed, mark, mark_n, say, say_n

_HOW = {
    "by hand": mark("Set by hand."),
    "by seeds": mark("Drawn by seeds."),
    "by standing": mark("Drawn by the standings: leaders sit with leaders."),
    "amended": mark("Changed for those who came or went; everybody else stays where they were."),
    "every draw tried": mark("Every draw there is was tried, and the best one taken."),
}
_SEARCHED = mark("The best of very many draws that were tried.")
_KNOWN = mark("Taken from a schedule that is known to suit these numbers.")

_COUNTS = {
    # What is counted: the sentence for none, for the fewest that can be, and for more.
    "apart": (
        mark("No two who are to be kept apart meet."),
        mark_n(
            "Two who are to be kept apart meet {n} time; no draw has fewer.",
            "Two who are to be kept apart meet {n} times; no draw has fewer.",
        ),
        mark_n(
            "Two who are to be kept apart meet {n} time; no draw has fewer than {least}.",
            "Two who are to be kept apart meet {n} times; no draw has fewer than {least}.",
        ),
    ),
    "again": (
        mark("No two meet in two rounds in a row."),
        mark_n(
            "Two meet in two rounds in a row {n} time; no draw has fewer.",
            "Two meet in two rounds in a row {n} times; no draw has fewer.",
        ),
        mark_n(
            "Two meet in two rounds in a row {n} time; no draw has fewer than {least}.",
            "Two meet in two rounds in a row {n} times; no draw has fewer than {least}.",
        ),
    ),
    "repeats": (
        mark("No two meet twice."),
        mark_n(
            "Two who had met meet again {n} time; no draw has fewer.",
            "Two who had met meet again {n} times; no draw has fewer.",
        ),
        mark_n(
            "Two who had met meet again {n} time; no draw has fewer than {least}.",
            "Two who had met meet again {n} times; no draw has fewer than {least}.",
        ),
    ),
}


def how_drawn(how: str) -> str:
    """Where a draw comes from (Draw.how), for people."""
    if how not in _HOW and ("annealing" in how or how.endswith(", improved")):
        return say(_SEARCHED)
    return say(_HOW.get(how, _KNOWN))


def report_lines(report: Mapping[str, Any]) -> list[str]:
    """The report of a draw (Draw.report) for people, a sentence each; of an old one what is kept of it."""
    return list(_lines(report))


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    if "players" in report and "rounds" in report:
        yield say(
            "Counted for {players} over {rounds}, with those already played.",
            players=say_n("{n} player", "{n} players", report["players"]),
            rounds=say_n("{n} round", "{n} rounds", report["rounds"]),
        )
    if "how" in report:
        yield how_drawn(report["how"])
    for name, (none, fewest, more) in _COUNTS.items():
        if reached := report.get(name):
            value, least = reached["value"], reached["minimum"]
            yield say(none) if not value else say_n(*(fewest if value == least else more), value, least=least)
    if (ratio := report.get("squares", {}).get("ratio")) is not None:
        yield _evenly(ratio)
    if met := report.get("met"):
        pairs = [
            say_n("{n} pair {times}", "{n} pairs {times}", pairs, times=_times(int(count)))
            for count, pairs in met.items()
        ]
        yield say("How often two meet: {pairs}.", pairs=Listed(pairs, ", "))
    if "sat_out" in report:
        yield _sitting_out(*report["sat_out"])
    if "first" in report:
        yield _acting_first(*report["first"])
    if "seat_gap" in report:
        yield say("How often a player has one seat and another differs by {n} at most.", n=report["seat_gap"])
    if "same_table" in report:
        yield say("Nobody sits at one table number more than {times}.", times=_times(report["same_table"]))


def _evenly(ratio: float) -> str:
    if ratio <= 1:
        return say("Meetings are spread as evenly as any draw can spread them.")
    percent = ceil(round(100 * (ratio - 1), 2))
    return say("Meetings are spread evenly to within {percent} % of what any draw could do.", percent=percent)


def _sitting_out(least: int, most: int) -> str:
    if not most:
        return say("Nobody sits out.")
    if least == most:
        return say("Everybody sits out {times}.", times=_times(most))
    if not least:
        return say("Nobody sits out more than {times}.", times=_times(most))
    return say("Everybody sits out {least} at least, {most} at most.", least=_times(least), most=_times(most))


def _acting_first(least: int, most: int) -> str:
    if least == most:
        return say("Everybody acts first {times}.", times=_times(most))
    if not least:
        return say("Nobody acts first more than {times}.", times=_times(most))
    return say("Everybody acts first {least} at least, {most} at most.", least=_times(least), most=_times(most))


def _times(count: int) -> str:
    match count:
        case 0:
            return say("never")
        case 1:
            return say("once")
        case 2:
            return say("twice")
    return say_n("{n} time", "{n} times", count)
