"""What is downloaded is brought in again without a change."""

import pytest

from competitions.downloads import entries_sheet, results_sheet, standings_sheet
from competitions.files.entries import read_entries
from competitions.files.results import read_results
from competitions.files.standings import read_standings
from competitions.services import entries
from competitions.services.importing import import_entries
from competitions.services.results import import_results
from competitions.showing import standings_shown
from games.access import Caller
from games.errors import Forbidden
from games.models import Role
from tests.competitions.builders import a_league
from tests.games.builders import a_member

pytestmark = pytest.mark.django_db
forms = pytest.mark.parametrize("form", ["csv", "xlsx"])


@forms
def test_entries_come_back_without_a_change(form):
    league = a_league(4)
    entries.withdraw(**league.about, player=league.player("C").public_id, from_round=2)
    data = entries_sheet(league.caller, league.row, form)
    assert [(row.name, row.withdrawn_from) for row in read_entries(data, "x").rows] == [
        ("A", None),
        ("B", None),
        ("C", 2),
        ("D", None),
    ]
    seq = league.row.seq
    again = import_entries(**league.about, data=data, name="x", dry_run=False)
    assert (again.seq, again.report["unchanged"]) == (seq, 4)


@forms
def test_results_come_back_without_a_change(form, django_assert_num_queries):
    league = a_league(8, rounds=2)
    league.whole_round(1)
    league.open(2)
    league.play(2)
    caller, row = league.caller, league.row
    with django_assert_num_queries(3):
        data = results_sheet(caller, row, form)
    sheet = read_results(data, "x")
    assert len(sheet.rows) == 4
    assert {seat.name for deal in sheet.rows for seat in deal.seats} == set("ABCDEFGH")
    assert import_results(**league.about, data=data, name="x", dry_run=False).report["unchanged"] == 4
    assert len(read_results(results_sheet(caller, row, form, number=2), "x").rows) == 2


@forms
def test_standings_come_back_with_ranks_totals_and_tie_breaks(form):
    league = a_league(8, tie_breaks=["wins", "direct-encounter"])
    league.whole_round(1)
    table = league.standings
    rows = read_standings(standings_sheet(standings_shown(table), form), "x").rows
    assert [(row.rank, row.total) for row in rows] == [(row.rank, row.total) for row in table.rows]
    assert [dict(row.tie_breaks).get("wins") for row in rows] == [dict(row.tie_breaks)["wins"] for row in table.rows]


def test_members_take_no_results_and_outsiders_no_entries():
    league = a_league(4)
    member = Caller.of(a_member(league.club, "member", Role.MEMBER))
    assert entries_sheet(member, league.row, "csv")
    with pytest.raises(Forbidden):
        results_sheet(member, league.row, "csv")
    with pytest.raises(Forbidden):
        entries_sheet(Caller(0), league.row, "csv")
