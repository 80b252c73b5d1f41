"""Standings by known numbers: ranks, drops, absences, adjustments, and who is ranked at all."""

from fractions import Fraction
from typing import Any

import pytest

from scoring.entries import Adjustment, Entrant, Settings, TableResult
from scoring.standings import TOTAL, Standings, standings
from tests.scoring import competing
from tests.scoring.competing import Competition, entered, finished, ranks, totals, value

half = Fraction(1, 2)


def played(who: str, number: int, points: Any, table: str = "1", **numbers: Any) -> TableResult:
    """A result at a table with guests who are not entered."""
    return TableResult(who, number, table, points, numbers.pop("place", 1), 8, **numbers)


def season(*, lower: bool = False, **points: list[Any]) -> Competition:
    """A round for each number, None a missed one; all at one table, the number being the place where it can."""
    results = tuple(
        TableResult(who, number, "1", got, got if type(got) is int and 1 <= got <= 20 else 20, 20)
        for who, row in points.items()
        for number, got in enumerate(row, 1)
        if got is not None
    )
    return entered(results, settings=Settings(lower_is_better=lower, absence=20 if lower else None))


def why(table: Standings, who: str) -> list[str]:
    return [line.why for line in table.row(who).rounds]


# Ranks


def test_equals_share_a_rank_and_use_up_as_many() -> None:
    scores = {"a": [44], "b": [42], "c": [42], "d": [41], "e": [41], "f": [41], "g": [39]}
    table = season(**scores).table()
    assert [(row.rank, row.entrant) for row in table.rows] == list(zip([1, 2, 2, 4, 4, 4, 7], "abcdefg", strict=True))
    assert table.row("e").level_with == ("d", "f")
    assert (table.row("a").level_with, table.row("g").level_with) == ((), ())


def test_the_lowest_total_is_first_where_fewer_points_are_better() -> None:
    table = season(lower=True, a=[9], b=[3], c=[3], d=[12]).table()
    assert ranks(table) == {"b": 1, "c": 1, "a": 3, "d": 4}


def test_totals_that_differ_by_less_than_is_shown_are_different_ranks() -> None:
    third = Fraction(1, 3)
    table = season(a=[third, third, third], b=[1], c=[Fraction(999, 1000)]).table()
    assert ranks(table) == {"a": 1, "b": 1, "c": 3}
    assert totals(table)["a"] == 1


def test_nobody_is_a_competition_too() -> None:
    table = standings([], [], Settings(tie_breaks=("wins", "direct-encounter")))
    assert (table.rows, table.ranked, table.rounds) == ((), 0, ())


# The numbers of others


SAILING = {"A": [3, 4, 1, 6, 2, 7], "B": [4, 3, 2, 1, 6, 6], "C": [1, 2, 7, 3, 3, 14]}


def test_a_sailing_series_with_one_drop() -> None:
    """Racing Rules of Sailing, A8: sixteen each; C by her places, then B before A by the last race."""
    series = season(lower=True, **SAILING)
    table = series.table("most-firsts", "last-result", drop=1)
    assert totals(table) == {"A": 16, "B": 16, "C": 16}
    assert [row.entrant for row in table.rows] == ["C", "B", "A"]
    last, second, first = table.row("A").decided, table.row("B").decided, table.row("C").decided
    assert first is None
    assert second is not None
    assert last is not None
    assert (second.by, last.by, last.own, last.theirs) == ("most-firsts", "last-result", "7 in round 6", "6 in round 6")


def test_of_equal_worst_rounds_the_earliest_is_dropped() -> None:
    table = season(lower=True, **SAILING).table(drop=1)
    assert why(table, "B") == ["counts"] * 4 + ["dropped", "counts"]
    assert why(table, "A") == ["counts"] * 5 + ["dropped"]


def test_the_round_robin_of_five() -> None:
    games = ["A>B", "A>E", "A=C", "D>A", "B>C", "B=D", "E>B", "C>D", "C=E", "D>E"]
    results = finished(*games, points={"places": {"2": [1, 0]}})
    table = entered(results).table("direct-encounter", "opponents-strength")
    assert totals(table) == {"A": 5 * half, "B": 3 * half, "C": 2, "D": 5 * half, "E": 3 * half}
    assert [row.entrant for row in table.rows] == ["D", "A", "C", "E", "B"]
    sums = {who: str(value(table, who, "opponents-strength")) for who in "ABD"}
    assert [sums[who].partition("(")[2].split(" ")[0] for who in "ABD"] == ["7.50", "8.50", "7.50"]
    wins = entered(
        tuple(TableResult(r.entrant, r.round, r.table, r.points, r.place, 2, wins=int(r.points == 1)) for r in results)
    ).table("wins")
    assert [value(wins, who, "wins") for who in "ABD"] == ["2", "1", "2"]


