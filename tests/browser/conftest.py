"""A real browser on the real web server. Chromium is the system's own: where there is none, these tests skip.

`FANTAN_SCREENSHOTS=docs/images` makes them keep the pictures of docs/organiser.md.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests.browser.desk import PATIENCE, WIDE, Desk
from tests.servers import ROOT, WebServer

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture
def chromium(live_http: WebServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    """The browser, beside a running web server."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip(f"no browser is installed here ({', '.join(PROGRAMS)}): apt-get install -y chromium")
    # Playwright's loop runs in this thread, in which Django then refuses to ask the database.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    with sync_playwright() as playwright:
        # The sandbox of Chromium does not run as root, as tests in a container often do.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()
        # The connection is that of the loop: outside of it nobody could close it any more.
        connections.close_all()


@pytest.fixture
def a_page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Make a browser window of its own, with nobody logged in: `a_page(locale="ru", viewport=…)`, as Playwright's
    `new_context` takes. Its console may say nothing wrong, but for what has one of the texts `allowed` in it."""
    faults: list[str] = []

    def make(*, allowed: tuple[str, ...] = (), **context: Any) -> Page:
        page = chromium.new_context(**{"locale": "en-GB", "timezone_id": "Europe/Berlin", **context}).new_page()
        page.set_default_timeout(PATIENCE)

        def heard(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning") and not any(text in message.text for text in allowed):
                faults.append(f"{page.url}: {message.text}")

        page.on("console", heard)
        page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
        return page

    yield make
    assert faults == []


@pytest.fixture
def a_desk(chromium: Browser, live_http: WebServer) -> Iterator[Callable[[], Desk]]:
    """Make an organiser's window of its own, with nobody logged in: `a_desk()`. Nothing may have gone wrong in any."""
    asked = os.environ.get("FANTAN_SCREENSHOTS", "")
    shots = ROOT / asked if asked else None
    if shots is not None:
        Path(shots).mkdir(parents=True, exist_ok=True)
    desks: list[Desk] = []

    def make() -> Desk:
        context = chromium.new_context(viewport=WIDE, locale="en-GB", timezone_id="Europe/Berlin")
        # With the side bar folded: the pages must do without it, and the pictures are of the page.
        context.add_init_script("localStorage.setItem('django.admin.navSidebarIsOpen', 'false')")
        desks.append(Desk(context.new_page(), live_http.url, shots))
        return desks[-1]

    yield make
    assert [fault for desk in desks for fault in desk.faults] == []
