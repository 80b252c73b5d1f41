"""Fields of bodies about competitions: days, moments, exact points, settings. Each takes exactly one type."""

import re
from datetime import date
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.fields import Body, Moment, Nothing, Parsed, Text, wrong
from scoring.wording import say

__all__ = [
    "Because",
    "Day",
    "ExactNumber",
    "ExactPoints",
    "Moment",
    "Nothing",
    "Object",
    "PerhapsBecause",
    "player_id",
    "player_ids",
    "reason",
]

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@extend_schema_field({"type": "string", "format": "date"})
class Day(Parsed):
    """A day: `2026-11-29`."""

    def to_internal_value(self, data: Any) -> Any:
        text = super().to_internal_value(data)
        try:
            if not _DAY.fullmatch(text):
                raise wrong(say("This is not a day such as 2026-11-29."))
            return date.fromisoformat(text)
        except ValueError:
            raise wrong(say("This is not a day of the calendar.")) from None


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}]})
class ExactPoints(serializers.JSONField):
    """A whole number, or a text such as "1.5" or "3/2"; what is in it the service checks."""

    def to_internal_value(self, data: Any) -> Any:
        if type(data) is not int and type(data) is not str:
            self.fail("invalid")
        return data


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string", "pattern": "^-?[0-9]+/[0-9]+$"}]})
class ExactNumber(serializers.JSONField):
    """A number in an answer, exactly: a whole one, or a text "n/d"."""


@extend_schema_field({"type": "object", "additionalProperties": True})
class Object(serializers.JSONField):
    """An object; what is in it the service checks."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            self.fail("invalid")
        return data


class Because(Body):
    reason = Text(max_length=500)


class PerhapsBecause(Body):
    reason = Text(max_length=500, required=False, allow_blank=True)


def reason(*, required: bool = True) -> Text:
    """Why: kept in the log."""
    return Text(max_length=500) if required else Text(max_length=500, required=False, allow_blank=True)


def player_id(help_text: str = "The player's id.", **more: Any) -> Text:
    return Text(max_length=12, help_text=help_text, **more)


def player_ids(help_text: str, **more: Any) -> serializers.ListField:
    return serializers.ListField(child=Text(max_length=12), max_length=5000, help_text=help_text, **more)
