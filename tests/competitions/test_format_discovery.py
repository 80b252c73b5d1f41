"""A format is found by being there: as a file, or through an installed package's entry point."""

from collections.abc import Iterator

import pytest

from competitions import formats
from competitions.settings import BadSettings, read_settings
from tests.competitions.asking import ask

NEW_FORMAT = """
from competitions.formats.base import Format, Parameter, as_draw
from competitions.seating import draw


class Ladder(Format):
    key = "ladder"
    title = "Ladder"
    description = "Neighbours play."
    parameters = {"steps": Parameter(1, 1, 9, "How far one can climb.")}
    __slots__ = ()

    def _draw(self, ask):
        return as_draw(draw(players=ask.present, rounds=1, rule=ask.rule, seed=ask.seed))
"""


@pytest.fixture(autouse=True)
def found_afresh() -> Iterator[None]:
    formats.available.cache_clear()
    yield
    formats.available.cache_clear()


def install(folder, entry: str) -> None:
    about = folder / "clubhouse-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: clubhouse\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[fantan.formats]\n{entry}\n")


def test_a_new_file_is_a_new_format_without_registration(tmp_path, monkeypatch) -> None:
    (tmp_path / "ladder.py").write_text(NEW_FORMAT)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    asked = {"format": "ladder", "steps": 2}
    assert read_settings({"format": asked}).to_json()["format"] == asked
    assert len(formats.format_from_json("ladder").draw(ask(8)).rounds) == 1
    assert "ladder" in [about["format"] for about in formats.describe()]


def test_an_installed_package_adds_a_format_through_its_entry_point(tmp_path, monkeypatch) -> None:
    (tmp_path / "clubhouse_ladder.py").write_text(NEW_FORMAT)
    install(tmp_path, "ladder = clubhouse_ladder:Ladder")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert formats.available()["ladder"].__module__ == "clubhouse_ladder"


def test_a_key_that_is_taken_cannot_be_given_again(tmp_path, monkeypatch) -> None:
    (tmp_path / "clubhouse_swiss.py").write_text(NEW_FORMAT.replace('"ladder"', '"swiss"'))
    install(tmp_path, "swiss = clubhouse_swiss:Ladder")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match="The name swiss is taken twice"):
        formats.available()


def test_a_format_that_is_gone_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        BadSettings, match="There is no format 'ladder'; there are: knockout, league-night, round-robin, swiss"
    ):
        read_settings({"format": "ladder"})
