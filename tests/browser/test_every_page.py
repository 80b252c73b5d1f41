"""Every page, in every language, on a phone and on a desk: it answers, says its language, fits the screen, is
understood by a screen reader, and asks for nothing from elsewhere.

A page is found by its address in the site's own list of addresses; one that is new has to be named here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from playwright.sync_api import Page, Request

from competitions.models import Competition, Entry, Table
from competitions.slips import code_of
from games.models import Deal, Session, User
from tests.browser.axe import serious
from tests.servers import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

LANGUAGES = [code for code, _ in settings.LANGUAGES]
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 900}
NO_PAGES = {
    *("healthz", "readyz", "schema", "docs"),
    *("logout", "set_language", "play-now", "table-do", "page-actions", "page-deals", "page-join"),
    *("page-stream", "page-seat-stream", "competition-news", "slip-worker"),
    *("entries-file", "results-file", "standings-file"),
}
"""Addresses of no page of ours: probes and the API's documentation; what is done; what scripts ask for; files."""


@dataclass
class World:
    """A demo club after a tournament, somebody who organises it, and the addresses of all its pages by name."""

    organiser: User
    addresses: dict[str, str]


@pytest.fixture
def world(live_http: WebServer) -> World:
    call_command("demo", stdout=_Nowhere())
    call_command("tournament", players=8, rounds=3, deals=2, stdout=_Nowhere())
    cup = Competition.objects.get()
    played = (
        Deal.objects.filter(session__in=Table.objects.filter(competition=cup).values("session"), finished=True)
        .select_related("session")
        .first()
    )
    entry = Entry.objects.filter(competition=cup).select_related("player").first()
    assert played is not None
    assert entry is not None
    waiting = Session.objects.get(label__startswith="free seat")
    values: dict[str, dict[str, Any]] = {
        "front": {},
        "login": {},
        "rules": {},
        "rules-in": {"language": "ru"},
        "session-page": {"public_id": waiting.public_id},
        "replay": {"public_id": played.session.public_id, "number": played.number},
        "replay-embed": {"public_id": played.session.public_id, "number": played.number},
        "slip": {"code": code_of(played.session.public_id)},
        "competition-list": {},
        **{
            name: {"public_id": cup.public_id}
            for name in ("competition-page", "competition-crosstable", "competition-rounds", "competition-room")
        },
        "competition-round": {"public_id": cup.public_id, "number": 1},
        "competition-player": {"public_id": cup.public_id, "player": entry.player.public_id},
        "print-standings": {"public_id": cup.public_id},
        "print-draw": {"public_id": cup.public_id, "number": 1},
        "print-slips": {"public_id": cup.public_id, "number": 1},
        "admin:index": {},
    }
    addresses = {name: reverse(name, kwargs=given) for name, given in values.items()}
    return World(User.objects.get(username="organiser"), addresses)


class _Nowhere:
    def write(self, text: str) -> None:
        pass


def names(patterns: Any = None) -> Iterator[str]:
    """The names of all addresses that are no API's and no page of the admin beyond its first."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLPattern):
            yield pattern.name or str(pattern.pattern)
        elif isinstance(pattern, URLResolver) and not str(pattern.pattern).startswith(("api/", "admin/")):
            yield from names(pattern.url_patterns)


def test_every_address_of_a_page_is_looked_at(world: World) -> None:
    assert set(names()) - NO_PAGES - set(world.addresses) == set()


@pytest.fixture
def visits(a_page: Callable[..., Page], live_http: WebServer) -> Callable[..., "Visits"]:
    """Open a window for somebody who reads a language: `visits("ru", viewport=PHONE)`."""

    def visit(language: str, **context: Any) -> Visits:
        return Visits(a_page(locale=language, **context), live_http.url)

    return visit


class Visits:
    """Somebody who opens one page after the other, and what went wrong."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.faults: list[str] = []
        page.on("request", self._asked)

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.faults.append(f"{self.page.url} asks for {request.url}")

    def log_in(self, user: User) -> None:
        client = Client()
        client.force_login(user)
        value = client.cookies[settings.SESSION_COOKIE_NAME].value
        self.page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": self.url}])

    def open(self, address: str, language: str) -> None:
        """Open the page and note what is wrong with it."""
        answer = self.page.goto(self.url + address, wait_until="load")
        assert answer is not None
        said = self.page.locator("html").get_attribute("lang") or ""
        width, room = self.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        headings = self.page.locator("h1").count()
        for wrong, what in (
            (answer.status != 200, f"answers {answer.status}"),
            (said.lower() != language and "/rules/ru/" not in address, f"is in {said}"),
            (width > room, f"is {width} wide on a screen of {room}"),
            (headings == 0, "has no first heading"),
        ):
            if wrong:
                self.faults.append(f"{address} {what}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_a_phone_and_a_desk_in_its_language(world: World, visits: Any, language: str) -> None:
    organiser = visits(language, viewport=PHONE, color_scheme="light")
    organiser.log_in(world.organiser)
    reader = visits(language, viewport=DESK, color_scheme="dark")
    for visitor in (organiser, reader):
        for address in world.addresses.values():
            visitor.open(address, language)
    assert "\n".join(organiser.faults + reader.faults) == ""


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_screen_reader_understands_it(world: World, visits: Any, colours: str) -> None:
    visitor = visits("en", viewport=PHONE, color_scheme=colours)
    visitor.log_in(world.organiser)
    found = []
    for name, address in world.addresses.items():
        visitor.open(address, "en")
        found += [f"{name}: {fault}" for fault in serious(visitor.page)]
    assert "\n".join(found) == ""
