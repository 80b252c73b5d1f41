"""Rows of tables from before shares were kept get them."""

from importlib import import_module

import pytest
from django.db import connection

from games.audit import audit_session
from games.models import TableRow
from games.services import corrections
from tests.games.builders import NOW, a_table

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("credit", ["last", "first", "deals"])
def test_rows_without_shares_get_those_that_the_log_says(credit):
    table = a_table(4, scheme="card-count")
    for number in (1, 2, 3):
        table.deal(number)
        table.play_out()
        if number == 1:
            other = a_table(3, name="hill").players[0]
            other.club = table.club
            other.save()
            corrections.substitute(
                caller=table.caller,
                session=table.session,
                seat=2,
                player=other.public_id,
                credit=credit,
                reason="ill",
                now=NOW,
                door="test",
            )
    assert {str(item["share"]) for item in TableRow.objects.get(session=table.row, seat=2).players} <= {
        "0",
        "1",
        "1/3",
        "2/3",
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE games_tablerow"
            " SET players = (SELECT jsonb_agg(item - 'share') FROM jsonb_array_elements(players) item)"
        )
        assert audit_session(table.row)
        cursor.execute(import_module("games.migrations.0004_shares_of_seats").ADD_SHARES)
    assert audit_session(table.row) == []
