"""The OpenAPI schema and the list of error codes say what the code does."""

import ast
import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from games.api.codes import SECTIONS, named
from games.management.commands.openapi import errors_text
from tests.api.routes import all_routes
from tests.competitions.api.routes import all_routes as competition_routes

ROOT = Path(__file__).resolve().parent.parent.parent
RAISERS = {
    "BadRequest",
    "CompetitionError",
    "ErrorDetail",
    "Fault",
    "FileError",
    "Forbidden",
    "FormatError",
    "IllegalAction",
    "Invalid",
    "Problem",
    "RecordError",
    "Refusal",
    "SessionError",
    "_refused",
    "wrong",
}
"""Whatever takes a code as its first or second argument."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The schema as the code makes it now."""
    path = tmp_path_factory.mktemp("schema") / "schema.json"
    options = {"format": "openapi-json", "file": str(path), "stdout": StringIO(), "stderr": StringIO()}
    call_command("spectacular", "--validate", "--fail-on-warn", **options)
    return json.loads(path.read_text())


@pytest.fixture(scope="module")
def schema():
    """The schema as it is committed."""
    return json.loads((ROOT / "docs" / "openapi.json").read_text())


def test_the_committed_schema_and_list_of_codes_are_what_the_code_makes(made, schema):
    assert made == schema, "write them: python3 dev.py manage openapi"
    assert (ROOT / "docs" / "errors.md").read_text() == errors_text()


def operations(schema):
    return [
        (path, method, operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
        if method in ("get", "post", "put", "patch", "delete")
    ]


def resolved(schema, part):
    """What a reference refers to; anything else itself."""
    while "$ref" in part:
        found = schema
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        part = found
    return part


def test_the_schema_is_valid_and_has_every_route(schema):
    assert schema["openapi"].startswith("3.1")
    assert len(operations(schema)) == len(all_routes()) + len(competition_routes())


def test_every_operation_is_described_with_examples(schema):
    for path, method, operation in operations(schema):
        where = f"{method} {path}"
        assert operation["summary"], where
        assert len(operation["description"]) > 3, where
        assert operation["tags"], where
        for status, answer in operation["responses"].items():
            response = resolved(schema, answer)
            for media, content in response.get("content", {}).items():
                assert content.get("examples"), (where, status, media)
                assert ("problem+json" in media) == (int(status) >= 400), where
        if "requestBody" in operation and "import" not in path:
            assert operation["requestBody"]["content"]["application/json"]["examples"], where


def test_every_post_takes_a_key_and_actions_need_one(schema):
    for path, method, operation in operations(schema):
        named = [resolved(schema, item) for item in operation.get("parameters", [])]
        keys = [item for item in named if item["name"] == "Idempotency-Key"]
        assert len(keys) == (method != "get"), path
        assert any(item.get("required") for item in keys) == path.endswith("/actions")


OTHERS = {"migrations", "management", "admin"}
"""Folders of code that no address of the API leads to."""


def codes_in_source() -> set[str]:
    """Every code that something in the code base may be refused with."""
    found = set()
    for folder in ("games", "scoring", "competitions", "fantan_site"):
        for path in (ROOT / folder).rglob("*.py"):
            if OTHERS.isdisjoint(path.parts) and path.name != "refusals.py":
                found |= _codes(ast.parse(path.read_text()))
    return found


def _codes(tree: ast.AST) -> set[str]:
    found: list[ast.expr | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in RAISERS or (name == "add" and getattr(node.func, "value", None) is not None):
                found += node.args[:2]
            if name in RAISERS:
                found += [keyword.value for keyword in node.keywords if keyword.arg == "code"]
            if name == "__init__":
                found += node.args[:1]
        elif isinstance(node, ast.arguments):
            named = zip(node.kwonlyargs, node.kw_defaults, strict=True)
            found += [default for argument, default in named if argument.arg == "code"]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(getattr(target, "id", "") == "code" for target in targets):
                found.append(node.value)
            if any(getattr(target, "id", "") in ("FRAMEWORK", "UNIQUE") for target in targets):
                found += [item.elts[1] for item in getattr(node.value, "values", []) if isinstance(item, ast.Tuple)]
                found += [item.elts[0] for item in getattr(node.value, "values", []) if isinstance(item, ast.Tuple)]
        elif isinstance(node, ast.Dict):
            found += [
                value
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant) and key.value == "code"
            ]
    texts = {item.value for item in found if isinstance(item, ast.Constant) and isinstance(item.value, str)}
    return {text for text in texts if re.fullmatch(r"[a-z]+(_[a-z]+)*", text)} - NO_CODES


NO_CODES = {"engine_error", "forced", "wrongful"}
"""The base class's own, which nothing is raised with, and texts beside a code."""


def documented() -> set[str]:
    return {item.name for section in SECTIONS for item in section.codes}


def test_every_code_in_the_code_base_is_in_the_catalogue_and_no_other():
    assert documented() == codes_in_source()


def test_every_code_has_an_example_in_the_schema(schema):
    for name, example in schema["components"]["examples"].items():
        assert example["value"]["code"] == re.sub(r"_[0-9]{3}$", "", name)
        assert example["value"]["detail"], name
        assert example["summary"], name


def test_every_operation_lists_its_codes_each_with_an_example(schema):
    for path, method, operation in operations(schema):
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                [content] = resolved(schema, answer)["content"].values()
                for code, example in content["examples"].items():
                    body = resolved(schema, example)["value"]
                    assert (body["code"], body["status"]) == (code, int(status)), (method, path)


def test_an_operation_cannot_name_a_code_that_the_catalogue_does_not_have():
    with pytest.raises(ValueError, match="put it into the catalogue"):
        named("no_such_code")
    with pytest.raises(ValueError, match="does not come with status 422"):
        named("stale/422")
    assert named("already_seated/422")[1] == 422


def test_the_list_would_notice_a_code_that_is_missing():
    assert "stale" in documented()
    assert {
        "stale",
        "bad_rules",
        "illegal_pass",
        "already_voided",
        "import_faults",
        "busy",
        "bad_file",
        "bad_columns",
    } <= codes_in_source()


@pytest.mark.django_db
def test_the_schema_and_its_page_are_served_to_everybody(client):
    assert client.get("/api/schema/").status_code == 200
    assert client.get("/api/docs/").status_code == 200
