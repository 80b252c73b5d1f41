"""The addresses of a session's streams.

A view checks a request like every other and answers with the messages that there are so far. In a process that keeps
streams open (fantan_site/asgi.py) the answer goes on from there; in any other it ends with them, and a client comes
again after `retry`, where it left off."""

from collections.abc import Hashable

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games import selectors
from games.api.base import ApiView, PublicReadView
from games.api.docs import operation
from games.api.play import OWN, SPECTATOR, VIEW
from games.api.rendering import JSONRenderer
from games.api.scopes import Scope
from games.live import frames
from games.live.frames import Frame
from games.live.sessions import Sessions, Viewer
from games.live.topics import START, Opening, Source, resumed

PARAMETERS = ("last_event_id",)
HEADERS = {"X-Accel-Buffering": "no"}
"""Tells nginx to hand on each message as it comes."""

SESSIONS = Sessions()


ACTION = {
    "session": VIEW["session"],
    "seq": 70,
    "deal": 2,
    "seat": 1,
    "action": "9D",
    "at": "2026-11-29T20:05:00.000000Z",
    "deal_over": False,
    "winner": None,
    "to_act": 2,
}
"""An action on a spectator's stream."""

BEGINNING = (
    "Messages as in the HTML standard: `event`, `id` (the seq of the log up to which the client has all of it) and "
    "`data`, a JSON object. Without `Last-Event-ID` the first is `state`; with it, what happened since, and no state. "
    "A comment comes every 15 seconds; `resync` tells the client to forget what it has, as the next message is a "
    "`state`; `end` says as a problem why the stream ends for good. docs/api.md tells all of it."
)
LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID", str, OpenApiParameter.HEADER, description="The last `id` that came: the stream goes on after it."
)
RESUMING = [
    LAST_EVENT_ID,
    OpenApiParameter("last_event_id", str, description="The same, for clients that cannot send the header."),
]


def example(*messages: Frame) -> str:
    """The beginning of a stream, for the schema's examples."""
    return (frames.retry(2) + b"".join(message.body for message in messages)).decode()


class EventStreamRenderer(JSONRenderer):
    """Streams; errors are JSON as everywhere."""

    media_type = frames.MEDIA_TYPE
    format = "events"


class StreamView(ApiView):
    """A view of a stream."""

    parameters = {"GET": PARAMETERS}
    renderer_classes = [EventStreamRenderer, JSONRenderer]  # type: ignore[misc]

    def stream(self, request: Request, source: Source, public_id: str, viewer: Hashable) -> HttpResponse:
        """Raises what the stream's gate refuses with, and `too_many_streams`."""
        text = request.headers.get("Last-Event-ID", self.query.values.get("last_event_id"))
        at = START if text is None else resumed(text)
        first = source.read(public_id, {viewer: at}, now=timezone.now())[viewer]
        refusal = first.gate.refusal(self.caller)
        if refusal is not None:
            raise refusal
        keeper = request.META.get("asgi.scope", {}).get("fantan.keeper")
        if keeper is not None:
            keeper.open(Opening(source, public_id, viewer, self.caller, self.scopes["GET"], first))
        body = frames.retry(settings.STREAM_RETRY_SECONDS) + b"".join(frame.body for frame in first.frames)
        return HttpResponse(body, content_type=frames.MEDIA_TYPE, headers=HEADERS)


class SessionStream(StreamView, PublicReadView):
    scopes = {"GET": Scope.SESSIONS_READ}

    @operation(
        "session_stream",
        tag="streams",
        summary="Watch a session",
        description="Everything that happens, as everybody may see it. `state` is as in reading the view; then one "
        "message an event: `action` as the answer to playing it, `change` as the view after it with the event as "
        "`change`. " + BEGINNING,
        answer=str,
        example=example(
            frames.frame("state", {**VIEW, "view": SPECTATOR}, at=69), frames.frame("action", ACTION, at=70)
        ),
        media=frames.MEDIA_TYPE,
        path=["session"],
        query=RESUMING,
        codes="too_many_streams no_room",
    )
    def get(self, request: Request, session: str) -> HttpResponse:
        row = selectors.visible_session(self.caller, session)
        return self.stream(request, SESSIONS, session, Viewer.of(self.caller, row))


class SeatStream(StreamView):
    scopes = {"GET": Scope.SESSIONS_PLAY}

    @operation(
        "seat_stream",
        tag="streams",
        summary="Watch from my seat",
        description="The same as the seat sees it: `view` has the seat's hand and what it may do, in every message. "
        "For the account that plays the seat and for nobody else (`not_your_seat`); it ends when another account "
        "plays it. " + BEGINNING,
        answer=str,
        example=example(
            frames.frame("state", {**VIEW, "view": {**SPECTATOR, **OWN}}, at=69),
            frames.frame("action", {**ACTION, "view": {**OWN, "hand": ["2C", "TD", "6S", "8S"], "legal": []}}, at=70),
        ),
        media=frames.MEDIA_TYPE,
        path=["session", "seat"],
        query=RESUMING,
        codes="not_your_seat too_many_streams no_room",
    )
    def get(self, request: Request, session: str, seat: int) -> HttpResponse:
        return self.stream(request, SESSIONS, session, Viewer(seat))
