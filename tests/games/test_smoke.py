import pytest

from games.audit import audit_session
from tests.games.builders import a_table

pytestmark = pytest.mark.django_db


def test_a_session_of_bots_is_played_to_three_wins_and_the_audit_finds_nothing():
    table = a_table(4)
    number = 1
    while table.row.status not in ("finished",):
        table.deal(number)
        table.play_out()
        number += 1
    assert max(row.wins for row in table.row.table_rows.all()) == 3
    assert list(audit_session(table.row)) == []
