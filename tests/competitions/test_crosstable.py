"""Who met whom, by final rank."""

from hypothesis import given

from competitions.crosstable import Met, crosstable
from competitions.standing_json import standings_from_json, standings_json
from scoring.entries import Entrant
from tests.scoring.competing import Competition, competitions, entered, finished


def test_everybody_has_a_line_of_those_met_by_final_rank() -> None:
    competition = entered(finished("d>c>b>a", "c=a>b", "a>b", points="neutral"))
    competition = Competition((*competition.entrants, Entrant("e")), competition.results)
    table = competition.table()
    assert [row.entrant for row in table.rows] == ["a", "c", "d", "b", "e"]
    lines = crosstable(table)
    assert list(lines) == ["a", "c", "d", "b", "e"]
    assert ["".join(line) for line in lines.values()] == ["cdb", "adb", "acb", "acd", ""]
    assert lines["a"] == {"b": Met(3, 2, 1), "c": Met(2, 0, 1), "d": Met(1, 0, 1)}
    assert lines["c"]["a"] == Met(2, 1, 0)
    assert lines["c"]["a"].level == 1


def test_a_dropped_round_is_a_meeting_too() -> None:
    competition = entered(finished("a>b", "b>a", points="neutral"))
    assert crosstable(competition.table(best=1))["a"] == {"b": Met(2, 1, 1)}


@given(competitions(marks=True))
def test_the_table_is_that_of_a_plain_look_at_all_results(competition: Competition) -> None:
    table = competition.table()
    lines = crosstable(standings_from_json(standings_json(table)))
    order = [row.entrant for row in table.rows]
    assert list(lines) == order
    played = [result for result in competition.results if result.kind == "played"]
    for one in order:
        assert list(lines[one]) == [who for who in order if who in lines[one]]
        for other in order:
            pairs = [
                (mine.place, theirs.place)
                for mine in played
                for theirs in played
                if (mine.entrant, theirs.entrant) == (one, other) and one != other
                if (mine.round, mine.table) == (theirs.round, theirs.table)
            ]
            met = Met(len(pairs), sum(a < b for a, b in pairs), sum(a > b for a, b in pairs))
            assert lines[one].get(other, Met(0, 0, 0)) == met
