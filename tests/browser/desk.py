"""A person at the organiser's desk: clicks what is written on links and buttons, and reads the words of the page."""

import contextlib
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Locator, Page, Response

WIDE = {"width": 1100, "height": 900}
PHONE = {"width": 390, "height": 844}

PATIENCE = 60_000
"""Milliseconds that a busy machine may need for a page."""

COLOURS = "64"
"""Colours of a picture: more than the pages have, few enough to keep the pictures small."""


class Desk:
    """A browser's page. `faults` are what its console said and what the server failed at: none is expected."""

    def __init__(self, page: Page, url: str, shots: Path | None = None) -> None:
        self.page, self.url, self.shots = page, url, shots
        self.faults: list[str] = []
        self.pressed: set[str] = set()
        self.refusing = False
        self.answer: Response | None = None
        page.set_default_timeout(PATIENCE)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("response", self._answered)

    def _heard(self, message: ConsoleMessage) -> None:
        # The console tells of a refused form too; `refused` is about that.
        if message.type in ("error", "warning") and not (self.refusing and "status of 422" in message.text):
            self.faults.append(f"{message.text} ({message.location.get('url')})")

    def _answered(self, response: Response) -> None:
        if response.status >= 400 and not (self.refusing and response.status == 422):
            self.faults.append(f"{response.status} {response.url}")

    # -- doing

    def go(self, address: str) -> None:
        self.answer = self.page.goto(address if address.startswith("http") else self.url + address)

    @property
    def path(self) -> str:
        return urlsplit(self.page.url).path

    def press(self, words: str, within: Locator | None = None) -> None:
        """Click the link or button that says just this, the first one where several do, and wait for the next page."""
        where = within or self.page.locator("#container")
        exact = re.compile(rf"^\s*{re.escape(words)}\s*$")
        found = where.get_by_role("link", name=exact).or_(where.get_by_role("button", name=exact)).filter(visible=True)
        assert found.count(), f"nothing to be seen on {self.path} says “{words}”:\n{self.words('#container')}"
        with self.page.expect_navigation() as navigation:
            found.first.click()
        self.answer = navigation.value
        self.pressed.add(words)

    def unfold(self, words: str, within: Locator | None = None) -> None:
        """Open a folded part of the page."""
        where = within or self.page.locator("#container")
        where.locator("summary").filter(has_text=re.compile(rf"^\s*{re.escape(words)}")).first.click()

    def fill(self, **fields: str) -> None:
        """Fill in fields by their name; a list chooses by the words that it shows."""
        for name, value in fields.items():
            field = self.page.locator(f"#id_{name}")
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(label=value)
            else:
                field.fill(value)

    def tick(self, words: str) -> None:
        """Tick the box or choose the button with these words."""
        self.page.get_by_label(words, exact=True).check()

    @contextlib.contextmanager
    def refused(self) -> Iterator[None]:
        """The form that is sent inside is refused: it comes back as it was filled in, with the reason (422)."""
        self.refusing = True
        yield
        self.refusing = False
        assert self.answer is not None
        assert self.answer.status == 422, self.words()

    # -- reading

    def words(self, part: str = "#main") -> str:
        """What a part of the page says, in one line."""
        return " ".join(self.page.locator(part).first.inner_text().split())

    def says(self, *sentences: str, part: str = "#main") -> None:
        said = self.words(part)
        for sentence in sentences:
            assert sentence in said, f"“{sentence}” is not on {self.path}:\n{said}"

    def row(self, name: str, part: str = "#content") -> Locator:
        """The row of a table that is about somebody or something: its name stands alone in a cell, or in bold."""
        exact = re.compile(rf"^\s*{re.escape(name)}\s*$")
        named = self.page.locator("th, td, strong, a").filter(has_text=exact)
        return self.page.locator(f"{part} tr").filter(has=named).first

    @contextlib.contextmanager
    def on_a_phone(self) -> Iterator[None]:
        """What is done inside is done on a small screen."""
        self.page.set_viewport_size(PHONE)
        yield
        self.page.set_viewport_size(WIDE)

    def fits_a_phone(self) -> None:
        """The page is not wider than a phone: nothing but a part of it scrolls sideways."""
        with self.on_a_phone():
            width = self.page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"], f"{self.path} is {width} wide on a phone"

    # -- pictures

    def shot(self, name: str, first: str = "#content", last: str = "", *, most: int = 760) -> None:
        """Keep a picture of the page's whole width, from one part of it down to the end of another, at most `most`
        pixels high; only where pictures are asked for."""
        if self.shots is None:
            return
        self.page.evaluate("window.scrollTo(0, 0)")  # boxes are counted from the top of the window
        start, end = (self.page.locator(part).first.bounding_box() for part in (first, last or first))
        assert start is not None, f"{first} is not to be seen on {self.path}"
        assert end is not None, f"{last} is not to be seen on {self.path}"
        top = max(0, start["y"] - 12)
        height = min(most, end["y"] + end["height"] + 12 - top)
        file = self.shots / f"{name}.png"
        clip = {"x": 0, "y": top, "width": WIDE["width"], "height": height}
        self.page.screenshot(path=file, full_page=True, clip=clip, animations="disabled")
        if program := shutil.which("pngquant"):
            subprocess.run([program, "--force", "--strip", "--output", file, COLOURS, file], check=True)
