"""What a file is refused for: a sentence for people with the line and the column, and a stable code."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a file. `line` is the row as the spreadsheet counts it, the header's included (in CSV
    the line of the text); None where the whole file is meant. `column` is the name in the file's header.

    `code`: `bad_row` (the row as a whole), `bad_cell` (one value), `unknown_column`, `missing_column`,
    `doubled_column`.
    """

    code: str
    message: str
    line: int | None = None
    column: str | None = None

    def __str__(self) -> str:
        """The sentence with its place before it: "Line 3, seed: …"."""
        place = ", ".join(part for part in (self.line and f"Line {self.line}", self.column) if part)
        return f"{place}: {self.message}" if place else self.message


class FileError(ValueError):
    """A file that cannot be read at all. `code` is `bad_file`, or `bad_columns` where the header does not fit; then
    `faults` names each column."""

    def __init__(self, message: str, *, code: str = "bad_file", faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.faults = tuple(faults)


def clipped(text: str, longest: int = 40) -> str:
    """A value as it is quoted in a sentence: on one line, and not longer than people read."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
