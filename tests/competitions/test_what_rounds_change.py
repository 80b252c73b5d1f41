"""What opening, closing and setting rounds otherwise change: told, refused, or passed on to the tables."""

import pytest

from competitions.services import corrections, drawing, entries, rounds, setup
from competitions.services.entries import NewEntry
from games.errors import Invalid
from games.models import Session
from tests.competitions.builders import a_league

pytestmark = pytest.mark.django_db


def ids(league, *names):
    return [league.player(name).public_id for name in names]


def test_closing_a_round_tells_whom_an_absence_costs_points():
    league = a_league(5, enter=False, points="scheme", absence=20)
    entries.enter(**league.about, entries=[NewEntry(player) for player in ids(league, "A", "B", "C", "D")])
    league.open(1)
    entries.enter(**league.about, entries=[NewEntry(player) for player in ids(league, "E")])
    league.play(1)
    told = rounds.close(**league.about, number=1).effects["standings"]
    assert league.player("E").pk in {change["entrant"] for change in told}


def test_opening_a_round_tells_what_a_declared_absence_is_worth():
    league = a_league(5, points="scheme", absence=20)
    drawing.draw(**league.about, number=1, absent=ids(league, "E"))
    told = rounds.open_round(**league.about, number=1, publish=True).effects["standings"]
    assert league.player("E").pk in {change["entrant"] for change in told}


def test_points_that_tables_on_record_would_not_have_are_refused():
    league = a_league(4, points={"places": [7, 5, 3, 1, 0]})
    league.whole_round(1)
    small = {"points": {"places": [5, 4, 3]}, "tables": {"preferred": 3, "smallest": 3, "largest": 3}}
    before = league.standings
    with pytest.raises(Invalid, match="Table 1 of Round 1 has 4 players") as refused:
        setup.configure(**league.about, changes=small, reason="smaller")
    assert refused.value.code == "bad_points"
    assert league.standings == before


@pytest.mark.parametrize("public", [True, False])
def test_tables_are_shown_to_whom_the_competition_is_shown(public):
    league = a_league(4, public=not public)
    league.whole_round(1)
    setup.configure(**league.about, changes={"public": public}, reason="the club wants it")
    assert set(Session.objects.values_list("public", flat=True)) == {public}


def test_who_was_to_be_absent_sits_when_named_as_present():
    league = a_league(9)
    drawing.draw(**league.about, number=1, absent=ids(league, "A", "B"))
    drawing.draw(**league.about, number=1, present=ids(league, *"ABCDEFGHI"))
    plan = league.state.round(1).plan
    assert set(plan.people()) == {player.pk for player in league.people}
    assert not league.state.absent(1)


def test_points_given_later_do_not_put_an_earlier_draw_in_doubt():
    league = a_league(8, format="swiss", rounds=3)
    league.whole_round(1)
    league.whole_round(2)
    told = corrections.adjust(**league.about, player=ids(league, "A")[0], points=-500, reason="late").effects
    assert told["standings"]
    assert told["outdated"] == []


def test_a_round_drawn_again_goes_by_points_given_since():
    league = a_league(8, format="swiss", rounds=3)
    league.whole_round(1)
    drawing.draw(**league.about, number=2)
    before = league.state.round(2).draw["levels"]
    corrections.adjust(**league.about, player=ids(league, "A")[0], points=-5000, reason="late")
    drawing.draw(**league.about, number=2)
    after = league.state.round(2).draw["levels"]
    assert league.player("A").pk in before[0]
    assert after[-1] == [league.player("A").pk]
