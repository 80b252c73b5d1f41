"""Rows with types: which columns a sheet has, and each cell as what it says.

A heading is matched without regard to case, accents and the signs between its words: `Cards left`, `cards_left` and
`CARDS-LEFT` are one. A column that a sheet does not have is refused by its name rather than left out without a word.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from competitions.files.errors import Fault, FileError, clipped
from competitions.files.numbers import exact_points, whole
from competitions.files.table import Row, Table
from scoring.result import Points
from scoring.wording import say

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a sheet: in the order they are written, those a file must have, and those that are ignored."""

    names: tuple[str, ...]
    needed: tuple[str, ...]
    ignored: tuple[str, ...] = ()

    def find(self, headers: Sequence[str]) -> dict[str, str]:
        """The heading of each column in a file. Raise FileError (`bad_columns`) naming each that is unknown, missing or
        there twice."""
        known = {heading_key(name): name for name in (*self.names, *self.ignored)}
        found: dict[str, str] = {}
        faults = []
        for heading in headers:
            name = known.get(heading_key(heading))
            if name is None:
                message = say(
                    "There is no column “{heading}”. The columns are: {columns}.",
                    heading=clipped(heading),
                    columns=", ".join(self.names),
                )
                faults.append(Fault("unknown_column", message, column=heading))
            elif name in found or headers.count(heading) > 1:
                message = say("The column {name} is there twice.", name=name)
                faults.append(Fault("doubled_column", message, column=heading))
            else:
                found[name] = heading
        for name in self.needed:
            if name not in found and not any(heading_key(heading) == heading_key(name) for heading in headers):
                faults.append(Fault("missing_column", say("The column {name} is missing.", name=name), column=name))
        if faults:
            raise FileError(say("The header does not fit."), code="bad_columns", faults=faults)
        return found


def heading_key(heading: str) -> str:
    """The form in which two spellings of a heading are equal."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", heading) if not unicodedata.combining(char))
    return "".join(re.findall(r"\w+", plain.casefold())).replace("_", "")


class Cells:
    """The cells of one row by column; reading one that is wrong adds a fault and gives None."""

    def __init__(self, row: Row, headings: Mapping[str, str]) -> None:
        self.line = row.line
        self.faults: list[Fault] = list(row.faults)
        self._row, self._headings = row, headings

    def text(self, name: str, *, longest: int, needed: bool = False) -> str:
        """The text without spaces at its ends; empty where there is none."""
        text = self._row.cells.get(self._headings.get(name, ""), "").strip()
        if needed and not text:
            self.note(name, say("is empty."))
        if len(text) > longest:
            self.note(name, say("is longer than {longest} characters.", longest=longest))
        return text

    def whole(self, name: str, *, least: int, most: int, needed: bool = False) -> int | None:
        """A whole number in its range."""
        value = self._parsed(name, whole, needed)
        if value is not None and not least <= value <= most:
            self.note(name, say("is {value}, not from {least} to {most}.", value=value, least=least, most=most))
            return None
        return value

    def points(self, name: str, *, needed: bool = False) -> Points | None:
        """Exact points."""
        return self._parsed(name, exact_points, needed)

    def _parsed(self, name: str, parse: Callable[[str], T], needed: bool) -> T | None:
        text = self.text(name, longest=60, needed=needed)
        if not text:
            return None
        try:
            return parse(text)
        except ValueError as error:
            self.note(name, say(error.args[0], text=clipped(text)))
            return None

    def note(self, name: str, what: str) -> None:
        """Note what is wrong with a cell, once."""
        column = self._headings.get(name, name)
        if all(fault.column != column for fault in self.faults):
            self.faults.append(Fault("bad_cell", what, self.line, column))


@dataclass(frozen=True, slots=True)
class Sheet(Generic[T]):
    """What a file of one kind says: its good rows, in their order, and everything that is wrong."""

    rows: tuple[T, ...]
    faults: tuple[Fault, ...] = ()


def cells_of(table: Table, columns: Columns) -> Iterable[Cells]:
    """The rows of a table by the sheet's columns. Raise FileError where the header does not fit."""
    headings = columns.find(table.headers)
    return [Cells(row, headings) for row in table.rows]


def player_of(cells: Cells) -> tuple[str, str]:
    """Name and id of the player of a row: one of them there must be."""
    name, player_id = cells.text("name", longest=80), cells.text("player_id", longest=12)
    if not name and not player_id and not cells.faults:
        cells.note("name", say("is empty, and there is no player_id either."))
    return name, player_id


def person_key(name: str, player_id: str) -> tuple[str, str]:
    """By what one person is known in a file: the id, else the name in any spelling of it."""
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    return ("id", player_id) if player_id else ("name", " ".join(plain.split()))
