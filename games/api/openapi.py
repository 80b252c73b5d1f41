"""The OpenAPI schema beyond single operations: error answers by code, what a view demands of a token, shared parts."""

from collections.abc import Iterable
from http import HTTPStatus
from inspect import getdoc
from typing import Any

from drf_spectacular.openapi import AutoSchema
from rest_framework.fields import ChoiceField
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly

from games.api.auth import TokenScheme
from games.api.codes import CATALOGUE, named
from games.api.fields import Body, Parsed, Text
from games.scopes import Scope

PROBLEM = "application/problem+json"
REFUSALS = "x-refusals"
VERSIONED = "x-versioned"
LOCATED = "x-located"
EDITS = "x-edits"
"""What an operation keeps of its description until the schema is made: its codes, whether its answer has an ETag or
names what was made, and whether it edits something, whose new ETag its answer then has."""

MEANINGS = {
    400: "The request cannot be read as it is.",
    401: "No token, or one that is not valid.",
    403: "The caller may see this, but not do it.",
    404: "Nothing there that the caller may see.",
    406: "None of the types in `Accept` is made here.",
    409: "Not as things stand now.",
    411: "The body has no length.",
    412: "It has changed since it was read.",
    413: "The body is too long.",
    415: "Not a type that is read here.",
    422: "Understood, and refused by the rules.",
    428: "It has to be said which version is meant.",
    429: "Too many requests. Try again after Retry-After.",
    503: "Try again after Retry-After.",
}
LIMITS = {
    "RateLimit-Limit": ("Requests that may be made in one window.", {"type": "integer", "minimum": 1}),
    "RateLimit-Remaining": ("How many of them are left.", {"type": "integer", "minimum": 0}),
    "RateLimit-Reset": ("Seconds until they are counted afresh.", {"type": "integer", "minimum": 1}),
}
RETRY_AFTER = {"description": "Seconds to wait.", "required": True, "schema": {"type": "integer", "minimum": 1}}
HEADERS: dict[int, dict[str, Any]] = {
    401: {"WWW-Authenticate": {"required": True, "schema": {"type": "string"}}},
    412: {"ETag": {"$ref": "#/components/headers/EditedETag"}},
    429: {
        "Retry-After": RETRY_AFTER,
        **{name: {"description": text, "schema": schema} for name, (text, schema) in LIMITS.items()},
    },
    503: {"Retry-After": RETRY_AFTER},
}


SHARED: dict[str, tuple[int, tuple[str, ...]]] = {
    "NoToken": (401, ("not_authenticated", "bad_token")),
    "BadToken": (401, ("bad_token",)),
    "WrongToken": (403, ("scope_needed",)),
    "Forbidden": (403, ("scope_needed", "forbidden")),
    "NotFound": (404, ("not_found",)),
    "NotAcceptable": (406, ("not_acceptable",)),
    "NoLength": (411, ("length_required",)),
    "TooLarge": (413, ("too_large",)),
    "UnsupportedType": (415, ("unsupported_media_type",)),
    "Throttled": (429, ("throttled",)),
    "Unavailable": (503, ("unavailable",)),
    "Busy": (503, ("unavailable", "busy")),
    "BadQuery": (400, ("unknown_parameter", "bad_parameter")),
    "BadRequest": (
        400,
        (
            "unknown_parameter",
            "bad_parameter",
            "bad_idempotency_key",
            "unreadable_body",
            "bad_json",
            "invalid",
            "unknown_field",
        ),
    ),
}
"""Error answers that many operations have, word for word; they refer to one."""


