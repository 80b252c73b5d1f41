"""From the logs to webhooks: each event once, in order, from the moment on that a webhook is made."""

from datetime import timedelta

import pytest

from games.services import corrections, sessions
from tests.games.builders import NOW, a_table
from tests.webhooks.builders import a_webhook, tell, told

pytestmark = pytest.mark.django_db


def of(table, **more):
    return {"caller": table.caller, "session": table.session, "now": NOW, "door": "test", **more}


def test_a_session_is_told_from_its_first_deal_to_its_end():
    table = a_table(4, scheme="wins:target=1")
    webhook = a_webhook(table.club, table.caller)
    table.deal(1)
    tell()
    assert [kind for kind, _ in told(webhook)] == ["session.frozen", "session.dealer_drawn", "session.dealt"]
    table.play_out()
    tell()
    sessions.close(**of(table))
    tell()
    seq = table.row.seq
    assert told(webhook)[3:] == [
        ("session.deal_finished", seq - 1),
        ("session.finished", seq - 1),
        ("session.closed", seq),
    ]


def test_what_was_before_a_webhook_is_not_told_to_it():
    table = a_table(4)
    table.deal(1, now=NOW - timedelta(seconds=1))
    early = a_webhook(table.club, table.caller)
    corrections.adjust(**of(table, now=NOW + timedelta(seconds=1)), seat=0, points=1, reason="r")
    late = a_webhook(table.club, table.caller, now=NOW + timedelta(seconds=2))
    corrections.adjust(**of(table, now=NOW + timedelta(seconds=3)), seat=0, points=1, reason="r")
    tell()
    assert [kind for kind, _ in told(early)] == ["session.adjusted", "session.adjusted"]
    assert [kind for kind, _ in told(late)] == ["session.adjusted"]
