"""Recorded deals as text, one JSON object a line (docs/record-format.md): reading, checking, writing."""

from games.engine.errors import RecordError
from games.engine.record.lines import MAX_LINE, numbered_lines
from games.engine.record.outcome import Outcome, replay_record
from games.engine.record.reading import parse
from games.engine.record.types import GivenResult, Record
from games.engine.record.writing import write

__all__ = [
    "MAX_LINE",
    "GivenResult",
    "Outcome",
    "Record",
    "RecordError",
    "numbered_lines",
    "parse",
    "replay_record",
    "write",
]
