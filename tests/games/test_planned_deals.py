"""A session of a planned number of deals is finished once so many count, whatever its scheme says."""

from importlib import import_module

import pytest
from django.db import connection

from games.audit import audit_session
from games.errors import Invalid, Refusal
from games.models import Deal
from games.services import corrections, sessions
from tests.games.builders import NOW, a_table
from tests.games.test_corrections import correct, record, totals

pytestmark = pytest.mark.django_db


def plan(table, deals):
    sessions.configure(
        caller=table.caller, session=table.session, changes={"deals_planned": deals}, now=NOW, door="test"
    )


def counted(table):
    return list(
        Deal.objects.filter(session=table.row, current=True).order_by("number").values_list("counted", flat=True)
    )


def test_the_planned_number_of_deals_finishes_the_session_and_later_ones_are_not_counted():
    table = a_table(4, scheme="card-count", settings={"deals_planned": 2})
    record(table, 1, [2, 3, 1, 0])
    assert table.row.status == "waiting"
    record(table, 2, [2, 0, 2, 1], dealer=1)
    assert table.row.status == "finished"
    record(table, 3, [9, 9, 9, 0], dealer=2)
    assert counted(table) == [True, True, False]
    assert totals(table) == [4, 3, 3, 1]
    assert audit_session(table.row) == []


def test_a_void_deal_is_none_of_those_planned():
    table = a_table(4, scheme="card-count", settings={"deals_planned": 2})
    record(table, 1, [2, 3, 1, 0])
    record(table, 2, [2, 0, 2, 1], dealer=1)
    correct(corrections.void, table, number=1)
    assert table.row.status == "waiting"


def test_a_scheme_that_ends_earlier_ends_the_session():
    table = a_table(4, scheme="card-count:target=3", settings={"deals_planned": 20})
    record(table, 1, [2, 3, 1, 0])
    assert table.row.status == "finished"


def test_the_plan_is_changed_later_and_a_finished_session_goes_on():
    table = a_table(4, scheme="card-count", settings={"deals_planned": 1})
    record(table, 1, [2, 3, 1, 0])
    with pytest.raises(Refusal, check=lambda error: error.code == "session_finished"):
        table.deal(2)
    plan(table, 3)
    assert table.row.status == "waiting"
    record(table, 2, [2, 0, 2, 1], dealer=1)
    plan(table, 1)
    assert (table.row.status, counted(table), totals(table)) == ("finished", [True, False], [2, 3, 1, 0])
    plan(table, None)
    assert (table.row.status, counted(table)) == ("waiting", [True, True])
    assert audit_session(table.row) == []


def test_no_deal_is_due_after_the_last_one_planned():
    table = a_table(3, settings={"deals_planned": 2, "deal_after": 5})
    table.deal(1)
    table.play_out()
    assert table.row.due_at is not None
    table.deal(2)
    table.play_out()
    assert (table.row.status, table.row.due_at) == ("finished", None)


@pytest.mark.parametrize("deals", [0, -1, 1001, "5", 2.0, True])
def test_a_plan_is_a_number_of_deals(deals):
    with pytest.raises(Invalid, match="deals_planned is a number of deals from 1 to 1000, or null"):
        a_table(4, settings={"deals_planned": deals})


def test_the_table_sums_the_cards_left_in_each_seat_over_the_deals_that_count():
    table = a_table(4, scheme="wins:target=2", settings={"deals_planned": 2})
    record(table, 1, [2, 3, 1, 0])
    record(table, 2, [2, 0, 2, 1], dealer=1)
    record(table, 3, [9, 9, 9, 0], dealer=2)
    assert list(table.row.table_rows.order_by("seat").values_list("cards_left", flat=True)) == [4, 3, 3, 1]
    correct(corrections.void, table, number=1)
    assert list(table.row.table_rows.order_by("seat").values_list("cards_left", flat=True)) == [11, 9, 11, 1]


def test_the_migration_sums_what_was_there_before_as_the_projection_does():
    table = a_table(4, scheme="wins:target=2", settings={"deals_planned": 2})
    for number, left in enumerate(([2, 3, 1, 0], [2, 0, 2, 1], [9, 9, 9, 0]), start=1):
        record(table, number, left, dealer=None if number > 1 else 0)
    table.row.table_rows.update(cards_left=0)
    migration = import_module("games.migrations.0002_planned_deals_confirmation_zones")
    with connection.cursor() as cursor:
        cursor.execute(migration.SUM_CARDS_LEFT)
    assert audit_session(table.row) == []
