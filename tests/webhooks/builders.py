"""Webhooks for tests, and what they are told."""

import json
from datetime import datetime
from typing import Any

from games.access import Caller
from games.models import Webhook, WebhookDelivery
from games.services import telling, webhooks
from tests.games.builders import NOW


def a_webhook(club: Any, caller: Caller, *, now: datetime = NOW, **more: Any) -> Webhook:
    """A webhook of the club, told everything unless `types` says otherwise; its secret is in `secret`."""
    made = webhooks.create_webhook(
        caller=caller, club=club.slug, **{"url": "https://example.org/hook", **more}, now=now
    )
    row = Webhook.objects.get(public_id=made["id"])
    row.secret = made["secret"]
    return row


def tell(now: datetime = NOW) -> int:
    """Look at all logs until nothing is new."""
    looks = 0
    while telling.tell(now=now):
        looks += 1
    return looks


def told(webhook: Webhook) -> list[tuple[str, int]]:
    """(type, seq) of everything told to the webhook, in order."""
    rows = WebhookDelivery.objects.filter(webhook=webhook).order_by("id")
    return [(row.type, json.loads(row.payload)["data"]["seq"]) for row in rows]


def payloads(webhook: Webhook) -> list[dict[str, Any]]:
    rows = WebhookDelivery.objects.filter(webhook=webhook).order_by("id")
    return [json.loads(row.payload) for row in rows]


def a_delivery(webhook: Webhook, *, status: str = "done", **more: Any) -> WebhookDelivery:
    """An event that was sent to the webhook, or given up, or waits."""
    number = WebhookDelivery.objects.count() + 1
    payload = {"type": "webhook.test", "timestamp": "2026-11-29T20:00:00.000000Z", "data": {"seq": 0}}
    return WebhookDelivery.objects.create(
        webhook=webhook,
        event=f"test-{number}",
        type="webhook.test",
        payload=json.dumps(payload),
        created_at=NOW,
        due_at=NOW,
        status=status,
        **more,
    )
