"""Closing ends play and entry; what is past can still be corrected by an organiser, and nothing reopens by that."""

import pytest

from games import selectors
from games.access import Caller
from games.audit import audit_session
from games.engine.session import SessionError
from games.errors import Forbidden, Refusal
from games.models import Role
from games.services import corrections, players, recording, sessions
from tests.games.builders import NOW, a_member, a_table
from tests.games.test_corrections import REASON, correct, record, totals

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    """One recorded deal, one hosted, closed."""
    table = a_table(4, scheme="card-count")
    record(table, 1, [2, 3, 1, 0])
    table.deal(2)
    table.play_out()
    correct(sessions.close, table, reason="Round 3 was closed.")
    yield table
    assert table.row.status == "closed"
    assert (table.row.live_deal, table.row.due_at) == (None, None)
    assert list(audit_session(table.row)) == []


def a_scorer(table):
    return Caller.of(a_member(table.club, "scorer", Role.SCORER))


def refusal(attempt):
    with pytest.raises((SessionError, Refusal)) as refused:
        attempt()
    return refused.value


def test_an_organiser_corrects_everything_that_is_past_and_the_session_stays_closed(table):
    start = totals(table)
    record(table, 1, [5, 3, 1, 0], reason=REASON)
    assert totals(table)[0] == start[0] + 3
    void = correct(corrections.void, table, number=1)
    adjusted = correct(corrections.adjust, table, seat=0, points=1)
    for change in (void, adjusted):
        correct(corrections.undo, table, seq=change.seq)
    assert totals(table)[0] == start[0] + 3
    correct(corrections.void, table, number=2)
    assert totals(table) == [5, 3, 1, 0]


def test_a_scorer_is_told_that_and_why_the_session_is_closed(table):
    scorer = a_scorer(table)
    take = record(table, 1, [5, 3, 1, 0], reason=REASON)

    for attempt in (
        lambda: record(table, 1, [4, 3, 1, 0], caller=scorer, reason=REASON),
        lambda: record(table, 3, [4, 3, 1, 0], caller=scorer, reason=REASON),
        lambda: corrections.undo(
            caller=scorer, session=table.session, seq=take.seq, reason=REASON, now=NOW, door="test"
        ),
    ):
        refused = refusal(attempt)
        assert refused.code == "session_closed"
        assert refused.message.startswith("This session is closed (Round 3 was closed). ")


def test_what_is_an_organisers_right_stays_one(table):
    scorer = a_scorer(table)
    with pytest.raises(Forbidden):
        corrections.void(caller=scorer, session=table.session, number=1, reason=REASON, now=NOW, door="test")


def test_nobody_takes_a_seat_for_deals_that_do_not_come(table):
    zoe = players.create_player(caller=table.caller, club=table.club.slug, name="Zoë")
    refused = refusal(lambda: correct(corrections.substitute, table, seat=0, player=zoe))
    assert refused.code == "session_closed"
    correct(corrections.substitute, table, seat=0, player=zoe, from_number=2)


def test_nobody_enters_a_new_deal_or_deals(table):
    assert refusal(lambda: record(table, 3, [2, 3, 1, 0], dealer=None, reason=REASON)).code == "session_closed"
    assert refusal(lambda: table.deal(3)).code == "session_closed"


def test_the_number_of_a_deal_whose_only_take_is_undone_takes_no_new_deal(table):
    correct(corrections.void, table, number=2)
    recorded = selectors.state_of(table.row).deal_at(1)
    undo = correct(corrections.undo, table, seq=recorded.seq)

    assert refusal(lambda: record(table, 1, [2, 3, 1, 0], reason=REASON)).code in ("no_such_deal", "session_closed")
    correct(corrections.undo, table, seq=undo.seq)
    assert totals(table) == [2, 3, 1, 0]


def test_a_take_entered_in_part_does_not_become_live():
    table = a_table(4)
    record(table, 1, [2, 3, 1, 0])
    correct(sessions.close, table)
    hands = [sum(1 << card for card in range(seat * 13, seat * 13 + 13)) for seat in range(4)]

    recording.record_deal(
        caller=table.caller,
        session=table.session,
        number=1,
        dealer=0,
        hands=hands,
        reason=REASON,
        now=NOW,
        door="test",
    )

    assert (table.row.status, table.row.live_deal) == ("closed", None)
    assert list(audit_session(table.row)) == []


def test_hands_that_closing_opened_stay_open_whatever_is_corrected():
    table = a_table(4)
    table.deal(1)
    closing = correct(sessions.close, table)

    void = correct(corrections.void, table, number=1)

    for change in (closing, void):
        assert refusal(lambda change=change: correct(corrections.undo, table, seq=change.seq)).code == "cannot_undo"
    assert (table.row.status, table.row.live_deal) == ("closed", None)


def test_a_closing_brought_back_by_undoing_its_undo_does_not_open_a_running_hand():
    table = a_table(4, people=4)
    record(table, 1, [2, 3, 1, 0])
    closing = correct(sessions.close, table)
    undo = correct(corrections.undo, table, seq=closing.seq)
    table.deal(2)

    assert refusal(lambda: correct(corrections.undo, table, seq=undo.seq)).code == "deal_running"

    assert table.row.status == "playing"
    assert refusal(lambda: selectors.replay_of(table.row, 2)).code == "deal_running"
