"""What the documentation points to is there."""

import re
import struct
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
ORGANISER = ROOT / "docs" / "organiser.md"
IMAGES = ROOT / "docs" / "images"

LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)")
PROGRAM = re.compile(r"^```.*?^```|`[^`]+`", re.MULTILINE | re.DOTALL)


def links(page: Path) -> list[tuple[bool, str]]:
    """The links of a page to our own files: whether it is an image, and the address."""
    text = PROGRAM.sub("", page.read_text())
    return [(mark == "!", to) for mark, to in LINK.findall(text) if "://" not in to and not to.startswith("mailto:")]


def headings(page: Path) -> set[str]:
    """The names that links have for the headings of a page."""
    found = re.findall(r"^#+ (.+)$", PROGRAM.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_links_to_is_there(page):
    for _, to in links(page):
        name, _, heading = to.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{page.name} links to {to}"
        if heading and target.suffix == ".md":
            assert heading in headings(target), f"{page.name} links to {to}"


def test_the_organisers_page_shows_each_picture_once_and_every_picture_is_shown():
    shown = [to.removeprefix("images/") for image, to in links(ORGANISER) if image]
    assert sorted(shown) == sorted(file.name for file in IMAGES.iterdir())


def test_pictures_are_as_wide_as_the_page_and_small():
    for file in IMAGES.glob("*.png"):
        width, height = struct.unpack(">II", file.read_bytes()[16:24])
        assert width == 1100, file.name
        assert height <= 1200, file.name
    assert sum(file.stat().st_size for file in IMAGES.iterdir()) < 1_500_000
