"""Requests by lot for every operation of the schema, filled in with what there is, and what every answer must be."""

import json
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import schemathesis
from django.core import signals
from django.db import close_old_connections
from schemathesis.checks import CHECKS
from schemathesis.core import NotSet
from schemathesis.generation import GenerationMode

from fantan_site.wsgi import application
from tests.api.clients import Api
from tests.api.contract import SCHEMA, Contract
from tests.competitions.api.clients import Cup

ROLES = ["anonymous", "outsider", "bot", "member", "scorer", "organiser", "superuser"]
"""In this order, so that those who may do the least find things as they were."""

EACH = int(os.environ.get("FUZZ", "2"))
"""Requests for each operation and kind, by lot, each sent as every role; FUZZ=50 for a long search by hand."""

CHECKED = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
]
REFUSED = ["negative_data_rejection", "missing_required_header"]
"""What is asked of answers to requests that the schema does not allow."""


def the_schema(raw: Any) -> Any:
    """The schema as Schemathesis takes it, before our own WSGI application."""
    found = schemathesis.openapi.from_dict(raw)
    found.app = application
    return found


def headers_of(client: Api) -> dict[str, str]:
    return {} if client.user is None else {"Authorization": f"Bearer {client.secret}"}


@contextmanager
def one_connection() -> Iterator[None]:
    """The application runs in the test's own transaction, and would close its connection after each request. (The
    test client of the builders sets this right for itself, and undoes it, so it is done last.)"""
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (signals.request_started, signals.request_finished):
            signal.connect(close_old_connections)


MARKS = ("after", "from_line", "publication", "snapshot", "to")
"""Parameters that are refused unless an answer gave their value out."""


class There:
    """What there is in a world, to be named in requests: most of them would be 404 by lot."""

    def __init__(self, cup: Cup, *, sessions: list[str], other: str) -> None:
        club = cup.league.club
        self.values: dict[str, list[Any]] = {
            "club": [club.slug, "hill"],
            "competition": [cup.league.public_id],
            "number": [1, 2, 1, 3],
            "player": [*cup.ids, other],
            "seat": [0, 1, 2, 3],
            "seq": [1, 2, 3, 5],
            "session": sessions,
        }
        self.values |= {
            "into": self.values["player"],
            "players": self.values["player"],
            "expected_seq": list(range(12)),
        }
        self.values |= {"take": [1], "dealer": [0, 1], "from_round": [1], "round": [1, 2], "from_number": [1]}

    def fill(self, part: Any, lot: random.Random, *, rate: float = 0.85) -> Any:
        """The same with ids and numbers of things that there are, most of the time."""
        if isinstance(part, dict):
            return {name: self.chosen(name, value, lot, rate) for name, value in part.items()}
        return [self.fill(item, lot, rate=rate) for item in part] if isinstance(part, list) else part

    def chosen(self, name: str, value: Any, lot: random.Random, rate: float) -> Any:
        known = self.values.get(name)
        if known is None or lot.random() > rate:
            return self.fill(value, lot, rate=rate)
        if isinstance(value, list):
            return [lot.choice(known) if isinstance(item, str) else self.fill(item, lot, rate=rate) for item in value]
        return lot.choice(known) if isinstance(value, str | int) and not isinstance(value, bool) else value

    def learn(self, path: str, response: Any) -> None:
        """Remember what an answer names, to be named in the requests after it."""
        if response.status_code >= 300 or response.headers.get("content-type") != ["application/json"]:
            return
        body = json.loads(response.content)
        if not isinstance(body, dict):
            return
        view = body.get("view") or {}
        found = {name: body.get(name) for name in ("session", "competition", "seq", "version")}
        found |= {"expected_seq": body.get("seq"), "seat": view.get("to_act")}
        found[path.rpartition("/")[2].removesuffix("s")] = body.get("id")
        for name, value in found.items():
            if value is not None:
                self.values[name] = [value, *self.values.get(name, [])][:8]
        if view.get("legal"):
            self.values["action"] = view["legal"]


def filled(case: Any, there: There) -> Any:
    """The case, its ids and numbers of things that there are where it may have any."""
    lot = random.Random(repr((case.operation.label, case.path_parameters, case.query, case.body)))
    meant = case.meta.generation.mode is GenerationMode.POSITIVE
    if meant or _allowed(case, "path_parameters"):
        case.path_parameters = there.fill(case.path_parameters, lot)
    if meant:
        case.body = there.fill(case.body, lot)
        if case.query and lot.random() < 0.85:
            case.query = {name: value for name, value in case.query.items() if name not in MARKS}
        if "If-Match" in (case.headers or {}) and lot.random() < 0.85:  # by lot no edit would ever be done
            case.headers["If-Match"] = "*"
    return case


def _allowed(case: Any, container: str) -> bool:
    part = {location.container_name: info for location, info in case.meta.components.items()}.get(container)
    return part is not None and part.mode is GenerationMode.POSITIVE


def _harmless(case: Any, response: Any) -> bool:
    """Whether nothing was wrong with it, a body that need not be was left out; or it was too long to be looked at."""
    bare = isinstance(case.body, NotSet) and not case.operation.definition.raw.get("requestBody", {}).get("required")
    return bare or response.status_code in (411, 413)


def check(case: Any, response: Any) -> None:
    """Raises where the answer is none that the schema documents."""
    checked = [name for name in CHECKED if name != "response_schema_conformance" or not case.path.endswith("/stream")]
    if case.meta.generation.mode is GenerationMode.NEGATIVE and not _harmless(case, response):
        checked += REFUSED
    case.validate_response(response, checks=[CHECKS.get_one(name) for name in checked])
    headers = {name: values[0] for name, values in response.headers.items()}
    Contract.committed().check(case.method, case.formatted_path, response.status_code, headers, response.content)


__all__ = ["SCHEMA", "There", "check", "filled", "headers_of", "the_schema"]
