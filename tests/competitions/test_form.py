"""How somebody fared: against a plain look at all results, and against standings counted anew after each round."""

from dataclasses import replace

import pytest
from hypothesis import given

from competitions.crosstable import Met, crosstable
from competitions.form import head_to_head, latest_results, places, rounds_played
from competitions.standing_json import standings_from_json, standings_json
from tests.scoring.competing import Competition, competitions, entered, finished, ranks


def test_a_season_by_hand() -> None:
    table = entered(finished("a>b>c", "b>a>c", "b>c>a", points="neutral")).table("wins")
    assert places(table, "a", best=None, drop=0) == (1, 1, 2)
    assert places(table, "b", best=None, drop=0) == (2, 1, 1)
    assert places(table, "c", best=None, drop=0) == (3, 3, 3)
    played = rounds_played(table, "a")
    assert head_to_head(played, "a") == {"b": Met(3, 1, 2), "c": Met(3, 2, 1)}
    assert [[(seat.entrant, seat.place) for seat in one.tables[0]] for one in played][1] == [
        ("b", 1),
        ("a", 2),
        ("c", 3),
    ]
    assert [result.place for result in latest_results(table.row("a"), 2)] == [2, 3]


def test_nobody_has_no_rounds() -> None:
    with pytest.raises(KeyError):
        rounds_played(entered(finished("a>b")).table(), "z")


@given(competitions(marks=True))
def test_head_to_head_is_the_line_of_the_crosstable(competition: Competition) -> None:
    table = standings_from_json(standings_json(competition.table()))
    lines = crosstable(table)
    for who in lines:
        assert head_to_head(rounds_played(table, who), who) == lines[who]


@given(competitions(marks=True))
def test_rounds_have_everybody_who_sat_at_the_same_tables(competition: Competition) -> None:
    table = competition.table()
    for row in table.rows:
        found = [seat for one in rounds_played(table, row.entrant) for seats in one.tables for seat in seats]
        own = {(r.round, r.table) for r in competition.results if r.entrant == row.entrant and r.kind == "played"}
        there = [r for r in competition.results if (r.round, r.table) in own and r.kind == "played"]
        assert sorted(map(repr, found)) == sorted(map(repr, there))
        last = [r for r in competition.results if r.entrant == row.entrant and r.kind == "played"]
        assert list(latest_results(row, 3)) == sorted(last, key=lambda r: (r.round, str(r.table)))[-3:]


@given(competitions(marks=True))
def test_places_are_those_of_standings_counted_anew_after_each_round(competition: Competition) -> None:
    held = tuple(sorted({result.round for result in competition.results}))
    competition = replace(competition, held=held)
    table = standings_from_json(standings_json(competition.table()))
    settings = replace(competition.settings, tie_breaks=())
    then = [
        ranks(
            replace(
                competition,
                results=tuple(result for result in competition.results if result.round <= number),
                settings=settings,
                held=tuple(other for other in held if other <= number),
            ).table()
        )
        for number in table.rounds
    ]
    for row in table.rows:
        found = places(table, row.entrant, best=settings.best, drop=settings.drop)
        assert found == tuple(after[row.entrant] for after in then)
