"""What a process knows of the things that its streams watch: one look at the log for all who watch the same.

A hint (wire), or the look that the hub itself takes every POLL seconds, says that something has moved on. It is then
read once for each kind of viewers and handed to all of them. All this runs in one event loop; the reading is done in
the readers' threads.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import Error
from django.utils import timezone

from games.access import Caller
from games.api.auth import callers_of
from games.api.cookies import callers_logged_in
from games.errors import Refusal
from games.live.frames import Frame
from games.live.readers import Readers
from games.live.topics import Batch, From, Opening, Source
from games.scopes import Needs
from scoring.wording import say

log = logging.getLogger(__name__)

POLL = 2.0
KEPT_FRAMES = 500
KEPT_BYTES = 1024 * 1024
"""What a feed keeps for viewers who are slower than others."""


class BadToken(Refusal):
    """The stream's token opens nothing any more."""

    status = 401

    def __init__(self) -> None:
        super().__init__("bad_token", say("The token is revoked or expired, or its account is closed."))


class LoggedOut(Refusal):
    """Whoever opened the stream from a page is logged in there no more."""

    status = 401

    def __init__(self) -> None:
        super().__init__("not_authenticated", say("You are logged out. Log in again."))


class Feed:
    """What one kind of viewers of one thing gets: its last messages, and who may see them.

    Messages are counted in the order in which they came: `count` of them, of which `frames` holds the last."""

    def __init__(self, first: Batch) -> None:
        self.last = replace(first, frames=())
        self.frames: deque[Frame] = deque()
        self.size = 0
        self.count = 0
        self.floor = 0  # the last event whose message is no longer kept
        self.streams: set[Stream] = set()

    def add(self, batch: Batch) -> None:
        self.last = replace(batch, frames=())
        for frame in batch.frames:
            self.frames.append(frame)
            self.size += len(frame.body)
            self.count += 1
        while self.frames and (len(self.frames) > KEPT_FRAMES or self.size > KEPT_BYTES):
            gone = self.frames.popleft()
            self.size -= len(gone.body)
            self.floor = max(self.floor, gone.id or 0)

    def place_after(self, seq: int) -> int:
        """The place before the first message after event `seq`; one that `since` refuses where that is not kept."""
        if seq >= self.last.upto:
            return self.count
        if seq < self.floor:
            return -1
        later = (i for i, frame in enumerate(self.frames) if frame.id is not None and frame.id > seq)
        return self.count - len(self.frames) + next(later, len(self.frames))

    def since(self, place: int) -> Iterator[Frame] | None:
        """The messages after the first `place`; None where they are no longer kept."""
        missing = self.count - place
        if missing > len(self.frames):
            return None
        return islice(self.frames, len(self.frames) - missing, None)


@dataclass(eq=False)
class Stream:
    """One open stream: who watches, and how far it has got: `place` counts the feed's messages, `after` is the event up
    to which the client has what it may see. `ended` says why it must end, if so."""

    caller: Caller
    needs: Needs
    topic: "Topic"
    viewer: Hashable
    feed: Feed
    place: int
    after: int
    ended: Refusal | None = None
    gone: bool = False
    beat: bool = False
    awake: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self) -> bytes | None:
        """What is to be sent now; None where the client is too far behind."""
        found = self.feed.since(self.place)
        if found is None:
            return None
        self.place = self.feed.count
        new = (frame for frame in found if frame.id is None or frame.whole or frame.id > self.after)
        return b"".join(frame.body for frame in new)

    def refusal(self) -> Refusal | None:
        """Why nothing more may be sent, if so."""
        return self.ended or self.feed.last.gate.refusal(self.caller)


class Topic:
    """One thing that is watched."""

    def __init__(self, source: Source, public_id: str) -> None:
        self.source, self.public_id = source, public_id
        self.feeds: dict[Hashable, Feed] = {}
        self.head: Hashable = None
        self.moved = False
        self.reading: asyncio.Task[None] | None = None
        self.alarm: asyncio.TimerHandle | None = None


