"""One action: whose turn it is, what the caller saw, what was sent before."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import selectors
from games.access import Caller
from games.engine.deal import CORRECTION, PASS
from games.engine.errors import IllegalAction
from games.errors import Forbidden, Invalid, Refusal, Stale
from games.models import Event, RequestKey, Role
from games.services import play, recording
from games.services.keys import Key
from tests.games.builders import NOW, a_member, a_table
from tests.games.test_dealing import Prepared

pytestmark = pytest.mark.django_db

EIGHT_OF_CLUBS = 6


def a_running_table(**more):
    """Four people; seat 1 is to act (the dealer is seat 0). The deck is in order, so seat 1 holds 2C 6C TC AC …"""
    table = a_table(4, people=4, **more)
    table.deal(1, rng=Prepared(dealer=0))
    return table


def legal(table):
    return table.position().deal.legal()


def to_first_choice(table):
    """Play on until the seat to act holds a legal card."""
    while not legal(table):
        table.act(PASS)


def test_an_action_is_stored_as_an_event_and_the_turn_moves_on():
    table = a_running_table()
    to_first_choice(table)
    before = table.row

    table.act(legal(table)[0])

    after = table.row
    assert after.seq == before.seq + 1
    assert after.live_seq == after.seq
    assert after.to_act == (before.to_act + 1) % 4


def test_only_the_seat_to_act_may_act_and_is_asked_before_its_cards_are_looked_at():
    table = a_running_table()
    waiting = (table.row.to_act + 1) % 4
    organiser = table.caller

    for card in (*range(52), PASS):
        with pytest.raises(Refusal) as refused:
            table.act(card, seat=waiting)
        assert refused.value.code == "not_your_turn"
    with pytest.raises(Forbidden) as forbidden:
        play.act(
            caller=organiser,
            session=table.session,
            action=PASS,
            expected_seq=table.row.live_seq,
            now=NOW,
        )
    assert forbidden.value.code == "not_your_seat"


def test_a_wrongful_pass_a_card_not_held_and_one_that_does_not_fit_are_refused_and_store_nothing():
    table = a_running_table()
    to_first_choice(table)
    events = Event.objects.count()
    hand = table.position().deal.hands[table.row.to_act]
    accepted = table.position().deal.open

    for action, code in (
        (PASS, "illegal_pass"),
        (next(card for card in range(52) if not hand >> card & 1), "card_not_held"),
        (next(card for card in range(52) if hand >> card & 1 and not accepted >> card & 1), "illegal_play"),
        (CORRECTION | EIGHT_OF_CLUBS, "nothing_to_correct"),
    ):
        if action & CORRECTION:
            # A correction belongs to the seat before the one to act.
            with pytest.raises(IllegalAction) as refused:
                table.act(action, seat=(table.row.to_act - 1) % 4)
        else:
            with pytest.raises(IllegalAction) as refused:
                table.act(action)
        assert refused.value.code == code
    assert Event.objects.count() == events


def test_a_step_that_has_passed_is_stale_and_says_where_the_deal_is():
    table = a_running_table()
    seen = table.row.live_seq
    to_first_choice(table)
    table.act(legal(table)[0])

    with pytest.raises(Stale) as refused:
        table.act(PASS, expected_seq=seen)
    assert refused.value.extra == {"current_seq": table.row.live_seq}


def test_no_deal_is_running_before_the_first_and_after_the_last():
    table = a_table(4, people=4)
    with pytest.raises(Refusal) as refused:
        play.act(caller=table.seat_caller(0), session=table.session, action=PASS, expected_seq=1, now=NOW)
    assert refused.value.code == "no_deal"


def test_a_retried_key_gets_the_first_answer_even_when_the_deal_has_moved_on_or_ended():
    table = a_running_table()
    key = Key.of("turn-1", "actions", {"action": "x"})
    first_seq, actor = table.row.live_seq, table.seat_caller(table.row.to_act)
    action = (legal(table) or [PASS])[0]
    receipt = table.act(action, key=key)
    table.play_out()

    again = play.act(caller=actor, session=table.session, action=action, expected_seq=first_seq, now=NOW, key=key)

    assert again == receipt
    assert RequestKey.objects.count() == 1


def test_a_key_used_for_another_request_is_refused_and_another_callers_key_is_another_key():
    table = a_running_table()
    table.act((legal(table) or [PASS])[0], key=Key.of("k", "actions", 1))
    actor = table.seat_caller((table.row.to_act - 1) % 4)

    with pytest.raises(Invalid) as refused:
        play.act(
            caller=actor,
            session=table.session,
            action=PASS,
            expected_seq=table.row.live_seq,
            now=NOW,
            key=Key.of("k", "actions", 2),
        )
    assert refused.value.code == "key_reused"
    table.act((legal(table) or [PASS])[0], key=Key.of("k", "actions", 2))


def test_where_wrongful_passes_are_fined_one_is_accepted_correctable_and_hidden_from_the_others():
    table = a_running_table(rules={"profile": "pool", "wrongful_pass": "fined"}, scheme="pool")
    to_first_choice(table)
    offender, card = table.row.to_act, legal(table)[0]

    table.act(PASS)

    own = selectors.own_seat(table.seat_caller(offender), table.row, offender).view
    assert own.wrongful == 1
    assert own.correctable
    other = selectors.own_seat(table.seat_caller((offender + 2) % 4), table.row, (offender + 2) % 4).view
    assert other.passes == own.passes
    assert not other.correctable
    assert other.wrongful == 0

    table.act(CORRECTION | card, seat=offender)
    own = selectors.own_seat(table.seat_caller(offender), table.row, offender).view
    assert own.wrongful == 0
    assert card not in own.hand


def test_recorded_play_is_entered_by_a_scorer_for_the_seat_to_act():
    table = a_table(4, people=4)
    scorer = Caller.of(a_member(table.club, "scorer", Role.SCORER))
    hands = [sum(1 << card for card in range(seat, 52, 4)) for seat in range(4)]
    recording.record_deal(caller=scorer, session=table.session, number=1, dealer=3, hands=hands, now=NOW, door="test")

    with pytest.raises(Forbidden):
        table.act(PASS)
    play.act(caller=scorer, session=table.session, action=PASS, expected_seq=table.row.live_seq, now=NOW)
    while table.row.live_deal is not None:
        options = legal(table) or [PASS]
        play.act(caller=scorer, session=table.session, action=options[-1], expected_seq=table.row.live_seq, now=NOW)
    assert table.row.deals.get().finished


def test_a_seat_whose_time_is_over_is_played_by_the_stand_in_and_only_then():
    table = a_running_table(settings={"turn_seconds": 30, "stand_in": "random"})
    late = NOW + timedelta(seconds=30)
    action = (legal(table) or [PASS])[0]
    system = Caller(table.seat_caller(0).user, system=True)
    attempt = {
        "session": table.session,
        "action": action,
        "expected_seq": table.row.live_seq,
        "stand_in": True,
        "caller": Caller(a_member(table.club, "stand-in").pk, system=True),
    }

    assert selectors.due_turn(table.row.pk, NOW) is None
    with pytest.raises(Refusal) as refused:
        play.act(now=NOW, **attempt)
    assert refused.value.code == "not_due"

    turn = selectors.due_turn(table.row.pk, late)
    assert (turn.strategy, turn.account) == ("random", None)
    play.act(now=late, **attempt)
    assert table.row.due_at == late + timedelta(seconds=30)
    assert system.system


def test_without_a_stand_in_a_seat_waits():
    table = a_running_table(settings={"turn_seconds": 30})

    assert table.row.due_at is None


def statements_of(table, action):
    with CaptureQueriesContext(
        connection,
    ) as captured:
        play.act(
            caller=table.seat_caller_of_turn,
            session=table.session,
            action=action,
            expected_seq=table.seen_seq,
            now=NOW,
            key=Key.of(f"key-{table.seen_seq}", "actions", action),
        )
    return [q["sql"] for q in captured if "SAVEPOINT" not in q["sql"]]


def test_an_action_takes_six_statements_at_any_point_of_a_deal_and_ten_when_it_ends():
    table = a_running_table()
    counts, ended = [], None
    while table.row.live_deal is not None:
        row = table.row
        table.seen_seq, table.seat_caller_of_turn = row.live_seq, table.seat_caller(row.to_act)
        action = (legal(table) or [PASS])[0]
        statements = statements_of(table, action)
        if table.row.live_deal is None:
            ended = len(statements)
        else:
            counts.append(len(statements))

    assert set(counts) == {6}
    assert ended <= 10
