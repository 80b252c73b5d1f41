"""How operations are described in the OpenAPI schema: one call a method, examples included."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

PROBLEM = "application/problem+json"


class FieldProblem(serializers.Serializer[Any]):
    """One thing that is wrong: with a field of the body, a parameter, or a line of a file."""

    field = serializers.CharField(required=False, help_text="The field of the body, as in `result.cards_left.2`.")
    parameter = serializers.CharField(required=False, help_text="The query parameter.")
    line = serializers.IntegerField(required=False, help_text="The line of the file, from 1.")
    column = serializers.CharField(required=False, help_text="The column of the file, by its heading.")
    action = serializers.IntegerField(required=False, help_text="The action of the deal, from 0.")
    code = serializers.CharField()
    message = serializers.CharField(required=False)


class Problem(serializers.Serializer[Any]):
    """Every error (RFC 9457). `code` is stable and listed in docs/api.md; `detail` is for people and may change."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    errors = FieldProblem(many=True, required=False)
    action = serializers.IntegerField(required=False, help_text="Index of the refused action in `actions`, from 0.")
    current_seq = serializers.IntegerField(
        required=False, allow_null=True, help_text="With `stale`: where the deal stands."
    )
    session = serializers.CharField(required=False, help_text="With `met`: where the two had seats.")
    version = serializers.IntegerField(required=False, help_text="With `moved_on`: where the competition stands.")
    tables = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="With `results_missing`: at which tables."
    )
    equal = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="With `tie_to_decide`: players between whom to decide."
    )
    scope = serializers.CharField(required=False, help_text="With `scope_needed`: what the token has to be for.")
    next_number = serializers.IntegerField(required=False, help_text="With `wrong_number`: the number to ask for.")


ERRORS: dict[int, tuple[str, str, str]] = {
    400: ("unknown_field", "There is no field 'crad' here.", "The request cannot be read as it is."),
    401: ("not_authenticated", "Authentication credentials were not provided.", "No token, or one that is not valid."),
    403: ("forbidden", "Only a scorer of this club may do this.", "The caller may see this, but not do it."),
    404: ("not_found", "There is no such session, or you may not see it.", "Nothing there that the caller may see."),
    409: ("stale", "The deal has moved on since you looked. Read it again.", "Not as things stand now."),
    413: ("too_large", "The body is longer than 65536 bytes.", "The body is too long."),
    415: ("unsupported_media_type", 'Unsupported media type "text/csv" in request.', "Not a type that is read here."),
    422: ("illegal_play", "9D does not fit; the layout accepts 8D.", "Understood, and refused by the rules."),
    503: ("busy", "Somebody else is writing to this session. Try again in a moment.", "Try again after Retry-After."),
}
KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="1 to 100 printable ASCII characters of your choice. A request that is sent again with its key gets "
    "its first answer and does nothing more.",
)
REQUIRED_KEY = OpenApiParameter(KEY.name, str, OpenApiParameter.HEADER, required=True, description=KEY.description)

PATHS = {
    "club": OpenApiParameter("club", str, OpenApiParameter.PATH, description="The club's slug, as in `riverside`."),
    "session": OpenApiParameter("session", str, OpenApiParameter.PATH, description="The session's id."),
    "player": OpenApiParameter("player", str, OpenApiParameter.PATH, description="The player's id."),
    "number": OpenApiParameter("number", int, OpenApiParameter.PATH, description="The deal's number, from 1."),
    "seat": OpenApiParameter("seat", int, OpenApiParameter.PATH, description="The seat, from 0."),
}
ASKED_FIRST = OpenApiParameter(
    "preview", bool, description="true: only say what would change (200); nothing is stored, no key is used."
)
LIMIT = OpenApiParameter("limit", int, description="Results a page, 1 to 200; 50 unless told.")
AFTER = OpenApiParameter("after", str, description="A cursor as `next` gave it. Follow `next` instead of making one.")


def operation(
    operation_id: str,
    *,
    tag: str,
    summary: str,
    description: str,
    answer: Any,
    example: Any,
    status: int = 200,
    media: str = "application/json",
    request: Any = None,
    request_example: Any = None,
    path: Sequence[str | OpenApiParameter] = (),
    query: Sequence[OpenApiParameter] = (),
    errors: Sequence[int] = (),
    key: OpenApiParameter | None = None,
    preview: tuple[Any, Any] | None = None,
    dry_run: tuple[Any, Any] | None = None,
) -> Any:
    """Describe a method of a view. `answer` is a serializer or type, `errors` the statuses besides what all have,
    `preview` answer and example of a correction that is only previewed, `dry_run` of an import."""
    always = (400, 503) if request is None else (400, 413, 415, 503)
    responses: dict[Any, Any] = {
        (status, media): OpenApiResponse(
            answer, description="Done.", examples=[_example("answer", example, [str(status)])]
        )
    }
    if preview is not None:
        shape, shown = preview
        responses[200, media] = OpenApiResponse(
            shape, description="With `preview=true`: nothing is stored.", examples=[_example("preview", shown, ["200"])]
        )
    if dry_run is not None:
        shape, shown = dry_run
        responses[200, media] = OpenApiResponse(
            shape, description="With `dry_run=true`: nothing is stored.", examples=[_example("dry run", shown, ["200"])]
        )
    for code in sorted({*always, *errors}):
        responses[code, PROBLEM] = OpenApiResponse(Problem, ERRORS[code][2], examples=[_problem(code)])
    examples = [] if request_example is None else [_example("request", request_example, None)]
    return extend_schema(
        operation_id=operation_id,
        tags=[tag],
        summary=summary,
        description=description,
        request=request,
        responses=responses,
        examples=examples,
        parameters=[
            *(PATHS[item] if isinstance(item, str) else item for item in path),
            *([] if key is None else [key]),
            *query,
            *([] if preview is None else [ASKED_FIRST]),
        ],
    )


def listed(row: type[serializers.Serializer[Any]], name: str) -> type[serializers.Serializer[Any]]:
    """The envelope of a list, as a serializer of its own."""
    members = {
        "results": row(many=True),
        "next": serializers.URLField(allow_null=True, help_text="The next page, null on the last one."),
        "__doc__": "One page of a list.",
    }
    return type(name, (serializers.Serializer,), members)


def _example(name: str, value: Any, statuses: list[str] | None) -> OpenApiExample:
    if statuses is None:
        return OpenApiExample(name, value, request_only=True)
    return OpenApiExample(name, value, response_only=True, status_codes=statuses)


def _problem(status: int) -> OpenApiExample:
    code, detail, _ = ERRORS[status]
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "code": code, "detail": detail}
    return OpenApiExample(code, body, response_only=True, status_codes=[str(status)], media_type=PROBLEM)
