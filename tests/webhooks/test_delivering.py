"""What is due is sent, signed, in order, and tried again as long as it makes sense."""

import contextlib
import socket
import threading
import time
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.utils import timezone
from standardwebhooks import WebhookVerificationError

from games.models import Webhook, WebhookDelivery
from games.services import delivering, webhooks
from games.webhooks import sending
from tests.games.builders import a_table
from tests.webhooks.builders import a_webhook, tell, told
from tests.webhooks.receiver import Receiver

pytestmark = pytest.mark.django_db(transaction=True)


def deliver(webhook: Webhook) -> int:
    return delivering.deliver(webhook.pk, until=timezone.now() + timedelta(seconds=15))


def deliver_all(webhook: Webhook) -> None:
    """All that is due by now; a webhook that rests is woken."""
    while deliver(webhook):
        Webhook.objects.filter(pk=webhook.pk).update(rest_until=None)


def a_test(webhook: Webhook, table) -> WebhookDelivery:
    sent = webhooks.send_test(caller=table.caller, webhook=webhook.public_id, now=timezone.now())
    return WebhookDelivery.objects.get(public_id=sent["id"])


def make(table, url: str, **more) -> Webhook:
    return a_webhook(table.club, table.caller, url=url, **more)


def test_a_call_is_signed_by_the_standard_and_tells_where_to_read_on(receiver):
    table = a_table(4)
    webhook = make(table, receiver.url)
    table.deal(1, now=timezone.now())
    tell(timezone.now())
    deliver_all(webhook)
    call = receiver.calls[2]
    row = table.row
    assert call.verified(webhook.secret) == {
        "type": "session.dealt",
        "timestamp": call.verified(webhook.secret)["timestamp"],
        "data": {
            "club": "river",
            "session": table.session,
            "seq": row.live_seq,
            "kind": "dealt",
            "deal": 1,
            "address": f"/api/v1/sessions/{table.session}/deals/1",
        },
    }
    assert call.event == f"{table.session}-{row.live_seq}-dealt"
    assert call.headers["content-type"] == "application/json"
    assert call.path == "/hook"
    with pytest.raises(WebhookVerificationError):
        call.verified("whsec_" + "A" * 44)


def test_events_arrive_in_the_order_of_their_log(receiver):
    table = a_table(4, scheme="wins:target=2")
    webhook = make(table, receiver.url)
    for number in (1, 2):
        table.deal(number)
        table.play_out()
    tell(timezone.now())
    deliver_all(webhook)
    rows = WebhookDelivery.objects.filter(webhook=webhook).order_by("id")
    assert receiver.events == [row.event for row in rows]
    assert len(receiver.calls) == len(told(webhook)) >= 6
    assert {row.status for row in rows} == {"done"}


def test_the_secret_before_signs_too_for_a_day(receiver):
    table = a_table(4)
    webhook = make(table, receiver.url)
    rotated = webhooks.rotate_secret(caller=table.caller, webhook=webhook.public_id, now=timezone.now())
    assert rotated["secret"] != webhook.secret
    a_test(webhook, table)
    deliver_all(webhook)
    assert receiver.calls[0].verified(webhook.secret) == receiver.calls[0].verified(rotated["secret"])
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        a_test(webhook, table)
        deliver_all(webhook)
        assert receiver.calls[1].verified(rotated["secret"])
        with pytest.raises(WebhookVerificationError):
            receiver.calls[1].verified(webhook.secret)


def test_the_servers_own_key_may_change_while_the_one_before_is_kept(receiver, settings):
    table = a_table(4)
    webhook = make(table, receiver.url)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = (
        "another key, as long as it needs to be 123",
        [settings.SECRET_KEY],
    )
    a_test(webhook, table)
    deliver_all(webhook)
    assert receiver.calls[0].verified(webhook.secret)
    settings.SECRET_KEY_FALLBACKS = []
    delivery = a_test(webhook, table)
    deliver_all(webhook)
    assert len(receiver.calls) == 1
    delivery.refresh_from_db()
    assert "make a new secret" in delivery.error
    rotated = webhooks.rotate_secret(caller=table.caller, webhook=webhook.public_id, now=timezone.now())
    a_test(webhook, table)
    deliver_all(webhook)
    assert receiver.calls[-1].verified(rotated["secret"])