class ApiSchema(AutoSchema):
    """An operation as its view is: what it is refused with, and what it demands of a token."""

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        if needs := self._needs():
            operation["description"] += f"\n\nFor a token: {' or '.join(f'`{scope}`' for scope in needs)}."
        answers = [operation["responses"][status] for status in ("200", "201") if status in operation["responses"]]
        if operation.pop(VERSIONED, False):
            operation.setdefault("parameters", []).append({"$ref": "#/components/parameters/IfNoneMatch"})
            operation["responses"]["304"] = {"$ref": "#/components/responses/NotModified"}
            for answer in answers:
                answer.setdefault("headers", {})["ETag"] = {"$ref": "#/components/headers/ETag"}
        if {"limit", "after"} <= {item.get("name") for item in operation.get("parameters", [])}:
            for answer in answers:
                answer.setdefault("headers", {})["Link"] = {"$ref": "#/components/headers/Link"}
        if operation.pop(LOCATED, False):
            made = next(status for status in ("201", "202") if status in operation["responses"])
            operation["responses"][made]["headers"] = {"Location": {"$ref": "#/components/headers/Location"}}
        if edits := operation.pop(EDITS, False):
            operation.setdefault("parameters", []).append({"$ref": "#/components/parameters/IfMatch"})
            for answer in answers if edits == "goes on" else []:
                answer.setdefault("headers", {})["ETag"] = {"$ref": "#/components/headers/EditedETag"}
        codes = [*self._token_codes(), *operation.pop(REFUSALS, [])]
        for status, names in sorted(by_status(codes).items()):
            shared = next((name for name, one in SHARED.items() if one == (status, tuple(names))), None)
            operation["responses"][str(status)] = (
                {"$ref": f"#/components/responses/{shared}"} if shared else problem_response(status, names)
            )
        return operation

    def get_auth(self) -> list[dict[str, list[str]]]:
        """A token with one of the scopes; where nobody need log in, also none."""
        super().get_auth()  # puts the scheme into the components
        tokens = [{TokenScheme.name: [str(scope)]} for scope in self._needs()]
        return tokens if self._token_needed() else [*tokens, {}]

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        """Bodies have no fields but those named, and texts that are not empty, as they are read."""
        schema = super()._map_basic_serializer(serializer, direction)
        if isinstance(serializer, Body):
            schema["additionalProperties"] = False
            if schema.get("description") == getdoc(Body):
                del schema["description"]
            for name, field in serializer.fields.items():
                if isinstance(field, Text) and not isinstance(field, Parsed) and not field.allow_blank:
                    schema["properties"][name].setdefault("minLength", 1)
        for name, field in serializer.fields.items():
            found = schema.get("properties", {}).get(name, {})
            if isinstance(field, ChoiceField) and field.allow_null and "enum" in found:
                # Said apart: naming the choices, which comes later, forgets that there may be none.
                kept = {key: value for key, value in found.items() if key == "description"}
                chosen = {"type": "string", "enum": [value for value in found["enum"] if value is not None]}
                schema["properties"][name] = {"oneOf": [chosen, {"type": "null"}], **kept}
        return schema

    def _needs(self) -> tuple[Scope, ...]:
        needs = getattr(self.view, "scopes", {}).get(self.method, ())
        return needs if isinstance(needs, tuple) else (needs,)

    def _token_needed(self) -> bool:
        allowed = self.view.permission_classes
        return not (AllowAny in allowed or (IsAuthenticatedOrReadOnly in allowed and self.method == "GET"))

    def _token_codes(self) -> list[str]:
        """What anybody is refused with who has no token or not the right one."""
        return [*(["not_authenticated"] if self._token_needed() else []), "bad_token", "scope_needed"]


def by_status(codes: Iterable[str]) -> dict[int, list[str]]:
    """Names of codes by the status that each comes with, in order, each once."""
    found: dict[int, dict[str, None]] = {}
    for text in codes:
        item, status = named(text)
        found.setdefault(status, {})[item.name] = None
    return {status: list(names) for status, names in found.items()}


def problem_response(status: int, names: Iterable[str]) -> dict[str, Any]:
    """The error answer of one status, with an example of each code."""
    examples = {name: {"$ref": f"#/components/examples/{example_name(name, status)}"} for name in names}
    content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": examples}}
    response: dict[str, Any] = {"description": MEANINGS[status], "content": content}
    if status in HEADERS:
        response["headers"] = HEADERS[status]
    return response


def example_name(name: str, status: int) -> str:
    return name if status == CATALOGUE[name].statuses[0] else f"{name}_{status}"


