"""Voids, takes, substitutions, adjustments, closings and their undos: each is an event, each recomputes the table."""

import pytest

from games import selectors
from games.access import Caller
from games.audit import audit_session
from games.engine.session import SessionError
from games.errors import Forbidden, Invalid, Refusal
from games.models import Deal, Event, Membership, Player, Role
from games.services import corrections, players, recording, sessions
from games.services.recording import PaperResult
from tests.games.builders import NOW, a_member, a_table

pytestmark = pytest.mark.django_db
REASON = "the scorer slipped"


def record(table, number, left, dealer=0, *, caller=None, reason="", **more):
    return recording.record_deal(
        caller=caller or table.caller,
        reason=reason,
        session=table.session,
        number=number,
        dealer=dealer,
        result=PaperResult(left, **more),
        now=NOW,
        door="test",
    )


def correct(service, table, **more):
    more.setdefault("reason", REASON)
    return service(caller=table.caller, session=table.session, now=NOW, door="test", **more)


def totals(table):
    return [int(row.total) for row in table.row.table_rows.order_by("seat")]


def places(table):
    return [row.place for row in table.row.table_rows.order_by("seat")]


def test_results_on_paper_are_scored_and_ties_share_a_place():
    table = a_table(4, scheme="card-count:target=20")

    record(table, 1, [2, 3, 1, 0])
    record(table, 2, [2, 0, 2, 1], dealer=1)

    assert totals(table) == [4, 3, 3, 1]
    assert places(table) == [4, 2, 2, 1]
    assert table.row.status == "waiting"


def test_a_void_deal_is_kept_counts_nowhere_and_its_dealer_deals_again():
    table = a_table(4)
    table.deal(1)
    first = Deal.objects.get(session__public_id=table.session)
    table.play_out()

    correct(corrections.void, table, number=1)
    table.deal(2)

    voided, again = Deal.objects.filter(session__public_id=table.session).order_by("number")
    assert voided.finished
    assert not voided.counted
    assert voided.voided_by is not None
    assert again.dealer == first.dealer
    assert totals(table) == [0, 0, 0, 0]


def test_voiding_an_earlier_deal_moves_no_later_dealer():
    table = a_table(4)
    record(table, 1, [2, 3, 1, 0], dealer=2)
    record(table, 2, [0, 3, 1, 2], dealer=None)

    correct(corrections.void, table, number=1)
    record(table, 3, [1, 3, 1, 0], dealer=None)

    dealers = Deal.objects.filter(session__public_id=table.session).order_by("number").values_list("dealer", flat=True)
    assert list(dealers) == [2, 3, 0]


def test_a_void_can_be_undone_and_the_undo_undone():
    table = a_table(4)
    record(table, 1, [2, 3, 1, 0])
    void = correct(corrections.void, table, number=1)

    undo = correct(corrections.undo, table, seq=void.seq)
    assert totals(table) == [0, 0, 0, 1]
    correct(corrections.undo, table, seq=undo.seq)
    assert totals(table) == [0, 0, 0, 0]
    with pytest.raises(SessionError, match="already undone"):
        correct(corrections.undo, table, seq=undo.seq)


def test_voiding_a_running_hosted_deal_opens_it_and_cannot_be_undone():
    table = a_table(4)
    table.deal(1)

    void = correct(corrections.void, table, number=1)

    assert table.row.live_deal is None
    with pytest.raises(SessionError) as refused:
        correct(corrections.undo, table, seq=void.seq)
    assert refused.value.code == "cannot_undo"


def test_a_result_entered_again_is_a_new_take_and_the_last_take_not_undone_counts():
    table = a_table(4, scheme="card-count")
    record(table, 1, [2, 3, 1, 0])

    second = record(table, 1, [2, 3, 4, 0], reason=REASON)
    assert totals(table) == [2, 3, 4, 0]

    correct(corrections.undo, table, seq=second.seq)
    assert totals(table) == [2, 3, 1, 0]

    record(table, 1, [5, 3, 4, 0], reason=REASON)
    takes = Deal.objects.filter(session__public_id=table.session).order_by("take")
    assert [(take.take, take.current) for take in takes] == [(1, False), (2, False), (3, True)]


def test_undoing_the_only_take_frees_its_number():
    table = a_table(4)
    only = record(table, 1, [2, 3, 1, 0])

    correct(corrections.undo, table, seq=only.seq)
    assert totals(table) == [0, 0, 0, 0]
    record(table, 1, [0, 3, 1, 2], reason=REASON)

    assert totals(table) == [1, 0, 0, 0]


def test_a_hosted_deal_is_voided_never_amended():
    table = a_table(4)
    table.deal(1)
    table.play_out()

    with pytest.raises(SessionError) as refused:
        record(table, 1, [2, 3, 1, 0])
    assert refused.value.code == "hosted_deal"


