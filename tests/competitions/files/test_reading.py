"""What is written is read again unchanged; what people send is read, or refused with the line and the reason."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from competitions.files.errors import FileError
from competitions.files.guard import guarded, kept, unguarded
from competitions.files.numbers import exact_points, number_text
from competitions.files.reading import read_table, write_csv, write_table, write_xlsx
from competitions.files.table import COLUMNS, LARGEST, ROWS
from tests.competitions.files.hostile import HOSTILE, texts

numbers = st.one_of(st.integers(-(10**20), 10**20), st.fractions(max_denominator=10**6))
FORMS = {"csv": write_csv, "csv without mark": lambda head, rows: write_csv(head, rows, bom=False), "xlsx": write_xlsx}


@given(texts)
def test_a_guard_is_taken_again_from_where_it_was_put(text):
    assert unguarded(guarded(text)) == unguarded(kept(text)) == text


@given(texts)
def test_a_guarded_cell_begins_with_nothing_that_a_spreadsheet_computes(text):
    assert guarded(text).lstrip(" ")[:1] not in tuple("=+-@＝＋－＠")
    assert guarded(text)[:1] not in ("\t", "\r", "\n")
    for separator in ";,|\t":
        for piece in guarded(text).split(separator)[1:]:
            assert piece.lstrip(" ")[:1] not in tuple("=+-@＝＋－＠")


@pytest.mark.parametrize("name", ["Ann", "'t Hart", "O'Neill", "Jean-Luc", "Ann 2", "D. 7"])
def test_an_ordinary_name_needs_no_guard(name):
    assert guarded(name) == kept(name) == name


@pytest.mark.parametrize("write", FORMS.values(), ids=FORMS)
@given(rows=st.lists(st.tuples(texts, numbers, texts), max_size=5))
@example(rows=[(text, Fraction(1, 3), f"{text} x") for text in HOSTILE])
def test_any_table_comes_back_as_it_was(write, rows):
    table = read_table(write(["name", "points", "note"], rows), "table")
    assert table.headers == ("name", "points", "note")
    assert len(table.rows) == len(rows)
    for (name, points, note), row in zip(rows, table.rows, strict=True):
        assert not row.faults
        assert (row.cells.get("name", ""), row.cells.get("note", "")) == (name, note)
        assert row.cells["points"] == number_text(points)[0]


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_the_same_table_makes_the_same_bytes(form):
    assert write_table(form, ["name"], [["Ann"]]) == write_table(form, ["name"], [["Ann"]])


@given(numbers)
def test_a_number_is_written_exactly_and_without_separators(value):
    text, plain = number_text(value)
    assert Fraction(text) == value
    assert set(text) <= set("-0123456789./")
    assert plain == ("/" not in text and len(text.replace(".", "").lstrip("-0")) <= 15)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("+7", 7),
        ("-2.5", Fraction(-5, 2)),
        ("2,5", Fraction(5, 2)),
        ("2600/3", Fraction(2600, 3)),
        ("4/2", 2),
    ],
)
def test_points_are_read_exactly(text, value):
    assert exact_points(text) == value


@pytest.mark.parametrize(
    "text", ["1,000", "1.000,500", "1 000", "1'000", "1e3", "", "x", "1/0", "½", "٣", "1_0", "nan", "--1"]
)
def test_points_that_could_mean_something_else_are_refused(text):
    with pytest.raises(ValueError, match=r"“{text}” (is not a number|could mean two)"):
        exact_points(text)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_csv_is_read_with_every_separator_mark_and_line_end(delimiter, mark, end):
    lines = [delimiter.join(["Name", "Größe", "x"]), "", delimiter.join(["Zoë", '"a, b; c\td"', ""]), delimiter * 2]
    table = read_table((mark + end.join(lines)).encode(), "entries.csv")
    assert table.headers == ("Name", "Größe", "x")
    assert [(row.line, dict(row.cells)) for row in table.rows] == [(3, {"Name": "Zoë", "Größe": "a, b; c\td"})]


def test_the_separator_that_excel_names_is_taken():
    table = read_table(b"sep=;\r\na,b;c\r\n1;2\r\n", "x.csv")
    assert table.headers == ("a,b", "c")
    assert table.rows[0].line == 3


def test_a_row_is_named_by_the_line_it_begins_on():
    table = read_table(b'a,b\n"one\ntwo",2\n3,4\n', "x.csv")
    assert [row.line for row in table.rows] == [2, 4]


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"", "x.csv", "empty"),
        (b"\xef\xbb\xbf\r\n;;\r\n", "x.csv", "empty"),
        ("name\nZoë".encode("utf-16"), "x.csv", "UTF-16"),
        ("name\nZoë".encode("utf-16-le"), "x.csv", "UTF-16"),
        ("name\nZoë".encode("cp1252"), "x.csv", "Line 2 has characters that are not UTF-8"),
        (b"name\nAnne\nB\0\n", "x.csv", "Line 3 holds bytes"),
        (b'name,b\n1,2\n"open,3\n', "x.csv", "Line 3 .* never closed"),
        (b'name,b\n"a"b,2\n', "x.csv", "Line 2 .* after a closing quotation mark"),
        (b"a" * (LARGEST + 1), "x.csv", "larger than 5 MiB"),
        (b"a\n" + b"1\n" * (ROWS + 1), "x.csv", "more than 50,000 rows"),
        (b",".join([b"a"] * (COLUMNS + 1)), "x.csv", "Line 1 has 61 columns"),
        (b"\xd0\xcf\x11\xe0rest", "x.xls", "password or is an old"),
        (b"%PDF-1.4", "x.pdf", "only"),
        (b"name\nAnn\n", "x.xlsx", "damaged"),
        (b"PK\x03\x04rest", "x.xlsx", "damaged"),
    ],
    ids=range(15),
)
def test_a_file_that_is_no_table_is_refused_with_the_reason(data, name, said):
    with pytest.raises(FileError, match=said) as refused:
        read_table(data, name)
    assert refused.value.code == "bad_file"


def test_a_value_without_a_header_is_a_fault_of_its_row():
    table = read_table(b"name,,b\nAnn,,1\nBob,x,2\nCid,,3,y\n", "x.csv")
    assert [[str(fault) for fault in row.faults] for row in table.rows] == [
        [],
        ["Line 3: “x” stands in column 2, which has no name in the header."],
        ["Line 4: “y” stands in column 4, which has no name in the header."],
    ]
