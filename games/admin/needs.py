"""What waits for an organiser or a scorer: sentences with the buttons that do it, the most urgent first."""

from dataclasses import dataclass, field
from enum import IntEnum


class Urgency(IntEnum):
    """The order in which needs are shown."""

    STOPPED = 0
    CONFIRM = 1
    STALLED = 2
    RESULTS = 3
    CLOSE = 4
    DECIDE = 5
    OPEN = 6
    DRAW = 7
    CORRECTED = 8
    PUBLISH = 9
    END = 10


@dataclass(frozen=True, slots=True)
class Button:
    label: str
    address: str
    main: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """What in particular: a text, with the link that does it where there is one."""

    text: str
    address: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Need:
    """Something to be done. `where` it is, and the page of that, are said on pages about several things. `more` tells
    of lines left out, and leads to them."""

    urgency: Urgency
    text: str
    buttons: list[Button] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    more: Line | None = None
    where: str = ""
    address: str = ""
    club: str = ""
