"""Reading requests strictly: JSON bodies, record files, query strings, the Idempotency-Key header.

Whatever cannot be taken as it is gets a 400 that names it. Nothing is guessed, dropped or converted.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NoReturn
from urllib.parse import parse_qsl

from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from games.errors import Refusal
from scoring.wording import mark, say

LARGEST_BODY = 64 * 1024
LARGEST_FILE = 5 * 1024 * 1024
MAX_DEPTH = 20
MAX_DIGITS = 15
"""Digits of the longest whole number: as many as every client's numbers hold exactly."""

MOST_PARAMETERS = 200
_KEY = re.compile(r"[ -~]{1,100}")


class BadRequest(Refusal):
    """The request cannot be read. `errors` names what is wrong where there is a name for it."""

    status = 400


class TooLarge(Refusal):
    """The body is longer than we read."""

    status = 413

    def __init__(self, limit: int) -> None:
        super().__init__("too_large", say("The body is longer than {limit} bytes.", limit=limit), limit=limit)


class LengthRequired(Refusal):
    """A body without Content-Length cannot be read here."""

    status = 411

    def __init__(self) -> None:
        super().__init__("length_required", say("Send the body with a Content-Length, not in chunks."))


class StrictJSONParser(BaseParser):
    """JSON bodies of at most 64 KiB, see `read_json`."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        return read_json(_read(stream, LARGEST_BODY, parser_context))


class RecordFileParser(BaseParser):
    """Files of recorded deals, a JSON object a line, of at most 5 MiB; handed on as bytes."""

    media_type = "application/x-ndjson"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> bytes:
        return _read(stream, LARGEST_FILE, parser_context)


class RecordTextParser(RecordFileParser):
    """The same for clients that can only send text."""

    media_type = "text/plain"


def read_json(body: bytes) -> Any:
    """The value of a JSON text.

    Raises BadRequest `bad_json`: not UTF-8, not JSON, nested more than 20 deep, a key twice in one object, a number of
    more than 15 digits or beyond a float, NaN, NUL or half a surrogate pair in a text."""
    try:
        value = _READER.decode(body.decode())
        _check_inside(value)
    except UnicodeDecodeError as error:
        raise _bad(say("The body is not UTF-8: byte {byte} does not fit.", byte=error.start + 1)) from None
    except json.JSONDecodeError as error:
        raise _bad(
            say("The body is not JSON: {fault} at character {character}.", fault=error.msg, character=error.pos + 1)
        ) from None
    except RecursionError:
        raise _bad(say("The body is nested more than {most} deep.", most=MAX_DEPTH)) from None
    return value


@dataclass(frozen=True, slots=True)
class Query:
    """The parameters of a query string: each once, but for those that may be repeated."""

    values: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, list[str]] = field(default_factory=dict)

    def whole(self, name: str, *, least: int, most: int, default: int | None = None) -> int | None:
        """A whole number in plain digits; raises `bad_parameter`."""
        text = self.values.get(name)
        if text is None:
            return default
        if not re.fullmatch(r"0|[1-9][0-9]{0,8}", text) or not least <= int(text) <= most:
            raise bad_parameter(
                name, mark("{parameter} is a whole number from {least} to {most}."), least=least, most=most
            )
        return int(text)

    def flag(self, name: str) -> bool:
        """`true` or `false`, which must be said; raises `bad_parameter`."""
        text = self.values.get(name)
        if text not in ("true", "false"):
            raise bad_parameter(name, mark("{parameter} is required: true or false."))
        return text == "true"

    def choice(self, name: str, choices: list[str]) -> str | None:
        text = self.values.get(name)
        if text is not None and text not in choices:
            raise bad_parameter(name, mark("{parameter} is one of {choices}."), choices=", ".join(choices))
        return text

    def several(self, name: str, choices: Sequence[str]) -> tuple[str, ...] | None:
        """Some of the choices, with commas between them, each once; None where it is not asked for. Raises
        `bad_parameter`."""
        text = self.values.get(name)
        if text is None:
            return None
        found = tuple(text.split(","))
        if len(set(found)) < len(found) or not set(found) <= set(choices):
            raise bad_parameter(
                name,
                mark("{parameter} names some of {choices}, with commas between them, each once."),
                choices=", ".join(choices),
            )
        return found

    def time(self, name: str) -> datetime | None:
        """A time with its zone, ISO 8601; raises `bad_parameter`."""
        text = self.values.get(name)
        if text is None:
            return None
        try:
            found = datetime.fromisoformat(text)
            if found.tzinfo is not None:
                return found.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        raise bad_parameter(
            name, mark("{parameter} is a time with its zone, as 2026-11-29T20:00:00Z (a + is written %2B).")
        )


def read_query(text: str, *, once: frozenset[str], repeated: frozenset[str] = frozenset()) -> Query:
    """The parameters of the query string. Raises `unknown_parameter` for names that are in neither set, `bad_parameter`
    for one given twice, and for what is not UTF-8 or holds a NUL."""
    try:
        # WSGI hands over bytes as Latin-1; a client that did not escape its UTF-8 is read all the same.
        text = text.encode("latin-1", "surrogatepass").decode()
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_PARAMETERS)
    except ValueError:
        message = say(
            "The query string is not UTF-8, or has more than {most} parameters.",
            most=MOST_PARAMETERS,
        )
        raise BadRequest("bad_parameter", message) from None
    values: dict[str, str] = {}
    lists: dict[str, list[str]] = {}
    if unknown := list(dict.fromkeys(name for name, _ in pairs if name not in once | repeated)):
        raise BadRequest(
            "unknown_parameter",
            say("This address takes no parameter {unknown}.", unknown=", ".join(map(ascii, unknown))),
            errors=[{"parameter": _shown(name), "code": "unknown_parameter"} for name in unknown],
        )
    for name, value in pairs:
        if "\x00" in value:
            raise bad_parameter(name, mark("{parameter} holds a NUL character."))
        if name in repeated:
            lists.setdefault(name, []).append(value)
        elif name in values:
            raise bad_parameter(name, mark("{parameter} is given twice."))
        else:
            values[name] = value
    return Query(values, lists)


def bad_parameter(name: str, sentence: str, **values: object) -> BadRequest:
    """The refusal of a parameter of the query string. `sentence` is marked, and has a place for the `parameter`."""
    error = {"parameter": name, "code": "bad_parameter", "message": say(sentence, parameter=name, **values)}
    whole = say(sentence, parameter=say("The parameter {name}", name=name), **values)
    return BadRequest("bad_parameter", whole, errors=[error])


def key_text(request: Request, *, required: bool) -> str | None:
    """The Idempotency-Key; raises `idempotency_key_required` and `bad_idempotency_key`."""
    text = request.headers.get("Idempotency-Key")
    if text is None:
        if required:
            raise BadRequest(
                "idempotency_key_required",
                say(
                    "Send an Idempotency-Key header: any text of your own, a new one for each action, the "
                    "same on a retry."
                ),
            )
        return None
    if not is_key(text):
        raise BadRequest("bad_idempotency_key", say("An Idempotency-Key is 1 to 100 printable ASCII characters."))
    return str(text)


def is_key(text: str) -> bool:
    """Whether a text can be an Idempotency-Key."""
    return _KEY.fullmatch(text) is not None


def check_length(request: Request) -> None:
    """Raises LengthRequired for a body in chunks: the server below us would read it as empty."""
    if "chunked" in request.headers.get("Transfer-Encoding", "").lower() and not request.headers.get("Content-Length"):
        raise LengthRequired


def _read(stream: Any, limit: int, context: Mapping[str, Any] | None) -> bytes:
    body: bytes = stream.read(limit + 1)
    if len(body) > limit:
        raise TooLarge(limit)
    # A server hands on what came before the connection broke; half a file can be whole lines.
    declared = context["request"].META.get("CONTENT_LENGTH") if context else None
    if declared and len(body) < int(declared):
        raise BadRequest("unreadable_body", say("The connection ended before the body did."))
    return body


def _bad(message: str) -> BadRequest:
    return BadRequest("bad_json", message)


def _shown(text: str) -> str:
    """A foreign name as an answer may repeat it."""
    return text[:60].encode("utf-8", "replace").decode().replace("\x00", "?")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise _bad(say("The key {twice} is there twice in one object.", twice=ascii(twice[:40])))
    return members


def _integer(text: str) -> int:
    if len(text.lstrip("-")) > MAX_DIGITS:
        raise _bad(say("A number has more than {most} digits.", most=MAX_DIGITS))
    return int(text)


def _fraction(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _bad(say("A number is too large."))
    return value


def _constant(text: str) -> NoReturn:
    raise _bad(say("{text} is not a JSON number.", text=text))


def _check_inside(value: Any) -> None:
    """Refuse NUL, half surrogate pairs and deep nesting anywhere in the value."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, str):
                _check_text(item)
            elif isinstance(item, dict):
                for name in item:
                    _check_text(name)
                inner += item.values()
            elif isinstance(item, list):
                inner += item
        level = inner
        if not level:
            return
    if any(isinstance(item, dict | list) for item in level):
        raise _bad(say("The body is nested more than {most} deep.", most=MAX_DEPTH))
    for item in level:
        if isinstance(item, str):
            _check_text(item)


def _check_text(text: str) -> None:
    if "\x00" in text:
        raise _bad(say("A text holds a NUL character."))
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _bad(say("A text holds an unpaired surrogate (\\ud800 to \\udfff); that is half a character.")) from None


_READER = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_int=_integer, parse_float=_fraction, parse_constant=_constant
)
