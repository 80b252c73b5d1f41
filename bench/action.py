"""One action: its statements and commits, and accepted actions a second against the database's own insert rate.

The service is called in this process, over one connection. The API is asked over HTTP, through granian as the Docker
image starts it, by eight tables at once. Whole deals are played, so the dear last action of each is in it. Inserts run
over as many connections in the same round, on the same server with the same settings (durable).
"""

import json
import time
import uuid
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from threading import Thread

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bench.club import People, Table, a_club, a_table, deal_again
from bench.cpu import cpu_of_group
from bench.figures import Figure, in_turn, ratios
from bench.http import Connection
from bench.inserts import inserts, prepare
from games.engine.actions import PASS, action_text
from games.services import play
from games.services.keys import Key
from tests.servers import WebServer

WORKERS = 2
CONNECTIONS = 8
TABLES_EACH = 8
SECONDS = 3.0
"""Of each side in each round."""
STATEMENTS, AT_THE_END = 6, 10
"""The budget between BEGIN and COMMIT (docs/architecture.md)."""


def measure(rounds: int) -> Iterator[Figure]:
    people = a_club("action")
    yield from _statements(people)
    prepare()
    tables = [[a_table(people) for _ in range(TABLES_EACH)] for _ in range(CONNECTIONS)]
    web = WebServer(workers=WORKERS)
    cpu: dict[str, list[float]] = {"http": [], "healthz": []}

    def over_http(name: str, ask: Callable[[str], tuple[int, float]]) -> float:
        """Requests a second; keeps the CPU microseconds of the web processes for each."""
        before = cpu_of_group(web.process.pid)
        done, seconds = ask(web.url)
        cpu[name].append(1e6 * (cpu_of_group(web.process.pid) - before) / done)
        return done / seconds

    try:
        web.wait_until_ready()
        sides = {
            "insert 1": partial(inserts, 1, SECONDS),
            "service": partial(_service, people, tables[0]),
            f"insert {CONNECTIONS}": partial(inserts, CONNECTIONS, SECONDS),
            "http": partial(over_http, "http", partial(_play_over_http, people, tables)),
            "healthz": partial(over_http, "healthz", _ask_health),
        }
        rates = in_turn(rounds, sides)
    finally:
        web.stop()
    own = {name: sorted(values)[rounds // 2] for name, values in rates.items()}

    def over(one: str, other: str, name: str) -> Figure:
        return Figure(name, ratios(rates, one, other), note=f"{own[one]:,.0f}/s and {own[other]:,.0f}/s")

    many = f"insert {CONNECTIONS}"
    yield over("service", "insert 1", "the service, 1 connection, over inserts")
    yield over("http", many, f"over HTTP, {CONNECTIONS} connections, over inserts")
    yield over("http", "healthz", f"over HTTP, {CONNECTIONS} connections, over GET /healthz")
    note = f"{median(cpu['http']):,.0f} us and {median(cpu['healthz']):,.0f} us"
    yield Figure("CPU of the web processes, over GET /healthz", ratios(cpu, "http", "healthz"), note=note)


# -- statements


def _statements(people: People) -> Iterator[Figure]:
    table = a_table(people)
    client = Client(headers={"host": "localhost"})
    inside, outside, commits = [], [], []
    while table.deal.to_act is not None:
        path, body, headers = next_request(people, table)
        with CaptureQueriesContext(connection) as captured:
            answer = client.post(path, body, content_type="application/json", headers=headers)
        _accepted(answer.status_code, answer.content)
        table.seq += 1
        statements = [query["sql"] for query in captured]
        begin, commit = statements.index("BEGIN"), statements.index("COMMIT")
        inside.append(commit - begin - 1)
        outside.append(len(statements) - inside[-1] - 2)
        commits.append(statements.count("COMMIT"))
    note = f"every one of {len(inside) - 1} actions"
    yield Figure("statements of an action in its transaction", inside[:-1], "", at_most=STATEMENTS, note=note)
    yield Figure("statements of the action that ends a deal", inside[-1:], "", at_most=AT_THE_END)
    yield Figure("statements before and after it, in a request", outside, "", note="token and user; the answer")
    yield Figure("commits of an action", commits, "", at_most=1)


# -- rates


def _next_action(table: Table) -> tuple[int, int]:
    """The seat and its action, which is played here too; the first legal card, so that every run is alike."""
    seat = table.deal.to_act
    assert seat is not None
    action = (table.deal.legal() or [PASS])[0]
    table.deal.apply(action)
    return seat, action


def _service(people: People, tables: list[Table]) -> float:
    """Calls a second of `play.act` as the API makes them."""
    spent, done = 0.0, 0
    while spent < SECONDS:
        _deal_where_over(people, tables)
        for table in tables:
            seat, action = _next_action(table)
            start = time.perf_counter()
            key = Key.of(uuid.uuid4().hex, table.session, action)
            now = timezone.now()
            play.act(
                caller=people.seats[seat],
                session=table.session,
                action=action,
                expected_seq=table.seq,
                now=now,
                key=key,
            )
            spent += time.perf_counter() - start
            table.seq += 1
            done += 1
    return done / spent


def _play_over_http(people: People, tables: list[list[Table]], url: str) -> tuple[int, float]:
    """Accepted actions over all connections, and the seconds they took, dealing not counted."""
    for own in tables:
        _deal_where_over(people, own)
    counts = [0] * CONNECTIONS
    end = time.perf_counter() + SECONDS

    def player(number: int) -> None:
        line = Connection(url)
        for table in tables[number]:
            while table.deal.to_act is not None and time.perf_counter() < end:
                path, body, headers = next_request(people, table)
                _accepted(*line.request("POST", path, body, headers_of(headers)))
                table.seq += 1
                counts[number] += 1
        line.close()

    seconds = _together(player)
    return sum(counts), seconds


def _ask_health(url: str) -> tuple[int, float]:
    """The same of requests that nothing is done for: what server, threads and client take."""
    counts = [0] * CONNECTIONS
    end = time.perf_counter() + SECONDS / 2

    def ask(number: int) -> None:
        line = Connection(url)
        while time.perf_counter() < end:
            line.request("GET", "/healthz")
            counts[number] += 1
        line.close()

    seconds = _together(ask)
    return sum(counts), seconds


def _together(work: Callable[[int], None]) -> float:
    """The work in as many threads as there are connections, each with its number; the seconds until all are done."""
    start = time.perf_counter()
    threads = [Thread(target=work, args=[number]) for number in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def _deal_where_over(people: People, tables: list[Table]) -> None:
    for place, table in enumerate(tables):
        if table.deal.to_act is None:
            tables[place] = deal_again(people, table.session, table.number + 1)


def next_request(people: People, table: Table) -> tuple[str, bytes, dict[str, str]]:
    seat, action = _next_action(table)
    body = {"action": action_text(action), "expected_seq": table.seq}
    headers = {"Authorization": f"Bearer {people.tokens[seat]}", "Idempotency-Key": uuid.uuid4().hex}
    return f"/api/v1/sessions/{table.session}/actions", json.dumps(body).encode(), headers


def headers_of(headers: dict[str, str]) -> str:
    return "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "Content-Type: application/json\r\n"


def _accepted(status: int, answer: bytes) -> None:
    if status != 201:
        raise RuntimeError(f"an action was answered with {status}: {answer.decode()}")
