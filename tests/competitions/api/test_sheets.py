"""Tables to take away that are not read again: what stands in them, and that no cell computes anything."""

import csv
import io

import pytest

from competitions.files.reading import read_table
from games.models import Player, Session
from games.services import players
from tests.api.clients import code_of
from tests.competitions.api.clients import Cup

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    cup = Cup(8, rounds=3)
    cup.league.whole_round(1)
    return cup


def rows(client, path, form="csv"):
    answer = client.get(f"{path}.{form}")
    assert answer.status_code == 200, answer.content
    return [dict(row.cells) for row in read_table(answer.content, f"file.{form}").rows]


def test_a_sessions_table_is_the_one_that_its_page_shows(cup):
    session = cup.league.sessions(1)[0]
    shown = cup.member.get(f"/sessions/{session.public_id}/table").json()["rows"]
    for form in ("csv", "xlsx"):
        found = rows(cup.member, f"/sessions/{session.public_id}/table", form)
        assert [(row["place"], row["seat"], row["player_id"], row["total"]) for row in found] == [
            (str(row["place"]), str(row["seat"] + 1), row["players"][0]["player"]["id"], str(row["total"]))
            for row in shown
        ]


def test_a_clubs_players_and_sessions(cup):
    found = rows(cup.member, "/clubs/river/players")
    assert [row["player_id"] for row in found] == cup.ids
    assert {row["active"] for row in found} == {"yes"}
    found = rows(cup.member, "/clubs/river/sessions")
    assert [(row["session_id"], row["round"], row["table"], row["deals"]) for row in found] == [
        (session.public_id, "1", str(number), "1")
        for number, session in reversed(list(enumerate(cup.league.sessions(1), 1)))
    ]
    assert rows(cup.member, "/clubs/river/sessions") == rows(cup.member, "/clubs/river/sessions", "xlsx")
    assert cup.member.get("/clubs/river/sessions.csv?since=2099-01-01T00:00:00Z").content.count(b"\r\n") == 1


def test_rounds_draws_and_who_met_whom(cup):
    assert [row["status"] for row in rows(cup.member, f"{cup.path}/rounds")] == ["closed", "planned", "planned"]
    drawn = rows(cup.member, f"{cup.path}/rounds/1/draw")
    assert sorted(row["player_id"] for row in drawn) == sorted(cup.ids)
    assert code_of(cup.member.get(f"{cup.path}/rounds/2/draw.csv")) == (404, "not_published")
    assert code_of(cup.member.get(f"{cup.path}/crosstable.csv")) == (404, "not_published")
    cup.post("/publications", {"what": "standings"})
    met = rows(cup.member, f"{cup.path}/crosstable")
    assert len(met) == 8 * 3
    assert {row["times"] for row in met} == {"1"}
    assert sum(int(row["ahead"]) for row in met) == sum(int(row["behind"]) for row in met) == 12


def test_no_cell_of_any_of_them_is_computed_by_a_spreadsheet(cup):
    formula = "=1+1"
    players.create_player(caller=cup.league.caller, club="river", name=formula)
    Player.objects.filter(name="A").update(name=formula)
    Session.objects.filter(pk=cup.league.sessions(1)[0].pk).update(label="=cmd()")
    cup.post("/publications", {"what": "standings"})
    session = cup.league.sessions(1)[0].public_id
    for path in (
        f"/sessions/{session}/table",
        "/clubs/river/players",
        "/clubs/river/sessions",
        f"{cup.path}/rounds/1/draw",
        f"{cup.path}/crosstable",
    ):
        text = cup.member.get(f"{path}.csv").content.decode("utf-8-sig")
        cells = {cell for row in csv.reader(io.StringIO(text)) for cell in row}
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))], path
        assert cells & {"'=1+1", "'=cmd()"}, path
