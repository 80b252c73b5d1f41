"""XLSX as it is written: one sheet, texts as texts, numbers as numbers, nothing that a spreadsheet would compute.

Every text is an inline string in a cell of the format “text” (so it stays text when somebody edits it); a spreadsheet
takes neither a formula nor a date nor a number for it. Written by hand, without a library: decisions/0005.
"""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape

from competitions.files.guard import kept
from competitions.files.numbers import number_text
from competitions.files.table import Cell

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_NOT_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
"""What XML cannot hold, or would change, and what would be read as the escape of it."""

_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_TYPES}.styles+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPES}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
    '<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
    # Styles: 0 numbers, 1 texts (format 49, “@”), 2 the header (the same, bold).
    "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}">'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>'
    '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"'
    ' applyFont="1"/>'
    '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
}


def write(headers: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """The table as a workbook of one sheet, the header frozen. The same bytes for the same table."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _PARTS.items():
            archive.writestr(_entry(name), _XML + text)
        with archive.open(_entry("xl/worksheets/sheet1.xml"), "w") as sheet:
            for piece in _sheet(headers, rows):
                sheet.write(piece.encode("utf-8"))
    return out.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _sheet(headers: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    yield (
        f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    )
    yield f'<cols><col min="1" max="{max(1, len(headers))}" width="16" customWidth="1"/></cols><sheetData>'
    letters = [column_letters(at) for at in range(len(headers))]
    yield _row(1, [_text(f"{letter}1", name, 2) for letter, name in zip(letters, headers, strict=True)])
    for line, row in enumerate(rows, 2):
        yield _row(line, [_cell(f"{letter}{line}", cell) for letter, cell in zip(letters, row, strict=True)])
    yield "</sheetData></worksheet>"


def _row(line: int, cells: list[str]) -> str:
    return f'<row r="{line}">{"".join(cells)}</row>'


def _cell(at: str, cell: Cell) -> str:
    if cell is None or cell == "":
        return ""
    if isinstance(cell, str):
        return _text(at, cell, 1)
    text, plain = number_text(cell)
    return f'<c r="{at}"><v>{text}</v></c>' if plain else _text(at, text, 1)


def _text(at: str, text: str, style: int) -> str:
    safe = _NOT_XML.sub(lambda found: f"_x{ord(found[0]):04X}_", kept(text))
    return f'<c r="{at}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{escape(safe)}</t></is></c>'


def column_letters(at: int) -> str:
    """A column as a spreadsheet names it, from 0: A … Z, AA …"""
    letters = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
