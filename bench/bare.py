"""The barest WSGI application: what the server itself takes, with a body as long as the standings of 100."""

from collections.abc import Callable
from typing import Any

BODY = b'{"results":[' + b"0," * 10_000 + b"0]}"
HEADERS = [("Content-Type", "application/json"), ("Content-Length", str(len(BODY)))]


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    if environ["PATH_INFO"] == "/healthz":
        start_response("200 OK", [("Content-Length", "0")])
        return [b""]
    start_response("200 OK", HEADERS)
    return [BODY]
