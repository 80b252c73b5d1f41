"""A bot is found by being there: as a file, or through an installed package's entry point."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from games import bots

NEW_BOT = """
from games.bots.base import Bot


class Lowest(Bot):
    key = "lowest"
    title = "Lowest card"

    def pick(self, view, rng):
        return view.legal[0]
"""


@pytest.fixture(autouse=True)
def _found_afresh() -> Iterator[None]:
    bots.available.cache_clear()
    yield
    bots.available.cache_clear()


def test_the_bots_of_this_project_are_there() -> None:
    assert {"far-first", "follow", "random"} <= bots.available().keys()


def test_a_new_file_is_a_new_bot_without_registration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lowest.py").write_text(NEW_BOT)
    monkeypatch.setattr(bots, "__path__", [*bots.__path__, str(tmp_path)])
    assert bots.available()["lowest"].title == "Lowest card"


def install(folder: Path, entry: str) -> None:
    about = folder / "clubbots-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: clubbots\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[fantan.bots]\n{entry}\n")


def test_an_installed_package_adds_a_bot_through_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "clubbots_lowest.py").write_text(NEW_BOT)
    install(tmp_path, "lowest = clubbots_lowest:Lowest")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert type(bots.available()["lowest"]).__module__ == "clubbots_lowest"


def test_a_key_that_is_taken_cannot_be_given_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "clubbots_follow.py").write_text(NEW_BOT.replace('"lowest"', '"follow"'))
    install(tmp_path, "follow = clubbots_follow:Lowest")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match=r"The name follow is taken twice: by clubbots_follow and games\.bots\.follow"):
        bots.available()
