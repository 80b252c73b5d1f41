"""The ASGI entry point: streams, and by threads everything else. It refuses to start where `manage.py check` would
complain.

One process of it serves a laptop (dev.py). A server's other requests go to the WSGI processes, which take them with
less work, and its proxy sends */stream here (docs/deploy.md)."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, cast

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fantan_site.settings")

from a2wsgi import WSGIMiddleware
from django.conf import settings

from fantan_site.wsgi import application as wsgi_application
from games.live.readers import close_connections
from games.live.serving import Streams

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Application:
    """See the module."""

    def __init__(self) -> None:
        self.requests: Any = WSGIMiddleware(cast(Any, wsgi_application), workers=settings.ASGI_THREADS)
        self.streams: Streams | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            scope["headers"] = [(name, value) for name, value in scope["headers"] if b"_" not in name]
            wanted = scope["method"] == "GET" and scope["path"].endswith("/stream")
            await (self.streams if wanted and self.streams is not None else self.requests)(scope, receive, send)
        else:
            await self.requests(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """From the server's start to its end."""
        await receive()
        self.streams = Streams(self.requests)
        self.streams.start()
        _on_signal(self.streams.end)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.streams.stop()
        await asyncio.get_running_loop().run_in_executor(None, close_connections, self.requests.executor)
        await send({"type": "lifespan.shutdown.complete"})


def _on_signal(end: Callable[[], None]) -> None:
    """End streams as soon as the server is told to stop: it waits for what is open before it says so here."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)

        def handle(number: int, frame: Any, before: Any = before) -> None:
            loop.call_soon_threadsafe(end)
            if callable(before):
                before(number, frame)

        with contextlib.suppress(ValueError):  # not in the main thread: whoever runs us there stops us himself
            signal.signal(number, handle)


application = Application()
