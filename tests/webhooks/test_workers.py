"""Webhooks by real workers: whatever is killed, slow, gone or doubled, each event arrives, in order, and once where
nobody was killed."""

import socket
import threading
import time

import pytest
from django.conf import settings
from django.utils import timezone

from games import tasks
from games.models import Webhook, WebhookDelivery
from games.services import corrections, webhooks
from tests.games.builders import a_table
from tests.games.test_workers import wait_for
from tests.webhooks.builders import a_webhook
from tests.webhooks.receiver import Receiver

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]


def adjust(table, times: int) -> None:
    for _ in range(times):
        corrections.adjust(
            caller=table.caller, session=table.session, seat=0, points=1, reason="r", now=timezone.now(), door="test"
        )


def a_table_with(url: str, **more) -> tuple:
    """A table whose first deal is void, so that it waits, and a webhook that is told of adjustments."""
    table = a_table(4, people=4)
    table.deal(1)
    corrections.void(caller=table.caller, session=table.session, number=1, reason="r", now=timezone.now(), door="test")
    return table, a_webhook(table.club, table.caller, url=url, types=["session.adjusted"], now=timezone.now(), **more)


def waiting() -> int:
    return WebhookDelivery.objects.exclude(status="done").count()


def due_now() -> None:
    """As if the time until the next try, or until a lease is over, had passed."""
    Webhook.objects.update(rest_until=None, leased_until=None)
    WebhookDelivery.objects.filter(status="waiting").update(due_at=timezone.now())


def test_two_workers_send_each_event_once_and_in_order(celery_worker_process, receiver):
    celery_worker_process(webhooks=True, beat=True)
    celery_worker_process(webhooks=True)
    table, webhook = a_table_with(receiver.url)
    for _ in range(3):
        adjust(table, 20)
        for _ in range(3):  # more sweeps and more tasks than there would be
            tasks.sweep_webhooks.apply_async()
            tasks.deliver_webhook.apply_async(args=[webhook.pk])
    wait_for(lambda: len(receiver.calls) >= 60 and waiting() == 0, "60 events")
    seqs = [call.verified(webhook.secret)["data"]["seq"] for call in receiver.calls]
    assert seqs == sorted(set(seqs))
    assert len(seqs) == 60


def test_a_worker_killed_in_the_middle_of_a_call_costs_no_event(celery_worker_process, receiver):
    release = threading.Event()
    receiver.answer = lambda call: 204 if release.wait(60) else 500
    first = celery_worker_process(webhooks=True, beat=True)
    table, _ = a_table_with(receiver.url)
    adjust(table, 3)
    wait_for(lambda: len(receiver.calls) == 1, "the first call")
    first.kill()
    release.set()
    assert waiting() == 3
    celery_worker_process(webhooks=True, beat=True)
    due_now()
    wait_for(lambda: waiting() == 0, "all events")
    events = receiver.events
    assert len(set(events)) == 3
    assert events.count(events[0]) == 2  # the receiver knows it by its id
    assert WebhookDelivery.objects.get(event=events[0]).tries == 2


def test_an_address_that_is_down_gets_everything_once_it_is_back(celery_worker_process, inside):
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    celery_worker_process(webhooks=True, beat=True)
    table, webhook = a_table_with(f"http://127.0.0.1:{port}/hook")
    adjust(table, 3)
    wait_for(lambda: Webhook.objects.get(pk=webhook.pk).failures > 0, "a failure")
    receiver = Receiver(port=port)
    due_now()
    wait_for(lambda: waiting() == 0, "all events")
    assert sorted(set(receiver.events)) == sorted(receiver.events)
    assert len(receiver.calls) == 3
    receiver.stop()


def test_a_slow_address_holds_up_no_other(celery_worker_process, receiver, make_receiver):
    release = threading.Event()
    slow = make_receiver(lambda call: 204 if release.wait(60) else 500)
    celery_worker_process(webhooks=True, beat=True)
    table, _ = a_table_with(slow.url)
    a_webhook(table.club, table.caller, url=receiver.url, types=["session.adjusted"], now=timezone.now())
    adjust(table, 5)
    wait_for(lambda: len(slow.calls) == 1, "the slow address")
    wait_for(lambda: len(receiver.calls) == 5, "the quick address")
    assert len(slow.calls) == 1
    release.set()
    wait_for(lambda: waiting() == 0, "the slow address, in the end")


def test_a_test_that_an_organiser_asks_for_arrives(celery_worker_process, receiver):
    celery_worker_process(webhooks=True, beat=True)
    table, webhook = a_table_with(receiver.url)
    sent = webhooks.send_test(caller=table.caller, webhook=webhook.public_id, now=timezone.now())
    wait_for(lambda: receiver.calls, "the test")
    assert receiver.calls[0].event == sent["event"]
    assert receiver.calls[0].verified(webhook.secret)["type"] == "webhook.test"


def test_the_worker_that_plays_the_bots_has_nothing_to_do_with_webhooks():
    assert settings.CELERY_TASK_DEFAULT_QUEUE != "webhooks"
    for task in (tasks.sweep_webhooks, tasks.deliver_webhook):
        route = tasks.current_app.amqp.router.route({}, task.name)
        assert route["queue"].name == "webhooks", task.name
    for task in (tasks.advance, tasks.sweep):
        assert tasks.current_app.amqp.router.route({}, task.name)["queue"].name == "fantan"


def test_a_worker_of_its_own_leaves_the_bots_to_theirs(celery_worker_process, redis_client):
    celery_worker_process(webhooks=True, beat=True)
    table = a_table(4)
    table.deal(1, now=timezone.now())
    seq = table.row.seq
    time.sleep(0.1)
    wait_for(lambda: redis_client.llen("fantan") > 0, "a sweep for the other worker")
    assert table.row.seq == seq
