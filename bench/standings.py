"""Published standings over HTTP: CPU of the web processes per request, against the barest WSGI application on the same
server and against a page of a framework's serializer; a league of 10,000 against one of 100.

All are asked over the same number of kept connections, in turn. CPU is that of all processes of a server, so what the
client and other work on the machine take does not count.
"""

from collections.abc import Iterator
from functools import partial
from statistics import median
from typing import Any

from django.utils import timezone

from bench.cpu import cpu_of_group
from bench.figures import Figure, in_turn, ratios
from bench.http import Connection
from competitions.models import Competition
from competitions.services import drawing, entries, publishing, setup
from competitions.services import rounds as nights
from competitions.services.entries import NewEntry
from games.access import Caller
from games.models import Club, Membership, Player, Role, Session, User
from games.services import recording
from games.services.recording import PaperResult
from tests.servers import WebServer

SMALL, LARGE = 100, 10_000
CONNECTIONS = 8
REQUESTS = {"bare": 20_000, "hot": 20_000, "large": 20_000, "page": 400}
"""Of each side in each round: about half a second of work, but for the page's."""


def measure(rounds: int) -> Iterator[Figure]:
    club, caller = _club()
    small, large = (_league(club, caller, players) for players in (SMALL, LARGE))
    servers = {
        "bare": WebServer(application="bench.bare:application"),
        "site": WebServer(),
        "page": WebServer(application="bench.serializer_page:application"),
    }
    try:
        for server in servers.values():
            server.wait_until_ready()
        paths = {
            name: f"/api/v1/competitions/{row.public_id}/standings" for name, row in (("hot", small), ("large", large))
        }
        tags = {name: _tag(servers["site"].url, path) for name, path in paths.items()}
        sides = {
            "bare": partial(_cpu_each, servers["bare"], "/", REQUESTS["bare"]),
            "hot 200": partial(_cpu_each, servers["site"], paths["hot"], REQUESTS["hot"]),
            "hot 304": partial(_cpu_each, servers["site"], paths["hot"], REQUESTS["hot"], tags["hot"]),
            "large 304": partial(_cpu_each, servers["site"], paths["large"], REQUESTS["large"], tags["large"]),
            "page": partial(_cpu_each, servers["page"], f"/{small.pk}", REQUESTS["page"]),
        }
        spent = in_turn(rounds, sides)
    finally:
        for server in servers.values():
            server.stop()
    own = {name: f"{1e6 * median(values):,.0f} us" for name, values in spent.items()}

    def over(one: str, other: str, name: str, **gate: float) -> Figure:
        return Figure(name, ratios(spent, one, other), note=f"{own[one]} and {own[other]}", **gate)

    yield over("hot 200", "bare", f"standings of {SMALL}, 200, over a bare application", at_most=1.6)
    yield over("hot 304", "bare", f"standings of {SMALL}, 304, over a bare application", at_most=1.3)
    yield over("large 304", "hot 304", f"304 of {LARGE:,} players, over 304 of {SMALL}", at_most=1.1)
    yield over("page", "hot 200", "a serializer's page of 100, over the 200", at_least=40)
    yield over("page", "hot 304", "a serializer's page of 100, over the 304", at_least=40)


def _cpu_each(server: WebServer, path: str, requests: int, tag: str = "") -> float:
    """CPU seconds of the server for each of so many requests, over CONNECTIONS kept connections in turn."""
    lines = [Connection(server.url) for _ in range(CONNECTIONS)]
    headers = f"If-None-Match: {tag}\r\n" if tag else ""
    before = cpu_of_group(server.process.pid)
    for _ in range(requests // CONNECTIONS):
        for line in lines:
            line.send("GET", path, headers=headers)
        for line in lines:
            status, _ = line.receive()
            assert status == (304 if tag else 200), status
    spent = cpu_of_group(server.process.pid) - before
    for line in lines:
        line.close()
    return spent / requests


def _tag(url: str, path: str) -> str:
    """The ETag of an address, which is asked for often enough that the server knows it by heart."""
    import httpx

    with httpx.Client(base_url=url) as client:
        for _ in range(20):
            answer = client.get(path)
        answer.raise_for_status()
        return answer.headers["ETag"]


def _club() -> tuple[Club, Caller]:
    club = Club.objects.create(name="Standings", slug="standings")
    user = User.objects.create_user("standings-organiser")
    Membership.objects.create(user=user, club=club, role=Role.ORGANISER)
    return club, Caller.of(user)


def _league(club: Club, caller: Caller, players: int) -> Competition:
    """A public league of so many, its first night played by 100 of them, and its standings published."""
    about: dict[str, Any] = {"caller": caller, "now": timezone.now(), "door": "bench"}
    names = (f"Player {number} of {players}" for number in range(players))
    people = Player.objects.bulk_create(Player(club=club, name=name) for name in names)
    made = setup.create_competition(
        **about,
        club=club.slug,
        name=f"League of {players}",
        settings={"format": "league-night", "deals": 1, "scheme": "card-count", "public": True},
    ).competition
    entries.enter(**about, competition=made, entries=[NewEntry(player.public_id) for player in people])
    present = [player.public_id for player in people[:100]]
    drawing.draw(**about, competition=made, number=1, present=present, effort=0.02)
    nights.open_round(**about, competition=made, number=1, publish=True)
    row = Competition.objects.get(public_id=made)
    for session in Session.objects.filter(competition_table__competition=row):
        recording.record_deal(**about, session=session.public_id, number=1, dealer=0, result=PaperResult([0, 3, 2, 5]))
    nights.close(**about, competition=made, number=1)
    publishing.publish(**about, competition=made, what="standings")
    return row
