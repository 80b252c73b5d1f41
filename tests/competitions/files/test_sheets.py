"""The three sheets come back as they were written, and say what is wrong by line and column."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.files.columns import heading_key
from competitions.files.entries import EntryLine, read_entries, write_entries
from competitions.files.errors import FileError
from competitions.files.reading import write_csv, write_xlsx
from competitions.files.results import DealLine, SeatLine, read_results, write_results
from competitions.files.standings import StandingLine, read_standings, write_standings
from scoring.points import exact
from scoring.tiebreaks import available
from tests.competitions.files.hostile import texts

names = texts.map(lambda text: text.strip()[:80].strip()).filter(bool)
ids = st.text("23456789abcdefghjkmnpqrstuvwxyz", min_size=12, max_size=12) | st.sampled_from(
    ["23456789e234", "234567892345"]
)
rounds = st.integers(1, 100)
forms = st.sampled_from(["csv", "xlsx"])

entries = st.builds(EntryLine, names, ids | st.just(""), st.none() | st.integers(1, 999), rounds, st.none() | rounds)
points = st.integers(-(10**9), 10**9) | st.fractions(-(10**6), 10**6, max_denominator=10**4).map(exact)


@st.composite
def deals(draw):
    count = draw(st.integers(2, 8))
    winner = draw(st.integers(0, count - 1))
    payees = st.integers(0, count - 2)
    passes, paid = draw(st.tuples(st.booleans(), st.booleans()))
    seats = []
    for seat in range(count):
        withheld = tuple(payee + (payee >= seat) for payee in draw(st.lists(payees, max_size=2))) if paid else None
        seats.append(
            SeatLine(
                name=draw(names),
                player_id=f"{seat}{draw(ids)[1:]}",
                cards_left=0 if seat == winner else draw(st.integers(1, 18)),
                forced_passes=draw(st.integers(0, 20)) if passes else None,
                wrongful_passes=draw(st.integers(0, 3)) if passes else None,
                withheld=withheld,
            )
        )
    return DealLine(1, draw(st.integers(1, 3)), 1, draw(st.none() | st.integers(0, count - 1)), tuple(seats))


@given(st.lists(entries, max_size=5, unique_by=lambda row: row.player_id or heading_key(row.name)), forms)
def test_entries_come_back_equal(rows, form):
    sheet = read_entries(write_entries(rows, form), f"entries.{form}")
    assert all("already" in fault.message for fault in sheet.faults)
    assert [row for row in rows if row in sheet.rows] == list(sheet.rows)
    assert len(sheet.rows) + len(sheet.faults) == len(rows)


@given(st.lists(deals(), max_size=3, unique_by=lambda deal: deal.table), forms)
def test_results_come_back_equal(rows, form):
    sheet = read_results(write_results(rows, form), f"results.{form}")
    assert not sheet.faults
    assert list(sheet.rows) == sorted(rows, key=lambda deal: deal.table)


@given(st.data(), forms)
def test_standings_come_back_equal(data, form):
    keys = data.draw(st.permutations(sorted(available())))[:4]
    values = st.lists(st.just("") | names | st.integers(0, 99).map(str), min_size=4, max_size=4)
    rows = []
    for index in range(data.draw(st.integers(0, 4))):
        ties = tuple((key, text) for key, text in zip(keys, data.draw(values), strict=True) if text)
        rank = data.draw(st.none() | st.integers(1, 2000))
        rows.append(StandingLine(rank, data.draw(names), f"{index}{data.draw(ids)[1:]}", data.draw(points), ties))
    sheet = read_standings(write_standings(rows, keys, form), f"standings.{form}")
    assert not sheet.faults
    assert list(sheet.rows) == rows


def test_headings_are_read_in_any_spelling():
    data = write_xlsx(["NAME", "Player-ID", "Séed", "from round"], [["Ann", "", 3, 2]])
    assert read_entries(data, "x").rows == (EntryLine("Ann", "", 3, 2),)


def test_columns_that_are_unknown_missing_or_there_twice_are_named():
    with pytest.raises(FileError) as refused:
        read_standings(write_csv(["Name", "name", "points"], [["Ann", "Ann", 1]]), "x")
    assert refused.value.code == "bad_columns"
    assert [(fault.code, fault.column) for fault in refused.value.faults] == [
        ("doubled_column", "name"),
        ("unknown_column", "points"),
        ("missing_column", "total"),
    ]
    assert "There is no column “points”. The columns are: rank, name," in refused.value.faults[1].message


def test_every_fault_of_every_row_is_told():
    data = (
        "name;player_id;seed;from_round\n"
        "Ann;;1;\n"
        ";;2;\n"
        "Bob;;x;0\n"
        "ann;;;\n"
        "Cid;;1,000;\n"
        f"{'D' * 81};;;\n"
        "Eve;ab2;;;extra\n"
    ).encode()
    sheet = read_entries(data, "x.csv")
    assert sheet.rows == (EntryLine("Ann", "", 1),)
    assert [str(fault) for fault in sheet.faults] == [
        "Line 3, name: is empty, and there is no player_id either.",
        "Line 4, seed: “x” is not a whole number; write digits only, without separators.",
        "Line 4, from_round: is 0, not from 1 to 500.",
        "Line 5: ann stands in line 2 already: a person enters once.",
        "Line 6, seed: “1,000” is not a whole number; write digits only, without separators.",
        "Line 7, name: is longer than 80 characters.",
        "Line 8: “extra” stands in column 5, which has no name in the header.",
    ]


HEADER = "round,table,deal,dealer,seat,name,cards_left,forced_passes\n"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("1,1,1,,1,A,0,\n1,1,1,,1,B,2,", "Line 3: Round 1, table 1, deal 1: seat 1 stands in line 2 already."),
        ("1,1,1,,1,A,0,\n1,1,1,,2,a,2,", "Line 3: Round 1, table 1, deal 1: a sits in seat 1 already"),
        ("1,1,1,,1,A,0,\n1,1,1,,3,B,2,", "a row for each seat, from 1 on, and 2 to 8 of them; here are 1, 3."),
        ("1,1,1,,1,A,0,", "a row for each seat, from 1 on, and 2 to 8 of them; here are 1."),
        ("1,1,1,1,1,A,0,\n1,1,1,2,2,B,2,", "the rows name different dealers."),
        ("1,1,1,5,1,A,0,\n1,1,1,5,2,B,2,", "the dealer is seat 5, and the seats are 1 to 2."),
        ("1,1,1,,1,A,0,\n1,1,1,,2,B,0,", "exactly one seat has no card left; here 2 have."),
        ("1,1,1,,1,A,1,\n1,1,1,,2,B,2,", "exactly one seat has no card left; here none has."),
        ("1,1,1,,1,A,0,1\n1,1,1,,2,B,2,", "forced_passes is given for every seat or for none; seat 2 has none."),
        ("1,1,1,,1,A,0,\n1,1,1,,2,B,99,", "Line 3, cards_left: is 99, not from 0 to 26."),
        ("1,1,1,,0,A,0,\n1,1,1,,1,B,2,", "Line 2, seat: is 0, not from 1 to 8."),
        ("1,1,,,1,A,0,", "Line 2, deal: is empty."),
    ],
)
def test_rows_of_one_deal_are_checked_together(rows, said):
    sheet = read_results((HEADER + rows).encode(), "x.csv")
    assert not sheet.rows
    assert len(sheet.faults) == 1
    assert said in str(sheet.faults[0])


def test_a_deal_with_a_bad_row_spoils_no_other():
    rows = "1,1,1,,1,A,0,\n1,1,1,,2,B,x,\n1,2,1,,2,D,3,\n1,2,1,,1,C,0,"
    sheet = read_results((HEADER + rows).encode(), "x.csv")
    assert sheet.rows == (DealLine(1, 2, 1, None, (SeatLine("C", "", 0), SeatLine("D", "", 3))),)
    assert [fault.line for fault in sheet.faults] == [3]


def test_withheld_sevens_are_known_where_one_seat_says_so():
    rows = b"round,table,deal,seat,cards_left,withheld\n1,1,1,1,0,\n1,1,1,2,2,1 3\n1,1,1,3,3,none\n"
    (deal,) = read_results(rows, "x.csv").rows
    assert [seat.withheld for seat in deal.seats] == [(), (0, 2), ()]
    assert not read_results(rows.replace(b"1 3", b"2"), "x.csv").rows
    assert not read_results(rows.replace(b"1 3", b"all"), "x.csv").rows


def test_seats_are_counted_from_one_in_the_file():
    seats = (SeatLine("A", "", 0, withheld=()), SeatLine("B", "", 2, withheld=(0,)))
    text = write_results([DealLine(1, 1, 1, 1, seats)], "csv").decode("utf-8-sig")
    assert [line.split(",")[3:5] + line.split(",")[-1:] for line in text.splitlines()[1:]] == [
        ["2", "1", "none"],
        ["2", "2", "'1"],  # a text, so with the guard of texts that look like numbers
    ]


def test_points_brought_along_are_exact():
    data = b'name,total\nAnn,2600/3\nBob,"2,5"\nCid,1.25\n'
    assert [row.total for row in read_standings(data, "x.csv").rows] == [
        Fraction(2600, 3),
        Fraction(5, 2),
        Fraction(5, 4),
    ]
