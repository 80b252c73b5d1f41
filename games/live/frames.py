"""Messages as they go over the wire (the HTML standard's `text/event-stream`)."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson

from games.errors import Refusal

MEDIA_TYPE = "text/event-stream"
HEARTBEAT = b":\n\n"
"""A comment, which clients pass over: the connection is alive."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message. `id`: how far its reader has got with it in the log; None where it moves nobody on. `whole`: it is
    the whole state, whatever its reader had."""

    id: int | None
    body: bytes
    whole: bool = False


def frame(event: str, data: Any, *, at: int | None = None) -> Frame:
    """A message with JSON (which has no line breaks) as its data; `at` is its id."""
    place = b"" if at is None else b"id: %d\n" % at
    body = b"event: %s\n%sdata: %s\n\n" % (event.encode(), place, orjson.dumps(data))
    return Frame(at, body, whole=event == "state")


def retry(seconds: float) -> bytes:
    """After how long a client that was cut off may come again."""
    return b"retry: %d\n\n" % round(seconds * 1000)


WHY = {
    "not_an_id": "The id to go on from is not a number.",
    "beyond_the_log": "The id to go on from is beyond what has happened.",
    "too_far_behind": "Too much has happened since.",
    "changed": "What may be seen has changed.",
}
"""Why a reader starts afresh instead of going on."""


def resync(reason: str) -> Frame:
    """Tells a reader to forget what it has: the whole state follows."""
    return frame("resync", {"reason": reason, "detail": f"{WHY[reason]} The whole state follows."})


def end(refusal: Refusal) -> Frame:
    """Tells a reader why the stream ends, as an error of the API would: there is nothing to come back for."""
    problem = {
        "type": "about:blank",
        "title": HTTPStatus(refusal.status).phrase,
        "status": refusal.status,
        "code": refusal.code,
        "detail": refusal.message,
        **refusal.extra,
    }
    return frame("end", problem)
