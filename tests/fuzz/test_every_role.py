"""Whatever a client sends, by lot or on purpose, as whoever: no 500, and no answer that the schema does not have."""

import json
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.generation import GenerationMode

from tests.fuzz.cases import EACH, ROLES, SCHEMA, check, filled, headers_of, one_connection, the_schema

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(scope="module")
def schema():
    return the_schema(json.loads(SCHEMA.read_text()))


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["allowed", "not-allowed"])
def test_no_answer_is_undocumented(schema, cup, there, mode):
    clients = {role: headers_of(cup.roles[role]) for role in ROLES}
    asked = set()
    with one_connection():
        for found in schema.get_all_operations():
            ask(found.ok(), mode, there, clients, asked)
    assert len({label for label, _, _ in asked}) > 100
    if mode is GenerationMode.POSITIVE:
        done = {label for label, role, status in asked if role == "organiser" and status < 300}
        assert len(done) > 40, "the lots hardly do anything"


def ask(operation, mode, there, clients, asked):
    """A few requests for one operation, as everybody; each is added to `asked`, with its status."""

    @settings(max_examples=EACH, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None)
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case):
        filled(case, there)
        for role, headers in clients.items():
            note(role)
            response = case.call(headers=headers)
            check(case, response)
            asked.add((operation.label, role, response.status_code))

    with suppress(Unsatisfiable):  # an operation that takes nothing has nothing that is not allowed
        send()
