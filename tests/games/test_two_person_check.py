"""In a session with `confirm` what one scorer entered on paper counts once another has confirmed it."""

import pytest

from games.access import Caller
from games.audit import audit_session
from games.engine.deal import PASS
from games.engine.deal import Deal as PlayedDeal
from games.engine.rules import Rules
from games.engine.session import SessionError
from games.errors import Forbidden, Refusal
from games.models import Deal, Event, Role, User
from games.services import corrections, play, recording, sessions
from games.services.recording import PaperResult
from tests.games.builders import NOW, a_member, a_table
from tests.games.test_corrections import correct, totals

pytestmark = pytest.mark.django_db
LEFT = [2, 3, 1, 0]
SHUFFLED = bytes(card * 5 % 52 for card in range(52))


@pytest.fixture
def table():
    """A table whose sheet is checked by two, with the scorers `first` and `second` beside the organiser."""
    table = a_table(4, scheme="card-count:target=20", settings={"confirm": True})
    a_member(table.club, "first", Role.SCORER)
    a_member(table.club, "second", Role.SCORER)
    a_member(table.club, "nobody", Role.MEMBER)
    return table


def who(name):
    return Caller.of(User.objects.get(username=name))


def enter(table, name, number=1, left=LEFT, dealer=0, **more):
    paper = {"result": PaperResult(left)} if "hands" not in more else {}
    return recording.record_deal(
        caller=who(name), session=table.session, number=number, dealer=dealer, now=NOW, door="test", **paper, **more
    )


def confirm(table, name, number=1, **more):
    return recording.confirm(caller=who(name), session=table.session, number=number, now=NOW, door="test", **more)


def standing(table, number=1):
    return Deal.objects.get(session=table.row, number=number, current=True)


def refused(code):
    return pytest.raises((Refusal, SessionError), check=lambda error: error.code == code)


def test_an_entered_deal_waits_and_counts_nowhere_until_a_second_person_confirms_it(table):
    enter(table, "first")
    waiting = standing(table)
    assert (waiting.awaits, waiting.counted, waiting.confirmed_by) == (True, False, None)
    assert totals(table) == [0, 0, 0, 0]

    confirm(table, "second")

    confirmed = standing(table)
    assert (confirmed.awaits, confirmed.counted, confirmed.confirmed_by) == (False, True, who("second").user)
    assert totals(table) == LEFT
    assert audit_session(table.row) == []


def test_who_entered_a_deal_does_not_confirm_it_whatever_their_role(table):
    enter(table, "river-organiser")
    with refused("same_person"):
        confirm(table, "river-organiser")
    assert standing(table).awaits


def test_only_scorers_confirm(table):
    enter(table, "first")
    with pytest.raises(Forbidden):
        confirm(table, "nobody")


def test_a_deal_is_confirmed_once(table):
    enter(table, "first")
    confirm(table, "second")
    with refused("already_confirmed"):
        confirm(table, "river-organiser")


def test_the_same_result_from_a_second_person_is_the_confirmation(table):
    enter(table, "first")
    enter(table, "second")

    assert (standing(table).take, standing(table).confirmed_by) == (1, who("second").user)
    kinds = [(event.kind, event.actor_id) for event in Event.objects.filter(session=table.row, deal=1).order_by("seq")]
    assert kinds == [(18, who("first").user), (25, who("second").user)]


def test_the_same_result_sent_twice_by_one_person_confirms_nothing(table):
    enter(table, "first")
    seq = table.row.seq
    enter(table, "first")
    assert table.row.seq == seq
    assert standing(table).awaits


def test_another_result_from_a_second_person_is_a_new_take_which_needs_a_different_person(table):
    enter(table, "first")
    enter(table, "second", left=[3, 2, 1, 0], reason="misread")

    assert (standing(table).take, standing(table).awaits) == (2, True)
    assert [row.result["cards_left"] for row in Deal.objects.filter(session=table.row).order_by("take")] == [
        LEFT,
        [3, 2, 1, 0],
    ]
    with refused("same_person"):
        confirm(table, "second")
    confirm(table, "first")
    assert totals(table) == [3, 2, 1, 0]


def test_a_confirmed_deal_that_is_entered_anew_waits_again(table):
    enter(table, "first")
    confirm(table, "second")
    enter(table, "second", left=[1, 1, 1, 0], reason="misread")
    assert standing(table).awaits
    assert totals(table) == [0, 0, 0, 0]


