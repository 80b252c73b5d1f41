"""What is kept for a time only: idempotency keys, and what webhooks were told. Deleted in batches, each a transaction
of its own."""

from datetime import datetime, timedelta

from django.db import connection

from games.engine.session_events import Kind

KEPT = timedelta(days=30)
BATCH = 2000

# A session that was opened again has its last closing count. A key used after the closing, in a correction, is kept as
# long as one used in no session.
_KEYS_OF_SESSIONS = """
    WITH ended AS MATERIALIZED (
        SELECT session.id FROM games_session session
        WHERE session.status = 'closed'
        AND EXISTS (SELECT FROM games_requestkey key WHERE key.session_id = session.id AND key.created_at < %(before)s)
        AND (
            SELECT max(event.at) FROM games_event event
            WHERE event.session_id = session.id AND event.kind >= 10 AND event.kind = %(closed)s
        ) < %(before)s
        LIMIT 100
    )
    DELETE FROM games_requestkey WHERE id IN (
        SELECT key.id FROM ended JOIN games_requestkey key ON key.session_id = ended.id
        WHERE key.created_at < %(before)s LIMIT %(batch)s
    )
"""
_DELIVERIES = """
    DELETE FROM games_webhookdelivery WHERE id IN (
        SELECT id FROM games_webhookdelivery WHERE created_at < %(before)s LIMIT %(batch)s
    )
"""
_KEYS_OF_NO_SESSION = """
    DELETE FROM games_requestkey WHERE id IN (
        SELECT id FROM games_requestkey WHERE session_id IS NULL AND created_at < %(before)s LIMIT %(batch)s
    )
"""


def drop_keys(*, now: datetime) -> int:
    """Delete a batch of idempotency keys: used in a session closed 30 days ago, or 30 days ago in none. Returns how$
    many there were; 0 where none is left. Until then a request that is sent again gets its first answer."""
    values: dict[str, datetime | int] = {"before": now - KEPT, "closed": int(Kind.CLOSED), "batch": BATCH}
    with connection.cursor() as cursor:
        for statement in (_KEYS_OF_SESSIONS, _KEYS_OF_NO_SESSION):
            cursor.execute(statement, values)
            if cursor.rowcount:
                return int(cursor.rowcount)
    return 0


def drop_deliveries(*, now: datetime) -> int:
    """Delete a batch of what webhooks were told 30 days ago, or were to be told. Returns how many there were."""
    with connection.cursor() as cursor:
        cursor.execute(_DELIVERIES, {"before": now - KEPT, "batch": BATCH})
        return int(cursor.rowcount)
