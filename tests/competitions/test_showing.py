"""What both doors show of competitions: people by name, whoever they are merged into; sentences; exact totals."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from competitions import selectors, showing
from competitions.services import corrections, drawing, entries
from competitions.services.writing import preview
from games.models import Player
from scoring.entries import Entrant, Settings
from scoring.standings import standings
from tests.competitions.builders import a_league
from tests.games.builders import NOW

pytestmark = pytest.mark.django_db(transaction=True)


def statements(call):
    with CaptureQueriesContext(connection) as captured:
        found = call()
    return len(captured), found


def test_standings_have_names_totals_shown_and_exact_and_explain_themselves():
    league = a_league(4, points={"places": [7, "10/3", 1, 0, 0]}, tie_breaks=["wins"])
    league.whole_round(1)
    found = showing.standings_shown(league.standings)
    assert found.order.startswith("Equal totals are decided by: 1.")
    second = found.rows[1]
    assert (second.rank, second.player.name, second.total, second.exact) == (2, "B", "3.33", "10/3")
    assert second.tie_breaks == (("Wins", "0"),)
    assert second.sentence == "2nd of 4 with 3.33 points, behind A by points (3.33 to 7)."
    assert second.counted == "Round 1 counts: 3.33."
    table = league.standings
    assert statements(lambda: showing.standings_shown(table))[0] == 1


def test_whoever_is_merged_into_somebody_is_shown_as_that_somebody():
    league = a_league(4)
    league.whole_round(1)
    keeper = Player.objects.create(club=league.club, name="Keeper")
    Player.objects.filter(pk=league.player("A").pk).update(merged_into=keeper, active=False)
    table = league.standings
    named = showing.people([league.player("A").pk], showing.entrants(table))
    assert named.name(league.player("A").pk) == "Keeper"
    assert named.public_id(league.player("A").pk) == league.player("A").public_id
    assert showing.standings_shown(table).rows[0].player == keeper


def test_a_draw_is_shown_with_names_substitutes_and_its_report():
    league = a_league(9, tables={"preferred": 4, "full_only": True})
    drawing.draw(**league.about, number=1)
    sub = Player.objects.create(club=league.club, name="Sub")
    plan = league.state.round(1).plan
    first = Player.objects.get(pk=plan.tables[0][0])
    entries.substitute(**league.about, player=first.public_id, number=1, by=sub.public_id, reason="Ill.")
    content = selectors.round_of(league.caller, league.row, 1, now=NOW).draw
    count, shown = statements(lambda: showing.draw_shown(1, content))
    assert count == 1
    assert (shown.name, len(shown.tables), len(shown.sitting_out)) == ("Round 1", 2, 1)
    assert (shown.tables[0][0].player, shown.tables[0][0].substitute) == (first, sub)
    assert shown.tables[0][1].substitute is None
    assert "Nobody sits out more than once." in shown.lines


def test_effects_are_told_in_sentences_and_with_public_ids():
    league = a_league(8, format="league-night", rounds=2, tie_breaks=["wins"])
    league.whole_round(1)
    drawing.draw(**league.about, number=2)
    last = league.standings.rows[-1]
    player = Player.objects.get(pk=last.entrant)
    about = {**league.about, "player": player.public_id, "reason": "A good deed."}
    receipt = preview(lambda: corrections.adjust(**about, points=1))
    count, shown = statements(lambda: showing.effects_shown(receipt.effects))
    assert count == 1
    assert f"{player.name}: " in " ".join(shown.standings)
    assert shown.changes["standings"][0]["player"] in {one.public_id for one in league.people}
    assert "entrant" not in str(shown.changes)
    assert "A good deed." not in str(receipt.effects)
    gone = preview(lambda: entries.withdraw(**league.about, player=player.public_id))
    told = showing.effects_shown(gone.effects)
    assert any(sentence.startswith(f"Round 2: {player.name} leaves (") for sentence in told.draws)
    assert told.sentences == [*told.standings, *told.draws, *told.outdated]
    assert statements(lambda: showing.effects_shown({}))[0] == 0


def test_while_all_are_equal_nobody_lists_everybody():
    table = standings([Entrant(n) for n in range(50)], (), Settings())
    from scoring.explain import sentence

    assert sentence(table, table.rows[0], str) == "1st of 50 with 0 points, equal with 49 others on everything."