def test_what_has_been_entered_anew_since_it_was_looked_at_is_not_confirmed_unseen(table):
    enter(table, "first")
    enter(table, "second", left=[3, 2, 1, 0], reason="misread")
    with refused("wrong_take"):
        confirm(table, "first", take=1)
    assert standing(table).awaits


def test_the_next_deal_is_entered_meanwhile_and_counts_when_it_is_confirmed(table):
    enter(table, "first")
    enter(table, "first", number=2, left=[0, 1, 1, 1], dealer=1)
    confirm(table, "second", number=2)
    assert totals(table) == [0, 1, 1, 1]
    confirm(table, "second", number=1)
    assert totals(table) == [2, 4, 2, 1]


def test_a_session_is_not_finished_by_a_deal_that_waits(table):
    enter(table, "first", left=[13, 13, 1, 0])
    enter(table, "first", number=2, left=[13, 1, 1, 0], dealer=1)
    confirm(table, "second", number=1)
    assert table.row.status == "waiting"
    confirm(table, "second", number=2)
    assert table.row.status == "finished"


def test_a_confirmation_is_undone_by_a_scorer_and_the_deal_waits_again(table):
    enter(table, "first")
    seq = confirm(table, "second").seq
    corrections.undo(
        caller=who("first"), session=table.session, seq=seq, reason="The wrong sheet", now=NOW, door="test"
    )
    assert standing(table).awaits
    confirm(table, "second")
    assert audit_session(table.row) == []


def test_hosted_deals_void_ones_and_sessions_without_the_setting_wait_for_nobody(table):
    enter(table, "first")
    correct(corrections.void, table, number=1)
    assert not standing(table).awaits
    table.deal(2)
    table.play_out()
    assert (standing(table, 2).awaits, standing(table, 2).counted) == (False, True)
    for number in (1, 2):
        with refused("nothing_to_confirm"):
            confirm(table, "second", number=number)


def test_a_session_without_the_setting_counts_at_once_and_has_nothing_to_confirm():
    table = a_table(4)
    a_member(table.club, "first", Role.SCORER)
    enter(table, "river-organiser")
    assert standing(table).counted
    with refused("nothing_to_confirm"):
        confirm(table, "first")


def test_the_setting_holds_for_what_was_entered_before_it_too(table):
    enter(table, "first")
    change = {"caller": table.caller, "session": table.session, "now": NOW, "door": "test"}
    sessions.configure(changes={"confirm": False}, **change)
    assert standing(table).counted
    sessions.configure(changes={"confirm": True}, **change)
    assert standing(table).awaits
    assert audit_session(table.row) == []


def a_record():
    """Hands of a deal played by the lowest card that fits, and its actions."""
    deal = PlayedDeal.from_deck(Rules(), 0, SHUFFLED, 4)
    hands = list(deal.hands)
    while not deal.over:
        legal = deal.legal()
        deal.apply(legal[0] if legal else PASS)
    return {"hands": hands, "actions": bytes(deal.log)}


def test_whoever_entered_a_card_of_a_deal_does_not_confirm_it(table):
    whole = a_record()
    enter(table, "first", hands=whole["hands"], actions=whole["actions"][:-1])
    with refused("nothing_to_confirm"):
        confirm(table, "river-organiser")
    play.act(
        caller=who("second"),
        session=table.session,
        action=whole["actions"][-1],
        expected_seq=table.row.live_seq,
        now=NOW,
    )
    assert standing(table).awaits
    for name in ("first", "second"):
        with refused("same_person"):
            confirm(table, name)
    confirm(table, "river-organiser")
    assert standing(table).counted


def test_the_same_cards_from_a_second_person_are_the_confirmation(table):
    enter(table, "first", **a_record())
    enter(table, "second", **a_record())
    assert (standing(table).take, standing(table).counted) == (1, True)


def test_in_a_closed_session_an_organiser_confirms_what_is_past_and_a_scorer_does_not(table):
    enter(table, "first")
    correct(sessions.close, table)
    with refused("session_closed"):
        confirm(table, "second")
    recording.confirm(caller=table.caller, session=table.session, number=1, now=NOW, door="test")
    assert totals(table) == LEFT
    assert table.row.status == "closed"
