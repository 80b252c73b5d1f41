"""Long exports as streams of lines: what they have in common, and a club's deals as record text."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games import bulk
from games.api.base import ApiView
from games.api.docs import PUBLIC_ID, operation, whole
from games.api.parsing import bad_parameter
from games.api.rendering import JSONRenderer, RecordRenderer, RecordTextRenderer
from games.api.replaying import LINE
from games.api.scopes import Scope
from games.exports import Export, Point
from scoring.wording import mark

MOST_LINES = 999_999_999
MEDIA = "application/x-ndjson"
SNAPSHOT, LINES = "Export-Snapshot", "Export-Lines"

GOING_ON = ("snapshot", "from_line")
RESUMING = [
    OpenApiParameter("snapshot", str, description="Go on with this export: its `Export-Snapshot`."),
    OpenApiParameter("from_line", whole(1), description="With `snapshot`: from this line on, counted from 1."),
]
ABOUT_STREAMS = (
    " Sent from one snapshot of the database, a line at a time; the header `Export-Lines` says how many lines there "
    "are in all, so that a body which broke off is known by its number of lines. It goes on with "
    "`?snapshot=…&from_line=…`, or is refused with `moved_on` where anything has changed since. At most one export "
    "of an account is sent at a time (`busy`)."
)
SINCE = OpenApiParameter(
    "since", str, description="Only deals that ended at or after this time; of those without an end: begun."
)
PLAYER = OpenApiParameter("player", PUBLIC_ID, description="Only deals in which this person had a seat: a player's id.")


def exported(
    operation_id: str,
    *,
    summary: str,
    description: str,
    example: str,
    path: list[Any],
    query: list[OpenApiParameter],
    codes: str = "moved_on busy bad_player",
) -> Any:
    """Describe an export."""
    return operation(
        operation_id,
        tag="exports",
        summary=summary,
        description=description + ABOUT_STREAMS,
        answer=OpenApiTypes.BINARY,
        example=example,
        media=MEDIA,
        path=path,
        query=[*query, *RESUMING],
        codes=codes,
    )


class ExportView(ApiView):
    """A view whose answer is a stream of lines. `parameters` of its GET end with GOING_ON."""

    rates = {"GET": "bulk"}
    renderer_classes = [RecordRenderer, RecordTextRenderer, JSONRenderer]

    def point(self) -> Point | None:
        """Where the client wants to go on; raises `bad_parameter`."""
        snapshot = self.query.values.get("snapshot")
        line = self.query.whole("from_line", least=1, most=MOST_LINES)
        if (snapshot is None) != (line is None):
            raise bad_parameter(
                "from_line" if line is None else "snapshot",
                mark("{parameter} is needed too: the two go together."),
            )
        return None if snapshot is None or line is None else Point(snapshot, line)

    def sent(self, request: Request, begin: Callable[[Point | None], Export], name: str) -> Any:
        """The stream of an export; to a HEAD its headers alone."""
        export = begin(self.point())
        headers = {
            "Content-Disposition": f'attachment; filename="{name}.ndjson"',
            "X-Content-Type-Options": "nosniff",
            SNAPSHOT: export.snapshot,
            LINES: str(export.lines),
        }
        if request.method == "HEAD":
            export.close()
            return HttpResponse(content_type=MEDIA, headers=headers)
        return StreamingHttpResponse(export, content_type=MEDIA, headers=headers)


class ClubDeals(ExportView):
    scopes = {"GET": Scope.SESSIONS_READ}
    parameters = {"GET": ("since", "session", "player", *GOING_ON)}

    @exported(
        "club_deals",
        summary="All deals of a club as record text",
        description="Every deal that is over, of all sessions, a canonical line each (docs/record-format.md), by "
        "session and number. Imported into another club and exported again it gives the same bytes. Points adjusted, "
        "substitutes' credit and who confirmed what are not part of the format. Members of the club.",
        example=LINE,
        path=["club"],
        query=[SINCE, OpenApiParameter("session", str, description="Only of the session with this label."), PLAYER],
    )
    def get(self, request: Request, club: str) -> Any:
        filters = exports_filters(self)
        label = self.query.values.get("session")
        return self.sent(
            request, lambda at: bulk.club_deals(self.caller, club, label=label, **filters, at=at), f"{club}-deals"
        )


def exports_filters(view: ExportView) -> dict[str, Any]:
    """What the exports of deals are filtered by: `since` and `player`."""
    return {"since": view.query.time("since"), "player": view.query.values.get("player")}
