"""Where the events come from that webhooks are told of: logs with numbered events. They register; none is imported.

What is told is thin: which subject, which event, where to read it. No name, no reason, no card, no content of a draw.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

PAGE = 500
"""How far a log is read at once."""


@dataclass(frozen=True, slots=True)
class Told:
    """Something that happened. `about` says to what (`deal`, `round`, …), `address` is where the API tells more."""

    seq: int
    kind: str
    at: datetime
    address: str
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a log says after some point, in order; it is told up to `seq` with that, and the subject then stands so."""

    subject: str
    events: list[Told]
    seq: int
    state: str = ""


class Source(Protocol):
    """A kind of log. `name` begins the types of its events: `session.closed`.

    - `kinds`: every kind of event that it tells, with what it means.
    - `heads`: SQL that gives `subject` (row id), `club` (row id), `seq` (of the log's last event) and `state` of each.
    - `quiet`: SQL that says of a `head` whose log is longer than `seen` that nothing in it is to be told yet.
    """

    name: str
    heads: str
    quiet: str

    @property
    def kinds(self) -> Mapping[str, str]: ...

    def read(self, subject: int, *, after: int, state: str) -> Reading:
        """Up to PAGE events after seq `after`, where the subject stood at `state`; by one snapshot of the database."""


sources: dict[str, Source] = {}


def register(source: Source) -> None:
    sources[source.name] = source


def types() -> dict[str, str]:
    """Every type of event that there is, with what it means."""
    return {
        f"{name}.{kind}": meaning for name, source in sorted(sources.items()) for kind, meaning in source.kinds.items()
    }


def wants(wanted: list[str], type_: str) -> bool:
    """Whether a type is among those wanted, which are types, `session.*`, or `*`."""
    return any(item in ("*", type_, f"{type_.partition('.')[0]}.*") for item in wanted)


def moment(at: datetime) -> str:
    """A time as everywhere in the API."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
