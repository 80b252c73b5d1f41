"""The messages of a competition's streams: what its viewers may see of its log, and nothing that tells of the rest."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from competitions import eventlog, selectors
from competitions.access import may_see, may_see_unpublished
from competitions.api.competitions import detail_shape
from competitions.api.shapes import publication_shape
from competitions.facts import CompetitionEvent, Kind
from competitions.models import Competition, Publication
from competitions.receipts import public_events
from games.access import Caller
from games.api import rendering
from games.audit import one_state
from games.errors import Forbidden, NotFound, Refusal
from games.live.frames import Frame, frame, resync
from games.live.topics import MOST_BEHIND, Batch, From, checked
from games.models import Player, Role
from scoring.wording import say


class Viewer(Enum):
    """The kinds of viewers: scorers and organisers see all of it, the club what is published and who is entered,
    everybody else what is published."""

    WHOLE = "whole"
    CLUB = "club"
    PUBLIC = "public"


def viewer_of(caller: Caller, competition: Competition) -> Viewer:
    if may_see_unpublished(caller, competition):
        return Viewer.WHOLE
    return Viewer.CLUB if caller.has(Role.MEMBER, competition.club_id) else Viewer.PUBLIC


@dataclass(frozen=True, slots=True)
class CompetitionGate:
    """Who may see the competition, and sees as much of it as this kind of viewers."""

    competition: Competition
    viewer: Viewer

    def refusal(self, caller: Caller) -> Refusal | None:
        if not may_see(caller, self.competition):
            return NotFound("competition")
        if viewer_of(caller, self.competition) is not self.viewer:
            return Forbidden("rights_changed", say("Your rights in this club have changed. Open the stream again."))
        return None


class Competitions:
    """See games.live.topics.Source; viewers are `Viewer`s."""

    name = "competition"

    def read(self, public_id: str, wanted: Mapping[Any, From], *, now: datetime) -> Mapping[Any, Batch]:
        with one_state():
            row = Competition.objects.select_related("club", "version").filter(public_id=public_id).first()
            if row is None:
                raise NotFound("competition")
            return {viewer: _read(row, viewer, at, now) for viewer, at in wanted.items()}

    def heads(self, public_ids: Collection[str]) -> Mapping[str, Hashable]:
        rows = Competition.objects.filter(public_id__in=public_ids)
        return {at: (seq, version) for at, seq, version in rows.values_list("public_id", "seq", "version__number")}


def _read(row: Competition, viewer: Viewer, at: From, now: datetime) -> Batch:
    """What is new to viewers of a kind; five statements, two where there is nothing."""
    log = Log(row, viewer, now, read=at.looked is None or at.after != row.seq)
    since = at.looked
    if since is None:
        # A client that has just come knows of no event but those that it may see.
        at = checked(at, log.last)
        since = log.time_of(at.after)
    elif at.after is not None and row.seq - at.after > MOST_BEHIND:
        at = From(reason="too_far_behind")
    if at.after is not None and since is not None and log.came_out(at.after, since):
        at = From(reason="changed")
    version = row.version.number if viewer is Viewer.WHOLE else None
    if at.after is None:
        log.read()
        new = [resync(at.reason)] if at.reason else []
        new.append(frame("state", log.state(version), at=log.last))
    else:
        new = log.changes(at.after)
        if version != at.mark:
            new.append(frame("version", {"competition": row.public_id, "version": version}))
    gate = CompetitionGate(row, viewer)
    return Batch(tuple(new), row.seq, gate, now, mark=version, again_at=log.next_out())


ALWAYS = frozenset(
    {
        Kind.CREATED,
        Kind.CONFIGURED,
        Kind.ROUND_SET,
        Kind.OPENED,
        Kind.TABLE_ADDED,
        Kind.CLOSED,
        Kind.FINISHED,
    }
)
"""What changes something that everybody sees who sees the competition."""
CLUBS = frozenset({Kind.ENTERED, Kind.WITHDRAWN, Kind.REINSTATED})
"""Who competes, which the club sees."""


class Log:
    """A competition's log as one kind of viewers sees it at a moment."""

    def __init__(self, row: Competition, viewer: Viewer, now: datetime, *, read: bool) -> None:
        self.row, self.viewer, self.now = row, viewer, now
        self.publications = {
            item.number: item for item in Publication.objects.filter(competition=row).order_by("number")
        }
        self._events: dict[int, CompetitionEvent] | None = None
        if read:
            self.read()

    def read(self) -> None:
        if self._events is None:
            self._events = {event.seq: event for event in eventlog.own_events(self.row.pk)}

    @property
    def seen(self) -> list[CompetitionEvent]:
        return [event for event in (self._events or {}).values() if self._sees(event)]

    @property
    def last(self) -> int:
        """The last event that these viewers see: the number of any other would tell of those that they do not."""
        return max((event.seq for event in self.seen), default=0)

    def time_of(self, seq: int | None) -> datetime | None:
        """When event `seq` happened, or the last before it."""
        events = (self._events or {}).values()
        return max((event.at for event in events if event.at and event.seq <= (seq or 0)), default=None)

    def _sees(self, event: CompetitionEvent) -> bool:
        match event.kind:
            case _ if self.viewer is Viewer.WHOLE or event.kind in ALWAYS:
                return True
            case _ if event.kind in CLUBS:
                return self.viewer is Viewer.CLUB
            case Kind.PUBLISHED | Kind.UNPUBLISHED:
                return self._was_out(event.data["number"])
            case Kind.UNDONE:
                return self._sees((self._events or {})[event.data["seq"]])
        return False

    def _was_out(self, number: int) -> bool:
        """Whether everybody who sees the competition has seen the publication at some time."""
        at = self.publications[number]
        taken_back = (self._events or {}).get(at.unpublished_by or 0)
        until = self.now if taken_back is None or taken_back.at is None else taken_back.at
        return at.not_before is None or at.not_before <= until

    def came_out(self, after: int, since: datetime) -> bool:
        """Whether a publication came out since then without an event: its time had come."""
        return any(
            since < at.not_before <= self.now
            for at in self._standing()
            if at.not_before is not None and at.seq <= after
        )

    def next_out(self) -> datetime | None:
        """When the next publication comes out, without an event."""
        times = (at.not_before for at in self._standing() if at.not_before is not None)
        return min((at for at in times if at > self.now), default=None)

    def _standing(self) -> Iterable[Publication]:
        return (at for at in self.publications.values() if at.unpublished_by is None)

    def state(self, version: int | None) -> dict[str, Any]:
        """What reading the competition says, and the latest draws and standings that these viewers see."""
        latest: dict[tuple[str, int | None], Publication] = {}
        for at in self._standing():
            if self.viewer is Viewer.WHOLE or selectors.is_out(at, self.now):
                latest[at.what, at.round if at.what == Publication.What.DRAW else None] = at
        shown = [publication_shape(at, out=selectors.is_out(at, self.now)) for at in latest.values()]
        return {**detail_shape(self.row, version), "publications": shown}

    def changes(self, after: int) -> list[Frame]:
        """A message for each event after `after` that these viewers see."""
        events = [event for event in self.seen if event.seq > after]
        told = public_events(self.row, events) if self.viewer is Viewer.WHOLE and events else self._told(events)
        return [
            frame(
                "change",
                {"competition": self.row.public_id, "change": {**one, "at": rendering.time(one["at"])}},
                at=one["seq"],
            )
            for one in told
        ]

    def _told(self, events: Sequence[CompetitionEvent]) -> list[dict[str, Any]]:
        """The same form as that of answers to changes, built up from what is known to everybody."""
        named = {event.player for event in events if event.player is not None and event.kind in CLUBS}
        players = dict(Player.objects.filter(pk__in=named).values_list("pk", "public_id")) if named else {}
        return [
            {
                "seq": event.seq,
                "kind": event.kind.name.lower(),
                "round": event.round,
                "player": players.get(event.player or 0),
                "at": event.at,
                "data": self._data(event),
            }
            for event in events
        ]

    def _data(self, event: CompetitionEvent) -> dict[str, Any]:
        match event.kind:
            case Kind.PUBLISHED | Kind.UNPUBLISHED:
                number = event.data["number"]
                return {"number": number, "what": self.publications[number].what}
            case Kind.UNDONE:
                return {"undone": event.data["seq"]}
        return {}
