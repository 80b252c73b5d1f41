"""Every row of every table of the project, to see that a refusal or a preview left no trace."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.apps import apps
from django.db import connection

from competitions.facts import CompetitionError
from games.engine.errors import EngineError
from games.errors import Refusal

REFUSALS = (Refusal, CompetitionError, EngineError)


def everything() -> dict[str, list[str]]:
    """By table name its rows, as the database has them. One statement."""
    models = [model for app in ("games", "competitions") for model in apps.get_app_config(app).get_models()]
    tables = sorted({model._meta.db_table for model in models if not model._meta.proxy})
    found: dict[str, list[str]] = {table: [] for table in tables}
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"SELECT '{table}', t::text FROM {table} t" for table in tables))
        for table, row in cursor.fetchall():
            found[table].append(row)
    return {table: sorted(rows) for table, rows in found.items()}


@contextmanager
def refused(code: str, match: str | None = None) -> Iterator[None]:
    """What is done inside is refused with this code and a sentence that matches, and leaves every row as it was."""
    before = everything()
    with pytest.raises(REFUSALS, match=match) as raised:
        yield
    assert getattr(raised.value, "code", None) == code, raised.value
    assert everything() == before
