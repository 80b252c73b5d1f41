"""A table in a file: a header and rows of texts, the same whether it came as CSV or as XLSX.

Everything is text here, as it was before a guard was put to it; `columns` gives it types. Limits keep a hostile file
from costing more than a few seconds: bytes, bytes unpacked, rows, columns.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from competitions.files.errors import Fault, FileError, clipped
from competitions.files.guard import unguarded
from scoring.wording import say

LARGEST = 5 * 1024 * 1024
"""Bytes of an uploaded file."""
ROWS = 50_000
COLUMNS = 60

Cell: TypeAlias = str | int | Fraction | None
"""What is written: text, an exact number, or nothing."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row below the header: its texts by the header's names, empty ones left out, and what is wrong with it."""

    line: int
    cells: Mapping[str, str]
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """What a file holds: the names in its header, and the rows that are not empty."""

    headers: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class BadValue:
    """A cell that has no value one could take, such as a formula that was never computed; `message` says why."""

    message: str


Raw: TypeAlias = tuple[int, Sequence[str | BadValue]]
"""A row as the readers yield it: its line, and its cells from the first column on."""


def build(rows: Iterable[Raw]) -> Table:
    """The table of raw rows; the first that is not empty is the header. Raise FileError for one that holds none, or
    too much."""
    filled = _filled(rows)
    first = next(filled, None)
    if first is None:
        raise FileError(say("The file is empty: there is no header."))
    headers = _headers(*first)
    found: list[Row] = []
    for line, cells in filled:
        if len(found) == ROWS:
            raise FileError(too_many_rows())
        found.append(_row(line, cells, headers))
    return Table(tuple(name for name in headers if name), tuple(found))


def too_many_rows() -> str:
    rows = f"{ROWS:,}"
    return say("The file has more than {rows} rows. Split it.", rows=rows)


def too_many_columns(line: int, columns: int) -> str:
    return say("Line {line} has {columns} columns; at most {most} are read.", line=line, columns=columns, most=COLUMNS)


def _filled(rows: Iterable[Raw]) -> Iterator[Raw]:
    for line, cells in rows:
        last = max((at for at, cell in enumerate(cells, 1) if isinstance(cell, BadValue) or cell.strip()), default=0)
        if last > COLUMNS:
            raise FileError(too_many_columns(line, last))
        if last:
            yield line, cells[:COLUMNS]


def _headers(line: int, cells: Sequence[str | BadValue]) -> tuple[str, ...]:
    names = []
    for cell in cells:
        if isinstance(cell, BadValue):
            raise FileError(say("Line {line}, the header: {why}", line=line, why=cell.message))
        names.append(" ".join(unguarded(cell).split()))
    return tuple(names)


def _row(line: int, cells: Sequence[str | BadValue], headers: tuple[str, ...]) -> Row:
    texts: dict[str, str] = {}
    faults: list[Fault] = []
    for at, cell in enumerate(cells):
        name = headers[at] if at < len(headers) else ""
        if isinstance(cell, BadValue):
            faults.append(Fault("bad_cell", cell.message, line, name or None))
        elif cell and name:
            texts[name] = unguarded(cell)
        elif cell.strip():
            message = say(
                "“{text}” stands in column {number}, which has no name in the header.",
                text=clipped(cell),
                number=at + 1,
            )
            faults.append(Fault("bad_row", message, line))
    return Row(line, texts, tuple(faults))
