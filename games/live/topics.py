"""What can be watched, and what each kind of its viewers gets: the same for all viewers of a kind."""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from games.access import Caller
from games.errors import Refusal
from games.live.frames import Frame
from games.scopes import Needs

MOST_BEHIND = 1000
"""Events that are replayed at most; whoever is further behind gets the state instead."""


class Gate(Protocol):
    """Who may go on watching, as things stood at the last look."""

    def refusal(self, caller: Caller) -> Refusal | None:
        """Why the caller may not, if so. Pure."""
        ...


@dataclass(frozen=True, slots=True)
class Batch:
    """What a look at the log brought for one kind of viewers.

    - `frames`: their messages, in order. `upto`: the last event that these cover, whether or not it may be seen.
    - `looked`: when that was. `mark`: what else the source has to know of it at the next look.
    - `again_at`: when there may be more to see without anything happening (a delay, an embargo).
    """

    frames: tuple[Frame, ...]
    upto: int
    gate: Gate
    looked: datetime
    mark: Hashable = None
    again_at: datetime | None = None


class Source(Protocol):
    """A kind of things to watch: sessions, competitions. All its methods ask the database."""

    name: str

    def read(self, public_id: str, wanted: Mapping[Any, "From"], *, now: datetime) -> Mapping[Any, Batch]:
        """What happened to one of them, for each kind of viewers from where they are. One look for all of them."""
        ...

    def heads(self, public_ids: Collection[str]) -> Mapping[str, Hashable]:
        """How far each has got: anything that is another once there is something to read. One statement."""
        ...


@dataclass(frozen=True, slots=True)
class From:
    """Where a reader goes on: after event `after`; or with the whole state, after a resync for a `reason`, if any.

    `looked` and `mark` are those of the batch before this one; None for a client that has just come."""

    after: int | None = None
    reason: str = ""
    looked: datetime | None = None
    mark: Hashable = None

    @classmethod
    def behind(cls, batch: Batch) -> "From":
        return cls(batch.upto, looked=batch.looked, mark=batch.mark)


START = From()


def resumed(text: str | None) -> From:
    """Where a client goes on that was here before, by the id that it sends."""
    if text is None:
        return START
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        return From(reason="not_an_id")
    return From(int(text))


def checked(at: From, upto: int) -> From:
    """The same, where the log goes up to `upto`."""
    if at.after is None:
        return at
    if at.after > upto:
        return From(reason="beyond_the_log")
    return From(reason="too_far_behind") if upto - at.after > MOST_BEHIND else at


@dataclass(frozen=True, slots=True)
class Opening:
    """A stream about to be opened: who watches what, and how far the messages go that the view has given already.

    `needs`: what a token must be for, to go on watching."""

    source: Source
    public_id: str
    viewer: Hashable
    caller: Caller
    needs: Needs
    first: Batch