def test_no_secret_stands_in_the_database(receiver):
    table = a_table(4)
    webhook = make(table, receiver.url)
    stored = repr(list(Webhook.objects.values())) + repr(list(WebhookDelivery.objects.values()))
    assert webhook.secret not in stored
    assert webhook.secret.removeprefix("whsec_")[:12] not in stored


def test_what_fails_is_tried_again_later_and_later_under_the_same_id_and_then_given_up(receiver):
    receiver.answer = lambda call: (500, {}, b"<h1>Oh \x00 no</h1>" + b"x" * 9000)
    table = a_table(4)
    webhook = make(table, receiver.url)
    delivery = a_test(webhook, table)
    waits = []
    now = timezone.now()
    for tries in range(1, 9):
        with time_machine.travel(now, tick=False):
            deliver_all(webhook)
        delivery.refresh_from_db()
        assert (delivery.tries, delivery.code) == (tries, 500)
        waits.append((delivery.due_at - now).total_seconds())
        now = delivery.due_at
    assert delivery.status == "dead"
    assert delivery.excerpt.startswith("<h1>Oh � no</h1>")
    assert len(delivery.excerpt) == sending.EXCERPT
    assert len(receiver.calls) == 8
    assert len(set(receiver.events)) == 1
    for wait, usual in zip(waits[:-1], delivering.DELAYS, strict=True):
        assert 0.79 * usual.total_seconds() < wait < 1.21 * usual.total_seconds()


def test_while_an_address_fails_one_event_at_a_time_finds_out_whether_it_is_back(receiver):
    receiver.answer = lambda call: 503
    table = a_table(4)
    webhook = make(table, receiver.url)
    for _ in range(5):
        a_test(webhook, table)
    assert deliver(webhook) == 1
    assert deliver(webhook) == 0
    receiver.answer = lambda call: 200
    with time_machine.travel(timezone.now() + timedelta(seconds=30)):
        assert deliver(webhook) == 5
    assert WebhookDelivery.objects.filter(status="done").count() == 5
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.failing_since) == (0, None)


def test_an_address_that_asks_for_time_gets_it_up_to_an_hour(receiver):
    table = a_table(4)
    webhook = make(table, receiver.url)
    for asked, least, most in (("120", 120, 121), ("999999", 3600, 3601), ("soon", 0, 40)):
        receiver.answer = lambda call, asked=asked: (429, {"Retry-After": asked}, b"")
        Webhook.objects.update(rest_until=None, failures=0)
        delivery = a_test(webhook, table)
        WebhookDelivery.objects.exclude(pk=delivery.pk).delete()
        started = timezone.now()
        assert deliver(webhook) == 1
        delivery.refresh_from_db()
        webhook.refresh_from_db()
        for at in (delivery.due_at, webhook.rest_until):
            assert least <= (at - started).total_seconds() < most + 1, asked


def test_an_address_that_is_gone_is_left_alone(receiver):
    receiver.answer = lambda call: 410
    table = a_table(4)
    webhook = make(table, receiver.url)
    first, second = a_test(webhook, table), a_test(webhook, table)
    deliver_all(webhook)
    webhook.refresh_from_db()
    first.refresh_from_db()
    second.refresh_from_db()
    assert (webhook.active, webhook.off_because) == (False, "gone")
    assert (first.status, second.status, second.tries) == ("dead", "waiting", 0)
    assert len(receiver.calls) == 1
    receiver.answer = lambda call: 200
    webhooks.change_webhook(caller=table.caller, webhook=webhook.public_id, active=True, now=timezone.now())
    deliver_all(webhook)
    second.refresh_from_db()
    assert second.status == "done"


def test_an_address_that_fails_for_three_days_is_left_alone(receiver):
    receiver.answer = lambda call: 500
    table = a_table(4)
    webhook = make(table, receiver.url)
    now = timezone.now()
    for days in (0, 1, 2.9, 3.1):
        with time_machine.travel(now + timedelta(days=days)):
            a_test(webhook, table)
            deliver(webhook)
            webhook.refresh_from_db()
            assert webhook.active == (days < 3), days
    assert webhook.off_because == "failing"


