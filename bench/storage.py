"""What an action takes on disk: its row in the event log with the indexes, and its byte in the packed form.

Records are imported as any others would be. Imported deals lie in the log one after the other, those of many tables
at once lie mixed, which leaves the pages of the index emptier. So the same events are stored once more in such an
order, in a table with the same columns and indexes.
"""

from collections.abc import Iterator

from django.db import connection

from bench.club import NOW, a_club
from bench.figures import Figure
from bench.records import SESSION, records
from games.engine.record import write
from games.engine.session_events import FIRST_OWN_KIND
from games.services.importing import import_records

ACTIONS = 200_000
SESSIONS_AT_ONCE = 10
"""Sessions in each import."""
LIMIT = 115
"""Bytes an action, with its indexes."""


def measure(rounds: int) -> Iterator[Figure]:
    people = a_club("storage")
    lines = (write(record).encode() for record in records(10**6))
    while _one("SELECT count(*) FROM games_event WHERE kind < %s", int(FIRST_OWN_KIND)) < ACTIONS:
        batch = [(number, next(lines)) for number in range(1, SESSIONS_AT_ONCE * SESSION + 1)]
        import_records(
            caller=people.organiser, club=people.club.slug, lines=batch, dry_run=False, now=NOW, door="bench"
        )
    actions = _one("SELECT count(*) FROM games_event WHERE kind < %s", int(FIRST_OWN_KIND))
    sessions = _one("SELECT count(DISTINCT session_id) FROM games_event")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE bench_event (LIKE games_event INCLUDING ALL)")
        cursor.execute("INSERT INTO bench_event SELECT * FROM games_event ORDER BY seq + 20 * random()")
    note = f"{actions:,} actions; heap {{:.1f}}, indexes {{:.1f}} bytes"
    yield _of_table("bench_event", f"an action in the log, {sessions:,} tables at once", actions, note)
    yield _of_table("games_event", "an action in the log, imported", actions, note)
    packed = _one("SELECT sum(pg_column_size(packed))::float / sum(octet_length(packed)) FROM games_deal")
    yield Figure("an action in the packed form", [packed], "B", at_most=1.2, note="the column with its header")
    deals = _one("SELECT count(*) FROM games_deal")
    for table, what in (("games_deal", "result, points, packed"), ("games_dealcards", "the deck")):
        size = _one(f"SELECT pg_total_relation_size('{table}')")
        yield Figure(f"a deal in {table}, with indexes", [size / deals], "B", note=what)


def _of_table(table: str, name: str, actions: int, note: str) -> Figure:
    heap = _one(f"SELECT pg_table_size('{table}')") / actions
    indexes = _one(f"SELECT pg_indexes_size('{table}')") / actions
    return Figure(name, [heap + indexes], "B", at_most=LIMIT, note=note.format(heap, indexes))


def _one(statement: str, *parameters: object) -> float:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchone()[0]
