"""JSON as the record format takes it: nothing lenient in, one form out.

Python's own reader does the work. What it lets pass is refused here: a key twice in one object, `NaN` and the
infinities, half a surrogate pair, nesting without end. Numbers that are not integers of at most nine digits come as
Number, so that no digit is ever lost and no huge integer is ever worked out.
"""

import json
from collections.abc import Iterable
from json.encoder import encode_basestring
from typing import NoReturn

from games.engine.cards import shown
from games.engine.errors import RecordError
from games.engine.record.lines import MAX_LINE
from scoring.wording import say

MAX_DEPTH = 100
MAX_DIGITS = 9


class Number:
    """A number kept as it was written."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return shown(self.text)


class _RefusedError(ValueError):
    """JSON that the format does not take; the text says why."""


def read_object(line: bytes) -> tuple[dict[str, object], str]:
    """The JSON object on the line, and the line as text. Raises RecordError `bad_record`."""
    if len(line) > MAX_LINE:
        raise _bad(say("The line is longer than {most} bytes.", most=MAX_LINE))
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise _bad(say("The line is not UTF-8: byte {byte} does not fit.", byte=error.start + 1)) from None
    try:
        value = _READER.decode(text)
    except RecursionError:
        raise _bad(say("The line is nested more than {most} deep.", most=MAX_DEPTH)) from None
    except json.JSONDecodeError as error:
        if not text.strip():
            raise _bad(say("The line is blank; expected a JSON object.")) from None
        raise _bad(
            say("The line is not JSON: {fault} at character {character}.", fault=error.msg, character=error.pos + 1)
        ) from None
    except _RefusedError as error:
        raise _bad(str(error)) from None
    if type(value) is not dict:
        raise _bad(say("The line is JSON, but not an object."))
    if line.count(b"[") + line.count(b"{") > MAX_DEPTH and _deeper_than(value, MAX_DEPTH):
        raise _bad(say("The line is nested more than {most} deep.", most=MAX_DEPTH))
    if b"\\u" in line:
        try:
            dump(value).encode()
        except UnicodeEncodeError:
            raise _bad(
                say("The line holds an unpaired surrogate (\\ud800 to \\udfff); that is half a character.")
            ) from None
    return value, text


def exact(text: str) -> dict[str, object]:
    """The object on a line that `read_object` has accepted, with every number as it was written."""
    value: dict[str, object] = _EXACT_READER.decode(text)
    return value


def dump(value: object) -> str:
    """The JSON text of the value: no spaces, nothing escaped but what JSON demands, numbers as they were written."""
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, dict):
        return "{" + ",".join([f"{encode_basestring(key)}:{dump(item)}" for key, item in value.items()]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([dump(item) for item in value]) + "]"
    if isinstance(value, Number):
        return value.text
    return json.dumps(value)  # true, false, null or an integer


def _bad(message: str) -> RecordError:
    return RecordError("bad_record", message)


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        for key, _ in pairs:
            if key not in members:
                raise _RefusedError(say("The key {key} is there twice in one object.", key=shown(key)))
            del members[key]
    return members


def _integer(text: str) -> "int | Number":
    return int(text) if len(text) <= MAX_DIGITS + (text[0] == "-") else Number(text)


def _constant(text: str) -> NoReturn:
    raise _RefusedError(say("{text} is not a JSON number.", text=text))


def _deeper_than(value: object, limit: int) -> bool:
    level: list[object] = [value]
    for _ in range(limit):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def _inside(value: object) -> Iterable[object]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [item for item in inner if isinstance(item, dict | list)]


_READER = json.JSONDecoder(object_pairs_hook=_pairs, parse_int=_integer, parse_float=Number, parse_constant=_constant)
_EXACT_READER = json.JSONDecoder(parse_int=Number, parse_float=Number)