def share(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Postprocessing hook: the parts that error answers refer to."""
    components = result.setdefault("components", {})
    components["examples"] = {
        example_name(item.name, status): {"summary": item.meaning, "value": item.example(status)}
        for item in sorted(CATALOGUE.values(), key=lambda item: item.name)
        for status in item.statuses
    }
    components["responses"] = {
        "NotModified": NOT_MODIFIED,
        **{name: problem_response(status, codes) for name, (status, codes) in SHARED.items()},
    }
    components["headers"] = COMPONENT_HEADERS
    components["parameters"] = {"IfMatch": IF_MATCH, "IfNoneMatch": IF_NONE_MATCH}
    components["schemas"] = dict(sorted({**components.get("schemas", {}), **PROBLEM_SCHEMAS}.items()))
    return result


ETAG = {"type": "string", "pattern": '^"[^"]+"$'}
COMPONENT_HEADERS: dict[str, Any] = {
    "Link": {
        "description": 'The next page of a list, `<…>; rel="next"`, as in `next`; on the last page there is none.',
        "schema": {"type": "string"},
    },
    "ETag": {"description": "The version of this answer.", "required": True, "schema": ETAG},
    "EditedETag": {
        "description": "What is edited as it is now: what the next edit names in If-Match.",
        "required": True,
        "schema": ETAG,
    },
    "Location": {
        "description": "The address of what was made.",
        "required": True,
        "schema": {"type": "string", "format": "uri-reference"},
    },
}
IF_MATCH = {
    "in": "header",
    "name": "If-Match",
    "required": True,
    "schema": {"type": "string"},
    "description": "The ETag of what is edited, as it was read or as the last edit answered: where somebody else has "
    "changed it meanwhile, this edit is refused. `*`: whatever it is now. An Idempotency-Key does not cover it.",
    "example": "*",
}
IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "schema": {"type": "string"},
    "description": "An ETag that was got before: as long as it holds the answer is 304, without a body.",
}
NOT_MODIFIED = {
    "description": "What the client has is still so.",
    "headers": {"ETag": {"$ref": "#/components/headers/ETag"}},
}


def _text(description: str = "") -> dict[str, Any]:
    return {"type": "string", "description": description} if description else {"type": "string"}


def _whole(description: str) -> dict[str, Any]:
    return {"type": "integer", "description": description}


PROBLEM_SCHEMAS: dict[str, Any] = {
    "Problem": {
        "type": "object",
        "description": "Every error (RFC 9457). `code` is stable and listed in docs/errors.md; `detail` is for people "
        "and may change. Which further members there are depends on the code.",
        "properties": {
            "type": {"type": "string", "const": "about:blank"},
            "title": _text("The status in words."),
            "status": {
                "type": "integer",
                "enum": sorted({int(item) for item in HTTPStatus if item >= 400} & {*MEANINGS, 405, 500}),
            },
            "code": {"type": "string", "pattern": "^[a-z]+(_[a-z]+)*$"},
            "detail": _text("What is wrong, and what to do."),
            "errors": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"}},
            "action": _whole("The refused action, from 0."),
            "current_seq": {"type": ["integer", "null"], "description": "With `stale`: where the deal stands."},
            "next_number": _whole("With `wrong_number`: the number to ask for."),
            "session": _text("With `met`: where the two had seats."),
            "version": _whole("With `moved_on`: where the competition stands."),
            "tables": {"type": "array", "items": {"type": "integer"}, "description": "With `results_missing`."},
            "table": _whole("With `tie_to_decide`: the table."),
            "equal": {
                "type": "array",
                "items": {"type": "string"},
                "description": "With `tie_to_decide`: players between whom to decide.",
            },
            "wanted": _whole("With `tie_to_decide`: how many of them go on."),
            "token": _text("With `secret_gone`: the token that was made."),
            "scope": _text("With `scope_needed`: what the token has to be for."),
            "limit": _whole("With `too_large`: the most bytes a body may have."),
            "etag": _text("With `precondition_failed`: the ETag of what is there now."),
            "retry_after": _whole("With `busy`: seconds to wait."),
        },
        "required": ["type", "title", "status", "code", "detail"],
    },
    "FieldProblem": {
        "type": "object",
        "description": "One thing that is wrong: with a field of the body, a parameter, or a line of a file.",
        "properties": {
            "field": _text("The field of the body, as in `result.cards_left.2`; empty: the body as a whole."),
            "parameter": _text("The query parameter."),
            "line": _whole("The line of the file, from 1."),
            "column": _text("The column of the file, by its heading."),
            "action": _whole("The action of the deal, from 0."),
            "code": _text(),
            "message": _text(),
        },
        "required": ["code"],
    },
}
