"""The database's own speed: one-row inserts, each its own commit, by pgbench. The yardstick of every write.

The table is a copy of the event log's columns and indexes, without its triggers and foreign keys.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path

from django.db import connection

from devtools.services import postgres_bin
from tests.servers import database_url

SCRIPT = """INSERT INTO bench_insert (at, session_id, actor_id, seq, deal, kind, seat, card)
 VALUES (now(), :client_id, 7, nextval('bench_seq'), 1, 1, 2, 33);"""


def prepare() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS bench_insert")
        cursor.execute("CREATE TABLE bench_insert (LIKE games_event INCLUDING ALL)")
        cursor.execute("CREATE SEQUENCE IF NOT EXISTS bench_seq CACHE 100")


def inserts(clients: int, seconds: float) -> float:
    """Rows a second, over that many connections."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(SCRIPT.replace("\n", ""))
        script.flush()
        command = [str(postgres_bin(os.environ) / "pgbench"), "-n", "-M", "prepared", "-c", str(clients), "-j", "2"]
        command += ["-T", str(max(1, round(seconds))), "-f", script.name, database_url()]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path.cwd())
    found = re.search(r"tps = ([0-9.]+)", done.stdout)
    assert found is not None, done.stdout
    return float(found[1])
