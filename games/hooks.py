"""What apps built upon this one ask to be told, and to be asked. They register when they are loaded; none is imported.

Numbers that follow from a session's table need no hook: the table's rows are there to be read, and their writing can be
watched in the database.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from games.access import Caller
from games.engine.session_events import SessionEvent
from games.models import Club, Player, Session


class Watcher(Protocol):
    """One who wants to know. `name` is the key under which its words stand in answers."""

    name: str

    def look(self, session: Session) -> Any:
        """What there is before a correction of the locked `session`, for `corrected`. None: not concerned."""

    def corrected(
        self,
        session: Session,
        looked: Any,
        *,
        events: Sequence[SessionEvent],
        caller: Caller,
        now: datetime,
        door: str,
    ) -> dict[str, Any] | None:
        """The correction is stored, in the same transaction. Returns what it changed, as JSON; None: not concerned."""

    def words(self, effects: dict[str, Any]) -> tuple[str, list[str]]:
        """What `corrected` returned, for people: a heading, and sentences; none where nothing changed."""

    def public(self, effects: dict[str, Any]) -> dict[str, Any]:
        """What `corrected` returned, for programs: with public ids alone."""

    def recall(self, session: Session, seq: int) -> dict[str, Any] | None:
        """What `corrected` returned for the correction whose last event was `seq`, from the watcher's own log."""

    def check_merge(self, duplicate: Player, keeper: Player) -> None:
        """Raises Refusal where the two cannot be one person."""

    def forget(self, club: Club, holds: Callable[[str], bool]) -> None:
        """Somebody of the club is anonymised, in the same transaction: blank each reason of the watcher's own log of
        which `holds` says that it names them."""


watchers: list[Watcher] = []


def look(session: Session) -> dict[str, Any]:
    """What each watcher sees before a correction; one that returned None is not asked again."""
    seen = {watcher.name: watcher.look(session) for watcher in watchers}
    return {name: looked for name, looked in seen.items() if looked is not None}


def corrected(
    session: Session,
    looked: dict[str, Any],
    *,
    events: Sequence[SessionEvent],
    caller: Caller,
    now: datetime,
    door: str,
) -> dict[str, Any]:
    """What a stored correction changed, by watcher."""
    found = {
        watcher.name: watcher.corrected(session, looked[watcher.name], events=events, caller=caller, now=now, door=door)
        for watcher in watchers
        if watcher.name in looked
    }
    return {name: effects for name, effects in found.items() if effects is not None}


def recall(session: Session, seq: int) -> dict[str, Any]:
    """What a correction changed, by watcher, as said when it was made."""
    found = {watcher.name: watcher.recall(session, seq) for watcher in watchers}
    return {name: effects for name, effects in found.items() if effects is not None}


def words(effects: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """What a correction changed, for people, by watcher."""
    return [watcher.words(effects[watcher.name]) for watcher in watchers if watcher.name in effects]


def public(effects: Mapping[str, Any]) -> dict[str, Any]:
    """What a correction changed, for programs, by watcher."""
    return {watcher.name: watcher.public(effects[watcher.name]) for watcher in watchers if watcher.name in effects}


def check_merge(duplicate: Player, keeper: Player) -> None:
    """Raises Refusal where a watcher knows that the two cannot be one person."""
    for watcher in watchers:
        watcher.check_merge(duplicate, keeper)


def forget(club: Club, holds: Callable[[str], bool]) -> None:
    """Let every watcher blank the reasons that name somebody who is being anonymised."""
    for watcher in watchers:
        watcher.forget(club, holds)
