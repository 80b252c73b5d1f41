"""What a competition's log speaks of: kinds of events, entries, rounds, tables, points given, publications. Pure.

Players are known by their ids, sessions too; rounds and tables count from 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import IntEnum
from fractions import Fraction
from typing import Any

from competitions.seating import Round
from scoring.wording import say


class Kind(IntEnum):
    """The closed vocabulary of a competition's events. Numbers are stored: never reuse or renumber one."""

    CREATED = 1
    CONFIGURED = 2
    ENTERED = 3
    WITHDRAWN = 4
    REINSTATED = 5
    SAT_OUT = 6
    SUBSTITUTED = 7
    KEPT_APART = 8
    ROUND_SET = 9
    DRAWN = 10
    OPENED = 11
    TABLE_ADDED = 12
    CLOSED = 13
    DECIDED = 14
    ADJUSTED = 15
    PUBLISHED = 16
    UNPUBLISHED = 17
    FINISHED = 18
    CORRECTED = 19
    UNDONE = 20


UNDOABLE = frozenset(Kind) - {
    Kind.CREATED,
    Kind.CONFIGURED,
    Kind.ROUND_SET,
    Kind.PUBLISHED,
    Kind.UNPUBLISHED,
    Kind.CORRECTED,
}
"""What an organiser may take back. Settings are set anew; what was published is unpublished."""

TELLING = frozenset(
    {
        Kind.CONFIGURED,
        Kind.ENTERED,
        Kind.WITHDRAWN,
        Kind.REINSTATED,
        Kind.SAT_OUT,
        Kind.SUBSTITUTED,
        Kind.ROUND_SET,
        Kind.OPENED,
        Kind.TABLE_ADDED,
        Kind.CLOSED,
        Kind.DECIDED,
        Kind.ADJUSTED,
        Kind.UNDONE,
    }
)
"""What an organiser changes by: a write with one of these keeps what followed from it, in its last event."""

FACTS = ("name", "season", "kind", "starts_on", "ends_on")


class CompetitionError(Exception):
    """The competition does not allow this now. `code` says which rule; nothing was changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True, slots=True)
class CompetitionEvent:
    """One event. `round` and `player` are what it is about, where it is about one."""

    seq: int
    kind: Kind
    round: int | None = None
    player: int | None = None
    actor: int | None = None
    at: datetime | None = None
    data: dict[str, Any] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One who competes, from round `from_round` on. `seed`: 1 the strongest. `withdrawn`: from which round on."""

    player: int
    seq: int
    from_round: int = 1
    seed: int | None = None
    withdrawn: int | None = None

    def takes_part(self, number: int) -> bool:
        return self.from_round <= number and (self.withdrawn is None or number < self.withdrawn)


@dataclass(frozen=True, slots=True)
class SitOut:
    """A round that somebody is not to play. `bye`: by the organiser's decision; otherwise he is absent.

    `points`: what it is worth; None: what the settings say."""

    seq: int
    round: int
    player: int
    bye: bool
    points: Fraction | None


@dataclass(frozen=True, slots=True)
class Substitution:
    """In a round `substitute` sits for `player`. `credit`: who gets the points, the "player" or the "substitute"."""

    seq: int
    round: int
    player: int
    substitute: int
    credit: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of an opened round: its session. `drawn`: it comes from the draw, not from an evening's extra table."""

    number: int
    session: int
    seq: int
    drawn: bool


@dataclass(frozen=True, slots=True)
class Decided:
    """Whom the organiser sent on `among` equals at a table of a knock-out."""

    players: tuple[int, ...]
    among: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundState:
    """One round. `plan` is the standing draw, with the seq that made it and what is to be said of it (`draw`).

    `opened_draw`: the seq of the draw that its tables were opened by. `decided`: by table, whom the organiser sent on
    among equals.
    """

    number: int
    title: str = ""
    day: date | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    plan: Round | None = None
    drawn_seq: int | None = None
    draw: Mapping[str, Any] = field(default_factory=dict)
    opened_seq: int | None = None
    opened_draw: int | None = None
    tables: tuple[Table, ...] = ()
    closed_by: int | None = None
    decided: Mapping[int, Decided] = field(default_factory=dict)

    @property
    def status(self) -> str:
        if self.closed_by is not None:
            return "closed"
        if self.opened_seq is not None or self.tables:
            return "open"
        return "planned" if self.plan is None else "drawn"

    @property
    def name(self) -> str:
        return self.title or say("Round {number}", number=self.number)


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points that an organiser gave or took, in whole or in fractions."""

    seq: int
    player: int
    points: Fraction
    reason: str
    cancelled_by: int | None


@dataclass(frozen=True, slots=True)
class Publication:
    """A numbered snapshot: a draw of a round, or the standings after one. Its content is in the event's own data.

    `not_before`: until then it is seen by scorers and organisers only. `unpublished_by`: the seq that withdrew it.
    `draw`: the seq of the draw that it shows."""

    number: int
    seq: int
    what: str
    round: int | None
    not_before: datetime | None
    at: datetime | None
    draw: int | None = None
    unpublished_by: int | None = None

    def is_out(self, now: datetime) -> bool:
        """Whether whoever may see the competition may see it now."""
        return self.unpublished_by is None and (self.not_before is None or self.not_before <= now)
