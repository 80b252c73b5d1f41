"""What a correction changed stays in the log with it, is told the same later, and never gets into a fold."""

import pytest

from competitions import eventlog, receipts, showing
from competitions.facts import Kind
from competitions.models import Event
from competitions.services import corrections, drawing, entries, publishing
from competitions.services.writing import preview
from games.models import Player
from games.services import corrections as at_table
from tests.competitions.builders import League, a_league
from tests.games.builders import NOW

pytestmark = pytest.mark.django_db(transaction=True)


def adjusted(league: League, points: object = 5) -> dict:
    return {**league.about, "player": league.player("D").public_id, "points": points, "reason": "Kind."}


def test_a_preview_says_what_the_real_thing_then_keeps():
    league = a_league(8, rounds=2)
    league.whole_round(1)
    said = preview(lambda: corrections.adjust(**adjusted(league))).effects
    receipt = corrections.adjust(**adjusted(league))
    assert receipt.effects == said
    assert eventlog.effects(league.row.pk, receipt.seq) == said
    assert receipts.of_write(league.public_id, receipt.seq)["effects"] == showing.effects_public(said)


def test_what_a_write_answers_with_stays_the_same_whatever_is_renamed_or_blanked():
    league = a_league(8)
    league.whole_round(1)
    receipt = corrections.adjust(**adjusted(league))
    answer = receipts.of_write(league.public_id, receipt.seq)
    assert answer["effects"]["standings"]
    Player.objects.update(name="Somebody")
    Event.objects.filter(competition=league.row, seq=receipt.seq).update(reason="")
    corrections.undo(**league.about, seq=receipt.seq, reason="No.")
    assert receipts.of_write(league.public_id, receipt.seq) == answer


def test_effects_and_contents_are_no_part_of_what_is_folded():
    league = a_league(8)
    league.whole_round(1)
    seq = corrections.adjust(**adjusted(league)).seq
    publishing.publish(**league.about, what="standings")
    assert "effects" in Event.objects.get(competition=league.row, seq=seq).data
    assert not any({"effects", "content"} & event.data.keys() for event in league.state.events)


def test_draws_openings_and_closings_keep_only_what_they_say_themselves():
    league = a_league(8, rounds=1)
    league.whole_round(1)
    kept = [event.kind for event in Event.objects.filter(competition=league.row, data__has_key="effects")]
    assert set(kept) == {Kind.ENTERED}


def test_a_withdrawal_that_changes_a_draw_keeps_the_changes_in_its_last_event():
    league = a_league(9)
    drawing.draw(**league.about, number=1)
    seq = entries.withdraw(**league.about, player=league.player("A").public_id).seq
    assert league.state.events[-1].kind is Kind.DRAWN
    assert [change["after"] for change in eventlog.effects(league.row.pk, seq)["draws"]].count("leaves") == 1


def test_a_correction_at_a_table_is_recalled_as_it_was_told():
    league = a_league(4)
    league.whole_round(1)
    (session,) = league.sessions(1)
    receipt = at_table.adjust(
        caller=league.caller, session=session.public_id, seat=0, points=9, reason="Late.", now=NOW, door="test"
    )
    from games import hooks

    session.refresh_from_db()
    assert hooks.recall(session, receipt.seq) == receipt.effects
    assert receipt.effects["competition"]["standings"]
