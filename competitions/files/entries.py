"""The sheet of entries: who competes, from which round on, and with which seed."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from competitions.files.columns import Columns, Sheet, cells_of, person_key, player_of
from competitions.files.errors import Fault
from competitions.files.reading import Form, read_table, write_table
from scoring.wording import say

COLUMNS = Columns(
    names=("name", "player_id", "seed", "from_round", "withdrawn_from"),
    needed=("name",),
)
ROUNDS = 500
SEEDS = 32_000


@dataclass(frozen=True, slots=True)
class EntryLine:
    """One who competes. `player_id` may be empty: then the name says who. `seed`: 1 the strongest. `from_round` None:
    the next one. `withdrawn_from`: the first round that he is not part of any more."""

    name: str
    player_id: str = ""
    seed: int | None = None
    from_round: int | None = None
    withdrawn_from: int | None = None
    line: int = field(default=0, compare=False)


def read_entries(data: bytes, name: str) -> Sheet[EntryLine]:
    """The entries in a CSV or XLSX file. Raise FileError where it is none; faults of rows come with the good ones."""
    rows: list[EntryLine] = []
    faults: list[Fault] = []
    first: dict[tuple[str, str], int] = {}
    for cells in cells_of(read_table(data, name), COLUMNS):
        who, player_id = player_of(cells)
        seed = cells.whole("seed", least=1, most=SEEDS)
        from_round = cells.whole("from_round", least=1, most=ROUNDS)
        withdrawn = cells.whole("withdrawn_from", least=1, most=ROUNDS)
        key = person_key(who, player_id)
        if not cells.faults and key in first:
            message = say(
                "{name} stands in line {line} already: a person enters once.", name=who or player_id, line=first[key]
            )
            cells.faults.append(Fault("bad_row", message, cells.line))
        first.setdefault(key, cells.line)
        faults += cells.faults
        if not cells.faults:
            rows.append(EntryLine(who, player_id, seed, from_round, withdrawn, cells.line))
    return Sheet(tuple(rows), tuple(faults))


def write_entries(rows: Iterable[EntryLine], form: Form) -> bytes:
    """The sheet of these entries, which `read_entries` reads as equal ones."""
    lines = ((row.name, row.player_id, row.seed, row.from_round, row.withdrawn_from) for row in rows)
    return write_table(form, COLUMNS.names, lines)
