"""Workbooks of other programs are read, hostile ones refused; ours are read by others."""

import datetime
import io
import random
import time
import zipfile
from fractions import Fraction

import openpyxl
import pytest

from competitions.files import xlsx_xml
from competitions.files.errors import FileError
from competitions.files.reading import read_table, write_xlsx

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SHEET = "xl/worksheets/sheet1.xml"
RELATIONS = "xl/_rels/workbook.xml.rels"


def saved(book):
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def book_of(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    return book


def with_part(data, part, content):
    """The workbook with one part replaced or added."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name != part:
                new.writestr(name, old.read(name))
        new.writestr(part, content)
    return out.getvalue()


def sheet_of(rows):
    content = f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData>{rows}</x:sheetData></x:worksheet>'
    for tag in ("row", "c", "v", "f", "is", "t", "r", "rPh"):
        content = content.replace(f"<{tag}", f"<x:{tag}").replace(f"</{tag}>", f"</x:{tag}>").replace("<x:x:", "<x:")
    return with_part(write_xlsx(["a"], []), SHEET, content)


HEADER = "<row><c t='inlineStr'><is><t>n</t></is></c></row>"


def cells(data):
    table = read_table(data, "x.xlsx")
    return [dict(row.cells) for row in table.rows]


def faults(data):
    return [str(fault) for row in read_table(data, "x.xlsx").rows for fault in row.faults]


def test_another_program_reads_texts_as_texts_and_numbers_as_numbers():
    data = write_xlsx(["name", "points"], [["=1+1", 7], ["007", Fraction(5, 2)], ["a < b", Fraction(1, 3)], ["", None]])
    sheet = openpyxl.load_workbook(io.BytesIO(data)).active
    found = [[(cell.value, cell.data_type) for cell in row] for row in sheet.iter_rows()]
    assert found[1:4] == [
        [("=1+1", "s"), (7, "n")],
        [("007", "s"), (2.5, "n")],
        [("a < b", "s"), ("1/3", "s")],
    ]
    assert sheet.freeze_panes == "A2"
    assert sheet["A2"].number_format == "@"


def test_what_another_program_writes_is_read():
    book = book_of(["Name", "n", "ok"], ["Zoë", 7, True], [None, 0.1 + 0.7, False], [], ["'t Hart", 1e5, None])
    assert cells(saved(book)) == [
        {"Name": "Zoë", "n": "7", "ok": "TRUE"},
        {"n": "0.8", "ok": "FALSE"},
        {"Name": "'t Hart", "n": "100000"},
    ]
    assert [row.line for row in read_table(saved(book), "x").rows] == [2, 3, 5]


def test_the_first_sheet_that_is_visible_is_read():
    book = book_of(["hidden"], [1])
    book.active.sheet_state = "hidden"
    second = book.create_sheet("b")
    second.append(["seen"])
    second.append([2])
    book.create_sheet("c").append(["third"])
    assert cells(saved(book)) == [{"seen": "2"}]


def test_shared_and_rich_texts_are_read_without_the_readings_of_names():
    rich = "<r><t>東</t></r><r><t>京</t></r><rPh sb='0' eb='2'><t>トウキョウ</t></rPh>"
    assert cells(sheet_of(f"{HEADER}<row><c t='inlineStr'><is>{rich}</is></c></row>")) == [{"n": "東京"}]
    data = sheet_of("<row><c t='s'><v>0</v></c></row><row><c t='s'><v>1</v></c></row>")
    texts = f'<sst xmlns="{MAIN}"><si><t>n</t></si><si>{rich}</si></sst>'
    relation = '<Relationship Id="r9" Type="x/sharedStrings" Target="/xl/texts.xml"/></Relationships>'
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        relations = archive.read(RELATIONS).decode().replace("</Relationships>", relation)
    assert cells(with_part(with_part(data, RELATIONS, relations), "xl/texts.xml", texts)) == [{"n": "東京"}]


def test_a_formula_counts_by_the_value_it_had_and_is_refused_without_one():
    assert cells(sheet_of(HEADER + "<row><c><f>1+1</f><v>2</v></c></row>")) == [{"n": "2"}]
    assert cells(sheet_of(HEADER + "<row><c t='str'><f>A1</f><v>n</v></c></row>")) == [{"n": "n"}]
    said = faults(saved(book_of(["n"], ["=1+1"])))
    assert said[0].startswith("Line 2, n: The cell holds a formula that was never computed.")


def test_a_date_is_refused_where_a_number_or_a_text_was_meant():
    said = faults(saved(book_of(["points"], [datetime.date(2026, 2, 3)], [datetime.time(12, 30)], [3])))
    assert len(said) == 2
    assert said[0].startswith("Line 2, points: The spreadsheet took this cell for a date")


@pytest.mark.parametrize(
    ("code", "is_date"),
    [
        ("0.00", False),
        ('0 "days"', False),
        ("[Red]0", False),
        ("General", False),
        ("[h]:mm", True),
        ("yyyy", True),
        ("d. mmm", True),
    ],
)
def test_a_format_of_ones_own_shows_a_date_or_not(code, is_date):
    book = book_of(["n"], [3])
    book.active["A2"].number_format = code
    assert bool(faults(saved(book))) == is_date


def test_an_error_in_a_cell_is_refused_with_the_cell():
    said = faults(sheet_of(HEADER + "<row><c t='e'><v>#REF!</v></c></row>"))
    assert said == ["Line 2, n: The cell holds the error #REF!."]


def test_macros_are_refused():
    data = with_part(write_xlsx(["a"], [["1"]]), "xl/vbaProject.bin", b"x")
    with pytest.raises(FileError, match="macros"):
        read_table(data, "x.xlsm")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f'<!DOCTYPE w [<!ENTITY a "aaaa">]><worksheet xmlns="{MAIN}"/>', "document type"),
        ("<a>" * 50, "nested deeper"),
        ("<worksheet><row r='5'/><row r='4'/></worksheet>", "row 4 comes after row 5"),
        ("<worksheet><row r='x'/></worksheet>", "cannot be read"),
        ("<worksheet><row><c t='s'><v>9</v></c></row></worksheet>", "text that is not there"),
        ("<worksheet><row><c t='s'><v>-1</v></c></row></worksheet>", "text that is not there"),
        ("<worksheet><row><c r='XFD1'><v>1</v></c></row></worksheet>", "16384 columns"),
        ("<worksheet><row><c r='1'><v>1</v></c></row></worksheet>", "columns"),
        ("<worksheet><row>", "cannot be read"),
        ("", "cannot be read"),
    ],
)
def test_a_hostile_sheet_is_refused_with_the_reason(content, said):
    with pytest.raises(FileError, match=said):
        read_table(with_part(write_xlsx(["a"], []), SHEET, content), "x.xlsx")


def test_a_workbook_that_unpacks_to_too_much_is_refused_before_it_does(monkeypatch):
    monkeypatch.setattr(xlsx_xml, "UNPACKED", 1024 * 1024)
    data = sheet_of("<row/>" * 300_000)
    assert len(data) < 50_000
    with pytest.raises(FileError, match="unpacks to more than 1 MiB"):
        read_table(data, "x.xlsx")


def test_a_workbook_that_lies_about_its_size_is_refused():
    data = bytearray(sheet_of("<row/>" * 100_000))
    size = zipfile.ZipFile(io.BytesIO(bytes(data))).getinfo(SHEET).file_size.to_bytes(4, "little")
    at = bytes(data).rindex(size)
    data[at : at + 4] = (1000).to_bytes(4, "little")
    with pytest.raises(FileError, match="damaged"):
        read_table(bytes(data), "x.xlsx")


def test_many_empty_rows_cost_a_moment_and_hold_nothing():
    before = time.process_time()
    with pytest.raises(FileError, match="empty"):
        read_table(sheet_of("<row/>" * 300_000), "x.xlsx")
    assert time.process_time() - before < 5


def test_damage_anywhere_in_a_workbook_is_refused_or_does_no_harm():
    whole = write_xlsx(["name", "n"], [["Ann", 1], ["Bob", 2]])
    for seed in range(400):
        chance = random.Random(seed)
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        if chance.random() < 0.2:
            del data[chance.randrange(len(data)) :]
        try:
            read_table(bytes(data), "x.xlsx")
        except FileError as refused:
            assert refused.message


def test_damage_inside_the_parts_is_refused_or_does_no_harm():
    whole = saved(book_of(["name", "n"], ["Ann", 1], ["Bob", 2.5]))
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for seed in range(400):
        chance = random.Random(seed)
        name = chance.choice(sorted(parts))
        content = bytearray(parts[name])
        for _ in range(chance.randint(1, 3)):
            content[chance.randrange(len(content))] = chance.choice(b"<>/\"'=&x0919 \x00\xff")
        try:
            read_table(with_part(whole, name, bytes(content)), "x.xlsx")
        except FileError as refused:
            assert refused.message
