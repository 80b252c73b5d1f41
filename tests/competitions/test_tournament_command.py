"""Tournaments of bots by one command, every card of them played through the log."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from competitions.audit import audits
from competitions.models import Competition, Publication
from games.models import Deal

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("form", ["league-night", "swiss", "round-robin", "knockout"])
def test_bots_play_a_tournament_to_its_published_standings(form):
    out = StringIO()
    call_command("tournament", players=7, rounds=2, format=form, stdout=out)
    competition = Competition.objects.get()
    assert competition.status == "finished"
    assert Publication.objects.filter(competition=competition, what="standings").count() == 1
    tables = competition.tables.count()
    assert Deal.objects.filter(finished=True, mode="hosted").count() == tables
    assert "1st of 7" in out.getvalue()
    assert "Round 2" in out.getvalue()
    assert list(audits()) == [[]]


def test_too_few_players_are_refused_with_the_reason():
    with pytest.raises(CommandError, match="2 players cannot sit at tables of 3 to 5"):
        call_command("tournament", players=2, stdout=StringIO())


def test_a_big_club_is_made_of_recorded_deals():
    call_command("big_club", players=12, rounds=3, tables=2, deals=2, open=1, stdout=StringIO())
    competition = Competition.objects.get()
    assert [at.status for at in competition.rounds.order_by("number")] == ["closed", "closed", "open"]
    assert Deal.objects.filter(finished=True, mode="recorded").count() == 2 * 2 * 2
    assert list(audits()) == [[]]
