"""Which tables need somebody, as the clock says: stuck ones, overdue ones, deals to confirm, the heap of old ones."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from games import attention
from games.access import Caller
from games.models import Session
from games.services import importing, recording, sessions
from games.services.recording import PaperResult
from tests.games.builders import NOW, a_member, a_table

pytestmark = pytest.mark.django_db

LINE = (Path(__file__).parents[2] / "docs" / "samples" / "evening.jsonl").read_bytes().splitlines()[0]


def everything():
    return Session.objects.all()


def labels(found: attention.Few) -> list[str]:
    return [row.label for row in found.rows]


def after(**time: float):
    return NOW + timedelta(**time)


def test_a_persons_turn_without_a_clock_is_worth_a_look_after_a_while():
    table = a_table(4, people=4)
    table.deal(1)
    assert attention.stalled(everything(), after(minutes=9)).rows == []
    found = attention.stalled(everything(), after(minutes=10))
    assert labels(found) == [table.row.label]
    assert found.rows[0].moved == NOW
    assert len(found.rows[0].seating) == 4


def test_a_move_begins_the_wait_anew():
    table = a_table(4, people=4)
    table.deal(1)
    table.step()
    Session.objects.update(due_at=None)
    assert attention.stalled(everything(), after(minutes=9)).rows == []


def test_what_was_left_lying_for_a_day_is_no_stuck_table():
    table = a_table(4, people=4)
    table.deal(1)
    assert attention.stalled(everything(), after(days=1, minutes=1)).rows == []


def test_where_a_clock_ends_the_turn_nobody_has_to_look():
    table = a_table(4, people=4, settings={"turn_seconds": 60, "stand_in": "random"})
    table.deal(1)
    assert attention.stalled(everything(), after(minutes=30)).rows == []


def test_a_clock_that_lets_the_table_wait_ends_nothing():
    table = a_table(4, people=4, settings={"turn_seconds": 60})
    table.deal(1)
    assert labels(attention.stalled(everything(), after(minutes=30))) == [table.row.label]


def test_between_deals_and_where_results_are_entered_on_paper_nothing_is_stuck():
    table = a_table(4, people=4)
    enter(table, 1)
    assert attention.stalled(everything(), after(hours=1)).rows == []


def test_a_bot_that_does_not_move_means_that_the_workers_are_down():
    table = a_table(4)
    table.deal(1)
    assert attention.overdue(everything(), after(seconds=20)).rows == []
    assert labels(attention.overdue(everything(), after(seconds=31))) == [table.row.label]
    assert attention.stalled(everything(), after(hours=1)).rows == []


def test_a_deal_that_should_have_been_dealt_is_overdue_too():
    table = a_table(4, people=4, settings={"deal_after": 5})
    table.deal(1)
    table.play_out()
    assert table.row.status == "waiting"
    assert attention.overdue(everything(), after(seconds=6)).rows == []
    assert labels(attention.overdue(everything(), after(seconds=36))) == [table.row.label]


def test_a_deal_waits_for_a_second_person_with_who_entered_it():
    table = a_table(4, people=4, settings={"confirm": True})
    enter(table, 1)
    found = attention.unconfirmed(everything())
    assert [(deal.number, deal.entered_by) for deal in found.rows] == [(1, table.organiser.pk)]
    second = a_member(table.club, "second")
    recording.confirm(caller=Caller.of(second), session=table.session, number=1, take=1, now=NOW, door="test")
    assert attention.unconfirmed(everything()).rows == []


def test_sessions_of_this_evening_are_told_from_those_left_from_before():
    table = a_table(4, people=4)
    table.deal(1)
    now = timezone.now()
    assert attention.heaps(everything(), now) == {("playing", False): 1}
    assert attention.heaps(everything(), now + timedelta(days=2)) == {("playing", True): 1}


def test_a_session_that_was_imported_is_left_from_before_at_once():
    table = a_table(4)
    importing.import_records(
        caller=table.caller, club="river", lines=[(1, LINE)], dry_run=False, now=timezone.now(), door="import"
    )
    assert attention.heaps(everything(), timezone.now()) == {("open", False): 1, ("waiting", True): 1}


def test_an_imported_session_that_is_played_on_belongs_to_the_evening():
    table = a_table(4)
    importing.import_records(
        caller=table.caller, club="river", lines=[(1, LINE)], dry_run=False, now=timezone.now(), door="import"
    )
    old = Session.objects.get(label="evening")
    recording.record_deal(
        caller=table.caller, session=old.public_id, number=2, dealer=None, result=PaperResult([0, 1, 2, 3]),
        now=timezone.now(), door="test",
    )  # fmt: skip
    assert attention.heaps(everything(), timezone.now())[("waiting", False)] == 1


def test_closed_sessions_are_in_no_heap():
    table = a_table(4, people=4)
    enter(table, 1)
    sessions_closed(table)
    assert attention.heaps(everything(), timezone.now()) == {}


def test_of_many_the_first_are_named_and_the_others_counted():
    table = a_table(4, people=4)
    caller = table.caller
    for number in range(attention.MOST_NAMED + 3):
        seats = {seat: player.public_id for seat, player in enumerate(table.players)}
        opened = sessions.open_session(
            caller=caller, club="river", label=f"s{number}", players=seats, settings={"confirm": True}, now=NOW,
            door="test",
        )  # fmt: skip
        recording.record_deal(
            caller=caller, session=opened.session, number=1, dealer=0, result=PaperResult([0, 1, 2, 3]), now=NOW,
            door="test",
        )  # fmt: skip
    found = attention.unconfirmed(everything())
    assert (len(found.rows), found.total, found.more) == (attention.MOST_NAMED, attention.MOST_NAMED + 3, 3)


def enter(table, number: int) -> None:
    recording.record_deal(
        caller=table.caller, session=table.session, number=number, dealer=0, result=PaperResult([0, 1, 2, 3]), now=NOW,
        door="test",
    )  # fmt: skip


def sessions_closed(table) -> None:
    sessions.close(caller=table.caller, session=table.session, now=NOW, door="test")
