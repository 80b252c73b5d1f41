"""Fields of request bodies, each with exactly one type: a number is no text, true is no number, nothing is trimmed."""

import re
from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.fields import empty
from rest_framework.request import Request

from games.api.parsing import BadRequest
from games.engine.actions import parse_action
from games.engine.cards import CARD_TEXT, UnreadableCard, parse_card
from games.engine.errors import BadDeal
from games.wording import said
from scoring.wording import say

LARGEST = 999_999_999
CARD = "(10|[2-9TJQKA])[CDHS]"
MOST_ACTIONS = 10_000
DEAL_MODES = ("hosted", "recorded", "result")
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})"
)


class Body(serializers.Serializer[Any]):
    """The body of a request. Fields that it does not have are refused, at any depth."""


class Nothing(Body):
    """An empty object, or no body at all."""


class Text(serializers.CharField):
    """A text, taken as it is."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **{"max_length": 1000, **kwargs})

    def to_internal_value(self, data: Any) -> str:
        if type(data) is not str:
            self.fail("invalid")
        return data


class Whole(serializers.IntegerField):
    """A whole number of at most nine digits; true and 1.0 are none."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": -LARGEST, "max_value": LARGEST, **kwargs})

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return data


class Flag(serializers.BooleanField):
    """true or false."""

    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return data


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": True}]})
class NameOrObject(serializers.JSONField):
    """A name, or an object with a name and what differs. What is in it the service checks."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str | dict):
            self.fail("invalid")
        return data


class Parsed(Text):
    """A text that is read at once into what the engine takes; an empty one too."""

    def run_validation(self, data: Any = empty) -> Any:
        absent, value = self.validate_empty_values(data)
        if absent:
            return value
        if isinstance(data, str) and self.max_length is not None and len(data) > self.max_length:
            raise wrong(say("At most {most} characters.", most=self.max_length), "max_length")
        return self.to_internal_value(data)


@extend_schema_field({"type": "string", "pattern": rf"^(-|\^?{CARD})$"})
class Action(Parsed):
    """One action as the engine's byte: `7D`, `-` for a pass, `^7S` for a correction."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            return parse_action(super().to_internal_value(data))
        except UnreadableCard as error:
            raise wrong(str(error), "unreadable_action") from None


class Actions(Parsed):
    """Actions in the record format, separated by spaces, as bytes of the engine."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MOST_ACTIONS, **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        tokens = super().to_internal_value(data).split(" ")
        try:
            return bytes([parse_action(token) for token in tokens if token])
        except UnreadableCard as error:
            raise wrong(str(error), "unreadable_action") from None


class Hand(Parsed):
    """Cards in the record format, separated by spaces, as a set of the engine. Raises BadDeal for a card twice."""

    def to_internal_value(self, data: Any) -> Any:
        mask = 0
        for token in super().to_internal_value(data).split(" "):
            try:
                card = parse_card(token) if token else None
            except UnreadableCard as error:
                raise wrong(str(error), "unreadable_card") from None
            if card is not None:
                if mask >> card & 1:
                    raise BadDeal(say("{card} is there twice.", card=CARD_TEXT[card]))
                mask |= 1 << card
        return mask


@extend_schema_field({"type": "string", "format": "date-time"})
class Moment(Parsed):
    """A time with its zone: `2026-11-29T19:00:00+01:00`."""

    def to_internal_value(self, data: Any) -> Any:
        text = super().to_internal_value(data)
        try:
            found = datetime.fromisoformat(text) if _MOMENT.fullmatch(text) else None
            if found is None:
                raise wrong(say("This is not a time with its zone, such as 2026-11-29T19:00:00+01:00."))
            found.utctimetuple()  # a year beyond the calendar, once its zone is taken off
        except (ValueError, OverflowError):
            raise wrong(say("This is not a time of the calendar.")) from None
        return found


def wrong(message: str, code: str = "invalid") -> serializers.ValidationError:
    """A value that cannot be taken. The framework makes plain texts of sentences: so it is said here."""
    return serializers.ValidationError([ErrorDetail(said(message), code)])


def read_body(request: Request, shape: type[Body]) -> dict[str, Any]:
    """The values of the request's body by `shape`.

    Raises BadRequest `unknown_field`, ValidationError, and what the parser raises. No body is an empty object."""
    data = request.data
    if not isinstance(data, dict):
        raise BadRequest("invalid", say("The body must be a JSON object."), errors=[])
    serializer = shape(data=data)
    if unknown := _unknown(serializer, data):
        raise BadRequest(
            "unknown_field",
            say("There is no field {unknown} here.", unknown=", ".join(map(ascii, unknown))),
            errors=[{"field": name[:100], "code": "unknown_field"} for name in unknown],
        )
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values


def _unknown(serializer: Any, data: Any, path: str = "") -> list[str]:
    if isinstance(serializer, serializers.ListField) and isinstance(data, list):
        return [name for at, item in enumerate(data) for name in _unknown(serializer.child, item, f"{path}{at}.")]
    if not isinstance(serializer, Body) or not isinstance(data, dict):
        return []
    fields = serializer.fields
    return [f"{path}{name}" for name in data if name not in fields] + [
        found
        for name, inner in data.items()
        if name in fields
        for found in _unknown(fields[name], inner, f"{path}{name}.")
    ]
