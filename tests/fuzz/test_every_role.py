"""Whatever a client sends, by lot or on purpose, as whoever: no 500, and no answer that the schema does not have."""

import json
import os
from contextlib import contextmanager, suppress

import pytest
from django.core import signals
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.generation import GenerationMode

from games.models import User
from tests.competitions.api.clients import Cup
from tests.fuzz.cases import SCHEMA, There, check, filled, headers_of, the_schema

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ROLES = ["anonymous", "outsider", "member", "scorer", "organiser", "superuser", "bot"]
EACH = int(os.environ.get("FUZZ", "2"))
"""Requests for each operation, role and kind, by lot. By hand: FUZZ=50 python3 dev.py test tests/fuzz."""


@contextmanager
def one_connection():
    """The application runs in the test's own transaction, and would close its connection after each request. (The
    test client of the builders sets this right for itself, and undoes it, so it is done last.)"""
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (signals.request_started, signals.request_finished):
            signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def schema():
    return the_schema(json.loads(SCHEMA.read_text()))


@pytest.fixture
def cup():
    return Cup(8, deals=1)


@pytest.fixture
def there(cup):
    """The club's things: a round with tables, a session that is played and one that is open."""
    cup.post("/rounds/1/draw")
    [opened] = cup.post("/rounds/1/open", {"publish": True})["events"][-1:]
    tables = opened["data"]["sessions"]
    played = cup.organiser.post(
        f"/sessions/{tables[0]}/deals", {"number": 1, "dealer": 0, "result": {"cards_left": [0, 1, 2, 3]}}
    )
    assert played.status_code == 201, played.content
    open_one = cup.organiser.post("/clubs/river/sessions", {"players": cup.ids[:4]}).json()["session"]
    return There(cup, sessions=[*tables, open_one], other=User.objects.get(username="root").username)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["allowed", "not-allowed"])
@pytest.mark.parametrize("role", ROLES)
def test_no_answer_is_undocumented(schema, cup, there, role, mode):
    headers = headers_of(cup.roles[role])
    asked = set()
    with one_connection():
        for found in schema.get_all_operations():
            ask(found.ok(), mode, there, headers, asked)
    assert len({label for label, _ in asked}) > 100
    if mode is GenerationMode.POSITIVE and role == "organiser":
        done = {label for label, status in asked if status < 300}
        assert len(done) > 40, sorted(asked)


def ask(operation, mode, there, headers, asked):
    """A few requests for one operation; those made are added to `asked`, with their status."""

    @settings(max_examples=EACH, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None)
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case):
        response = filled(case, there).call(headers=headers)
        check(case, response)
        asked.add((case.operation.label, response.status_code))

    with suppress(Unsatisfiable):  # an operation that takes nothing has nothing that is not allowed
        send()