def test_one_first_beats_any_number_of_seconds() -> None:
    gold = [TableResult("gold", n, "g", 0, 1 if n == 1 else 8, 8) for n in range(1, 51)]
    silver = [TableResult("silver", n, "s", 0, 2, 8) for n in range(1, 51)]
    table = entered((*gold, *silver)).table("most-firsts")
    assert [row.entrant for row in table.rows] == ["gold", "silver"]


# Which rounds count


def test_the_best_rounds_count() -> None:
    table = season(a=[5, 1, 3, 2], b=[4, 4, None, None], c=[9, None, None, None]).table(best=2)
    assert totals(table) == {"a": 8, "b": 8, "c": 9}
    assert why(table, "a") == ["counts", "dropped", "counts", "dropped"]


def test_a_missed_round_uses_up_a_drop() -> None:
    table = season(a=[5, 1, 3], b=[5, None, 3]).table(drop=1)
    assert totals(table) == {"a": 8, "b": 8}
    assert why(table, "b") == ["counts", "counts"]


def test_a_missed_round_with_a_declared_value_is_a_result_like_any_other() -> None:
    table = season(a=[5, -7, -2], b=[5, None, -2]).table(absence=-1, drop=1)
    assert totals(table) == {"a": 3, "b": 4}
    line = table.row("b").rounds[1]
    assert (line.round, line.kind, line.points, line.results, line.why) == (2, "absent", -1, (), "counts")


def test_only_rounds_that_are_over_are_missed() -> None:
    competition = season(a=[5, 4], b=[5, None], c=[None, None])
    for held, expected in [((1,), {"a": 9, "b": 5}), ((1, 2), {"a": 9, "b": 4}), ((1, 2, 3), {"a": 8, "b": 3})]:
        table = standings(competition.entrants, competition.results, Settings(absence=-1), held=held)
        assert totals(table) == expected


def test_the_two_tables_of_one_night_are_one_round() -> None:
    results = (played("a", 1, 3, "1"), played("a", 1, 4, "2"), played("a", 2, 5), played("b", 1, 6), played("b", 2, 5))
    table = entered(results).table(drop=1)
    assert totals(table) == {"a": 7, "b": 6}
    assert [len(line.results) for line in table.row("a").rounds] == [2, 1]


def test_one_round_counts_however_many_are_dropped() -> None:
    assert totals(season(a=[3, 5], b=[4, 1]).table(drop=2)) == {"a": 5, "b": 4}
    assert totals(season(a=[3]).table(drop=2)) == {"a": 3}


def test_a_declared_absence_and_a_bye_have_the_points_they_are_given() -> None:
    off = (
        TableResult("a", 1, points=2, kind="bye"),
        TableResult("b", 1, points=-3, kind="absent"),
        TableResult("c", 1, kind="bye"),
        TableResult("d", 1, kind="absent"),
    )
    competition = entered((*off, *(played(who, 2, 5, who) for who in "abcd")))
    assert totals(competition.table()) == {"a": 7, "b": 2, "c": 5, "d": 5}
    assert totals(competition.table(absence=-1)) == {"a": 7, "b": 2, "c": 5, "d": 4}
    assert why(competition.table(), "c") == ["no value", "counts"]


# Adjustments


def test_adjustments_are_added_listed_and_never_dropped() -> None:
    competition = Competition(
        (Entrant("a"), Entrant("b")),
        (played("a", 1, 5), played("a", 2, 1), played("b", 1, 4, "2")),
        adjustments=(
            Adjustment(2, "a", -half, "late"),
            Adjustment(1, "a", -3, "phone", cancelled=True),
            Adjustment(10, "b", 2, "brought the cards"),
        ),
    )
    table = competition.table(best=1)
    assert totals(table) == {"a": 9 * half, "b": 6}
    assert [adjustment.id for adjustment in table.row("a").adjustments] == [1, 2]


