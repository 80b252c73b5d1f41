"""Requests that follow from each other: what one answers is what the next one is about, as each role."""

import copy
import json

import pytest
from hypothesis import HealthCheck, Phase, settings
from schemathesis.generation import GenerationMode

from tests.fuzz.cases import EACH, ROLES, SCHEMA, check, filled, headers_of, one_connection, the_schema

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SOURCES = {
    "session": [("session_open", "201", "/session"), ("session", "200", "/id"), ("sessions", "200", "/results/0/id")],
    "competition": [
        ("competition_create", "201", "/competition"),
        ("competition", "200", "/id"),
        ("club_competitions", "200", "/results/0/id"),
    ],
    "player": [("club_player_create", "201", "/id"), ("club_players", "200", "/results/0/id")],
    "token": [("token_create", "201", "/id")],
    "webhook": [("webhook_create", "201", "/id"), ("club_webhooks", "200", "/results/0/id")],
}
"""Where an answer has the id of a thing that other operations are about."""
STEPS = 20


def linked(raw):
    """The schema with a link from each source to every operation about such a thing."""
    whole = copy.deepcopy(raw)
    by_id = {one["operationId"]: (path, one) for path, methods in whole["paths"].items() for one in methods.values()}
    for name, sources in SOURCES.items():
        targets = [one for one, (path, _) in by_id.items() if f"{{{name}}}" in path]
        for source, status, pointer in sources:
            if source in by_id:
                links = by_id[source][1]["responses"][status].setdefault("links", {})
                for target in targets:
                    links[f"{source}_{target}"] = {
                        "operationId": target,
                        "parameters": {name: f"$response.body#{pointer}"},
                    }
    return whole


@pytest.fixture(scope="module")
def schema():
    found = the_schema(linked(json.loads(SCHEMA.read_text())))
    found.config.generation.update(modes=[GenerationMode.POSITIVE])
    return found


@pytest.mark.parametrize("role", ROLES)
def test_what_follows_from_an_answer_is_documented_too(schema, cup, there, role):
    headers, steps = headers_of(cup.roles[role]), []

    class Machine(schema.as_state_machine()):
        def before_call(self, case):
            filled(case, there)

        def get_call_kwargs(self, case):
            return {"headers": headers}

        def validate_response(self, response, case, additional_checks=None, **kwargs):
            check(case, response)
            there.learn(case.operation.path, response)
            steps.append((case.operation.label, response.status_code))

    with one_connection():
        Machine.run(
            settings=settings(
                max_examples=EACH * 4,
                stateful_step_count=STEPS,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
                deadline=None,
                database=None,
            )
        )
    assert len(steps) > STEPS
    if role == "organiser":
        done = {label for label, status in steps if status < 300 and not label.startswith("GET")}
        assert len(done) >= 3, "the steps hardly lead anywhere"
