"""CSV both ways: UTF-8 with or without mark; comma, semicolon or tab (T63, T64, T66)."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from competitions.files.errors import FileError
from competitions.files.guard import guarded
from competitions.files.numbers import number_text
from competitions.files.table import Cell, Raw
from scoring.wording import Listed, mark, say

_MARK = b"\xef\xbb\xbf"
_SAVE_AS = mark("In Excel choose Save as, “CSV UTF-8”, or send the table as .xlsx.")
_FAULTS = {
    "unexpected end of data": mark("Line {line} cannot be read: a quotation mark is opened and never closed."),
    "expected after": mark("Line {line} cannot be read: after a closing quotation mark the cell goes on."),
    "field larger than field limit": mark(
        "Line {line} cannot be read: a cell is too long; perhaps a quotation mark is not closed."
    ),
}
"""What the reader says, in words for people."""
_UNREADABLE = mark("Line {line} cannot be read.")


def read(data: bytes) -> Iterator[Raw]:
    """The rows of a CSV file, each with the line on which it begins. Raise FileError where it is none."""
    text = _decoded(data)
    first, _, rest = text.partition("\n")
    above = 0
    if first.strip().lower() in ("sep=;", "sep=,", "sep=\t", "sep="):
        delimiter, text, above = first.rstrip("\r")[4:5] or "\t", rest, 1
    else:
        delimiter = _delimiter(text)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = above + 1
    try:
        for row in rows:
            yield line, row
            line = above + rows.line_num + 1
    except csv.Error as error:
        words = next((words for part, words in _FAULTS.items() if part in str(error)), _UNREADABLE)
        raise FileError(say(words, line=line)) from error


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
        raise FileError(Listed((say("The file is UTF-16, not UTF-8."), say(_SAVE_AS))))
    try:
        text = data.removeprefix(_MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wrong = say("Line {line} has characters that are not UTF-8.", line=line)
        raise FileError(Listed((wrong, say(_SAVE_AS)))) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise FileError(say("Line {line} holds bytes that are no text.", line=line))
    return text


def _delimiter(text: str) -> str:
    """The separator that the header, up to its end outside quotation marks, has most of; a comma where it has none."""
    counts = dict.fromkeys((",", ";", "\t"), 0)
    quoted = False
    for char in text.lstrip("\r\n"):
        if char == '"':
            quoted = not quoted
        elif not quoted and char in counts:
            counts[char] += 1
        elif not quoted and char in "\r\n":
            break
    return max(counts, key=lambda char: counts[char])


def write(headers: Sequence[str], rows: Iterable[Sequence[Cell]], *, bom: bool, delimiter: str = ",") -> bytes:
    """The table as CSV. Texts are guarded, numbers are plain; `bom`: with the mark by which Excel knows UTF-8."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow([guarded(name) for name in headers])
    for row in rows:
        writer.writerow([_written(cell) for cell in row])
    return (_MARK if bom else b"") + out.getvalue().encode("utf-8")


def _written(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return guarded(cell)
    text, plain = number_text(cell)
    return text if plain else guarded(text)