def test_a_penalty_is_positive_where_fewer_points_are_better() -> None:
    competition = Competition(
        (Entrant("a"), Entrant("b")),
        (played("a", 1, 5), played("b", 1, 6, "2")),
        Settings(lower_is_better=True, absence=9),
        (Adjustment(1, "a", 2, "late"),),
    )
    assert ranks(competition.table()) == {"b": 1, "a": 2}


# Who is ranked


def test_ranks_count_ranked_entrants_only() -> None:
    entrants = (Entrant("a"), Entrant("b", frozenset({"bot"})), Entrant("c"), Entrant("d", frozenset({"withdrawn"})))
    competition = Competition(
        entrants, tuple(played(who, 1, {"a": 1, "b": 9, "c": 3, "d": 4}[who], who) for who in "abcd")
    )
    table = competition.table()
    assert [(row.entrant, row.rank) for row in table.rows] == [("c", 1), ("a", 2), ("b", None), ("d", None)]
    assert table.ranked == 2
    assert [row.unranked_for for row in table.rows] == [(), (), ("bot",), ("withdrawn",)]
    everyone = competition.table(unranked=frozenset({"excluded"}))
    assert ([row.entrant for row in everyone.rows], everyone.ranked) == (["b", "d", "c", "a"], 4)
    assert all(row.unranked_for == () for row in everyone.rows)


def test_results_against_the_unranked_stay() -> None:
    results = finished("a>x>b", points={"places": [3, 2, 1]})
    entrants = (Entrant("a"), Entrant("b"), Entrant("x", frozenset({"excluded"})))
    table = Competition(entrants, results).table("opponents-strength")
    assert totals(table) == {"a": 3, "b": 1, "x": 2}
    assert value(table, "a", "opponents-strength") == "1.50 (1.50 over 1 table)"
    assert table.row("x").rank is None


def test_who_has_no_result_is_listed_with_everyone() -> None:
    table = Competition((Entrant("a"), Entrant("b")), (played("a", 1, 1),)).table()
    assert (ranks(table), totals(table)) == ({"a": 1, "b": 2}, {"a": 1, "b": 0})


def test_ids_of_any_kind_are_listed_in_a_steady_order() -> None:
    ids = ["b", 10, 9, "a"]
    for order in (ids, ids[::-1]):
        table = standings([Entrant(who) for who in order], [], Settings())
        assert [row.entrant for row in table.rows] == [9, 10, "a", "b"]


# Explanations


def test_the_first_difference_decides_and_is_named_with_both_values() -> None:
    results = tuple(
        TableResult(who, 1, who, points, 1, 4, wins=wins, deals=4)
        for who, points, wins in [("a", 3, 2), ("b", 3, 1), ("c", 3, 1), ("d", 2, 4)]
    )
    table = entered(results).table("wins", "deals-played")
    assert table.row("a").decided is None
    decided = [
        (row.decided.by, row.decided.against, row.decided.own, row.decided.theirs) for row in table.rows if row.decided
    ]
    assert decided == [("wins", ("a",), "1", "2"), ("wins", ("a",), "1", "2"), (TOTAL, ("b", "c"), 2, 3)]
    assert [one.key for one in table.tie_breaks] == ["wins", "deals-played"]
    assert table.row("d").tie_breaks == (("wins", "4"), ("deals-played", "4"))


def test_a_tie_break_that_was_not_asked_has_no_value_where_it_depends_on_company() -> None:
    table = competing.entered(finished("A>B", points={"places": [1, 0]})).table("direct-encounter", "wins")
    assert table.row("A").tie_breaks == (("direct-encounter", None), ("wins", None))


def test_the_row_of_a_stranger_is_asked_in_vain() -> None:
    with pytest.raises(KeyError):
        standings([Entrant("a")], [], Settings()).row("b")


def test_nobody_leads_by_not_having_played_where_fewer_points_are_better():
    results = [TableResult("a", 1, 1, points=3, place=2, size=2), TableResult("b", 1, 1, points=1, place=1, size=2)]
    everybody = [Entrant("a"), Entrant("b"), Entrant("c")]
    settings = Settings(lower_is_better=True, absence=4)
    table = standings(everybody, results, settings, held=())
    assert [(row.entrant, row.rank, row.unranked_for) for row in table.rows] == [
        ("b", 1, ()),
        ("a", 2, ()),
        ("c", None, ("no result yet",)),
    ]
    over = standings(everybody, results, settings)
    assert [(row.entrant, row.rank, row.total) for row in over.rows] == [("b", 1, 1), ("a", 2, 3), ("c", 3, 4)]
