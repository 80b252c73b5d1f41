"""Asking for tie-breaks by their keys, and finding those that a file or an installed package adds."""

from collections.abc import Iterator

import pytest

from scoring import tiebreaks
from scoring.entries import Settings
from scoring.standings import standings
from scoring.tiebreaks import BadTieBreak, available, tie_breaks
from tests.scoring import competing

NEW_TIE_BREAK = """
from scoring.tiebreaks.base import TableSum


class Seats(TableSum):
    key = "seats"
    title = "Seats"
    description = "Larger tables."

    def number(self, result):
        return result.size
"""


@pytest.fixture
def _found_afresh() -> Iterator[None]:
    tiebreaks.available.cache_clear()
    yield
    tiebreaks.available.cache_clear()


def test_the_tie_breaks_that_clubs_ask_for_are_there() -> None:
    asked = [
        "average-place", "best-single-result", "chips", "deals-played", "direct-encounter", "fewest-cards-left",
        "last-result", "most-firsts", "opponents-strength", "wins",
    ]  # fmt: skip
    assert list(available()) == asked


def test_they_come_in_the_order_asked() -> None:
    assert [one.key for one in tie_breaks(["wins", "chips", "average-place"])] == ["wins", "chips", "average-place"]
    assert tie_breaks(()) == ()


@pytest.mark.parametrize(
    "keys", [["Wins"], ["wins", "coin-toss"], ["wins", "wins"], [None], [["wins"]], "wins", None, {}]
)
def test_anything_else_is_refused_with_a_sentence(keys: object) -> None:
    with pytest.raises(BadTieBreak) as refused:
        tie_breaks(keys)
    assert refused.value.code == "bad_tie_break"
    assert str(refused.value).endswith(".")


def test_the_refusal_names_what_there_is() -> None:
    with pytest.raises(BadTieBreak, match=r"^There is no tie-break 'coin-toss'; there are: average-place, .*, wins\.$"):
        standings([], [], Settings(tie_breaks=("wins", "coin-toss")))


@pytest.mark.usefixtures("_found_afresh")
def test_a_new_file_is_a_new_tie_break_without_registration(tmp_path, monkeypatch) -> None:
    (tmp_path / "seats.py").write_text(NEW_TIE_BREAK)
    monkeypatch.setattr(tiebreaks, "__path__", [*tiebreaks.__path__, str(tmp_path)])
    competition = competing.entered(competing.finished("A>B", "C>D>E"))
    assert competing.ranks(competition.table("seats")) == {"C": 1, "D": 1, "E": 1, "A": 4, "B": 4}
    assert "seats" in [about["tie_break"] for about in tiebreaks.describe()]


@pytest.mark.usefixtures("_found_afresh")
def test_an_installed_package_adds_a_tie_break_through_its_entry_point(tmp_path, monkeypatch) -> None:
    (tmp_path / "clubhouse_ties.py").write_text(NEW_TIE_BREAK)
    about = tmp_path / "clubhouse-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: clubhouse\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[fantan.tiebreaks]\nseats = clubhouse_ties:Seats\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert available()["seats"].__module__ == "clubhouse_ties"
