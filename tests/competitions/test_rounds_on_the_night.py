"""Opening, closing and reopening rounds, results that come too late, and corrections in rounds that are closed."""

import pytest

from competitions import eventlog
from competitions.audit import audit_competition
from competitions.facts import Kind
from competitions.models import Competition
from competitions.services import corrections, drawing, entries, publishing, rounds, setup
from competitions.services.writing import preview
from competitions.standing_json import number_json
from games.access import Caller
from games.models import Role, Session
from games.services import corrections as table_corrections
from games.services import recording, sessions
from games.services.recording import PaperResult
from games.services.transactions import rehearsal
from tests.competitions.builders import League, a_league, by_lot
from tests.competitions.rows import everything, refused
from tests.games.builders import NOW, a_member

pytestmark = pytest.mark.django_db


def last(league: League, kind: Kind) -> int:
    return max(event.seq for event in league.state.events if event.kind is kind)


def void(league: League, session: Session, number: int = 1):
    return table_corrections.void(
        caller=league.caller, session=session.public_id, number=number, reason="wrong", now=NOW, door="test"
    )


def again(league: League, session: Session, cards_left: list[int]):
    """Another result for the first deal of a table, as an organiser enters it."""
    return recording.record_deal(
        caller=league.caller,
        session=session.public_id,
        number=1,
        result=PaperResult(cards_left),
        reason="read again",
        now=NOW,
        door="test",
    )


def test_a_round_does_not_close_before_all_results_are_in_and_says_whose_are_missing():
    league = a_league(8)
    league.open(1)
    first, second = league.sessions(1)
    league.score(first, [0, 1, 2, 3])
    names = [item.player.name for item in second.occupancies.order_by("seat").select_related("player")]
    with refused("results_missing", rf"table 2 \({', '.join(names)}\)\."):
        league.close(1)
    league.score(second, [0, 1, 2, 3])
    league.close(1)
    assert league.state.round(1).status == "closed"
    assert {session.status for session in league.sessions(1)} == {"closed"}


def test_a_result_that_waits_for_a_second_person_is_missing_even_where_the_table_was_closed():
    league = a_league(8, confirm=True)
    scorer = Caller.of(a_member(league.club, "second", Role.SCORER))
    league.open(1)
    first, second = league.sessions(1)
    league.play(1)
    recording.confirm(caller=scorer, session=first.public_id, number=1, now=NOW, door="test")
    with refused("results_missing", r"table 2 \(.*; a second person has yet to confirm\)\."):
        league.close(1)
    sessions.close(caller=league.caller, session=second.public_id, now=NOW, door="test")
    with refused("results_missing", r"table 2 \(.*; a second person has yet to confirm\)\."):
        league.close(1)
    organiser = Caller.of(a_member(league.club, "third"))
    recording.confirm(caller=organiser, session=second.public_id, number=1, now=NOW, door="test")
    league.close(1)
    assert sum(row.total for row in league.standings.rows) == 4000


def test_a_closed_round_takes_no_more_results_and_says_so():
    league = a_league(8, deals=2, scheme={"scheme": "card-count", "target": 1})
    setup.set_round(**league.about, number=1, title="First evening")
    league.whole_round(1)
    scorer = Caller.of(a_member(league.club, "scorer", Role.SCORER))
    session = league.sessions(1)[0]
    for number in (1, 2):
        with refused("session_closed", "First evening was closed"):
            recording.record_deal(
                caller=scorer,
                session=session.public_id,
                number=number,
                result=PaperResult([3, 2, 1, 0]),
                reason="late",
                now=NOW,
                door="test",
            )


def test_a_table_is_not_opened_again_behind_the_back_of_its_closed_round():
    league = a_league(8)
    league.whole_round(1)
    session = league.sessions(1)[0]
    closing = session.seq
    with refused("round_closed", "Reopen Round 1"):
        table_corrections.undo(
            caller=league.caller, session=session.public_id, seq=closing, reason="r", now=NOW, door="test"
        )


def test_a_reopened_round_takes_results_again_and_closes_again():
    league = a_league(8, deals=2, scheme={"scheme": "card-count", "target": 90})
    league.open(1)
    for number in (1, 2):
        for session in league.sessions(1):
            league.score(session, [0, 1, 2, 3], number)
    league.close(1)
    before = league.standings
    corrections.undo(**league.about, seq=last(league, Kind.CLOSED), reason="a slip turned up")
    assert league.state.round(1).status == "open"
    assert {session.status for session in league.sessions(1)} == {"finished"}
    again(league, league.sessions(1)[0], [3, 2, 1, 0])
    league.close(1)
    assert league.standings != before
    with refused("cannot_undo"):
        corrections.undo(**league.about, seq=last(league, Kind.UNDONE), reason="r")
    assert audit_competition(league.row) == []