def test_a_webhook_that_is_deleted_while_it_is_sent_to_is_sent_no_more(receiver):
    table = a_table(4)
    webhook = make(table, receiver.url)

    def delete(call) -> int:
        webhooks.delete_webhook(caller=table.caller, webhook=webhook.public_id)
        connection.close()
        return 204

    receiver.answer = delete
    for _ in range(3):
        a_test(webhook, table)
    assert deliver(webhook) == 1
    assert len(receiver.calls) == 1
    assert not WebhookDelivery.objects.exists()


def called_in_order(table, webhook: Webhook, receiver: Receiver) -> bool:
    """Whether four who send at once to one address call it one after the other, in order."""
    inside: list[object] = []
    at_once: list[int] = []

    def answer(call) -> int:
        inside.append(call)
        at_once.append(len(inside))
        time.sleep(0.01)
        inside.remove(call)
        return 204

    receiver.answer = answer
    for _ in range(12):
        a_test(webhook, table)

    def send() -> None:
        try:
            deliver(webhook)
        finally:
            connection.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    deliver(webhook)
    sent = WebhookDelivery.objects.filter(webhook=webhook).order_by("id").values_list("event", flat=True)
    return max(at_once) == 1 and receiver.events == list(sent)


def test_one_worker_at_a_time_calls_an_address(receiver):
    table = a_table(4)
    assert called_in_order(table, make(table, receiver.url), receiver)


def test_without_the_lease_an_address_is_called_by_several_at_once(receiver, monkeypatch):
    table = a_table(4)
    monkeypatch.setattr(delivering, "_lease", lambda webhook_id, held, now: now + delivering.LEASE)
    assert not called_in_order(table, make(table, receiver.url), receiver)


def test_redirects_are_not_followed(receiver, make_receiver):
    other = make_receiver()
    for status in (301, 302, 307, 308):
        receiver.answer = lambda call, status=status: (status, {"Location": other.url}, b"")
        table_or_none = Webhook.objects.first()
        if table_or_none is None:
            table = a_table(4)
            webhook = make(table, receiver.url)
        delivery = a_test(webhook, table)
        deliver_all(webhook)
        delivery.refresh_from_db()
        assert (delivery.code, delivery.status) == (status, "waiting")
    assert other.calls == []


def test_proxies_of_the_environment_are_not_used(receiver, make_receiver, monkeypatch):
    proxy = make_receiver()
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy.url)
    table = a_table(4)
    a_test(webhook := make(table, receiver.url), table)
    deliver_all(webhook)
    assert (len(receiver.calls), len(proxy.calls)) == (1, 0)


def test_the_time_for_a_call_holds_for_all_of_it_however_slowly_the_answer_drips(inside, monkeypatch):
    listener = socket.create_server(("127.0.0.1", 0))

    def drip() -> None:
        connection, _ = listener.accept()
        with connection, contextlib.suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            for number in range(200):
                connection.sendall(f"X-{number}: x\r\n".encode())
                time.sleep(0.05)

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    started = time.monotonic()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    outcome = sending.send(url, "{}", {}, policy=sending.operator_policy(), seconds=0.5)
    assert time.monotonic() - started < 2
    assert outcome.code is None
    assert "No whole answer" in outcome.error
    listener.close()
    thread.join()


def test_of_a_long_answer_the_beginning_is_read(inside, make_receiver):
    endless = make_receiver(lambda call: (200, {}, b"y" * 50_000_000))
    outcome = sending.send(endless.url, "{}", {}, policy=sending.operator_policy())
    assert outcome.done
    assert outcome.excerpt == "y" * sending.EXCERPT
    assert outcome.took_ms < 3000


def test_no_connection_and_no_http_are_told_apart_in_words(inside):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    policy = sending.operator_policy()
    assert sending.send(f"http://127.0.0.1:{port}/", "{}", {}, policy=policy).error.startswith("No connection: ")
    listener = socket.create_server(("127.0.0.1", 0))

    def babble() -> None:
        connection, _ = listener.accept()
        connection.recv(1000)
        connection.sendall(b"SSH-2.0-OpenSSH_9\r\n\r\n")
        connection.close()

    thread = threading.Thread(target=babble, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    assert sending.send(url, "{}", {}, policy=policy).error == "What came back was not HTTP."
    thread.join()
    listener.close()
