"""A scheme is found by being there: as a file, or through an installed package's entry point."""

from collections.abc import Iterator

import pytest

from scoring import schemes
from tests.scoring.cases import WORKED

NEW_SCHEME = """
from scoring.schemes.base import Parameter, Preset, Scheme


class LastCard(Scheme):
    key = "last-card"
    title = "Last card"
    description = "Points for going out."
    parameters = {"prize": Parameter(10, 0, "Points to the winner.")}
    presets = {"jackpot": Preset("Jackpot", "A thousand.", {"prize": 1000})}
    __slots__ = ()

    def points(self, result):
        return tuple(self.value("prize") * (seat == result.winner) for seat in range(len(result.cards_left)))

    def finished(self, totals, counted):
        return counted >= 10
"""


@pytest.fixture(autouse=True)
def found_afresh() -> Iterator[None]:
    schemes.names.cache_clear()
    yield
    schemes.names.cache_clear()


def test_a_new_file_is_a_new_scheme_without_registration(tmp_path, monkeypatch) -> None:
    (tmp_path / "last_card.py").write_text(NEW_SCHEME)
    monkeypatch.setattr(schemes, "__path__", [*schemes.__path__, str(tmp_path)])
    assert "last-card" in schemes.available()
    assert schemes.scheme_from_text("jackpot").score(WORKED) == (0, 0, 0, 1000)
    assert schemes.scheme_from_json({"scheme": "last-card", "prize": 2}).score(WORKED) == (0, 0, 0, 2)
    assert "last-card" in [about["scheme"] for about in schemes.describe()]


def install(folder, entry: str) -> None:
    about = folder / "clubhouse-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: clubhouse\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[fantan.schemes]\n{entry}\n")


def test_an_installed_package_adds_a_scheme_through_its_entry_point(tmp_path, monkeypatch) -> None:
    (tmp_path / "clubhouse_rules.py").write_text(NEW_SCHEME)
    install(tmp_path, "last-card = clubhouse_rules:LastCard")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert schemes.available()["last-card"].__module__ == "clubhouse_rules"
    assert schemes.scheme_from_text("last-card").score(WORKED) == (0, 0, 0, 10)


def test_a_name_that_is_taken_cannot_be_given_again(tmp_path, monkeypatch) -> None:
    (tmp_path / "clubhouse_pool.py").write_text(NEW_SCHEME.replace('"jackpot"', '"pool"'))
    install(tmp_path, "last-card = clubhouse_pool:LastCard")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(
        ValueError, match=r"The name pool is taken twice: by scoring\.schemes\.chip_pot and clubhouse_pool"
    ):
        schemes.available()
