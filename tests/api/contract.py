"""Whether an answer is one that the schema documents: its status, error code, content type, headers and body.

Every client of the tests asks this of every answer that it gets, so the whole suite holds the schema.
"""

import json
import re
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Self

import jsonschema_rs

SCHEMA = Path(__file__).resolve().parent.parent.parent / "docs" / "openapi.json"
PROBLEM = "application/problem+json"
ANYWHERE = {"bad_request", "server_error"}
"""Codes that no operation names: a request that does not reach the API, and a bug of ours."""
NAMED = ("ETag", "Location", "Retry-After", "Link")
"""Headers that an answer has only where the schema says so."""


class Undocumented(AssertionError):
    """An answer that the schema does not have."""


class Contract:
    """The operations of a schema, to hold answers against."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.schema = schema
        self.validators: dict[tuple[str, ...], Any] = {}

    @classmethod
    @cache
    def committed(cls) -> Self:
        return cls(json.loads(SCHEMA.read_text()))

    @cached_property
    def routes(self) -> list[tuple[re.Pattern[str], str]]:
        """Each path as a pattern; those without parameters first, as `/competitions/x/standings.csv` has two."""
        return [
            (re.compile(re.sub(r"\\{(\w+)\\}", r"[^/]+", re.escape(path))), path)
            for path in sorted(self.schema["paths"], key=lambda path: path.count("{"))
        ]

    @cached_property
    def components(self) -> Any:
        return closed(self.schema["components"])

    def check(self, method: str, path: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Raises Undocumented. `path` is without its query string, `headers` without regard to case."""
        headers = {name.lower(): value for name, value in headers.items()}
        found = self.operation(method, path)
        where = f"{method} {path} -> {status}"
        media = headers.get("content-type", "").partition(";")[0]
        problem = json.loads(body) if media == PROBLEM and body else {}
        if status >= 400 and media != PROBLEM:
            raise Undocumented(f"{where}: an error in the form of {media or 'nothing'}")
        if problem.get("code") in ANYWHERE:
            return
        if found is None:
            if problem.get("code") not in ("not_found", "method_not_allowed") and (body or status not in (404, 405)):
                raise Undocumented(f"{where} {problem.get('code', '')}: there is no such operation")
            return
        name, operation = found
        response = self.resolved(operation["responses"].get(str(status)))
        if response is None:
            raise Undocumented(f"{where} {problem.get('code', '')}: {name} has no such answer")
        described = response.get("headers", {})
        if unnamed := [header for header in NAMED if header.lower() in headers and header not in described]:
            raise Undocumented(f"{where}: {name} has no header {', '.join(unnamed)} there")
        for header, form in described.items():
            self.check_header(where, header, self.resolved(form), headers)
        content = response.get("content", {})
        if method == "HEAD" or (not body and not content):
            return
        if media not in content:
            raise Undocumented(f"{where}: {name} has no answer in the form of {media or 'nothing'}")
        if problem and problem["code"] not in content[media]["examples"]:
            raise Undocumented(f"{where}: {name} is not refused with {problem['code']}: put it into its codes")
        if media in (PROBLEM, "application/json"):
            self.check_value(where, (name, str(status), media), content[media]["schema"], json.loads(body))

    def operation(self, method: str, path: str) -> tuple[str, Any] | None:
        """The operation that a request means, by its id."""
        template = next((template for pattern, template in self.routes if pattern.fullmatch(path)), None)
        operation = self.schema["paths"].get(template, {}).get({"HEAD": "get"}.get(method, method.lower()))
        return None if operation is None else (operation["operationId"], operation)

    def check_header(self, where: str, name: str, described: Any, headers: Mapping[str, str]) -> None:
        value = headers.get(name.lower())
        if value is None:
            if described.get("required"):
                raise Undocumented(f"{where}: there is no header {name}")
            return
        wanted = described["schema"].get("type")
        self.check_value(where, (name, wanted), described["schema"], int(value) if wanted == "integer" else value)

    def check_value(self, where: str, key: tuple[str, ...], schema: Any, value: Any) -> None:
        if key not in self.validators:
            whole = {**closed(schema), "components": self.components}
            self.validators[key] = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
        for error in self.validators[key].iter_errors(value):
            at = "/".join(map(str, error.instance_path))
            raise Undocumented(f"{where} {key[0]}: {at or 'the value'}: {error.message[:300]}")

    def resolved(self, part: Any) -> Any:
        while part is not None and "$ref" in part:
            found: Any = self.schema
            for name in part["$ref"].removeprefix("#/").split("/"):
                found = found[name]
            part = found
        return part


def closed(schema: Any) -> Any:
    """The same schema where an object has no members but those that it names. Clients are to expect more of them some
    day; a test is to notice one that is not described."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: item if name in ("example", "examples") else closed(item) for name, item in schema.items()}
    if "properties" in schema and schema.get("type") == "object":
        inner.setdefault("additionalProperties", False)
    return inner
