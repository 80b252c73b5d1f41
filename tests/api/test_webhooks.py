"""Webhooks over the API: what organisers make, change and look at; a secret is in one answer alone."""

import pytest
from django.utils import timezone

from games.models import Webhook, WebhookDelivery
from games.services import delivering
from games.webhooks.sending import Outcome
from tests.api.clients import World, code_of
from tests.webhooks.builders import a_delivery

pytestmark = pytest.mark.django_db
NEW = {"url": "https://example.org/hook", "description": "Site", "types": ["session.*", "competition.published"]}


def made(world: World, *, key: str | None = None) -> dict:
    answer = world.organiser.post("/clubs/river/webhooks", NEW, key=key)
    assert answer.status_code == 201, answer.content
    assert answer["Location"] == f"/api/v1/webhooks/{answer.json()['id']}"
    return answer.json()


def test_a_webhook_is_made_read_changed_and_deleted():
    world = World()
    webhook = made(world)
    secret = webhook.pop("secret")
    assert secret.startswith("whsec_")
    path = f"/webhooks/{webhook['id']}"
    assert world.organiser.get(path).json() == webhook
    assert world.organiser.get("/clubs/river/webhooks").json() == {"results": [webhook], "next": None}
    changed = world.organiser.patch(path, {"types": ["*"], "active": False}).json()
    assert changed == {**webhook, "types": ["*"], "active": False}
    assert world.organiser.get(path).json() == changed
    assert world.organiser.delete(path).json() == {"deleted": webhook["id"]}
    assert code_of(world.organiser.get(path)) == (404, "not_found")


def test_the_secret_is_in_the_answer_that_made_it_and_in_no_other():
    world = World()
    webhook = made(world, key="k")
    path = f"/webhooks/{webhook['id']}"
    rotated = world.organiser.post(f"{path}/rotate", {}, key="r")
    assert rotated.status_code == 201
    secrets = {webhook["secret"], rotated.json()["secret"]}
    assert len(secrets) == 2
    world.organiser.post(f"{path}/test")
    others = [path, "/clubs/river/webhooks", f"{path}/deliveries"]
    told = b"".join(world.organiser.get(address).content for address in others)
    assert b"whsec_" not in told
    # A retry is the same request, and gets the same answer.
    again = world.organiser.post("/clubs/river/webhooks", NEW, key="k")
    assert again.json()["secret"] == webhook["secret"]
    assert world.organiser.post(f"{path}/rotate", {}, key="r").content == rotated.content


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"url": "https://127.0.0.1/"}, "bad_url"),
        ({"url": "http://example.org/"}, "bad_url"),
        ({"url": "https://example.org/", "types": ["session.ended"]}, "bad_event_types"),
        ({"url": "https://example.org/", "description": "\u202ex"}, "bad_text"),
    ],
)
def test_what_is_refused(body, code):
    world = World()
    assert code_of(world.organiser.post("/clubs/river/webhooks", body)) == (422, code)
    webhook = made(world)
    change = {name: value for name, value in body.items() if code != "bad_event_types" or name == "types"}
    assert code_of(world.organiser.patch(f"/webhooks/{webhook['id']}", change)) == (422, code)


def test_the_log_is_paged_newest_first_and_filtered():
    world = World()
    webhook = Webhook.objects.get(public_id=made(world)["id"])
    for number in range(5):
        a_delivery(webhook, status=("done", "dead")[number % 2])
    path = f"/webhooks/{webhook.public_id}/deliveries"
    events, address = [], f"{path}?limit=2"
    while address:
        page = world.organiser.get(address).json()
        events += [row["event"] for row in page["results"]]
        address = page["next"] and page["next"].removeprefix("http://testserver")
    assert events == [f"test-{number}" for number in (5, 4, 3, 2, 1)]
    dead = world.organiser.get(f"{path}?status=dead").json()["results"]
    assert [row["event"] for row in dead] == ["test-4", "test-2"]
    assert code_of(world.organiser.get(f"{path}?status=lost")) == (400, "bad_parameter")


def test_what_was_given_up_is_sent_again_with_as_many_tries_as_before():
    world = World()
    delivery = world.delivery
    answer = world.organiser.post(f"/deliveries/{delivery.public_id}/replay", {})
    assert (answer.status_code, answer.json()["status"], answer.json()["tries"]) == (201, "waiting", 0)
    assert code_of(world.organiser.post(f"/deliveries/{delivery.public_id}/replay", {})) == (409, "still_waiting")
    row = WebhookDelivery.objects.get(pk=delivery.pk)
    now = timezone.now()
    attempt = delivering.Attempt(row.pk, row.event, row.payload, row.tries)
    delivering.settle(row.webhook_id, attempt, Outcome(204, took_ms=7), now)
    shown = world.organiser.get(f"/webhooks/{world.webhook.public_id}/deliveries").json()["results"][0]
    assert (shown["status"], shown["code"], shown["took_ms"], shown["due_at"]) == ("done", 204, 7, None)
