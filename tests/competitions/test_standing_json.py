"""Standings that are kept come back as they were."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given

from competitions.standing_json import standings_from_json, standings_json
from scoring.entries import Entrant, Settings, TableResult
from scoring.explain import counted, order_of_tie_breaks, sentence
from scoring.standings import Standings, standings
from scoring.tiebreaks import BadTieBreak, available
from scoring.wording import Listed, Said
from tests.scoring.competing import Competition, competitions, entered, finished


def kept(table: Standings) -> Standings:
    return standings_from_json(json.loads(json.dumps(standings_json(table))))


@given(competitions(marks=True))
def test_any_standings_come_back_equal(competition: Competition) -> None:
    table = competition.table()
    assert kept(table) == table


@given(competitions(marks=True))
def test_standings_of_rounds_that_were_not_all_held_come_back_equal(competition: Competition) -> None:
    table = replace(competition, held=(1, 2, 5, 9)).table(absence=Fraction(-1, 3), lower_is_better=False)
    assert kept(table) == table


@given(competitions(marks=True))
def test_what_is_kept_explains_itself_as_before(competition: Competition) -> None:
    table = competition.table()
    again = kept(table)
    assert order_of_tie_breaks(again) == order_of_tie_breaks(table)
    for one, other in zip(table.rows, again.rows, strict=True):
        assert sentence(again, other, str) == sentence(table, one, str)
        assert counted(again, other) == counted(table, one)


@given(competitions(marks=True))
def test_what_is_kept_can_still_be_said_in_other_languages(competition: Competition) -> None:
    for row in kept(competition.table(*available())).rows:
        for key, value in row.tie_breaks:
            heard = available()[key].heard(value or "0")
            assert heard == (value or "0")
            assert isinstance(heard, Said | Listed) or heard.lstrip("-").isdigit()


def test_fractions_are_kept_exactly_and_whole_ones_as_numbers() -> None:
    results = (
        TableResult(1, 1, 7, Fraction(1000, 3), 1, 2, total=Fraction(4, 2), chips=Fraction(-1, 7)),
        TableResult(2, 1, 7, Fraction(6, 2), 2, 2),
    )
    stored = standings_json(entered(results).table())
    assert [row[2] for row in stored["rows"]] == ["1000/3", 3]
    assert stored["rows"][0][5] == [["pc", 1, "1000/3", [7, "1000/3", 1, 2, 2, None, None, None, "-1/7"]]]
    assert kept(entered(results).table()).row(1).total == Fraction(1000, 3)


def test_a_round_that_is_missed_costs_nothing_beside_the_one_before() -> None:
    """A hundred rounds of which each person played a few, with absences worth points, are a line for each gap."""
    results = tuple(TableResult(who, number, number, who, who, 2) for who in (1, 2) for number in (1, 50, 100))
    table = standings([Entrant(1), Entrant(2)], results, Settings(absence=0, drop=60), held=range(1, 101))
    stored = standings_json(table)
    assert [line[:3] for line in stored["rows"][0][5]] == [
        ["pc", 1, 2], ["md", 2, 49], ["pc", 50, 2], ["md", 51, 62], ["mc", 63, 99], ["pc", 100, 2],
    ]  # fmt: skip
    assert len(table.rows[0].rounds) == 100
    assert kept(table) == table


def test_many_who_are_level_are_not_named_by_each_other() -> None:
    everybody = [Entrant(number) for number in range(1, 301)]
    table = standings(everybody, finished("1>2", points="neutral")[:0], Settings())
    assert len(table.rows[0].level_with) == 299
    assert len(json.dumps(standings_json(table))) < 300 * 40
    assert kept(table) == table


def test_another_form_is_refused() -> None:
    stored = standings_json(entered(finished("a>b", points="neutral")).table())
    with pytest.raises(ValueError, match="written in form 2; this program reads form 1"):
        standings_from_json({**stored, "form": 2})


def test_a_tie_break_that_is_gone_is_named() -> None:
    stored = standings_json(entered(finished("a>b", points="neutral")).table("wins"))
    with pytest.raises(BadTieBreak, match="no tie-break"):
        standings_from_json({**stored, "tie_breaks": ["luck"]})


def test_an_id_that_json_would_change_is_refused() -> None:
    table = standings([Entrant((1, 2))], (), Settings())
    with pytest.raises(TypeError, match="whole numbers or texts"):
        standings_json(table)
