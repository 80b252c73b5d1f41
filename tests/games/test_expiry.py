"""How long a retry gets its first answer: until 30 days after its session is closed, or after its use in none."""

from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.utils import timezone

from games import tasks
from games.models import RequestKey, WebhookDelivery
from games.services import expiry
from tests.api.clients import World, code_of
from tests.webhooks.builders import a_delivery

pytestmark = pytest.mark.django_db


def later(days: float) -> time_machine.travel:
    return time_machine.travel(timezone.now() + timedelta(days=days), tick=True)


def a_played_session() -> tuple[World, list]:
    """A world with an action, an adjustment and a new player behind it, each sent under a key; the session goes on."""
    world = World()
    world.start()
    seat, view = world.to_act()
    action = {"action": (view["view"]["legal"] or ["-"])[0], "expected_seq": view["seq"]}
    adjustment = {"seat": 0, "points": 5, "reason": "Late."}
    sent = [
        (world.seats[seat], f"{world.path}/actions", action),
        (world.organiser, f"{world.path}/adjustments", adjustment),
        (world.organiser, f"/clubs/{world.club.slug}/players", {"name": "Zoë"}),
    ]
    answered = []
    for number, (client, path, body) in enumerate(sent):
        answer = client.post(path, body, key=f"key {number}")
        assert answer.status_code == 201, answer.content
        answered.append((client, path, body, f"key {number}", answer.content))
    return world, answered


def again(sent) -> list[bool]:
    """Whether each request gets its first answer, to the byte, when it is sent again."""
    return [client.post(path, body, key=key).content == content for client, path, body, key, content in sent]


def test_a_retry_gets_the_same_bytes_until_thirty_days_after_its_session_is_closed():
    world, sent = a_played_session()
    in_session, elsewhere = sent[:2], sent[2:]
    with later(100):  # the session is open still
        assert tasks.expire() == 1
        assert again(in_session) == [True, True]
        assert again(elsewhere) == [False]  # used in no session: 30 days, long over; it is done anew
        assert world.organiser.post(f"{world.path}/close", {}, key="close").status_code == 201
    with later(100 + 29.9):
        tasks.expire()
        assert again(in_session) == [True, True]
    with later(100 + 30.1):
        tasks.expire()
        client, path, body, key, _ = in_session[0]
        assert code_of(client.post(path, body, key=key)) == (409, "no_deal")
        assert not RequestKey.objects.exclude(session=None).exists()


def test_a_retry_outside_a_session_gets_the_same_bytes_for_thirty_days():
    _, sent = a_played_session()
    with later(29.9):
        assert tasks.expire() == 0
        assert again(sent) == [True, True, True]


def test_a_session_opened_again_keeps_its_keys():
    world, sent = a_played_session()
    assert world.organiser.post(f"{world.path}/deals/1/void", {"reason": "r"}).status_code == 201
    closing = world.organiser.post(f"{world.path}/close").json()["seq"]
    with later(20):
        opened = world.organiser.post(f"{world.path}/undo", {"seq": closing, "reason": "One more."})
        assert opened.status_code == 201
    with later(60):
        tasks.expire()
        assert again(sent[:2]) == [True, True]
        assert world.organiser.post(f"{world.path}/close").status_code == 201
    with later(89):
        tasks.expire()
        assert again(sent[:2]) == [True, True]
    with later(91):
        assert tasks.expire() == 2


def test_a_key_of_a_late_correction_is_kept_thirty_days_too():
    world, _ = a_played_session()
    assert world.organiser.post(f"{world.path}/close").status_code == 201
    # Keys are dated by the database, which does not travel: as if the closing had been long ago.
    with later(40):
        body = {"seat": 0, "points": 1, "reason": "Late."}
        answer = world.organiser.post(f"{world.path}/adjustments", body, key="late")
        RequestKey.objects.filter(key="late").update(created_at=timezone.now())
    with later(69):
        tasks.expire()
        assert world.organiser.post(f"{world.path}/adjustments", body, key="late").content == answer.content
        assert RequestKey.objects.count() == 1


def test_keys_go_in_batches(monkeypatch):
    world, _ = a_played_session()
    for number in range(5):
        world.organiser.post(f"/clubs/{world.club.slug}/players", {"name": f"P{number}"}, key=f"player {number}")
    monkeypatch.setattr(expiry, "BATCH", 2)
    now = timezone.now() + timedelta(days=31)
    assert [expiry.drop_keys(now=now) for _ in range(4)] == [2, 2, 2, 0]


def test_it_runs_by_itself_every_day():
    entry = settings.CELERY_BEAT_SCHEDULE["expire"]
    assert entry["task"] == tasks.expire.name
    assert entry["schedule"].hour == {0, 1, 2, 3, 4, 5}


def test_what_webhooks_were_told_is_kept_for_thirty_days(monkeypatch):
    world = World()
    for days in (31, 30.1, 29.9, 0):
        row = a_delivery(world.webhook)
        row.created_at = timezone.now() - timedelta(days=days)
        row.save()
    monkeypatch.setattr(expiry, "BATCH", 1)
    assert tasks.expire() == 2
    assert WebhookDelivery.objects.count() == 2
