"""Sending what is due to webhooks: whose turn it is, and what follows from how a call went.

What is due stands in rows. A worker leases a webhook, so that each address is called by one worker at a time and its
events leave in order, and takes one delivery after the other. It counts a try before the call: a worker that is killed
in the middle leaves a delivery that is due again, and an event may arrive twice, never not at all.
"""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.models import Webhook, WebhookDelivery
from games.webhooks import signing
from games.webhooks.sending import Outcome, operator_policy, send

LEASE = timedelta(seconds=45)
"""Longer than a call may take, by far."""

DELAYS = [timedelta(seconds=seconds) for seconds in (5, 30, 120, 900, 3600, 6 * 3600, 24 * 3600)]
"""Before the second try, the third, …; after the last the event is given up."""

JITTER = 0.2
MOST_REST = timedelta(minutes=5)
MOST_ASKED = timedelta(hours=1)
"""As long as an answer's Retry-After is heeded."""

FAILING = timedelta(days=3)
"""After which an address that takes nothing any more is left alone."""

SLOW_MS = 1000

_TAKE = """
    UPDATE games_webhookdelivery SET tries = tries + 1, tried_at = %(now)s, due_at = %(until)s
    WHERE id = (
        SELECT id FROM games_webhookdelivery WHERE webhook_id = %(webhook)s AND status = 'waiting' AND due_at <= %(now)s
        ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING id, event, payload, tries
"""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A delivery that is being sent, for the so-manieth time."""

    pk: int
    event: str
    payload: str
    tries: int


def due_webhooks(now: datetime) -> list[int]:
    """Row ids of the webhooks that something should be sent to now, and that nobody sends to."""
    waiting = WebhookDelivery.objects.filter(webhook=OuterRef("pk"), status="waiting", due_at__lte=now)
    return list(_free(now).filter(Exists(waiting)).order_by("pk").values_list("pk", flat=True))


def deliver(webhook_id: int, *, until: datetime) -> int:
    """Send what is due, in order, starting no call after `until`. Returns how many calls were made; 0 where somebody
    else does it."""
    calls = 0
    lease = _lease(webhook_id, None, timezone.now())
    while lease is not None and (attempt := _take(webhook_id, timezone.now())) is not None:
        webhook = Webhook.objects.filter(pk=webhook_id).first()
        if webhook is None:  # deleted meanwhile
            break
        calls += 1
        outcome = call(webhook, attempt, timezone.now())
        rests = settle(webhook_id, attempt, outcome, timezone.now())
        if rests or timezone.now() >= until:
            break
        lease = _lease(webhook_id, lease, timezone.now())
    if lease is not None:
        Webhook.objects.filter(pk=webhook_id, leased_until=lease).update(leased_until=None)
    return calls


def call(webhook: Webhook, attempt: Attempt, now: datetime) -> Outcome:
    """One call of a webhook, signed. No database transaction is open meanwhile."""
    signed_by = signing.secrets_of(webhook, now)
    if not signed_by:
        return Outcome(None, "The server's key has changed: make a new secret for this webhook.")
    headers = signing.headers(attempt.event, attempt.payload, signed_by, now)
    return send(webhook.url, attempt.payload, headers, policy=operator_policy())


def settle(webhook_id: int, attempt: Attempt, outcome: Outcome, now: datetime) -> bool:
    """Store how a call went, and what follows: done, another try later, or given up. Returns whether the webhook is to
    be left alone for now."""
    with transaction.atomic(durable=True):
        webhook = Webhook.objects.select_for_update(no_key=True).filter(pk=webhook_id).first()
        if webhook is None:
            return True
        status, due_at = WebhookDelivery.Status.WAITING, now
        if outcome.done:
            status = WebhookDelivery.Status.DONE
            webhook.failures, webhook.failing_since, webhook.rest_until = 0, None, None
            if outcome.took_ms > SLOW_MS:  # whoever is slow has half of a worker's time at most
                webhook.rest_until = now + timedelta(milliseconds=outcome.took_ms)
        else:
            wait = _wait(attempt.tries, outcome)
            if wait is None:
                status = WebhookDelivery.Status.DEAD
            else:
                due_at = now + wait
            _failed(webhook, outcome, now)
        webhook.save(update_fields=["failures", "failing_since", "rest_until", "active", "off_because"])
        # Sent again by somebody meanwhile, it is due as they wanted it.
        WebhookDelivery.objects.filter(pk=attempt.pk, tries=attempt.tries).update(
            status=status,
            due_at=due_at,
            took_ms=outcome.took_ms,
            code=outcome.code,
            error=outcome.error[:200],
            excerpt=outcome.excerpt,
        )
        return webhook.rest_until is not None or not webhook.active


def _failed(webhook: Webhook, outcome: Outcome, now: datetime) -> None:
    """Let the address rest, the longer the more often it failed; leave it alone once it is gone, or fails for days.

    While it rests nothing else is tried there either: one event at a time finds out whether it is back."""
    webhook.failures += 1
    webhook.failing_since = webhook.failing_since or now
    rest = _jittered(min(DELAYS[min(webhook.failures, len(DELAYS)) - 1], MOST_REST))
    webhook.rest_until = now + max(rest, _asked(outcome))
    if outcome.gone:
        webhook.active, webhook.off_because = False, Webhook.Off.GONE
    elif now - webhook.failing_since >= FAILING:
        webhook.active, webhook.off_because = False, Webhook.Off.FAILING


def _wait(tries: int, outcome: Outcome) -> timedelta | None:
    """How long until the next try; None after the last, and for an address that is gone."""
    if outcome.gone or tries > len(DELAYS):
        return None
    return max(_jittered(DELAYS[tries - 1]), _asked(outcome))


def _asked(outcome: Outcome) -> timedelta:
    return min(timedelta(seconds=outcome.retry_after or 0), MOST_ASKED)


def _jittered(delay: timedelta) -> timedelta:
    return delay * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311 - that not all come back at one moment


def _free(now: datetime) -> QuerySet[Webhook]:
    """Webhooks that may be sent to: active, not resting, leased by nobody."""
    return Webhook.objects.filter(
        Q(leased_until=None) | Q(leased_until__lt=now), Q(rest_until=None) | Q(rest_until__lte=now), active=True
    )


def _lease(webhook_id: int, held: datetime | None, now: datetime) -> datetime | None:
    """Lease the webhook, or prolong the lease that is `held`; None where it is somebody else's, off or resting."""
    rows = _free(now) if held is None else Webhook.objects.filter(leased_until=held, active=True)
    until = now + LEASE
    return until if rows.filter(pk=webhook_id).update(leased_until=until) else None


def _take(webhook_id: int, now: datetime) -> Attempt | None:
    """The next delivery that is due, with the try counted and due again should we be killed."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, {"now": now, "until": now + LEASE, "webhook": webhook_id})
        row = cursor.fetchone()
    return None if row is None else Attempt(*row)
