"""One envelope everywhere: what holds for every operation of the schema, whatever it is about."""

import json
import re

import pytest
from django.test import Client

from tests.api.contract import SCHEMA, Contract
from tests.competitions.api.clients import Cup

METHODS = ("get", "post", "put", "patch", "delete")
WORDS = {"at", "since", "not_before", "due_at", "published_at"}


@pytest.fixture(scope="module")
def schema():
    return json.loads(SCHEMA.read_text())


@pytest.fixture
def cup():
    return Cup(4)


def address(path, cup):
    """An address of the path; what it names need not be there."""
    values = {"club": cup.league.club.slug, "competition": cup.league.public_id, "form": "csv"}
    values |= dict.fromkeys(("number", "seat", "seq"), "1")
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], "k3v9qm2xw7pt"), path)


def refused(answer, status, code):
    assert answer.status_code == status, (answer.wsgi_request.path, answer.content)
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == code
    return answer


@pytest.mark.django_db
def test_what_an_address_does_not_do_it_says_as_every_error(schema, cup):
    for path, methods in schema["paths"].items():
        where = address(path, cup)
        may = {method.upper() for method in METHODS if method in methods}
        for method in ({"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} - may) | {"TRACE"}:
            answer = refused(cup.organiser.generic(method, where), 405, "method_not_allowed")
            named = {one.strip() for one in answer["Allow"].split(",")}
            assert named == may | ({"HEAD"} if "GET" in may else set()), (method, where)


@pytest.mark.django_db
def test_there_is_nothing_at_the_same_address_with_a_slash(schema, cup):
    for path in schema["paths"]:
        refused(cup.organiser.get(f"{address(path, cup)}/"), 404, "not_found")


@pytest.mark.django_db
def test_what_nobody_makes_is_not_acceptable_and_head_is_get_without_a_body(schema, cup):
    for path, methods in schema["paths"].items():
        if "get" not in methods:
            continue
        where = address(path, cup)
        refused(cup.organiser.get(where, HTTP_ACCEPT="image/png"), 406, "not_acceptable")
        got, asked = cup.organiser.get(where), cup.organiser.head(where)
        assert asked.status_code == got.status_code, where
        assert asked.headers["Content-Type"] == got.headers["Content-Type"]
        assert asked.headers.get("ETag") == got.headers.get("ETag")
        assert (b"".join(asked.streaming_content) if asked.streaming else asked.content) == b"", where


@pytest.mark.django_db
def test_no_address_takes_a_parameter_that_it_does_not_name(schema, cup):
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                answer = cup.organiser.generic(method.upper(), f"{address(path, cup)}?colour=red", b"{}")
                assert answer.status_code == 400, (method, path, answer.content)
                assert answer.json()["code"] == "unknown_parameter", (method, path)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1", "/api/v1/", "/api/v2/sessions", "/api/v1/colours"])
def test_where_there_is_nothing_under_the_api_is_said_in_json(path):
    answer = Client().get(path)
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json"), path


def test_every_list_has_one_form(schema):
    contract = Contract(schema)
    for methods in schema["paths"].values():
        for method in METHODS:
            for status, answer in methods.get(method, {}).get("responses", {}).items():
                content = contract.resolved(answer).get("content", {}).get("application/json")
                shape = content and contract.resolved(content["schema"])
                if status == "200" and shape and "results" in shape.get("properties", {}):
                    assert set(shape["properties"]) == set(shape["required"]) == {"results", "next"}
                    named = {contract.resolved(one)["name"] for one in methods[method]["parameters"]}
                    assert {"limit", "after"} <= named, methods[method]["operationId"]


def test_times_have_their_format_and_every_number_is_one(schema):
    for name, shape in schema["components"]["schemas"].items():
        for member, described in shape.get("properties", {}).items():
            where = f"{name}.{member}"
            if member.endswith("_at") or member in WORDS:
                assert described.get("format") == "date-time", where
            if "type" in described and member in (
                "points",
                "total",
                "seat",
                "number",
                "seq",
                "version",
                "place",
                "rank",
            ):
                kinds = {described.get("type")} if isinstance(described.get("type"), str) else set(described["type"])
                assert kinds <= {"integer", "number", "null"} or "array" in kinds, where
