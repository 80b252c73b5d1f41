"""Webhooks and deliveries as the API shows them: JSON, of which no part tells a secret."""

import json
from datetime import datetime
from typing import Any

from games.models import Webhook, WebhookDelivery
from games.webhooks.sources import moment


def webhook_json(row: Webhook) -> dict[str, Any]:
    return {
        "id": row.public_id,
        "club": row.club.slug,
        "url": row.url,
        "description": row.description,
        "types": row.types,
        "active": row.active,
        "off_because": row.off_because or None,
        "failing_since": _moment(row.failing_since),
        "created_at": moment(row.created_at),
    }


def delivery_json(row: WebhookDelivery) -> dict[str, Any]:
    return {
        "id": row.public_id,
        "webhook": row.webhook.public_id,
        "event": row.event,
        "type": row.type,
        "status": row.status,
        "tries": row.tries,
        "due_at": moment(row.due_at) if row.status == WebhookDelivery.Status.WAITING else None,
        "tried_at": _moment(row.tried_at),
        "took_ms": row.took_ms,
        "code": row.code,
        "error": row.error,
        "excerpt": row.excerpt,
        "created_at": moment(row.created_at),
        "payload": json.loads(row.payload),
    }


def _moment(at: datetime | None) -> str | None:
    return None if at is None else moment(at)
