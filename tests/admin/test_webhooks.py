"""Webhooks in the admin: made, tried out, switched off and on, sent again; the secret shown once, and to no others."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Role, Webhook, WebhookDelivery
from tests.admin.conftest import Desk, a_member_of, log_in
from tests.webhooks.builders import a_delivery, a_webhook

pytestmark = pytest.mark.django_db
ADD = "admin:games_webhook_add"
ACTIONS = ("change", "test", "rotate", "off", "on", "delete", "replay")


def page(webhook: Webhook) -> str:
    return reverse("admin:games_webhook_change", args=[webhook.pk])


def act(webhook: Webhook, action: str) -> str:
    return reverse("admin:games_webhook_do", args=[webhook.pk, action])


@pytest.fixture
def webhook(desk: Desk) -> Webhook:
    return a_webhook(desk.table.club, desk.table.caller)


def test_a_webhook_is_made_and_its_secret_shown_once(desk):
    data = {
        "club": desk.table.club.pk,
        "url": "https://example.org/hook",
        "description": "The web site",
        "groups": ["competition.*"],
        "types": ["session.closed"],
    }
    answer = desk.client.post(reverse(ADD), data)
    made = Webhook.objects.get()
    secret = answer.context["secret"]
    assert secret.startswith("whsec_")
    assert secret in answer.content.decode()
    assert made.types == ["competition.*", "session.closed"]
    shown = desk.client.get(page(made)).content.decode()
    assert "The web site" in shown
    assert secret not in shown
    assert "session.closed" in shown


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"url": "https://10.0.0.1/", "groups": ["*"]}, "not a public one"),
        ({"url": "http://example.org/", "groups": ["*"]}, "must begin with https://"),
        ({"url": "https://example.org/"}, "Say which events"),
        ({"url": "", "groups": ["*"]}, "This field is required"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(desk, data, words):
    answer = desk.client.post(reverse(ADD), {"club": desk.table.club.pk, **data})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Webhook.objects.exists()


def test_what_was_sent_stands_on_its_page_with_how_it_went(desk, webhook):
    a_delivery(webhook, tries=1, code=204, took_ms=12)
    dead = a_delivery(webhook, status="dead", tries=8, code=500, excerpt="<b>broken</b>")
    a_delivery(webhook, status="waiting", error="No connection: refused")
    text = desk.client.get(page(webhook)).content.decode()
    for words in ("given up", "waiting", "done", "&lt;b&gt;broken&lt;/b&gt;", "No connection: refused", "12 ms"):
        assert words in text, words
    given_up = desk.client.get(page(webhook), {"status": "dead"}).content.decode()
    assert "204" not in given_up
    assert "broken" in given_up
    again = f"{act(webhook, 'replay')}?delivery={dead.public_id}"
    assert again in given_up
    followed = desk.client.post(again, follow=True)
    assert "is on its way again" in followed.content.decode()
    dead.refresh_from_db()
    assert (dead.status, dead.tries) == ("waiting", 0)


def test_it_is_tried_out_changed_switched_off_and_on_and_deleted(desk, webhook):
    assert "on its way" in desk.client.post(act(webhook, "test"), follow=True).content.decode()
    assert WebhookDelivery.objects.get().type == "webhook.test"
    desk.client.post(act(webhook, "change"), {"url": "https://example.org/other", "groups": ["session.*"]})
    desk.client.post(act(webhook, "off"))
    webhook.refresh_from_db()
    assert (webhook.url, webhook.types, webhook.active) == ("https://example.org/other", ["session.*"], False)
    assert desk.client.post(act(webhook, "test")).status_code == 422
    desk.client.post(act(webhook, "on"))
    webhook.refresh_from_db()
    assert webhook.active
    assert desk.client.post(act(webhook, "delete"))["Location"] == reverse("admin:games_webhook_changelist")
    assert not Webhook.objects.exists()
    assert not WebhookDelivery.objects.exists()


def test_a_new_secret_is_shown_once(desk, webhook):
    before = bytes(webhook.salt)
    answer = desk.client.post(act(webhook, "rotate"))
    assert answer.context["secret"].startswith("whsec_")
    assert answer.context["secret"] != webhook.secret
    webhook.refresh_from_db()
    assert bytes(webhook.old_salt) == before


def test_the_first_page_speaks_of_webhooks_in_trouble_to_organisers_alone(desk, webhook):
    index = reverse("admin:index")
    assert page(webhook) not in desk.client.get(index).content.decode()
    a_delivery(webhook, status="dead", tried_at=timezone.now())
    assert "1 event given up" in desk.client.get(index).content.decode()
    WebhookDelivery.objects.all().delete()
    Webhook.objects.update(active=False, off_because="gone")
    assert "off: gone" in desk.client.get(index).content.decode()
    scorer = log_in(a_member_of(desk.table.club, "sam", Role.SCORER))
    assert page(webhook) not in scorer.get(index).content.decode()
    assert "410" in desk.client.get(page(webhook)).content.decode()


def test_nobody_but_organisers_of_the_club_gets_to_it(desk, make_desk, webhook):
    a_delivery(webhook, status="dead")
    other = make_desk(4, name="hill").client
    scorer = log_in(a_member_of(desk.table.club, "sam", Role.SCORER))
    member = log_in(a_member_of(desk.table.club, "mia", Role.MEMBER))
    before = list(Webhook.objects.values()), list(WebhookDelivery.objects.values())
    addresses = [page(webhook), *(act(webhook, action) for action in ACTIONS)]
    for client in (other, scorer, member, Client()):
        for address in addresses:
            for answer in (client.get(address), client.post(address, {"url": "https://evil.example/"})):
                assert answer.status_code in (302, 403), address
        shown = client.get(reverse("admin:games_webhook_changelist"))
        assert shown.status_code != 200 or "example.org" not in shown.content.decode()
        assert client is other or client.get(reverse(ADD)).status_code in (302, 403)
    assert (list(Webhook.objects.values()), list(WebhookDelivery.objects.values())) == before


def test_a_delivery_of_another_webhook_is_not_sent_again_through_this_one(desk, webhook):
    other = a_webhook(desk.table.club, desk.table.caller)
    dead = a_delivery(other, status="dead")
    assert desk.client.post(f"{act(webhook, 'replay')}?delivery={dead.public_id}").status_code == 404


def test_pages_cost_the_same_however_much_was_sent(desk, webhook):
    def statements(address: str) -> int:
        desk.client.get(address)
        with CaptureQueriesContext(connection) as seen:
            assert desk.client.get(address).status_code == 200
        return len(seen)

    addresses = [page(webhook), reverse("admin:games_webhook_changelist"), reverse("admin:index")]
    a_delivery(webhook, status="dead", tried_at=timezone.now())
    few = [statements(address) for address in addresses]
    for number in range(60):
        a_delivery(webhook, status=("dead", "done", "waiting")[number % 3], tried_at=timezone.now())
    for _ in range(3):
        a_delivery(a_webhook(desk.table.club, desk.table.caller), status="dead", tried_at=timezone.now())
    assert [statements(address) for address in addresses] == few
