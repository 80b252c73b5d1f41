"""How values look in answers: JSON and record lines, points as numbers, times with their zone."""

from collections.abc import Iterable
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import orjson
from rest_framework.renderers import BaseRenderer

from games.engine.actions import action_text
from games.engine.cards import CARD_TEXT, SUITS
from games.models import Player


class JSONRenderer(BaseRenderer):
    """JSON without spaces, UTF-8."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return b"" if data is None else orjson.dumps(data)


class RecordRenderer(JSONRenderer):
    """Record lines (docs/record-format.md), ready as text; errors are JSON as everywhere."""

    media_type = "application/x-ndjson"
    format = "ndjson"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return data.encode() if isinstance(data, str) else super().render(data)


class RecordTextRenderer(RecordRenderer):
    """The same for browsers."""

    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"


def points(stored: int | str | None) -> int | float | None:
    """Points as stored, an integer or "n/d", as a JSON number: exact where whole, else to two places, half even."""
    if stored is None:
        return None
    value = Fraction(stored)
    return value.numerator if value.denominator == 1 else float(round(value, 2))


def all_points(stored: Iterable[int | str] | None) -> list[int | float | None] | None:
    return None if stored is None else [points(item) for item in stored]


def time(at: datetime | None) -> str | None:
    """ISO 8601 in UTC, to the microsecond: `2026-11-29T20:00:00.000000Z`."""
    return None if at is None else at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def cards(numbers: Iterable[int]) -> list[str]:
    return [CARD_TEXT[card] for card in numbers]


def layout(rows: Iterable[tuple[int, int] | None]) -> dict[str, Any]:
    """The rows by suit: lowest and highest card, null before the seven."""
    return {suit: None if row is None else cards(row) for suit, row in zip(SUITS, rows, strict=True)}


def action(byte: int) -> str:
    return action_text(byte)


def player(row: Player) -> dict[str, Any]:
    """A player as other things name one: as whoever it is merged into. `strategy` is a bot's, empty for a person."""
    person = row.person
    return {"id": person.public_id, "name": person.name, "strategy": person.strategy}
