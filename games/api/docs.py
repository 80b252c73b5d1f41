"""How operations are described in the OpenAPI schema: one call a method, examples included."""

from collections.abc import Mapping, Sequence
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

import games.api.table_refusals  # noqa: F401 - operations name its codes
from games.api.codes import named
from games.api.converters import PublicId
from games.api.openapi import EDITS, LOCATED, REFUSALS, VERSIONED
from games.api.paging import MOST, USUAL


def whole(least: int, most: int = 999_999_999, **more: Any) -> dict[str, Any]:
    """A whole number, as a parameter."""
    return {"type": "integer", "minimum": least, "maximum": most, **more}


PUBLIC_ID = {"type": "string", "pattern": f"^{PublicId.regex}$"}
SLUG = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}
NUMBER = whole(1)
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[ -~]{1,100}$"},
    OpenApiParameter.HEADER,
    description="1 to 100 printable ASCII characters of your choice. A request that is sent again with its key gets "
    "its first answer and does nothing more.",
)
REQUIRED_KEY = OpenApiParameter(KEY.name, KEY.type, OpenApiParameter.HEADER, required=True, description=KEY.description)

PATHS = {
    "club": OpenApiParameter("club", SLUG, OpenApiParameter.PATH, description="The club's slug, as in `riverside`."),
    "session": OpenApiParameter("session", PUBLIC_ID, OpenApiParameter.PATH, description="The session's id."),
    "player": OpenApiParameter("player", PUBLIC_ID, OpenApiParameter.PATH, description="The player's id."),
    "token": OpenApiParameter("token", PUBLIC_ID, OpenApiParameter.PATH, description="The token's id."),
    "number": OpenApiParameter("number", NUMBER, OpenApiParameter.PATH, description="The deal's number, from 1."),
    "seat": OpenApiParameter("seat", whole(0, 7), OpenApiParameter.PATH, description="The seat, from 0."),
    "job": OpenApiParameter("job", PUBLIC_ID, OpenApiParameter.PATH, description="The import's id."),
}
ASKED_FIRST = OpenApiParameter(
    "preview", bool, description="true: only say what would change (200); nothing is stored, no key is used."
)
LIMIT = OpenApiParameter("limit", whole(1, MOST, default=USUAL), description="Results a page.")
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
    media: str | Mapping[str, Any] = "application/json",
    request: Any = None,
    request_example: Any = None,
    path: Sequence[str | OpenApiParameter] = (),
    query: Sequence[OpenApiParameter] = (),
    codes: str = "",
    versioned: bool = False,
    located: bool = False,
    edits: str = "",
    ends: bool = False,
    key: OpenApiParameter | None = None,
    preview: tuple[Any, Any] | None = None,
    dry_run: tuple[Any, Any] | None = None,
) -> Any:
    """Describe a method of a view. `answer` is a serializer or type, `media` its content type (or an example for each
    of several), `preview` answer and example of a correction that is only previewed, `dry_run` of an import.

    `codes` are, in one text, the error codes besides what follows from the rest (`common_codes`), such as `stale`, or
    `already_seated/422` where it is not the code's usual status; the schema's description lists them. `versioned`
    answers carry an ETag and may be 304; `located` ones name what was made in Location. `edits` is the
    address of what is edited, whose ETag the request names in If-Match; the answer has the next one, unless the thing
    `ends`."""
    types = {media: example} if isinstance(media, str) else media
    responses: dict[Any, Any] = {
        (status, each): _answer(answer, "Done.", "answer", shown, status, media=each) for each, shown in types.items()
    }
    for asked, given in (("preview", preview), ("dry_run", dry_run)):
        if given is not None:
            words = f"With `{asked}=true`: nothing is stored."
            responses[200, "application/json"] = _answer(given[0], words, asked, given[1], 200)
    own = codes.split()
    if edits:
        description += f" `If-Match` names the `ETag` of `{edits}`, or is `*`."
        own += ["precondition_required", "precondition_failed"]
    for code in own:
        named(code)  # a code that the catalogue does not have is noticed here
    told = [code for code in own if code.partition("/")[0] != "forbidden"]
    examples = [] if request_example is None else [OpenApiExample("request", request_example, request_only=True)]
    return extend_schema(
        operation_id=operation_id,
        tags=[tag],
        summary=summary,
        description=f"{description} {_refused(told)}".strip(),
        request=request,
        responses=responses,
        examples=examples,
        parameters=[
            *(PATHS[item] if isinstance(item, str) else item for item in path),
            *([] if key is None else [key]),
            *query,
            *([] if preview is None else [ASKED_FIRST]),
        ],
        extensions={
            REFUSALS: [*common_codes(request=request, path=path, key=key), *own],
            VERSIONED: versioned,
            LOCATED: located,
            EDITS: bool(edits) and ("ends" if ends else "goes on"),
        },
    )


def common_codes(*, request: Any, path: Sequence[Any], key: OpenApiParameter | None) -> list[str]:
    """The codes that follow from what an operation takes. Those about tokens follow from the view (openapi.py)."""
    found = ["unknown_parameter", "bad_parameter", "not_acceptable", "throttled", "unavailable"]
    if path:
        found.append("not_found")
    if key is not None:
        found += ["bad_idempotency_key", "key_reused", "busy"]
        found += ["idempotency_key_required"] if key.required else []
        found += ["unreadable_body", "length_required", "too_large", "unsupported_media_type"]
        found += ["empty_body"] if isinstance(request, dict) else ["bad_json", "invalid", "unknown_field"]
    return found


def _refused(codes: Sequence[str]) -> str:
    """The sentence of a description that lists the operation's own codes."""
    names = dict.fromkeys(code.partition("/")[0] for code in codes)
    return f"Refused with {', '.join(f'`{name}`' for name in names)}." if names else ""


def listed(row: type[serializers.Serializer[Any]], name: str) -> type[serializers.Serializer[Any]]:
    """The envelope of a list, as a serializer of its own."""
    members = {
        "results": row(many=True),
        "next": serializers.URLField(allow_null=True, help_text="The next page, null on the last one."),
        "__doc__": "One page of a list.",
    }
    return type(name, (serializers.Serializer,), members)


def _answer(
    shape: Any, description: str, name: str, example: Any, status: int, *, media: str = "application/json"
) -> OpenApiResponse:
    shown = OpenApiExample(name, example, response_only=True, status_codes=[str(status)], media_type=media)
    return OpenApiResponse(shape, description=description, examples=[shown])
