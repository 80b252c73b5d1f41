"""A competition can be rebuilt from the logs, and whatever was changed behind their back is named."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from competitions.audit import audit_competition
from competitions.services import corrections, entries, publishing
from tests.competitions.builders import a_league

pytestmark = pytest.mark.django_db


@pytest.fixture
def played():
    league = a_league(8, rounds=2, tie_breaks=["wins"])
    league.whole_round(1)
    entries.withdraw(**league.about, player=league.player("H").public_id)
    entries.sit_out(**league.about, player=league.player("G").public_id, number=2, bye=True)
    corrections.adjust(**league.about, player=league.player("A").public_id, points="-1.5", reason="late")
    publishing.publish(**league.about, what="standings")
    assert league.standings.ranked == 7
    return league


def test_a_played_competition_says_what_its_logs_say(played):
    assert audit_competition(played.row) == []


CHANGES = [
    ("competition", "competitions_competition", "name = 'X'"),
    ("competition", "competitions_competition", "season = 'X'"),
    ("competition", "competitions_competition", "kind = 'league'"),
    ("competition", "competitions_competition", "format = 'X'"),
    ("competition", "competitions_competition", "public = NOT public"),
    ("competition", "competitions_competition", "starts_on = '2026-01-01'"),
    ("competition", "competitions_competition", "ends_on = '2026-01-01'"),
    ("competition", "competitions_competition", "status = 'finished'"),
    ("event", "competitions_competition", "seq = seq + 1"),
    ("entry", "competitions_entry", "from_round = 9"),
    ("entry", "competitions_entry", "seed = 9"),
    ("entry", "competitions_entry", "withdrawn = 9"),
    ("round", "competitions_round", "title = 'X'"),
    ("round", "competitions_round", "day = '2026-01-01'"),
    ("round", "competitions_round", "status = 'open'"),
    ("table", "competitions_table", "round = round + 1"),
    ("table", "competitions_table", "number = number + 5"),
    ("publication", "competitions_publication", "seq = 1"),
    ("publication", "competitions_publication", "what = 'draw', round = 7"),
    ("publication", "competitions_publication", "at = now()"),
    ("publication", "competitions_publication", "not_before = now()"),
    ("publication", "competitions_publication", "unpublished_by = 1"),
]


@pytest.mark.parametrize(("table", "relation", "change"), CHANGES, ids=[change for *_, change in CHANGES])
def test_a_changed_column_is_named(played, table, relation, change):
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {relation} SET {change}")
    found = audit_competition(played.row)
    assert {difference.table for difference in found} == {table}
    assert found[0].stored != found[0].expected


@pytest.mark.django_db(transaction=True)
def test_standings_that_are_kept_are_folded_again_and_compared(played):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE competitions_folded SET standings = jsonb_set(standings, '{form}', '7')")
    (difference,) = audit_competition(played.row)
    assert difference.table == "standings"


def test_a_missing_row_is_named(played):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM competitions_publication")
    assert {(d.table, d.column, d.stored) for d in audit_competition(played.row)} == {("publication", "row", "missing")}


def test_the_command_audits_competitions_too(played):
    out = StringIO()
    call_command("audit", stdout=out)
    assert "no differences" in out.getvalue()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE competitions_entry SET seed = 3")
    with pytest.raises(SystemExit):
        call_command("audit", stdout=out)
    assert f"competition {played.public_id}: entry" in out.getvalue()