@pytest.mark.parametrize(
    ("credit", "shares"),
    [("last", {"A": 0, "Zoë": 5}), ("first", {"A": 5, "Zoë": 0}), ("deals", {"A": 2, "Zoë": 3})],
)
def test_a_substitute_plays_from_the_next_deal_on_and_the_credit_says_who_gets_the_points(credit, shares):
    table = a_table(4, scheme="card-count")
    record(table, 1, [2, 3, 1, 0])
    substitute = players.create_player(caller=table.caller, club=table.club.slug, name="Zoë")

    change = correct(corrections.substitute, table, seat=0, player=substitute, credit=credit)
    record(table, 2, [3, 3, 1, 0], dealer=None)

    row = table.row.table_rows.get(seat=0)
    names = dict(Player.objects.values_list("pk", "name"))
    assert {names[share["player"]]: share["points"] for share in row.players} == shares
    assert int(row.total) == 5

    correct(corrections.undo, table, seq=change.seq)
    assert [names[share["player"]] for share in table.row.table_rows.get(seat=0).players] == ["A"]
    assert list(audit_session(table.row)) == []


def test_nobody_sits_in_two_seats():
    table = a_table(4)
    record(table, 1, [2, 3, 1, 0])

    with pytest.raises(SessionError) as refused:
        correct(corrections.substitute, table, seat=0, player=table.players[1].public_id)
    assert refused.value.code == "already_seated"


def test_an_adjustment_changes_totals_and_places_never_which_deals_count():
    table = a_table(4)
    for number in (1, 2, 3):
        record(table, number, [2, 3, 1, 0], dealer=None if number > 1 else 0)
    assert table.row.status == "finished"

    adjusted = correct(corrections.adjust, table, seat=3, points=-4)

    assert totals(table) == [0, 0, 0, -1]
    assert places(table) == [1, 1, 1, 4]
    assert table.row.status == "finished"
    correct(corrections.undo, table, seq=adjusted.seq)
    assert totals(table) == [0, 0, 0, 3]


def test_finished_is_computed_so_a_correction_takes_it_back_and_the_session_goes_on():
    table = a_table(4)
    for number in (1, 2, 3):
        record(table, number, [2, 3, 1, 0], dealer=None if number > 1 else 0)
    record(table, 4, [0, 3, 1, 2], dealer=None)
    assert [deal.counted for deal in table.row.deals.order_by("number")] == [True, True, True, False]

    correct(corrections.void, table, number=2)

    assert table.row.status == "waiting"
    assert [deal.counted for deal in table.row.deals.order_by("number")] == [True, False, True, True]
    table.deal(5)


def test_a_finished_session_is_not_dealt_on():
    table = a_table(4, scheme="wins:target=1")
    record(table, 1, [2, 3, 1, 0])

    with pytest.raises(Refusal) as refused:
        table.deal(2)
    assert refused.value.code == "session_finished"


def test_a_closed_session_is_played_and_entered_no_further_until_its_closing_is_undone():
    table = a_table(4)
    record(table, 1, [2, 3, 1, 0])
    closing = correct(sessions.close, table, reason="")

    for attempt in (
        lambda: record(table, 2, [2, 3, 1, 0]),
        lambda: table.deal(2),
        lambda: correct(sessions.close, table),
        lambda: sessions.seat(caller=table.caller, session=table.session, seat=5, player=None, now=NOW, door="test"),
        lambda: sessions.configure(
            caller=table.caller, session=table.session, changes={"public": True}, now=NOW, door="test"
        ),
    ):
        with pytest.raises(SessionError) as refused:
            attempt()
        assert refused.value.code == "session_closed"
        assert refused.value.message.startswith("This session is closed. ")
    correct(corrections.undo, table, seq=closing.seq)
    record(table, 2, [2, 3, 1, 0], dealer=None)


def test_closing_over_a_running_hosted_deal_opens_it_for_good():
    table = a_table(4)
    table.deal(1)

    closing = correct(sessions.close, table)

    assert table.row.live_deal is None
    with pytest.raises(SessionError) as refused:
        correct(corrections.undo, table, seq=closing.seq)
    assert refused.value.code == "cannot_undo"


def test_every_correction_needs_a_reason_and_a_refused_one_stores_nothing():
    table = a_table(4)
    record(table, 1, [2, 3, 1, 0])
    other = players.create_player(caller=table.caller, club=table.club.slug, name="Zoë")
    before = Event.objects.count(), table.row.version

    for attempt in (
        lambda: correct(corrections.void, table, number=1, reason="  "),
        lambda: correct(corrections.adjust, table, seat=0, points=2, reason=""),
        lambda: correct(corrections.substitute, table, seat=0, player=other, reason=""),
        lambda: correct(corrections.reseat, table, seats={0: other}, reason=""),
        lambda: record(table, 1, [0, 3, 1, 2]),
        lambda: correct(corrections.undo, table, seq=table.row.seq, reason=""),
    ):
        with pytest.raises(Invalid) as refused:
            attempt()
        assert refused.value.code == "reason_required"
    assert (Event.objects.count(), table.row.version) == before


