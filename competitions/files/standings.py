"""The sheet of standings. Read, it means points brought along from elsewhere: one adjustment a row."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from competitions.files.columns import Columns, Sheet, cells_of, person_key, player_of
from competitions.files.errors import Fault
from competitions.files.reading import Form, read_table, write_table
from scoring.result import Points
from scoring.tiebreaks import available
from scoring.wording import say

NAMES = ("rank", "name", "player_id", "total")


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One row. `tie_breaks`: key and value for people, in the order of the sheet, those that are known. `rank` None:
    without a rank."""

    rank: int | None
    name: str
    player_id: str
    total: Points
    tie_breaks: tuple[tuple[str, str], ...] = ()
    line: int = field(default=0, compare=False)


def read_standings(data: bytes, name: str) -> Sheet[StandingLine]:
    """The rows in a CSV or XLSX file. Raise FileError where it is none. A person stands in it once."""
    table = read_table(data, name)
    columns = Columns(names=(*NAMES, *available()), needed=("name", "total"))
    keys = [column for column in columns.find(table.headers) if column in available()]
    rows: list[StandingLine] = []
    faults: list[Fault] = []
    first: dict[tuple[str, str], int] = {}
    for cells in cells_of(table, columns):
        rank = cells.whole("rank", least=1, most=1_000_000)
        who, player_id = player_of(cells)
        total = cells.points("total", needed=True)
        values = tuple((key, text) for key in keys if (text := cells.text(key, longest=200)))
        person = person_key(who, player_id)
        if not cells.faults and person in first:
            message = say("{name} stands in line {line} already.", name=who or player_id, line=first[person])
            cells.faults.append(Fault("bad_row", message, cells.line))
        first.setdefault(person, cells.line)
        faults += cells.faults
        if total is not None and not cells.faults:
            rows.append(StandingLine(rank, who, player_id, total, values, cells.line))
    return Sheet(tuple(rows), tuple(faults))


def write_standings(rows: Iterable[StandingLine], tie_breaks: Sequence[str], form: Form) -> bytes:
    """The sheet of these rows, with a column for each of the keys of tie-breaks, in their order."""
    lines = (
        (row.rank, row.name, row.player_id, row.total, *(_value(dict(row.tie_breaks).get(key)) for key in tie_breaks))
        for row in rows
    )
    return write_table(form, (*NAMES, *tie_breaks), lines)


def _value(text: str | None) -> str | int | None:
    """A value for people; whole numbers as numbers, so that a spreadsheet can sort by them."""
    return int(text) if text is not None and re.fullmatch(r"0|-?[1-9][0-9]{0,8}", text) else text
