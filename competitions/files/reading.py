"""Files in and out: which form a file has, and the table in it."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from competitions.files import csv_table, xlsx_read, xlsx_write
from competitions.files.errors import FileError
from competitions.files.table import LARGEST, Cell, Table, build
from scoring.wording import say

Form: TypeAlias = Literal["csv", "xlsx"]

MEDIA_TYPES: dict[Form, str] = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def read_table(data: bytes, name: str) -> Table:
    """The table in a CSV or XLSX file. What it is, its bytes say; `name` only helps to say why it is neither.

    Raise FileError (`bad_file`) for a file that is too large, damaged, encrypted, of another kind or encoding, or that
    has macros. What is wrong with single cells stands in the rows' faults.
    """
    if len(data) > LARGEST:
        raise FileError(say("The file is larger than {size} MiB. Split it.", size=LARGEST // 1024**2))
    if data.startswith(b"PK"):
        return build(xlsx_read.read(data))
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise FileError(say("The file has a password or is an old .xls. Save it as .xlsx, without a password."))
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if data.startswith((b"%PDF", b"\x89PNG", b"\xff\xd8")) or ending in ("ods", "numbers", "pdf", "xls", "xlsb"):
        raise FileError(say("Tables are read from .csv and .xlsx files only."))
    if ending in ("xlsx", "xlsm"):
        raise FileError(say("The file is damaged: it is no workbook (.xlsx)."))
    return build(csv_table.read(data))


def write_csv(headers: Sequence[str], rows: Iterable[Sequence[Cell]], *, bom: bool = True) -> bytes:
    """The table as CSV in UTF-8, with the mark by which Excel knows it or without; texts guarded, numbers plain."""
    return csv_table.write(headers, rows, bom=bom)


def write_xlsx(headers: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """The table as a workbook of one sheet."""
    return xlsx_write.write(headers, rows)


def write_table(form: Form, headers: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """The table in either form; CSV with the mark."""
    return write_csv(headers, rows) if form == "csv" else write_xlsx(headers, rows)