@pytest.mark.parametrize(
    ("left", "more"),
    [
        ([2, 3, 1], {}),
        ([2, 3, 1, 1], {}),
        ([0, 3, 1, 0], {}),
        ([2, -3, 1, 0], {}),
        ([14, 3, 1, 0], {}),
        ([2, 3, 1, 0], {"forced_passes": [1, 2, 3]}),
        ([2, 3, 1, 0], {"wrongful_passes": [1, 2, 3, -1]}),
        ([2, 3, 1, 0], {"withheld": [(1, 1)]}),
        ([2, 3, 1, 0], {"withheld": [(1, 4)]}),
    ],
)
def test_a_result_that_no_deal_can_have_is_refused_with_its_reason(left, more):
    table = a_table(4)

    with pytest.raises(Invalid) as refused:
        record(table, 1, left, **more)

    assert refused.value.code == "bad_result"
    assert not table.row.deals.exists()


def test_a_scheme_that_needs_passes_says_so():
    table = a_table(4, scheme="pool")

    with pytest.raises(Invalid) as refused:
        record(table, 1, [2, 3, 1, 0])
    assert refused.value.code == "missing_passes"

    record(table, 1, [2, 3, 1, 0], dealer=3, forced_passes=[3, 3, 2, 1], wrongful_passes=[0, 1, 0, 0])
    assert totals(table) == [-6, -8, -4, 18]


def test_a_scorer_enters_results_and_only_an_organiser_corrects():
    table = a_table(4)
    scorer = Caller.of(a_member(table.club, "scorer", Role.SCORER))
    member = Caller.of(a_member(table.club, "member", Role.MEMBER))
    entry = {"session": table.session, "number": 1, "dealer": 0, "now": NOW, "door": "test"}

    with pytest.raises(Forbidden):
        recording.record_deal(caller=member, result=PaperResult([2, 3, 1, 0]), **entry)
    recording.record_deal(caller=scorer, result=PaperResult([2, 3, 1, 0]), **entry)

    with pytest.raises(Forbidden):
        corrections.void(caller=scorer, session=table.session, number=1, reason=REASON, now=NOW, door="test")
    assert Membership.objects.filter(club=table.club).count() == 3


def test_a_substitution_brought_back_by_undoing_its_undo_takes_nobodys_running_hand():
    table = a_table(4, people=4)
    record(table, 1, [2, 3, 1, 0])
    spy = players.create_player(caller=table.caller, club=table.club.slug, name="Spy", username="river-organiser")
    change = correct(corrections.substitute, table, seat=0, player=spy)
    undo = correct(corrections.undo, table, seq=change.seq)
    table.deal(2)

    with pytest.raises(SessionError) as refused:
        correct(corrections.undo, table, seq=undo.seq)

    assert refused.value.code == "deal_running"
    with pytest.raises(Forbidden):
        selectors.own_seat(table.caller, table.row, 0)


def test_a_take_brought_back_by_undoing_its_undo_does_not_push_a_running_deal_aside():
    table = a_table(4)
    record(table, 1, [2, 3, 1, 0])
    second = record(table, 2, [2, 3, 1, 0], dealer=None)
    third = record(table, 3, [2, 0, 1, 1], dealer=None)
    undo = correct(corrections.undo, table, seq=third.seq)
    correct(corrections.undo, table, seq=second.seq)
    table.deal(2)

    with pytest.raises(SessionError) as refused:
        correct(corrections.undo, table, seq=undo.seq)

    assert refused.value.code == "deal_running"
    assert table.row.status == "playing"


def test_while_a_hosted_deal_runs_earlier_deals_can_still_be_corrected():
    table = a_table(4)
    record(table, 1, [2, 3, 1, 0])
    table.deal(2)

    void = correct(corrections.void, table, number=1)
    correct(corrections.undo, table, seq=void.seq)
    record(table, 1, [0, 3, 1, 2], reason=REASON)
    correct(corrections.adjust, table, seat=0, points=1)

    assert table.row.status == "playing"
    assert list(audit_session(table.row)) == []


def test_a_result_sent_twice_is_entered_once():
    table = a_table(4)
    first = record(table, 1, [2, 3, 1, 0], forced_passes=[3, 3, 2, 1])

    again = record(table, 1, [2, 3, 1, 0], forced_passes=[3, 3, 2, 1])

    assert again == first
    assert table.row.deals.count() == 1
