"""A receiver of webhooks on this machine, in a thread: it keeps what comes, and answers as it is told."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook as Verifier


@dataclass
class Call:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def event(self) -> str:
        return self.headers["webhook-id"]

    @property
    def type(self) -> str:
        return str(json.loads(self.body)["type"])

    def verified(self, secret: str) -> Any:
        """The payload, if the signature is by that secret; else what the library raises."""
        return Verifier(secret).verify(self.body, self.headers)


Answer = int | tuple[int, dict[str, str], bytes]


class Receiver:
    """`answer` is called with each call and says what it is answered with: a status, or status, headers and body."""

    def __init__(self, answer: Callable[[Call], Answer] = lambda call: 204, *, port: int = 0) -> None:
        self.calls: list[Call] = []
        self.answer = answer
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                call = Call(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                outer.calls.append(call)
                said = outer.answer(call)
                status, headers, text = (said, {}, b"") if isinstance(said, int) else said
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            def do_GET(self) -> None:
                self.do_POST()

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()
        self.port = self.server.server_port
        self.url = f"http://127.0.0.1:{self.port}/hook"

    @property
    def events(self) -> list[str]:
        return [call.event for call in self.calls]

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
