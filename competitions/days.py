"""Days of a club: which date a moment falls on where the club plays, and whether that is within a season.

A season's first and last day are dates on the club's own calendar, and its last day belongs to it whole. Moments are
kept in UTC; the zone's offset is always that of the moment itself, so that a change of the clocks moves nothing. Zones
are checked where a club is given one (`games.models.club.check_zone`).
"""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from scoring.wording import say


def day_of(at: datetime, zone: str) -> date:
    """The date in this zone at a moment. Raise ValueError when the moment names no zone of its own."""
    if at.tzinfo is None:
        raise ValueError(f"{at} is no moment: it does not say in which zone.")
    return at.astimezone(ZoneInfo(zone)).date()


def is_within(at: datetime, zone: str, first: date | None, last: date | None) -> bool:
    """Whether the moment is on a day from `first` to `last`, both included; None is no limit."""
    day = day_of(at, zone)
    return (first is None or first <= day) and (last is None or day <= last)


def span(first: date | None, last: date | None) -> str:
    """The days from `first` to `last` in words; None is no limit, not of both."""
    if last is None:
        return say("from {day} on", day=first)
    if first is None:
        return say("until {day}", day=last)
    return say("{first} to {last}", first=first, last=last)
