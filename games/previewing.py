"""What a correction changes in its session's table: told from the log, before it is made and after.

A preview is the real service call in a rehearsal, asked afterwards like any other write.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from games import eventlog, hooks
from games.access import Caller
from games.engine.session import fold
from games.models import Deal, Session
from games.projection import Row, table_rows
from games.services import projecting, writing
from games.services.transactions import rehearsal


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A row of a session's table before and after; None where there is no table yet."""

    seat: int
    before: Row | None
    after: Row | None


@dataclass(frozen=True, slots=True)
class Changes:
    """What the events after `since` up to `until` changed in a session, and beyond it by watcher (games/hooks.py)."""

    session: Session
    since: int
    until: int
    table: tuple[SeatChange, ...]
    beyond: Mapping[str, Any]


def preview(caller: Caller, session: str, operation: Callable[[], writing.Receipt]) -> Changes:
    """What `operation`, a service call on that session, would change. Nothing is stored. Raises whatever the call is
    refused with."""
    with rehearsal():
        row = writing.lock(caller, session)
        since = row.seq
        receipt = operation()
        return Changes(row, since, receipt.seq, table_changes(row, since=since, until=receipt.seq), receipt.effects)


def changes(session: Session, *, since: int, until: int) -> Changes:
    """What the write of the events after `since` up to `until` has changed, as a preview of it said."""
    return Changes(
        session, since, until, table_changes(session, since=since, until=until), hooks.recall(session, until)
    )


def table_changes(session: Session, *, since: int, until: int) -> tuple[SeatChange, ...]:
    """The rows of the table that differ between two points of a session's log: three statements."""
    if since == until:
        return ()
    events = eventlog.own_events(session.pk)
    last = eventlog.last_actions(session.pk)
    played = projecting.played(Deal.objects.filter(session=session))
    sides = []
    for seq in (since, until):
        then = {at: deal for at, deal in played.items() if max(deal.last_seq, last.get(at, 0)) <= seq}
        sides.append(table_rows(fold([event for event in events if event.seq <= seq]), then))
    before, after = sides
    seats = sorted(before.keys() | after.keys())
    found = (SeatChange(seat, before.get(seat), after.get(seat)) for seat in seats)
    return tuple(change for change in found if change.before != change.after)
