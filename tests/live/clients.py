"""Clients of streams for tests."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from tests.api.clients import Api


@dataclass(frozen=True)
class Message:
    """One message of a stream; `id` as a number, None where it has none."""

    event: str
    id: int | None
    data: Any


def messages(lines: Iterator[str]) -> Iterator[Message]:
    """The messages in the lines of a stream, as the HTML standard reads them; comments are left out."""
    event, at, data = "message", None, []
    for line in lines:
        if not line:
            if data:
                yield Message(event, at, json.loads("\n".join(data)))
            event, at, data = "message", None, []
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            event = value
        elif name == "id":
            at = int(value)
        elif name == "data":
            data.append(value)


def so_far(client: Api, path: str, *, after: object = None) -> list[Message]:
    """The messages that a stream begins with, from a process that keeps none open."""
    more = {} if after is None else {"HTTP_LAST_EVENT_ID": str(after)}
    answer = client.get(path, **more)
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "text/event-stream"
    assert answer["Cache-Control"] == "no-store"
    return list(messages(iter(answer.content.decode().split("\n"))))


@contextmanager
def watching(
    url: str, path: str, secret: str | None = None, *, after: int | None = None, timeout: float = 10
) -> Iterator[Iterator[Message]]:
    """The messages of a stream as they come. A wait of more than `timeout` seconds raises httpx.ReadTimeout."""
    headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
    if after is not None:
        headers["Last-Event-ID"] = str(after)
    with (
        httpx.Client(base_url=url, timeout=timeout) as client,
        client.stream("GET", f"/api/v1{path}", headers=headers) as answer,
    ):
        if answer.status_code != 200:
            answer.read()
        assert answer.status_code == 200, answer.text
        assert answer.headers["Content-Type"] == "text/event-stream"
        yield messages(answer.iter_lines())
