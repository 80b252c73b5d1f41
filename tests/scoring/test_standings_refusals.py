"""What standings refuse, with a sentence."""

from typing import Any

import pytest

from scoring.entries import Adjustment, BadStandings, Entrant, Settings, TableResult
from scoring.standings import standings
from tests.scoring.competing import finished


def played(who: str, number: int, points: Any, table: str = "1", **numbers: Any) -> TableResult:
    """A result at a table with guests who are not entered."""
    return TableResult(who, number, table, points, numbers.pop("place", 1), 8, **numbers)


@pytest.mark.parametrize(
    ("entrants", "results", "adjustments", "message"),
    [
        ("aa", (), (), "The entrant a is listed twice."),
        ("a", (played("b", 1, 1),), (), "Round 1: b has a result, but is not entered."),
        ("a", (played("a", 1, 1), played("a", 1, 2)), (), "Round 1: a has two results at table 1."),
        (
            "a",
            (played("a", 1, 1), TableResult("a", 1, points=1, kind="bye")),
            (),
            "a bye or an absence and another result",
        ),
        ("a", (TableResult("a", 1, kind="bye"), TableResult("a", 1, kind="absent")), (), "and another result"),
        ("ab", (played("a", 1, 1), TableResult("b", 1, "1", 1, 1, 4)), (), "do not agree on how many sat there"),
        ("ab", (TableResult("a", 1, "1", 0, 2, 2), TableResult("b", 1, "1", 0, 2, 2)), (), "2 2 are not the places"),
        ("abc", (*finished("a>b"), TableResult("c", 1, "a>b", 0, 1, 2)), (), "do not agree"),
        ("a", (), (Adjustment(7, "b", 1, ""),), "The adjustment 7 is for b, who is not entered."),
        ("a", (), (Adjustment(7, "a", 1, ""), Adjustment(7, "a", 1, "")), "There are two adjustments 7."),
    ],
)
def test_contradictions_are_refused_with_a_sentence(
    entrants: str, results: tuple[TableResult, ...], adjustments: tuple[Adjustment, ...], message: str
) -> None:
    with pytest.raises(BadStandings, match=message) as refused:
        standings([Entrant(who) for who in entrants], results, Settings(), adjustments=adjustments)
    assert refused.value.code == "bad_standings"


@pytest.mark.parametrize(
    "settings",
    [
        {"best": 0}, {"drop": -1}, {"best": 2, "drop": 1}, {"lower_is_better": True},
        {"unranked": frozenset({"guest"})},
    ],
)  # fmt: skip
def test_settings_that_contradict_themselves_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(BadStandings):
        Settings(**settings)


@pytest.mark.parametrize(
    "result",
    [
        {"table": "1", "kind": "bye", "points": 1}, {"points": 1, "place": 1, "size": 4},
        {"table": "1", "place": 1, "size": 4},
        {"table": "1", "points": 1, "place": 5, "size": 4}, {"table": "1", "points": 1, "place": 0, "size": 4},
    ],
)  # fmt: skip
def test_results_that_contradict_themselves_are_refused(result: dict[str, Any]) -> None:
    with pytest.raises(BadStandings):
        TableResult("a", 1, **result)


def test_a_mark_that_means_nothing_is_refused() -> None:
    with pytest.raises(BadStandings, match="guest"):
        Entrant("a", frozenset({"guest"}))


def test_a_bye_without_points_is_refused_where_fewer_are_better() -> None:
    with pytest.raises(BadStandings, match="needs points"):
        standings([Entrant("a")], [TableResult("a", 1, kind="bye")], Settings(lower_is_better=True, absence=9))
