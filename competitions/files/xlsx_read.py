"""XLSX as it is read: the first visible sheet, each cell as the text that stands for its value.

A formula counts by the value that was computed last; one without a value, an error such as `#REF!` and a date (often a
`3/2` that a spreadsheet took for one) are refused with their cell. Macros are refused with the file.
"""

import io
import posixpath
import re
from collections.abc import Iterator

from competitions.files.errors import FileError, clipped
from competitions.files.numbers import from_spreadsheet
from competitions.files.table import COLUMNS, ROWS, BadValue, Raw, too_many_columns, too_many_rows
from competitions.files.xlsx_xml import Package
from scoring.wording import say

_TEXTS = 1_000_000
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
"""Number formats that every workbook has and that show dates or times."""
_QUOTED = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)


def read(data: bytes) -> Iterator[Raw]:
    """The rows of the first visible sheet. Raise FileError for what is no workbook, or holds macros."""
    package = Package(io.BytesIO(data))
    if any(name.lower().endswith("vbaproject.bin") or "macrosheets/" in name.lower() for name in package.names):
        raise FileError(say("The workbook holds macros. Save it as .xlsx, without macros."))
    workbook = _target(package, "", "officeDocument")
    if workbook is None:
        raise FileError(say("The file is no workbook (.xlsx)."))
    sheet = _first_sheet(package, workbook)
    texts = _texts(package, _target(package, workbook, "sharedStrings"))
    dates = _date_styles(package, _target(package, workbook, "styles"))
    reader = _Sheet(texts, dates)
    package.parse(sheet, reader.start, reader.end, reader.text)
    return iter(reader.rows)


def _relations(package: Package, part: str) -> dict[str, tuple[str, str]]:
    """What a part refers to, by id: kind (the last word of its type) and part."""
    folder, name = posixpath.split(part)
    found: dict[str, tuple[str, str]] = {}

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == "Relationship" and attributes.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", folder, attributes.get("Target", "")))
            kind = attributes.get("Type", "").rpartition("/")[2]
            found[attributes.get("Id", "")] = kind, target.lstrip("/")

    package.parse(posixpath.join(folder, "_rels", f"{name}.rels"), start, lambda _: None)
    return found


def _target(package: Package, part: str, kind: str) -> str | None:
    return next((target for found, target in _relations(package, part).values() if found == kind), None)


def _first_sheet(package: Package, workbook: str) -> str:
    sheets: list[str] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == "sheet" and attributes.get("state", "visible") == "visible":
            sheets.append(attributes.get("id", ""))

    package.parse(workbook, start, lambda _: None)
    relations = _relations(package, workbook)
    if not sheets or sheets[0] not in relations:
        raise FileError(say("The workbook has no visible sheet."))
    kind, part = relations[sheets[0]]
    if kind != "worksheet":
        raise FileError(say("The first sheet of the workbook is no table."))
    return part


def _texts(package: Package, part: str | None) -> list[str]:
    """The texts that cells refer to by number. Readings of Japanese names (rPh) are no part of the text."""
    texts: list[str] = []
    pieces: list[str] = []
    inside = reading = False

    def start(tag: str, _: dict[str, str]) -> None:
        nonlocal inside, reading
        if tag == "si":
            pieces.clear()
        elif tag == "rPh":
            reading = True
        inside = tag == "t" and not reading

    def end(tag: str) -> None:
        nonlocal inside, reading
        inside = False
        if tag == "rPh":
            reading = False
        elif tag == "si":
            if len(texts) == _TEXTS:
                most = f"{_TEXTS:,}"
                raise FileError(say("The workbook holds more than {texts} texts. Split it.", texts=most))
            texts.append(_decoded("".join(pieces)))

    def text(piece: str) -> None:
        if inside:
            pieces.append(piece)

    if part is not None:
        package.parse(part, start, end, text)
    return texts


def _decoded(text: str) -> str:
    """A text with the characters that XML cannot hold, which a workbook writes as `_x000D_`."""
    return _ESCAPE.sub(_character, text) if "_x" in text else text


