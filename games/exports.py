"""Long exports: lines of one snapshot of the database, sent as they are read, which a client may go on with later.

An export holds a thread, a connection and its snapshot for as long as it is sent, so few run at once, one for an
account, and none for longer than a while. What broke off goes on by `snapshot` and `from_line`, as long as nothing has
changed. It needs a server that sends an answer in the thread that made it, as WSGI servers do.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection

from games.access import Caller
from games.audit import one_state
from games.errors import Busy, Refusal
from games.exporting import Deals
from scoring.wording import say

CHUNK = 64 * 1024
"""Bytes that are sent at once, about."""

STATEMENT_SECONDS = 60
"""The first fetch may have to sort all of it."""

_SLOT, _ACCOUNT = 2026_1, 2026_2
"""Classes of advisory locks, which end with the transaction."""

# What a session's log came to, apart from the actions of a hosted deal that is being played: those are in no export.
_SESSIONS = """
    SELECT count(*), coalesce(sum(CASE WHEN live.id IS NULL THEN s.seq ELSE (
        SELECT max(e.seq) FROM games_event e WHERE e.session_id = s.id AND e.kind >= 10
    ) END), 0)
    FROM games_session s
    LEFT JOIN games_deal live ON live.session_id = s.id AND live.ordinal = s.live_deal AND live.mode = 'hosted'
    WHERE {where}
"""
_PEOPLE = "SELECT people_version FROM games_club WHERE id = %s"


class ExportsBusy(Busy):
    """As many exports as the server sends at once are under way, or one of this account is."""

    def __init__(self, message: str) -> None:
        Refusal.__init__(self, "busy", message, retry_after=2)


class TooLong(Exception):
    """The export is cut off: its client reads too slowly. It sees a body without an end, and may go on from there."""


@dataclass(frozen=True, slots=True)
class Point:
    """Where to go on: line `line` (from 1) of the export with this `snapshot`."""

    snapshot: str
    line: int


class Export:
    """The bytes of an export from some line on; `snapshot` and `lines` (how many there are in all) name the whole.

    To be iterated once, and closed whatever happens: it holds a transaction."""

    def __init__(self, stack: ExitStack, lines: Iterator[str], *, snapshot: str, count: int) -> None:
        self.snapshot, self.lines = snapshot, count
        self._stack, self._rest = stack, lines
        self._until = time.monotonic() + settings.EXPORT_SECONDS

    def __iter__(self) -> "Export":
        return self

    def __next__(self) -> bytes:
        size = 0
        parts: list[str] = []
        try:
            if time.monotonic() > self._until:
                raise TooLong(f"An export was cut off after {settings.EXPORT_SECONDS} seconds.")
            for line in self._rest:
                parts.append(line)
                size += len(line)
                if size >= CHUNK:
                    break
        except BaseException as error:
            self._stack.__exit__(type(error), error, error.__traceback__)  # roll back: the connection may be gone
            raise
        if not parts:
            self.close()
            raise StopIteration
        return ("\n".join(parts) + "\n").encode()

    def close(self) -> None:
        """End the transaction; more than once is no mistake."""
        rest, self._rest = self._rest, iter(())
        close = getattr(rest, "close", None)
        try:
            if close is not None:
                close()
        finally:
            self._stack.close()


def begin(
    caller: Caller,
    *,
    about: Any,
    state: Callable[[], tuple[Any, ...]],
    count: Callable[[], int],
    lines: Callable[[int], Iterator[str]],
    at: Point | None = None,
) -> Export:
    """Take the snapshot and begin an export of it.

    - `about`: what is exported, as a value with a repr: of something else nobody goes on with this.
    - `state`: whole numbers that differ as soon as a line would. `count`: how many lines there are.
    - `lines`: the lines after so many. All three are called inside the snapshot.

    Raises Busy, and `moved_on` where the snapshot of `at` is no more what there is.
    """
    with ExitStack() as stack:
        stack.enter_context(one_state())
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{STATEMENT_SECONDS}s"])
            _take_turn(cursor, caller)
        snapshot = _tag(about, state())
        if at is not None and at.snapshot != snapshot:
            raise Refusal(
                "moved_on", say("Something has changed since that snapshot. Begin again from the first line.")
            )
        total = count()
        skip = 0 if at is None else min(at.line - 1, total)
        return Export(stack.pop_all(), lines(skip), snapshot=snapshot, count=total)
    raise AssertionError  # for the type checker: leaving the block above always returns or raises


def state_of_sessions(deals: Deals, club: int) -> tuple[Any, ...]:
    """What tells that a line of a club's deals may have changed: its sessions' logs and its people. Two statements.

    `deals` may look at nothing but sessions. Every part only grows."""
    with connection.cursor() as cursor:
        cursor.execute(_SESSIONS.format(where=deals.condition), deals.values)
        sessions = cursor.fetchone()
        cursor.execute(_PEOPLE, [club])
        return (*map(int, sessions), *map(int, cursor.fetchone()))


def _tag(about: Any, state: tuple[Any, ...]) -> str:
    return hashlib.sha256(repr((about, state)).encode()).hexdigest()[:32]


def _take_turn(cursor: Any, caller: Caller) -> None:
    """Locks until the end of the transaction: this account's, and one of as many as may run at once."""
    cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [_ACCOUNT, caller.user % 2**31])
    if not cursor.fetchone()[0]:
        raise ExportsBusy(say("Another export of this account is being sent. Read it to its end, then try again."))
    for slot in range(settings.EXPORTS_AT_ONCE):
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [_SLOT, slot])
        if cursor.fetchone()[0]:
            return
    raise ExportsBusy(say("Other exports are being sent. Try again in a moment."))
