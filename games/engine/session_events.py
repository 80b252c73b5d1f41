"""What a session's own log speaks of: the kinds of events, which of them can be undone, events, deals, adjustments.

What follows from them is session.py's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import Any

from games.engine.rules import WrongfulPass


class Kind(IntEnum):
    """The closed vocabulary of stored events. Numbers are stored: never reuse or renumber one."""

    PLAYED = 1
    PASSED = 2
    CORRECTED = 3

    OPENED = 10
    CONFIGURED = 11
    SEATED = 12
    UNSEATED = 13
    FROZEN = 14
    DEALER_DRAWN = 15
    DEALT = 16
    RECORDED = 17
    RESULT_ENTERED = 18
    VOIDED = 19
    SUBSTITUTED = 20
    ADJUSTED = 21
    CLOSED = 22
    UNDONE = 23
    RESEATED = 24
    CONFIRMED = 25


FIRST_OWN_KIND = Kind.OPENED
"""Kinds from here on are the session's own events; those below are the actions of a deal."""

MODES = {Kind.DEALT: "hosted", Kind.RECORDED: "recorded", Kind.RESULT_ENTERED: "result"}
UNDOABLE = frozenset(
    {
        Kind.VOIDED,
        Kind.RECORDED,
        Kind.RESULT_ENTERED,
        Kind.SUBSTITUTED,
        Kind.RESEATED,
        Kind.ADJUSTED,
        Kind.CLOSED,
        Kind.UNDONE,
        Kind.CONFIRMED,
    }
)
SCORERS_OWN = frozenset({Kind.RECORDED, Kind.RESULT_ENTERED, Kind.CONFIRMED})
"""What a scorer does and may undo; the rest of `UNDOABLE` is an organiser's."""

CORRECTIONS = frozenset({Kind.VOIDED, Kind.SUBSTITUTED, Kind.RESEATED, Kind.ADJUSTED, Kind.UNDONE})
"""Kinds that change what is past. A later take of a deal does too."""


def players_named(data: Mapping[str, Any]) -> set[int]:
    """The players (ids) that the data of an event speak of."""
    seats = data.get("seats")
    named = set(seats.values()) if isinstance(seats, dict) else set()
    return named | {data["player"]} if "player" in data else named


def is_correction(kind: Kind, data: Mapping[str, Any]) -> bool:
    """Whether an event changes what is past, so that whoever counted on it is told."""
    return kind in CORRECTIONS or (kind in MODES and data.get("take", 1) > 1)


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """One of the session's own events. `deal` is the ordinal it is about, 0 for the session as a whole."""

    seq: int
    kind: Kind
    deal: int = 0
    seat: int | None = None
    actor: int | None = None
    at: datetime | None = None
    data: dict[str, Any] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DealFact:
    """What the session's log says of one deal: number and take, dealer, how it was played, whether it is void, who
    entered it (user id), and who confirmed that, if anybody."""

    ordinal: int
    seq: int
    number: int
    take: int
    mode: str
    dealer: int
    wrongful_pass: WrongfulPass | None
    data: dict[str, Any]
    voided_by: int | None = None
    undone: bool = False
    entered_by: int | None = None
    confirmed_by: int | None = None


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points added to a seat after the fold of the deals, by an organiser, for a reason."""

    seq: int
    seat: int
    points: int
    cancelled_by: int | None
