"""Pages: what goes over the wire at the first visit, statements at two sizes, and CPU against the login page, which has
the same frame and asks the database for nothing.

Bytes are of gzip at its usual level, as the site packs pages and `collectstatic` packs files.
"""

import gzip
import re
from collections.abc import Iterator
from functools import partial
from io import StringIO
from statistics import median
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bench.cpu import cpu_of_group
from bench.figures import Figure, in_turn, ratios
from bench.http import Connection
from competitions.models import Competition, Entry, Table
from games.models import Deal, User
from tests.servers import WebServer

SIZES = {"small": {"players": 8, "rounds": 2}, "large": {"players": 32, "rounds": 6}}
REQUESTS = 40
"""Of each page in each round."""
LINKED = re.compile(r'<(?:link rel="(?:stylesheet|icon)" href|script type="module" src)="([^"]+)"')


def measure(rounds: int) -> Iterator[Figure]:
    call_command("demo", stdout=StringIO())
    worlds = {size: _addresses(**how) for size, how in SIZES.items()}
    organiser, nobody = (Client(SERVER_NAME="localhost") for _ in range(2))
    organiser.force_login(User.objects.get(username="organiser"))
    for name, address in worlds["large"].items():
        client = organiser if name == "admin:index" else nobody
        asked = {size: _statements(client, addresses[name]) for size, addresses in worlds.items()}
        html, files = _first_visit(client, address)
        note = f"{1 + len(files)} requests; page {html:,} bytes, files {sum(files.values()):,}; statements {asked}"
        yield Figure(f"{name}: bytes of a first visit", [html + sum(files.values())], unit="", note=note)
    server = WebServer()
    try:
        server.wait_until_ready()
        cookie = f"Cookie: {settings.SESSION_COOKIE_NAME}={organiser.cookies[settings.SESSION_COOKIE_NAME].value}\r\n"
        sides = {
            name: partial(_cpu_each, server, address, cookie if name == "admin:index" else "")
            for name, address in worlds["large"].items()
        }
        spent = in_turn(rounds, sides)
    finally:
        server.stop()
    for name, values in spent.items():
        if name != "login":
            yield Figure(
                f"{name}: CPU over the login page", ratios(spent, name, "login"), note=f"{1e3 * median(values):.1f} ms"
            )


def _addresses(players: int, rounds: int) -> dict[str, str]:
    """The pages of a tournament that has just been played, by name."""
    call_command("tournament", players=players, rounds=rounds, deals=2, stdout=StringIO())
    cup = Competition.objects.latest("pk")
    deal = Deal.objects.filter(
        session__in=Table.objects.filter(competition=cup).values("session"), finished=True
    ).select_related("session")[0]
    player = Entry.objects.filter(competition=cup).select_related("player")[0].player
    whole = {"public_id": cup.public_id}
    values: dict[str, dict[str, Any]] = {
        "login": {},
        "front": {},
        "rules": {},
        "session-page": {"public_id": deal.session.public_id},
        "replay": {"public_id": deal.session.public_id, "number": deal.number},
        "competition-list": {},
        "competition-page": whole,
        "competition-crosstable": whole,
        "competition-rounds": whole,
        "competition-round": {**whole, "number": 1},
        "competition-player": {**whole, "player": player.public_id},
        "competition-room": whole,
        "admin:index": {},
    }
    return {name: reverse(name, kwargs=given) for name, given in values.items()}


def _statements(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200, address
    return len(captured)


def _first_visit(client: Client, address: str) -> tuple[int, dict[str, int]]:
    """Bytes of the page, and of each file that it brings."""
    html = client.get(address).content.decode()
    found: dict[str, int] = {}
    wanted = LINKED.findall(html)
    while wanted:
        file = wanted.pop()
        if file not in found:
            content = b"".join(client.get(file))
            found[file] = len(gzip.compress(content))
            if file.endswith(".js"):
                folder = file.rsplit("/", 1)[0]
                wanted += [f"{folder}/{name}" for name in re.findall(r'from "\./([\w.-]+)"', content.decode())]
    return len(gzip.compress(html.encode())), found


def _cpu_each(server: WebServer, path: str, headers: str) -> float:
    """CPU seconds of the server for each of so many requests."""
    line = Connection(server.url)
    before = cpu_of_group(server.process.pid)
    for _ in range(REQUESTS):
        status, _body = line.request("GET", path, headers=f"Accept-Encoding: gzip\r\n{headers}")
        assert status == 200, path
    line.close()
    return (cpu_of_group(server.process.pid) - before) / REQUESTS
