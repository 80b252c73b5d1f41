"""What the engine refuses, each with a stable `code` and a sentence for people.

Programs count seats from 0, and so do these sentences, each seat a `Seat` among the values of what is said, or "seat N"
in a text that was kept. People count from 1: where a sentence is shown to them, `for_people` puts it so.
"""

import re
from collections.abc import Callable
from typing import Any

from scoring.wording import Listed, Said, with_values

_SEAT = re.compile(r"\b([Ss]eat) (\d+)\b")


class EngineError(Exception):
    """The base of the family. `code` is stable, `message` may be reworded."""

    code: str = "engine_error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BadRules(EngineError):
    """Rules that do not exist or contradict each other (rules.md 6)."""

    code = "bad_rules"


class BadDeal(EngineError):
    """Cards, seats or dealer that make no deal under the rules (rules.md 2)."""

    code = "bad_deal"


class IllegalAction(EngineError):
    """An action that the rules do not allow where it stands.

    `code` is the first reason that holds, in this order: `deal_over`, `nothing_to_correct`, `card_not_held`,
    `illegal_play`, `illegal_pass`. `action` is its index in the log, from 0.
    """

    def __init__(self, code: str, message: str, action: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.action = action


class RecordError(EngineError):
    """A recorded deal that cannot be taken as it is; `code` names the first fault of the line.

    `bad_record`, `bad_rules`, `bad_deal`, a code of IllegalAction, `bad_result` or `result_mismatch`. `action` is the
    index of the action at fault, from 0, None where the fault is in no action.
    """

    def __init__(self, code: str, message: str, action: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.action = action


class Seat(int):
    """A seat as a value of a sentence, counted from 0."""


def for_people(message: str, name: Callable[[int], str | None] = lambda seat: None) -> str:
    """The sentence with its seats counted from 1, each with the `name` of who sits there where that is known.

    What was said can be said in other languages still; a text that was kept is English.
    """

    def counted(seat: int) -> str:
        person = name(seat)
        return f"{seat + 1} ({person})" if person else f"{seat + 1}"

    def value(given: Any) -> Any:
        return counted(given) if isinstance(given, Seat) else given

    if isinstance(message, Said | Listed):
        return str(with_values(message, value))
    return _SEAT.sub(lambda found: f"{found[1]} {counted(int(found[2]))}", message)
