"""Exports: a club's deals as record text and its results for ratings, against `COPY … TO STDOUT` of the same rows.

4,000 deals are imported. An export reads the log of every deal, its cards and who sat there, replays it and writes its
line; the yardstick is what the database alone takes to hand out the events of those deals, or the deals' own rows. In
one process over one connection, wall time; and how much more memory four times as many deals take.
"""

import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial

from django.db import connection

from bench.club import NOW, a_club
from bench.figures import Figure, in_turn, ratios
from bench.records import SESSION, records
from competitions.bulk import club_results
from games import bulk
from games.engine.record import write
from games.exports import Export
from games.services.importing import import_records

DEALS, FEWER = 4_000, 1_000
SESSIONS_AT_ONCE = 10
"""Sessions in each import."""
EVENTS = "SELECT e.* FROM games_event e JOIN games_session s ON s.id = e.session_id WHERE s.club_id = {} ORDER BY 2, 1"
ROWS = "SELECT d.* FROM games_deal d JOIN games_session s ON s.id = d.session_id WHERE s.club_id = {}"


def measure(rounds: int) -> Iterator[Figure]:
    people = a_club("export")
    club, caller = people.club, people.organiser
    lines = (write(record).encode() for record in records(10**6))
    deals = 0
    small = 0
    while deals < DEALS:
        batch = [(number, next(lines)) for number in range(1, SESSIONS_AT_ONCE * SESSION + 1)]
        import_records(caller=caller, club=club.slug, lines=batch, dry_run=False, now=NOW, door="bench")
        deals += len(batch)
        if deals == FEWER:
            small = _most_memory(lambda: bulk.club_deals(caller, club.slug))
    large = _most_memory(lambda: bulk.club_deals(caller, club.slug))
    spent = in_turn(
        rounds,
        {
            "deals": lambda: _read(bulk.club_deals(caller, club.slug)),
            "results": lambda: _read(club_results(caller, club.slug)),
            "events": partial(_copy, EVENTS.format(club.pk)),
            "rows": partial(_copy, ROWS.format(club.pk)),
        },
    )
    note = f"{deals / sorted(spent['deals'])[rounds // 2]:,.0f} deals/s"
    yield Figure("deals as record text, over COPY of their events", ratios(spent, "events", "deals"), note=note)
    note = f"{deals / sorted(spent['results'])[rounds // 2]:,.0f} deals/s"
    yield Figure("results for ratings, over COPY of the deals' rows", ratios(spent, "rows", "results"), note=note)
    note = f"{large / 2**20:.1f} MB at {deals:,} deals"
    yield Figure(f"memory at {deals:,} deals, over {FEWER:,}", [large / small], at_most=1.25, note=note)


def _read(export: Export) -> float:
    """Seconds until the last byte."""
    start = time.perf_counter()
    for _ in export:
        pass
    return time.perf_counter() - start


def _copy(query: str) -> float:
    start = time.perf_counter()
    with connection.cursor() as cursor, cursor.copy(f"COPY ({query}) TO STDOUT") as copy:
        for _ in copy:
            pass
    return time.perf_counter() - start


def _most_memory(begin: Callable[[], Export]) -> int:
    """The most bytes that Python holds at once while an export is read."""
    _read(begin())  # what is loaded once and kept is not the export's
    tracemalloc.start()
    try:
        _read(begin())
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
