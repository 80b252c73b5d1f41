"""Bots on real Celery workers and a real Redis: whatever is lost, late or doubled, every due seat moves, once."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from games import notify, selectors
from games.audit import audit_session
from games.models import Event, Session
from tests.games.builders import a_table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]
PATIENCE = 150


def wait_for(condition, what):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"still waiting: {what}"
        time.sleep(0.05)


def finished(table):
    return table.row.status == Session.Status.FINISHED


def events(table):
    return Event.objects.filter(session=table.row).count()


def assert_sound(table):
    """Whole log, nothing twice, and everything stored follows from it."""
    assert events(table) == table.row.seq
    assert list(audit_session(table.row)) == []


def a_bot_table(target=1, **settings):
    table = a_table(4, scheme=f"wins:target={target}", settings={"public": False, "deal_after": 0, **settings})
    table.deal(1, now=timezone.now())
    return table


def test_one_task_plays_all_bots_and_the_next_deals_until_the_session_is_over(celery_worker_process):
    celery_worker_process()

    table = a_bot_table(target=2)

    wait_for(lambda: finished(table), "the end of the session")
    assert table.row.deals.count() >= 2
    assert_sound(table)


def test_a_worker_killed_in_the_middle_of_a_turn_costs_nothing(celery_worker_process):
    first = celery_worker_process()
    table = a_bot_table(target=2)
    wait_for(lambda: events(table) > table.row.deals.get(number=1).seq + 5, "some actions")

    first.kill()
    assert not finished(table)
    celery_worker_process(beat=True)

    wait_for(lambda: finished(table), "the end of the session")
    assert_sound(table)


def test_a_lost_nudge_is_found_by_the_sweep(celery_worker_process, redis_client):
    table = a_bot_table()
    redis_client.flushdb()
    assert events(table) == table.row.seq

    celery_worker_process(beat=True)

    wait_for(lambda: finished(table), "the end of the session")
    assert_sound(table)


def test_redis_may_be_emptied_at_any_time(celery_worker_process, redis_client):
    celery_worker_process(beat=True)
    table = a_bot_table(target=2)

    def emptied_and_finished():
        redis_client.flushdb()
        return finished(table)

    wait_for(emptied_and_finished, "the end of the session")
    assert_sound(table)


def test_a_task_sent_many_times_to_several_workers_plays_each_turn_once(celery_worker_process):
    celery_worker_process(concurrency=3)
    table = a_bot_table(target=2)

    def nudged_and_finished():
        notify.nudge(table.row.pk)
        return finished(table)

    wait_for(nudged_and_finished, "the end of the session")
    assert_sound(table)


def test_bots_play_until_a_person_is_to_act_and_then_wait(celery_worker_process):
    celery_worker_process()
    table = a_table(4, people=1)
    table.deal(1, now=timezone.now())

    wait_for(lambda: table.row.to_act == 0 or table.row.live_deal is None, "the person's turn")

    assert table.row.due_at is None or table.row.live_deal is None
    assert_sound(table)


def test_the_stand_in_plays_for_a_seat_whose_time_is_over(celery_worker_process):
    table = a_table(3, people=3, settings={"turn_seconds": 1, "stand_in": "follow"})
    table.deal(1, now=timezone.now() - timedelta(seconds=10))
    seat = table.row.to_act

    celery_worker_process(beat=True)

    wait_for(lambda: table.row.to_act != seat, "the stand-in")
    account = Event.objects.filter(session=table.row).latest("seq").actor
    assert account.is_bot
    assert selectors.due_turn(table.row.pk, timezone.now() - timedelta(seconds=60)) is None