def test_a_table_that_was_closed_by_hand_stays_closed_when_its_round_reopens():
    league = a_league(8)
    league.open(1)
    league.play(1)
    first, _ = league.sessions(1)
    sessions.close(caller=league.caller, session=first.public_id, now=NOW, door="test")
    league.close(1)
    corrections.undo(**league.about, seq=last(league, Kind.CLOSED), reason="r")
    assert [session.status for session in league.sessions(1)] == ["closed", "finished"]


def test_an_opening_is_taken_back_while_nothing_is_played():
    league = a_league(8)
    league.open(1)
    old = league.sessions(1)
    corrections.undo(**league.about, seq=last(league, Kind.OPENED), reason="wrong draw")
    assert league.state.round(1).status == "drawn"
    assert {Session.objects.get(pk=session.pk).status for session in old} == {"closed"}
    drawing.draw(**league.about, number=1, variant=1)
    league.open(1)
    league.play(1)
    with refused("tables_played", "Round 1 is being played"):
        corrections.undo(**league.about, seq=last(league, Kind.OPENED), reason="r")
    league.close(1)
    with refused("round_closed"):
        corrections.undo(**league.about, seq=last(league, Kind.OPENED), reason="r")
    assert audit_competition(league.row) == []


def test_a_round_with_tables_closed_unplayed_is_not_taken_back_from_under_its_closing():
    league = a_league(8)
    league.open(1)
    for session in league.sessions(1):
        sessions.close(caller=league.caller, session=session.public_id, now=NOW, door="test")
    league.close(1)
    with refused("round_closed"):
        corrections.undo(**league.about, seq=last(league, Kind.OPENED), reason="r")


def test_a_correction_in_a_closed_round_changes_the_standings_and_is_logged_with_all_that_follows():
    league = a_league(8, format="swiss", rounds=3)
    league.whole_round(1)
    drawing.draw(**league.about, number=2)
    before = league.standings
    session = league.sessions(1)[0]
    with rehearsal():
        promised = void(league, session)
    assert league.standings == before
    done = void(league, session)

    (effects,) = done.effects.values()
    assert done.effects == promised.effects
    assert (effects["id"], effects["round"]) == (league.public_id, 1)
    moved = [seat.player_id for seat in session.occupancies.all()]
    (outdated,) = effects["outdated"]
    assert (outdated["round"], outdated["status"]) == (2, "drawn")
    assert set(outdated["players"]) >= set(moved)
    changed = {change["entrant"]: change for change in effects["standings"]}
    for player in moved:
        old, new = before.row(player), league.standings.row(player)
        if (old.rank, old.total) != (new.rank, new.total):
            assert changed[player]["rank"] == {"before": old.rank, "after": new.rank}
            assert changed[player]["total"] == {"before": number_json(old.total), "after": number_json(new.total)}
    untouched = {row.entrant for row in before.rows} - set(moved)
    assert {league.standings.row(who).total for who in untouched} == {before.row(who).total for who in untouched}

    event = league.state.events[-1]
    assert (event.kind, event.round, event.reason) == (Kind.CORRECTED, 1, "wrong")
    kept = eventlog.effects(league.row.pk, event.seq)
    assert kept == {name: effects[name] for name in ("standings", "draws", "outdated")}
    assert audit_competition(league.row) == []


def test_a_draw_that_a_correction_does_not_touch_is_not_outdated():
    league = a_league(8, format="swiss", rounds=3, points="neutral")
    league.whole_round(1)
    drawing.draw(**league.about, number=2)
    session = league.sessions(1)[0]
    seated = [item.player for item in session.occupancies.order_by("seat").select_related("player")]
    order = [sorted(player.name for player in seated).index(player.name) for player in seated]
    done = again(league, session, [2 * left for left in order])  # other cards, the same places
    assert done.effects["competition"]["outdated"] == []
    assert done.effects["competition"]["standings"] == []


