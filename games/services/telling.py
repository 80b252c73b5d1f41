"""From the logs to webhooks: what happened since the last look becomes a delivery for each webhook that wants it.

Nobody's write does anything for it. A sweep looks which logs are longer than their cursor says; the deliveries of what
is new and the moved cursor are one transaction, so that each event becomes one delivery for each webhook, in the order
of the log. Two sweeps at once do not wait for each other: a cursor that is held is left to whoever holds it.
"""

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from games.models import Club, Webhook, WebhookCursor, WebhookDelivery
from games.webhooks.sources import Source, Told, moment, sources, wants

AT_ONCE = 200
"""Subjects that one look finds at most."""

_MOVED = """
    SELECT head.subject, head.club FROM ({heads}) head
    LEFT JOIN games_webhookcursor seen ON seen.source = %s AND seen.subject = head.subject
    WHERE head.club = ANY(%s) AND head.seq > coalesce(seen.seq, 0) AND NOT ({quiet})
    ORDER BY head.subject LIMIT %s
"""
_START = """
    INSERT INTO games_webhookcursor (source, subject, seq, state)
    SELECT %s, head.subject, head.seq, head.state FROM ({heads}) head WHERE head.club = %s
    ON CONFLICT (source, subject) DO UPDATE SET seq = excluded.seq, state = excluded.state
"""


def tell(*, now: datetime) -> int:
    """Look once at all logs of clubs with an active webhook. Returns how many of them were found longer than before."""
    clubs = list(Webhook.objects.filter(active=True).values_list("club", flat=True).distinct())
    found = 0
    for source in sources.values() if clubs else ():
        moved = _moved(source, clubs)
        for subject, club in moved:
            with transaction.atomic(durable=True):
                _tell(source, subject, club, now)
        found += len(moved)
    return found


def start(club: Club) -> None:
    """Let the club's logs count as told up to where they are. Call inside the transaction that makes the club's only
    active webhook so: nobody has looked at its logs before, or for a while."""
    with connection.cursor() as cursor:
        for source in sources.values():
            cursor.execute(_START.format(heads=source.heads), [source.name, club.pk])


def _moved(source: Source, clubs: Collection[int]) -> list[tuple[int, int]]:
    """The subjects of these clubs whose log has moved on, with the club of each. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_MOVED.format(heads=source.heads, quiet=source.quiet), [source.name, list(clubs), AT_ONCE])
        return [(int(subject), int(club)) for subject, club in cursor.fetchall()]


def _tell(source: Source, subject: int, club_id: int, now: datetime) -> None:
    cursor = _held(source, subject)
    if cursor is None:
        return
    webhooks = list(Webhook.objects.select_related("club").filter(club=club_id, active=True).order_by("pk"))
    reading = source.read(subject, after=cursor.seq, state=cursor.state)
    rows = [
        WebhookDelivery(
            webhook=webhook,
            event=f"{reading.subject}-{told.seq}-{told.kind}",
            type=f"{source.name}.{told.kind}",
            payload=payload_of(source.name, reading.subject, webhook.club, told),
            created_at=now,
            due_at=now,
        )
        for told in reading.events
        for webhook in webhooks
        if told.at >= webhook.since and wants(webhook.types, f"{source.name}.{told.kind}")
    ]
    WebhookDelivery.objects.bulk_create(rows, batch_size=1000, ignore_conflicts=True)
    cursor.seq, cursor.state = reading.seq, reading.state
    cursor.save(update_fields=["seq", "state"])


def _held(source: Source, subject: int) -> WebhookCursor | None:
    """The cursor of a subject, locked; None while somebody else holds it."""
    rows = WebhookCursor.objects.select_for_update(skip_locked=True).filter(source=source.name, subject=subject)
    found = rows.first()
    if found is None and not WebhookCursor.objects.filter(source=source.name, subject=subject).exists():
        new = WebhookCursor(source=source.name, subject=subject, seq=0)
        WebhookCursor.objects.bulk_create([new], ignore_conflicts=True)
        found = rows.first()
    return found


def payload_of(source: str, subject: str, club: Club, told: Told) -> str:
    """The body that is sent, and signed, to the byte the same at each try."""
    data: dict[str, Any] = {"club": club.slug}
    data |= {source: subject, "seq": told.seq, "kind": told.kind, **told.about, "address": told.address}
    return json.dumps({"type": f"{source}.{told.kind}", "timestamp": moment(told.at), "data": data}, ensure_ascii=False)
