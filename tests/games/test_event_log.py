"""The log only grows: the database itself refuses anything else."""

import pytest
from django.db import DatabaseError, connection, transaction

from games.engine.session_events import Kind
from games.models import ClubEvent, Event, EventDetail
from tests.games.builders import a_table
from tests.games.people import add, merge

pytestmark = pytest.mark.django_db


CLUB_COLUMNS = (
    "seq = seq + 100",
    "at = now()",
    "actor_id = actor_id + 1",
    "kind = kind + 1",
    "player_id = player_id - 1",
    "data = '{}'",
    "door = 'api'",
    "club_id = club_id + 1",
)


@pytest.fixture
def table():
    """A hosted deal with one action, and two players of the club merged."""
    table = a_table(4)
    table.deal(1)
    table.step()
    merge(table, add(table, "Ann"), add(table, "Anna"))
    return table


def everything():
    return [list(model.objects.order_by("pk").values()) for model in (Event, EventDetail, ClubEvent)]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_event SET card = 1",
        "DELETE FROM games_event",
        "TRUNCATE games_event CASCADE",
        "UPDATE games_eventdetail SET data = '{}'",
        "UPDATE games_eventdetail SET reason = 'another reason'",
        "UPDATE games_eventdetail SET door = 'api'",
        "UPDATE games_eventdetail SET seq = seq + 100",
        "DELETE FROM games_eventdetail",
        "TRUNCATE games_eventdetail CASCADE",
        "UPDATE games_clubevent SET reason = 'another reason'",
        *(f"UPDATE games_clubevent SET {column}" for column in CLUB_COLUMNS),
        "DELETE FROM games_clubevent",
        "TRUNCATE games_clubevent CASCADE",
    ],
)
def test_no_statement_changes_what_is_logged(table, statement):
    before = everything()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(DatabaseError, match=r"Cannot (update|delete|truncate)"), transaction.atomic():
            cursor.execute(statement)
    assert before == everything()


def test_a_reason_alone_may_be_blanked_when_a_persons_data_are_erased(table):
    EventDetail.objects.filter(session=table.row).update(reason="")
    assert ClubEvent.objects.update(reason="") == 1


def test_the_log_of_a_session_runs_from_one_without_a_gap(table):
    assert list(Event.objects.filter(session=table.row).order_by("seq").values_list("seq", flat=True)) == list(
        range(1, table.row.seq + 1)
    )


def test_ordinary_actions_have_no_detail_and_everything_else_has_one(table):
    with_detail = set(EventDetail.objects.values_list("seq", flat=True))
    for event in Event.objects.all():
        assert (event.seq in with_detail) == (event.kind >= Kind.OPENED)