def test_results_to_the_end_are_forgotten_when_a_correction_is_undone():
    league = a_league(8, format="swiss", rounds=3, tie_breaks=["wins", "fewest-cards-left"])
    league.open(1)
    league.play(1, by_lot(1))
    league.close(1)
    before = league.standings
    session = league.sessions(1)[0]
    seq = void(league, session).seq
    assert league.standings != before
    table_corrections.undo(caller=league.caller, session=session.public_id, seq=seq, reason="r", now=NOW, door="test")
    assert league.standings == before
    assert [event.kind for event in league.state.events[-2:]] == [Kind.CORRECTED, Kind.CORRECTED]


def test_a_correction_that_waits_for_a_second_person_is_logged_and_its_confirmation_too():
    league = a_league(8, confirm=True)
    other = Caller.of(a_member(league.club, "second"))
    league.open(1)
    league.play(1)
    for session in league.sessions(1):
        recording.confirm(caller=other, session=session.public_id, number=1, now=NOW, door="test")
    league.close(1)
    before = league.standings
    session = league.sessions(1)[0]
    entered = again(league, session, [9, 8, 7, 0])
    assert entered.effects["competition"]["standings"]
    done = recording.confirm(caller=other, session=session.public_id, number=1, now=NOW, door="test")
    assert done.effects["competition"]["standings"]
    assert [event.kind for event in league.state.events[-2:]] == [Kind.CORRECTED, Kind.CORRECTED]
    assert league.standings != before
    assert sum(row.total for row in league.standings.rows) == 4000
    assert audit_competition(league.row) == []


def test_opening_waits_for_the_draw_to_be_out():
    league = a_league(8)
    drawing.draw(**league.about, number=1)
    with refused("draw_not_published"):
        rounds.open_round(**league.about, number=1)
    publishing.publish(**league.about, what="draw", number=1)
    drawing.draw(**league.about, number=1, variant=3)
    with refused("draw_not_published", "or was changed since"):
        rounds.open_round(**league.about, number=1)
    publishing.publish(**league.about, what="draw", number=1)
    rounds.open_round(**league.about, number=1)
    with refused("round_open"):
        rounds.open_round(**league.about, number=1)
    with refused("round_open"):
        drawing.draw(**league.about, number=1)
    with refused("round_open"):
        publishing.unpublish(**league.about, number=max(league.state.publications), reason="r")


def test_a_finished_competition_is_left_alone_until_its_finish_is_undone():
    league = a_league(8)
    league.open(1)
    league.play(1)
    with refused("rounds_open", "Close first: Round 1"):
        setup.finish(**league.about)
    league.close(1)
    setup.finish(**league.about)
    a = league.player("A").public_id
    for call in (
        lambda: drawing.draw(**league.about, number=2),
        lambda: entries.withdraw(**league.about, player=a),
        lambda: corrections.adjust(**league.about, player=a, points=1, reason="r"),
        lambda: corrections.undo(**league.about, seq=last(league, Kind.CLOSED), reason="r"),
        lambda: setup.configure(**league.about, changes={"name": "Other"}),
    ):
        with refused("competition_finished"):
            call()
    corrections.undo(**league.about, seq=last(league, Kind.FINISHED), reason="one more")
    undone = last(league, Kind.UNDONE)
    league.open(2)
    with refused("rounds_open"):
        corrections.undo(**league.about, seq=undone, reason="r")


def test_a_preview_of_any_write_leaves_no_trace_and_promises_what_comes():
    league = a_league(9, format="swiss", rounds=3, bye="500", tie_breaks=["wins"])
    league.whole_round(1)
    drawing.draw(**league.about, number=2)
    a, b = league.player("A").public_id, league.player("B").public_id
    about = league.about
    for call in (
        lambda: corrections.adjust(**about, player=a, points="-10.5", reason="late"),
        lambda: entries.withdraw(**about, player=b),
        lambda: entries.sit_out(**about, player=a, number=2, bye=True, points="700", reason="ill"),
        lambda: setup.configure(**about, changes={"points": {"places": [5, 3, 1, 0, 0]}}, reason="r"),
        lambda: corrections.undo(**about, seq=last(league, Kind.CLOSED), reason="r"),
        lambda: rounds.close(**about, number=1),
        lambda: entries.reinstate(**about, player=b),
    ):
        before, version = everything(), Competition.objects.values("version__number").get(pk=league.row.pk)
        promised = preview(call)
        assert everything() == before
        assert Competition.objects.values("version__number").get(pk=league.row.pk) == version
        done = call()
        assert (done.effects, done.seq) == (promised.effects, promised.seq)
