"""Requests by lot for every operation of the schema, filled in with what there is, and what every answer must be."""

import random
from typing import Any

import schemathesis
from schemathesis.checks import CHECKS
from schemathesis.core import NotSet
from schemathesis.generation import GenerationMode

from fantan_site.wsgi import application
from tests.api.clients import Api
from tests.api.contract import SCHEMA, Contract
from tests.competitions.api.clients import Cup

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


def filled(case: Any, there: There) -> Any:
    """The case, its ids and numbers of things that there are where it may have any."""
    lot = random.Random(repr((case.operation.label, case.path_parameters, case.query, case.body)))
    meant = case.meta.generation.mode is GenerationMode.POSITIVE
    if meant or _allowed(case, "path_parameters"):
        case.path_parameters = there.fill(case.path_parameters, lot)
    if meant:
        case.body = there.fill(case.body, lot)
    return case


def _allowed(case: Any, container: str) -> bool:
    part = {location.container_name: info for location, info in case.meta.components.items()}.get(container)
    return part is not None and part.mode is GenerationMode.POSITIVE


def check(case: Any, response: Any) -> None:
    """Raises where the answer is none that the schema documents."""
    checked = [name for name in CHECKED if name != "response_schema_conformance" or not case.path.endswith("/stream")]
    # A body that may be left out was left out: nothing that is not allowed.
    bare = isinstance(case.body, NotSet) and not case.operation.definition.raw.get("requestBody", {}).get("required")
    names = [*checked, *(REFUSED if case.meta.generation.mode is GenerationMode.NEGATIVE and not bare else [])]
    case.validate_response(response, checks=[CHECKS.get_one(name) for name in names])
    headers = {name: values[0] for name, values in response.headers.items()}
    Contract.committed().check(case.method, case.formatted_path, response.status_code, headers, response.content)


__all__ = ["SCHEMA", "There", "check", "filled", "headers_of", "the_schema"]
