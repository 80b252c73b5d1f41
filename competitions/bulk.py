"""What is exported in bulk of competitions, and of a club with its competitions, and to whom."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone

from competitions import selectors, whole
from competitions.models import Table
from games import delays, exporting, exports, rated
from games.access import Caller, club_for
from games.bulk import filtered
from games.exporting import Deals
from games.exports import Export, Point
from games.models import Role

NOWHERE = {"competition": None, "round": None, "table": None}
_AT_TABLES = "s.id IN (SELECT t.session_id FROM competitions_table t WHERE t.competition_id = %s)"


def club_results(
    caller: Caller,
    club: str,
    *,
    since: datetime | None = None,
    player: str | None = None,
    at: Point | None = None,
) -> Export:
    """The deals of a club that count, as they ended, fit for ratings (games.rated); for its members.

    Raises NotFound, `bad_player`, Busy, `moved_on`."""
    owner = club_for(caller, club, Role.MEMBER)
    every = Deals("s.club_id = %s", (owner.pk,))
    return _results(caller, ("results", owner.pk), every, owner.pk, since=since, player=player, at=at)


def results(
    caller: Caller,
    competition: str,
    *,
    since: datetime | None = None,
    player: str | None = None,
    at: Point | None = None,
) -> Export:
    """The same of one competition's tables, those that the caller may see. Raises NotFound and as above."""
    about, every, club = _tables(caller, competition)
    return _results(caller, ("results", *about), every, club, since=since, player=player, at=at)


def deals(
    caller: Caller,
    competition: str,
    *,
    since: datetime | None = None,
    player: str | None = None,
    at: Point | None = None,
) -> Export:
    """The deals at the competition's tables that are over, as record text: of the tables that the caller may see.

    Raises NotFound, `bad_player`, Busy, `moved_on`."""
    about, every, club = _tables(caller, competition)
    shown = delays.undelayed(caller, club, every, timezone.now())
    wanted = filtered(shown, club, since=since, player=player)
    return exports.begin(
        caller,
        about=("deals", *about, since, player),
        # A deal of which spectators see the end by now is in no log.
        state=lambda: (*exports.state_of_sessions(every, club), exporting.count(shown)),
        count=lambda: exporting.count(wanted),
        lines=lambda skip: exporting.stream(wanted, skip=skip),
        at=at,
    )


def export(caller: Caller, competition: str, *, now: datetime, at: Point | None = None) -> Export:
    """A whole competition (competitions.whole) as the caller may see it. Raises NotFound, Busy, `moved_on`."""
    row = selectors.visible_competition(caller, competition)
    found = whole.Whole(caller, row, now)
    return exports.begin(
        caller,
        about=("whole", row.public_id, found.whole, found.member),
        state=found.state,
        count=lambda: whole.count(found),
        lines=lambda skip: whole.lines(found, skip=skip),
        at=at,
    )


def _tables(caller: Caller, competition: str) -> tuple[tuple[Any, ...], Deals, int]:
    """What is asked for, the deals at a competition's tables that the caller may see, and its club."""
    row = selectors.visible_competition(caller, competition)
    all_of_them = Deals(_AT_TABLES, (row.pk,))
    every = caller.system or caller.has(Role.MEMBER, row.club_id)
    return (row.public_id, every), all_of_them if every else all_of_them.but("s.public"), row.club_id


def _results(
    caller: Caller,
    about: tuple[Any, ...],
    every: Deals,
    club: int,
    *,
    since: datetime | None,
    player: str | None,
    at: Point | None,
) -> Export:
    wanted = filtered(every, club, since=since, player=player)
    return exports.begin(
        caller,
        about=(*about, since, player),
        # That a session becomes a table is in no session's log.
        state=lambda: (*exports.state_of_sessions(every, club), *_counted_tables(club)),
        count=lambda: rated.count(wanted),
        lines=lambda skip: rated.lines(wanted, about=_where_played, otherwise=NOWHERE, skip=skip),
        at=at,
    )


def _counted_tables(club: int) -> tuple[int, int]:
    tables = Table.objects.filter(competition__club=club).order_by("-pk")
    return tables.count(), tables.values_list("pk", flat=True).first() or 0


def _where_played(sessions: Collection[int]) -> Mapping[int, Mapping[str, Any]]:
    """By session the competition, round and table that it is of; one statement."""
    tables = Table.objects.filter(session__in=sessions)
    return {
        session: {"competition": competition, "round": number, "table": table}
        for session, competition, number, table in tables.values_list(
            "session", "competition__public_id", "round", "number"
        )
    }