def _character(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return found[0] if code == 0 or 0xD800 <= code <= 0xDFFF else chr(code)


def _date_styles(package: Package, part: str | None) -> frozenset[int]:
    """Indexes of the cell styles that show a number as a date or a time."""
    formats: dict[str, bool] = {}
    styles: list[str] = []
    inside = False

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal inside
        if tag == "numFmt":
            formats[attributes.get("numFmtId", "")] = _shows_date(attributes.get("formatCode", ""))
        elif tag == "cellXfs":
            inside = True
        elif tag == "xf" and inside:
            styles.append(attributes.get("numFmtId", "0"))

    def end(tag: str) -> None:
        nonlocal inside
        inside = inside and tag != "cellXfs"

    if part is not None:
        package.parse(part, start, end)
    known = {str(number) for number in _DATES}
    return frozenset(at for at, style in enumerate(styles) if formats.get(style, style in known))


def _shows_date(code: str) -> bool:
    return any(letter in _QUOTED.sub("", code.partition(";")[0]).lower().replace("general", "") for letter in "dmyhs")


class _Sheet:
    """Collects the rows of one sheet from its events."""

    def __init__(self, texts: list[str], dates: frozenset[int]) -> None:
        self.rows: list[Raw] = []
        self._texts, self._dates = texts, dates
        self._line = 0
        self._column = 0
        self._cells: dict[int, str | BadValue] = {}
        self._kind = "n"
        self._style = 0
        self._formula = False
        self._value: list[str] | None = None
        self._collecting = False
        self._reading = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "c":
            self._column = _column(attributes["r"]) if "r" in attributes else self._column + 1
            self._kind = attributes.get("t", "n")
            self._style = int(attributes.get("s", "0"))
            self._formula, self._value = False, None
        elif tag == "row":
            line = int(attributes["r"]) if "r" in attributes else self._line + 1
            if line <= self._line:
                raise FileError(
                    say("The workbook is damaged: row {line} comes after row {other}.", line=line, other=self._line)
                )
            self._line, self._column, self._cells = line, 0, {}
        elif tag == "f":
            self._formula = True
        elif tag == "rPh":
            self._reading = True
        elif tag == "v" or (tag == "t" and not self._reading):
            self._collecting = True
            self._value = self._value or []

    def text(self, piece: str) -> None:
        if self._collecting and self._value is not None:
            self._value.append(piece)

    def end(self, tag: str) -> None:
        self._collecting = False
        if tag == "rPh":
            self._reading = False
        elif tag == "c":
            value = self._cell(None if self._value is None else "".join(self._value))
            if value == "":
                return
            if self._column > COLUMNS:
                raise FileError(too_many_columns(self._line, self._column))
            self._cells[self._column] = value
        elif tag == "row" and self._cells:
            if len(self.rows) > ROWS:
                raise FileError(too_many_rows())
            self.rows.append((self._line, [self._cells.get(at, "") for at in range(1, max(self._cells) + 1)]))

    def _cell(self, stored: str | None) -> str | BadValue:
        """The text of a cell, or why it has none that one could take."""
        if self._kind == "e":
            return BadValue(say("The cell holds the error {error}.", error=clipped(stored or "")))
        if self._formula and not stored and self._kind != "str":
            return BadValue(
                say(
                    "The cell holds a formula that was never computed. Open the file in a spreadsheet program and "
                    "save it, or put the value in its place."
                )
            )
        if stored is None:
            return ""
        if self._kind == "s":
            number = int(stored)
            if not 0 <= number < len(self._texts):
                raise FileError(
                    say("The workbook is damaged: row {line} names a text that is not there.", line=self._line)
                )
            return self._texts[number]
        if self._kind in ("str", "inlineStr"):
            return _decoded(stored)
        if self._kind == "b":
            return "TRUE" if stored.strip() == "1" else "FALSE"
        if self._kind == "d" or (self._style in self._dates and stored):
            return BadValue(
                say(
                    "The spreadsheet took this cell for a date or a time ({value}). "
                    "Give the column the format “text” and type the value again.",
                    value=clipped(stored),
                )
            )
        try:
            return from_spreadsheet(stored.strip()) if stored.strip() else ""
        except ValueError:
            return BadValue(say("“{text}” is no number that a table holds.", text=clipped(stored)))


def _column(reference: str) -> int:
    """The column of a reference such as `AB12`, from 1; too large where it names none."""
    column = 0
    for char in reference[:4]:
        if not "A" <= char <= "Z":
            break
        column = column * 26 + ord(char) - ord("A") + 1
    return column or 20_000
