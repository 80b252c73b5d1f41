"""The log only grows: the database itself refuses anything else."""

import pytest
from django.db import DatabaseError, connection, transaction

from games.engine.session import Kind
from games.models import Event, EventDetail
from tests.games.builders import a_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    table = a_table(4)
    table.deal(1)
    table.step()
    return table


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
    ],
)
def test_no_statement_changes_what_is_logged(table, statement):
    before = list(Event.objects.order_by("seq").values()), list(EventDetail.objects.order_by("seq").values())
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(DatabaseError, match=r"Cannot (update|delete|truncate)"), transaction.atomic():
            cursor.execute(statement)
    assert before == (
        list(Event.objects.order_by("seq").values()),
        list(EventDetail.objects.order_by("seq").values()),
    )


def test_a_reason_alone_may_be_blanked_when_a_persons_data_are_erased(table):
    EventDetail.objects.filter(session=table.row).update(reason="")


def test_the_log_of_a_session_runs_from_one_without_a_gap(table):
    assert list(Event.objects.filter(session=table.row).order_by("seq").values_list("seq", flat=True)) == list(
        range(1, table.row.seq + 1)
    )


def test_ordinary_actions_have_no_detail_and_everything_else_has_one(table):
    with_detail = set(EventDetail.objects.values_list("seq", flat=True))
    for event in Event.objects.all():
        assert (event.seq in with_detail) == (event.kind >= Kind.OPENED)
