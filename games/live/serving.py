"""Keeping streams open: what a view has begun goes on as things happen, until one side ends it."""

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from django.conf import settings

from games.access import Caller
from games.errors import Refusal
from games.live import frames
from games.live.hub import Hub, Stream
from games.live.readers import Readers
from games.live.topics import Opening
from games.live.wire import listen
from scoring.wording import say

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

COME_AGAIN = 5
"""Seconds after which somebody who found no room may try again."""


class TooManyStreams(Refusal):
    """This token, or this account on its pages, has as many streams open as one may."""

    status = 429

    def __init__(self, most: int, *, token: bool) -> None:
        message = say("At most {most} streams may be open at once with one token. Close one first.", most=most)
        if not token:
            message = say("You have too many tables open at once. Close one first.")
        super().__init__("too_many_streams", message, retry_after=COME_AGAIN)


class NoRoom(Refusal):
    """This process has as many streams open as it takes."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            "no_room", say("No more streams can be opened here now. Try again soon."), retry_after=COME_AGAIN
        )


class Room:
    """How many streams there may be: of a token, of an account on its pages, of people who are neither, in all. Asked
    in the threads of the views."""

    def __init__(self, *, most: int, each: int) -> None:
        self.most, self.each = most, each
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, caller: Caller) -> None:
        """Raises TooManyStreams, NoRoom."""
        who = caller.counted_as
        with self._lock:
            total, own = self._open.total(), self._open[who]
            if who and own >= self.each:
                raise TooManyStreams(self.each, token=bool(caller.token))
            # Whoever comes as nobody leaves half of the room to those who play.
            if total >= self.most or (not who and own >= self.most // 2):
                raise NoRoom
            self._open[who] += 1

    def give_back(self, caller: Caller) -> None:
        who = caller.counted_as
        with self._lock:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]


class Keeper:
    """What a view finds in its request where its answer can go on: it says so by `open`."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self.opening: Opening | None = None

    def open(self, opening: Opening) -> None:
        """Raises TooManyStreams, NoRoom."""
        self._room.take(opening.caller)
        self.opening = opening


class Streams:
    """The streams of a process. `app` answers their addresses as any others, by the views."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.room = Room(most=settings.STREAMS_PER_PROCESS, each=settings.STREAMS_PER_TOKEN)
        self.readers = Readers(settings.STREAM_READERS)
        self.hub = Hub(self.readers)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to listen and to look; in the loop that serves."""
        hub = self.hub
        listening = listen(settings.REDIS_URL, changed=hub.changed, token=hub.token)
        work = [listening, hub.poll(), hub.heartbeat(settings.STREAM_HEARTBEAT_SECONDS)]
        self._tasks = [asyncio.ensure_future(item) for item in work]

    def end(self) -> None:
        """Let all streams end."""
        self.hub.close()

    async def stop(self) -> None:
        self.end()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.readers.close()

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """A GET for a stream's address: the view's answer, and then what happens."""
        keeper = Keeper(self.room)
        answer: list[Message] = []

        async def keep(message: Message) -> None:
            answer.append(message)

        try:
            await self.app({**scope, "fantan.keeper": keeper}, receive, keep)
            if keeper.opening is None or answer[0]["status"] != 200:
                for message in answer:
                    await send(message)
                return
            await self._go_on(keeper.opening, answer, receive, send)
        finally:
            if keeper.opening is not None:
                self.room.give_back(keeper.opening.caller)

    async def _go_on(self, opening: Opening, answer: list[Message], receive: Receive, send: Send) -> None:
        stream = self.hub.join(opening)
        start, *rest = answer
        headers = [(name, value) for name, value in start["headers"] if name != b"content-length"]
        body = b"".join(message.get("body", b"") for message in rest)
        watch = asyncio.ensure_future(_gone(receive, stream))
        try:
            async with asyncio.timeout(settings.STREAM_SLOW_SECONDS):
                await send({**start, "headers": headers})
                await send({"type": "http.response.body", "body": body, "more_body": True})
            del start, rest, body, answer
            await self._pump(stream, send)
        except TimeoutError:
            _cut_off(send)
        finally:
            self.hub.leave(stream)
            watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch

    async def _pump(self, stream: Stream, send: Send) -> None:
        """Hand on what happens until the stream ends; TimeoutError for a client that does not read."""
        while not stream.gone:
            refusal = stream.refusal()
            if refusal is not None or self.hub.closing:
                body = b"" if refusal is None else frames.end(refusal).body
                async with asyncio.timeout(settings.STREAM_SLOW_SECONDS):
                    await send({"type": "http.response.body", "body": body, "more_body": False})
                return
            new = stream.take()
            if new is None:
                raise TimeoutError
            body = new or (frames.HEARTBEAT if stream.beat else b"")
            if body:
                stream.beat = False
                async with asyncio.timeout(settings.STREAM_SLOW_SECONDS):
                    await send({"type": "http.response.body", "body": body, "more_body": True})
                continue
            stream.awake.clear()
            await stream.awake.wait()


async def _gone(receive: Receive, stream: Stream) -> None:
    """Notice that the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.gone = True
    stream.awake.set()


def _cut_off(send: Send) -> None:
    """End a connection whose client does not read: what waits to be sent is dropped with it."""
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is not None:
        transport.abort()
