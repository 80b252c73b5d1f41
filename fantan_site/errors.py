"""The one map from what went wrong to what a client is told: application/problem+json with a stable `code`.

Every refusal of the engine, the services and the framework has a place here (docs/api.md lists the codes). What has
none is a bug: it is logged and answered with 500, without details.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.template.loader import render_to_string
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response

from competitions.facts import CompetitionError
from competitions.services.checking import BAD
from games.engine.errors import EngineError
from games.engine.session import SessionError
from games.errors import Refusal, refusal_of
from games.wording import said
from scoring.schemes import BadScheme
from scoring.wording import say

PROBLEM = "application/problem+json"
RETRY_SECONDS = 1

FRAMEWORK: dict[type[exceptions.APIException], tuple[int, str]] = {
    exceptions.ParseError: (400, "bad_json"),
    exceptions.NotAuthenticated: (401, "not_authenticated"),
    exceptions.AuthenticationFailed: (401, "bad_token"),
    exceptions.PermissionDenied: (403, "forbidden"),
    exceptions.NotFound: (404, "not_found"),
    exceptions.MethodNotAllowed: (405, "method_not_allowed"),
    exceptions.NotAcceptable: (406, "not_acceptable"),
    exceptions.UnsupportedMediaType: (415, "unsupported_media_type"),
    exceptions.Throttled: (429, "throttled"),
}

NOWHERE = ("no_such_round", "no_such_event")
"""Codes of what a competition does not have."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One error as a client sees it. `extra` are further members: `errors`, `current_seq`, …"""

    status: int
    code: str
    detail: str
    extra: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def body(self) -> dict[str, Any]:
        return {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": said(self.detail),
            **all_said(self.extra),
        }


def all_said(value: Any) -> Any:
    """JSON with every sentence in it said in the language of this request."""
    if isinstance(value, Mapping):
        return {name: all_said(item) for name, item in value.items()}
    if isinstance(value, list):
        return [all_said(item) for item in value]
    return said(value)


def exception_handler(error: Exception, context: Any) -> Response | None:
    """Django REST framework's hook. None for a bug: the server answers it with `server_error`."""
    problem = problem_of(error)
    if problem is None:
        return None
    return Response(problem.body(), status=problem.status, headers=dict(problem.headers), content_type=PROBLEM)


def problem_of(error: Exception) -> Problem | None:
    """The problem that an exception stands for; None for a bug."""
    match error:
        case Refusal():
            found = {"Retry-After": error.extra.get("retry_after"), "ETag": error.extra.get("etag")}
            headers = {name: str(value) for name, value in found.items() if value is not None}
            return Problem(error.status, error.code, error.message, error.extra, headers)
        case SessionError():
            return Problem(404 if error.code == "no_such_deal" else 409, error.code, error.message)
        case EngineError():
            at = getattr(error, "action", None)
            return Problem(422, error.code, error.message, {} if at is None else {"action": at})
        case CompetitionError():
            return Problem(404 if error.code in NOWHERE else 409, error.code, error.message)
        case BadScheme():
            return Problem(422, error.code, str(error))
        case exceptions.ValidationError():
            errors = _field_errors(error.get_full_details())
            return Problem(400, "invalid", say("The body has fields that cannot be taken."), {"errors": errors})
        case exceptions.APIException():
            return _of_framework(error)
        case Http404():
            return Problem(404, "not_found", say("There is nothing at this address."))
        case UnreadablePostError():
            return Problem(400, "unreadable_body", say("The body could not be read to its end."))
        case SuspiciousOperation():
            return Problem(400, "bad_request", say("The request cannot be read."))
        case IntegrityError() | OperationalError() | InterfaceError():
            return _of_database(error)
        case _ if isinstance(error, BAD):
            return Problem(422, str(getattr(error, "code", "bad_settings")), str(error))
    return None


def _of_framework(error: exceptions.APIException) -> Problem | None:
    found = next((FRAMEWORK[kind] for kind in type(error).__mro__ if kind in FRAMEWORK), None)
    if found is None:
        return None
    headers = {}
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait))
    return Problem(*found, str(error.detail), headers=headers)


def _of_database(error: Exception) -> Problem | None:
    refusal = refusal_of(error)
    if refusal is not None:
        return problem_of(refusal)
    if isinstance(error, IntegrityError):
        return None
    headers = {"Retry-After": str(RETRY_SECONDS)}
    return Problem(503, "unavailable", say("The database does not answer. Try again in a moment."), headers=headers)


def _field_errors(details: Any, path: str = "") -> list[dict[str, str]]:
    """The errors of a body, flat: `field` is a path such as `result.cards_left.2`, empty for the body as a whole."""
    if isinstance(details, list):
        return [found for item in details for found in _field_errors(item, path)]
    if set(details) == {"message", "code"} and isinstance(details["message"], str):
        return [{"field": path, "code": str(details["code"]), "message": str(details["message"])}]
    return [
        found
        for name, inner in details.items()
        for found in _field_errors(inner, path if name == "non_field_errors" else f"{path}.{name}".lstrip("."))
    ]


# -- outside the API's views: addresses that do not exist, requests that Django refuses, bugs


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler400."""
    problem = Problem(400, "bad_request", say("The request cannot be read."))
    if _is_api(request):
        return answer(problem)
    # Not Django's own: it reads the form first, which is what could not be read.
    return HttpResponse(render_to_string("400.html", {"request": request}), status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler404."""
    problem = Problem(404, "not_found", say("There is nothing at this address."))
    return answer(problem) if _is_api(request) else defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """handler500: a bug, which the log has and the client does not."""
    problem = Problem(500, "server_error", say("Something went wrong on our side. It has been logged."))
    return answer(problem) if _is_api(request) else defaults.server_error(request)


def _is_api(request: HttpRequest) -> bool:
    return f"{request.path}/".startswith("/api/")


def answer(problem: Problem) -> JsonResponse:
    headers = {**problem.headers, "Cache-Control": "no-store"}
    return JsonResponse(problem.body(), status=problem.status, headers=headers, content_type=PROBLEM)
