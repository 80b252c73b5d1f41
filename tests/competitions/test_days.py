"""Days where the club plays: the last day of a season is in it, and clocks that change move nothing."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.days import day_of, is_within


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("zone", "at", "day"),
    [
        ("UTC", utc(2026, 5, 31, 23, 59), date(2026, 5, 31)),
        # An evening in the west is the next day in UTC, a morning in the east the day before.
        ("America/New_York", utc(2026, 6, 1, 3, 59), date(2026, 5, 31)),
        ("America/New_York", utc(2026, 6, 1, 4, 0), date(2026, 6, 1)),
        ("Pacific/Auckland", utc(2026, 5, 31, 12, 0), date(2026, 6, 1)),
        ("Asia/Kathmandu", utc(2026, 5, 31, 18, 14), date(2026, 5, 31)),
        ("Asia/Kathmandu", utc(2026, 5, 31, 18, 15), date(2026, 6, 1)),
        # Warsaw is two hours ahead until the clocks go back that night, and one hour after it.
        ("Europe/Warsaw", utc(2026, 10, 24, 21, 59), date(2026, 10, 24)),
        ("Europe/Warsaw", utc(2026, 10, 24, 22, 0), date(2026, 10, 25)),
        ("Europe/Warsaw", utc(2026, 10, 25, 22, 59), date(2026, 10, 25)),
        ("Europe/Warsaw", utc(2026, 10, 25, 23, 0), date(2026, 10, 26)),
        # The clocks of Beirut go from midnight to one: the day has no midnight, and begins at one.
        ("Asia/Beirut", utc(2022, 3, 26, 21, 59), date(2022, 3, 26)),
        ("Asia/Beirut", utc(2022, 3, 26, 22, 0), date(2022, 3, 27)),
        # Samoa left out a whole day when it changed sides of the date line.
        ("Pacific/Apia", utc(2011, 12, 30, 9, 59), date(2011, 12, 29)),
        ("Pacific/Apia", utc(2011, 12, 30, 10, 0), date(2011, 12, 31)),
    ],
)
def test_a_moment_falls_on_the_date_of_the_clubs_own_calendar(zone: str, at: datetime, day: date) -> None:
    assert day_of(at, zone) == day


def test_it_does_not_matter_in_which_zone_the_moment_is_written() -> None:
    at = datetime(2026, 6, 1, 8, 0, tzinfo=timezone(timedelta(hours=9)))
    assert day_of(at, "America/New_York") == date(2026, 5, 31)


def test_the_last_day_belongs_to_the_season_until_midnight_at_the_club() -> None:
    season = (date(2026, 9, 1), date(2026, 10, 25))
    zone = "Europe/Warsaw"
    at_the_club = ZoneInfo(zone)
    assert not is_within(datetime(2026, 8, 31, 23, 59, 59, tzinfo=at_the_club), zone, *season)
    assert is_within(datetime(2026, 9, 1, 0, 0, tzinfo=at_the_club), zone, *season)
    assert is_within(datetime(2026, 10, 25, 23, 59, 59, 999999, tzinfo=at_the_club), zone, *season)
    assert not is_within(datetime(2026, 10, 26, 0, 0, tzinfo=at_the_club), zone, *season)


def test_a_season_may_be_open_on_either_side() -> None:
    at, day = utc(2026, 5, 31), date(2026, 5, 31)
    assert is_within(at, "UTC", None, None)
    assert is_within(at, "UTC", day, None)
    assert is_within(at, "UTC", None, day)
    assert not is_within(at, "UTC", day + timedelta(days=1), None)
    assert not is_within(at, "UTC", None, day - timedelta(days=1))


@given(st.integers(0, 2**31), st.sampled_from(["Europe/Warsaw", "Asia/Beirut", "America/St_Johns"]))
def test_every_moment_is_within_its_own_day_and_no_other(seconds: int, zone: str) -> None:
    moment = datetime.fromtimestamp(seconds, UTC)
    day = day_of(moment, zone)
    assert is_within(moment, zone, day, day)
    assert not is_within(moment, zone, day + timedelta(days=1), day + timedelta(days=1))
    assert not is_within(moment, zone, day - timedelta(days=1), day - timedelta(days=1))


def test_a_time_without_a_zone_is_no_moment() -> None:
    with pytest.raises(ValueError, match="does not say in which zone"):
        day_of(datetime(2026, 5, 31), "UTC")  # noqa: DTZ001