class Hub:
    """All streams of a process."""

    def __init__(self, readers: Readers) -> None:
        self.readers = readers
        self.topics: dict[tuple[str, str], Topic] = {}
        self.streams: set[Stream] = set()
        self.closing = False
        self._tasks: set[asyncio.Future[None]] = set()

    # -- coming and going

    def join(self, opening: Opening) -> Stream:
        """A stream that goes on after what its view has given."""
        key = (opening.source.name, opening.public_id)
        topic = self.topics.get(key)
        if topic is None:
            topic = self.topics[key] = Topic(opening.source, opening.public_id)
        feed = topic.feeds.get(opening.viewer)
        if feed is None:
            feed = topic.feeds[opening.viewer] = Feed(opening.first)
        upto = opening.first.upto
        stream = Stream(opening.caller, opening.needs, topic, opening.viewer, feed, feed.place_after(upto), upto)
        feed.streams.add(stream)
        self.streams.add(stream)
        self._set_alarm(topic, opening.first.again_at)
        self.look(topic)
        return stream

    def leave(self, stream: Stream) -> None:
        stream.feed.streams.discard(stream)
        self.streams.discard(stream)
        topic = stream.topic
        if not stream.feed.streams and topic.feeds.get(stream.viewer) is stream.feed:
            del topic.feeds[stream.viewer]
        if not topic.feeds:
            if topic.alarm is not None:
                topic.alarm.cancel()
            self.topics.pop((topic.source.name, topic.public_id), None)

    def close(self) -> None:
        """Let all streams end: the process stops."""
        self.closing = True
        wake(self.streams)

    # -- something has happened

    def changed(self, kind: str, public_id: str) -> None:
        """A hint. Without a name: hints may have been lost."""
        if not kind:
            for topic in self.topics.values():
                self.look(topic)
        elif (kind, public_id) in self.topics:
            self.look(self.topics[kind, public_id])

    def token(self, token: int) -> None:
        """A token's rights have changed."""
        if own := [stream for stream in self.streams if stream.caller.token == token]:
            task = asyncio.ensure_future(self.check_rights(own))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def look(self, topic: Topic) -> None:
        """Read what is new of a topic; once more where that is asked for in the middle of it."""
        topic.moved = True
        if topic.reading is None:
            topic.reading = asyncio.ensure_future(self._read(topic))

    async def _read(self, topic: Topic) -> None:
        try:
            while topic.moved and topic.feeds:
                topic.moved = False
                wanted = {viewer: From.behind(feed.last) for viewer, feed in topic.feeds.items()}
                found = await self._batches(topic, wanted)
                if found is None:
                    topic.head = None  # the next look of the hub's own finds it again
                    return
                for viewer, batch in found.items():
                    feed = topic.feeds.get(viewer)
                    if feed is not None and feed.last.upto == wanted[viewer].after:
                        feed.add(batch)
                        wake(feed.streams)
                    self._set_alarm(topic, batch.again_at)
        finally:
            topic.reading = None
            if topic.moved and topic.feeds:
                self.look(topic)

    async def _batches(self, topic: Topic, wanted: dict[Hashable, From]) -> Any:
        now = timezone.now()
        try:
            return await self.readers.ask(lambda: topic.source.read(topic.public_id, wanted, now=now))
        except Error as error:
            log.warning("%s %s could not be read: %s", topic.source.name, topic.public_id, error)
        except Exception:
            log.exception("%s %s could not be read", topic.source.name, topic.public_id)
        return None

    def _set_alarm(self, topic: Topic, at: datetime | None) -> None:
        """Look again at that time, if it is sooner than the next one."""
        if at is None:
            return
        loop = asyncio.get_running_loop()
        when = loop.time() + max(0.0, (at - timezone.now()).total_seconds())
        if topic.alarm is not None and not topic.alarm.cancelled():
            if loop.time() < topic.alarm.when() <= when:
                return
            topic.alarm.cancel()
        topic.alarm = loop.call_at(when, self.look, topic)

    # -- what is done again and again

    async def poll(self) -> None:
        """Every POLL seconds look how far everything watched has got: one statement a kind of thing."""
        while True:
            await asyncio.sleep(POLL)
            for source in {topic.source.name: topic.source for topic in self.topics.values()}.values():
                await self._poll(source)

    async def _poll(self, source: Source) -> None:
        ids = [public_id for kind, public_id in self.topics if kind == source.name]
        try:
            heads = await self.readers.ask(lambda: source.heads(ids))
        except Exception as error:
            log.warning("Streams could not look for changes: %s", error)
            return
        for public_id, head in heads.items():
            topic = self.topics.get((source.name, public_id))
            if topic is not None and topic.head != head:
                topic.head = head
                self.look(topic)

    async def heartbeat(self, seconds: float) -> None:
        """Every so often look at everybody's rights again, and let every client know that the stream is alive."""
        while True:
            await asyncio.sleep(seconds)
            await self.check_rights(list(self.streams))
            for topic in list(self.topics.values()):
                self.look(topic)  # who plays a seat may change without an event
            for stream in self.streams:
                stream.beat = True
            wake(self.streams)

    async def check_rights(self, streams: Iterable[Stream]) -> None:
        """Look up again what their tokens, logins and accounts may do now: one statement for each of the two kinds."""
        asked = [stream.caller for stream in streams]
        tokens = {caller.token for caller in asked if caller.token}
        logins = {caller.login: caller.user for caller in asked if caller.login is not None}
        try:
            by_token = await self.readers.ask(lambda: callers_of(tokens)) if tokens else {}
            by_login = await self.readers.ask(lambda: callers_logged_in(logins)) if logins else {}
        except Exception as error:
            log.warning("Streams could not look at the rights of their readers: %s", error)
            return
        for stream in self.streams:
            caller = stream.caller
            if caller.token in tokens:
                self._set_caller(stream, by_token.get(caller.token))
            elif caller.login in logins:
                self._set_caller(stream, by_login.get(caller.login))

    def _set_caller(self, stream: Stream, caller: Caller | None) -> None:
        try:
            if caller is None:
                raise BadToken if stream.caller.token else LoggedOut
            caller.require(stream.needs)
            stream.caller = caller
        except Refusal as refusal:
            stream.ended = refusal
        if stream.refusal() is not None:
            stream.awake.set()


def wake(streams: Iterable[Stream]) -> None:
    for stream in streams:
        stream.awake.set()
