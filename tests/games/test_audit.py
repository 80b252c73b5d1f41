"""The audit replays and rescores everything, and names every projection column that differs, with both values."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from games.audit import audit_session
from games.models import Deal, Occupancy, Player, PointAdjustment, Session, TableRow
from games.services import corrections, players
from tests.games.builders import a_table
from tests.games.test_corrections import correct, record

pytestmark = pytest.mark.django_db

# A value that differs from anything the played session below has, by the column's database type.
OTHER = {
    "boolean": "NOT {c}",
    "jsonb": "'[\"other\"]'",
    "bytea": "'\\x2a'",
    "timestamp with time zone": "'2001-01-01T00:00:00Z'",
}
PRIMARY = {
    Session: {"id", "public_id", "club_id", "created_at", "version", "seq"},
    Deal: {"id", "session_id", "ordinal"},
    Occupancy: {"id", "session_id", "seat", "from_number"},
    TableRow: {"id", "session_id", "seat"},
    PointAdjustment: {"id", "session_id", "seq"},
}
NAMES = {Session: "session", Deal: "deal", Occupancy: "occupancy", TableRow: "table row", PointAdjustment: "adjustment"}


def columns():
    for model, kept in PRIMARY.items():
        for field in model._meta.concrete_fields:
            if field.column not in kept:
                yield model, field


@pytest.fixture
def played():
    """A session with every kind of row: deals of all modes, one void, a substitute, a re-seat, adjustments, a running
    deal."""
    table = a_table(4, settings={"public": False, "turn_seconds": 60, "stand_in": "random"}, people=1)
    table.deal(1)
    table.play_out()
    record(table, 2, [2, 3, 1, 0], dealer=None)
    correct(corrections.void, table, number=2)
    substitute = players.create_player(caller=table.caller, club=table.club.slug, name="Zoë", strategy="random")
    correct(corrections.substitute, table, seat=1, player=substitute, credit="deals")
    swapped = {0: table.players[2].public_id, 2: table.players[0].public_id}
    correct(corrections.reseat, table, seats=swapped, to_number=1)
    adjusted = correct(corrections.adjust, table, seat=2, points=1)
    correct(corrections.undo, table, seq=adjusted.seq)
    correct(corrections.adjust, table, seat=2, points=1)
    table.deal(3)
    table.step()
    return table


def change_behind_the_log(row, field):
    """Give one column of a stored row another value, by SQL."""
    kind = field.db_type(connection).split("(")[0]
    if field.is_relation:
        other = Player.objects.exclude(pk__in=[getattr(row, field.column)]).exclude(name="Zoë").last()
        value = str(other.pk)
    elif kind in OTHER:
        value = OTHER[kind].format(c=field.column)
    elif kind == "varchar":
        value = "'other'"
    else:
        value = "77"
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_session DROP CONSTRAINT session_live")
        cursor.execute(f"UPDATE {row._meta.db_table} SET {field.column} = {value} WHERE id = %s", [row.pk])
    row.refresh_from_db()


def plain(value):
    return bytes(value) if isinstance(value, memoryview) else value


def test_each_projection_column_changed_behind_the_log_is_named_with_both_values(played):
    assert list(audit_session(played.row)) == []
    for model, field in columns():
        rows = model.objects.filter(**({"pk": played.row.pk} if model is Session else {"session": played.row.pk}))
        row = rows.order_by("pk").first()
        before = plain(getattr(row, field.attname))
        with transaction.atomic():
            change_behind_the_log(row, field)
            after = plain(getattr(row, field.attname))
            found = [
                item for item in audit_session(Session.objects.get(pk=played.row.pk)) if item.table == NAMES[model]
            ]
            transaction.set_rollback(True)
        assert [(item.column, item.stored, item.expected) for item in found] == [(field.attname, after, before)]


def test_the_command_says_that_nothing_differs_and_fails_where_something_does(played):
    out = StringIO()
    call_command("audit", stdout=out)
    said = "1 sessions replayed and rescored, 1 clubs and competitions rebuilt from their logs: no differences.\n"
    assert out.getvalue() == said

    TableRow.objects.filter(session=played.row, seat=0).update(total="99")
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("audit", played.session, stdout=out)
    assert ended.value.code == 1
    assert f"session {played.session}: table row 0, total: stored '99', from the log" in out.getvalue()


def test_a_missing_row_and_a_row_too_many_are_named(played):
    TableRow.objects.filter(session=played.row, seat=3).delete()
    TableRow.objects.create(session=played.row, seat=7, place=1, total="0", deals=0, wins=0, players=[])

    found = {(item.row, item.stored, item.expected) for item in audit_session(played.row)}

    assert found == {("3", "missing", "there"), ("7", "there", "missing")}


def test_seq_behind_the_log_is_named(played):
    Session.objects.filter(pk=played.row.pk).update(seq=played.row.seq + 1)

    assert [item.column for item in audit_session(Session.objects.get(pk=played.row.pk))] == ["seq"]
