"""Every row of every table of the project, to see that a refusal or a preview left no trace."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from competitions.state import CompetitionError
from games.engine.errors import EngineError
from games.errors import Refusal

REFUSALS = (Refusal, CompetitionError, EngineError)


def everything() -> dict[str, list[Any]]:
    """By table name its rows, as the database has them."""
    found = {}
    with connection.cursor() as cursor:
        for app in ("games", "competitions"):
            for model in apps.get_app_config(app).get_models():
                if model._meta.proxy:
                    continue
                table = model._meta.db_table
                cursor.execute(f"SELECT t::text FROM {table} t ORDER BY t::text")
                found[table] = [text for (text,) in cursor.fetchall()]
    return found


@contextmanager
def refused(code: str, match: str | None = None) -> Iterator[None]:
    """What is done inside is refused with this code and a sentence that matches, and leaves every row as it was."""
    before = everything()
    with pytest.raises(REFUSALS, match=match) as raised:
        yield
    assert getattr(raised.value, "code", None) == code, raised.value
    assert everything() == before
