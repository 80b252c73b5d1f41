"""Event streams: 300 of them open while 20 actions a second are played, some of them cut off all the time.

Five tables of four people, each watched by sixty streams, in one uvicorn process; the actions are posted to a granian
process beside it, as on a server. Every stream must have every event of its session once, in order, whatever was cut.
"""

import asyncio
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from bench.action import headers_of, next_request
from bench.club import People, Table, a_club, a_table, deal_again
from bench.cpu import cpu_of_group
from bench.figures import Figure
from bench.http import Connection
from games.models import Session
from tests.servers import StreamServer, WebServer

TABLES = 5
STREAMS = 300
RATE = 20
"""Actions a second."""
SECONDS = 10
"""Of play in each round."""
CUTS = 50
"""Streams that are cut off in a round, at moments of their own, and come back with their last id."""
PATIENCE = 20.0


@dataclass
class Watcher:
    """One stream's client: the ids that it was sent, and when each came."""

    session: str
    ids: list[int] = field(default_factory=list)
    came: dict[int, float] = field(default_factory=dict)
    writer: Any = None

    def cut(self) -> None:
        if self.writer is not None:
            self.writer.transport.abort()

    async def watch(self, url: str, token: str) -> None:
        """Read until cancelled, coming back after every cut."""
        address = urlsplit(url)
        while True:
            try:
                reader, self.writer = await asyncio.open_connection(address.hostname, address.port)
                last = f"Last-Event-ID: {self.ids[-1]}\r\n" if self.ids else ""
                ask = f"GET /api/v1/sessions/{self.session}/stream HTTP/1.1\r\nHost: {address.netloc}\r\n"
                self.writer.write(f"{ask}Authorization: Bearer {token}\r\n{last}\r\n".encode())
                while line := await reader.readline():
                    if line.startswith(b"id: "):
                        self.ids.append(int(line[4:]))
                        self.came[self.ids[-1]] = time.perf_counter()
            except OSError:
                await asyncio.sleep(0.05)
            finally:
                if self.writer is not None:
                    self.writer.close()


def measure(rounds: int) -> Iterator[Figure]:
    people = a_club("live")
    tables = [a_table(people) for _ in range(TABLES)]
    web, streams = WebServer(), StreamServer(STREAMS_PER_TOKEN=str(STREAMS), RATE_LIMIT_READS="off")
    delays: list[float] = []
    late: list[float] = []
    posts: list[float] = []
    cost: list[float] = []
    lost = 0
    try:
        for server in (web, streams):
            server.wait_until_ready()
        for _ in range(rounds):
            found = asyncio.run(_round(people, tables, web, streams))
            delays.append(median(found.delays) / median(found.posts))
            late.append(1000 * sorted(found.delays)[int(0.99 * len(found.delays))])
            posts.append(median(found.posts))
            cost.append(found.cpu)
            lost += found.lost
    finally:
        web.stop()
        streams.stop()
    note = f"the request itself takes {1000 * median(posts):.1f} ms"
    yield Figure("from sending an action to a stream, over the request itself", delays, note=note)
    yield Figure("the slowest hundredth", late, "ms")
    yield Figure("CPU of the streams' process, of a core", cost, "%")
    yield Figure(f"messages lost or doubled, {rounds * CUTS} streams cut", [lost], "", at_most=0)


@dataclass
class Round:
    """Seconds from sending an action to each stream's message; seconds of the requests; what is missing; CPU."""

    delays: list[float]
    posts: list[float]
    lost: int
    cpu: float


async def _round(people: People, tables: list[Table], web: WebServer, streams: StreamServer) -> Round:
    for place, table in enumerate(tables):
        if table.deal.to_act is None:
            tables[place] = await asyncio.to_thread(deal_again, people, table.session, table.number + 1)
    watchers = [Watcher(tables[number % TABLES].session) for number in range(STREAMS)]
    tasks = [asyncio.create_task(watcher.watch(streams.url, people.tokens[0])) for watcher in watchers]
    await _until(lambda: all(watcher.ids for watcher in watchers))
    before, began = cpu_of_group(streams.process.pid), time.perf_counter()
    cuts = asyncio.create_task(_cut(watchers))
    sent, posts = await asyncio.to_thread(_play, people, tables, web.url)
    await cuts
    heads = await asyncio.to_thread(
        lambda: dict(Session.objects.filter(club=people.club).values_list("public_id", "seq"))
    )
    await _until(lambda: all(watcher.ids[-1] >= heads[watcher.session] for watcher in watchers))
    cpu = 100 * (cpu_of_group(streams.process.pid) - before) / (time.perf_counter() - began)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    delays = [
        watcher.came[seq] - at
        for watcher in watchers
        for (session, seq), at in sent.items()
        if session == watcher.session and seq in watcher.came
    ]
    lost = sum(watcher.ids != list(range(watcher.ids[0], heads[watcher.session] + 1)) for watcher in watchers)
    return Round(delays, posts, lost, cpu)


async def _cut(watchers: list[Watcher]) -> None:
    for watcher in random.sample(watchers, CUTS):
        await asyncio.sleep(SECONDS / CUTS)
        watcher.cut()


def _play(people: People, tables: list[Table], url: str) -> tuple[dict[tuple[str, int], float], list[float]]:
    """RATE actions a second for SECONDS: when each was sent, by session and seq, and how long its answer took."""
    line = Connection(url)
    sent: dict[tuple[str, int], float] = {}
    posts = []
    began = time.perf_counter()
    for number in range(RATE * SECONDS):
        table = tables[number % TABLES]
        if table.deal.to_act is None:
            continue
        path, body, headers = next_request(people, table)
        time.sleep(max(0.0, began + number / RATE - time.perf_counter()))
        at = time.perf_counter()
        status, answer = line.request("POST", path, body, headers_of(headers))
        assert status == 201, answer
        posts.append(time.perf_counter() - at)
        table.seq = json.loads(answer)["seq"]
        sent[table.session, table.seq] = at
    line.close()
    return sent, posts


async def _until(done: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not done():
            await asyncio.sleep(0.02)
