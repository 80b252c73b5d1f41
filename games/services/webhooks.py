"""Webhooks as organisers look after them: made, changed, given a new secret, tried out, deleted; deliveries sent again.

Answers are JSON, as games/webhooks/shapes.py makes them, and kept with the request's key. A secret is not kept: it is
derived anew from what is.
"""

import json
import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from games.access import Caller, club_for
from games.errors import Invalid, NotFound, Refusal
from games.models import Club, RequestKey, Role, Webhook, WebhookDelivery
from games.services import telling
from games.services.keys import Key, answer_of, known, remember, wait_for_twin
from games.services.sessions import checked_text
from games.services.transactions import durable
from games.webhooks import signing
from games.webhooks.addresses import BadAddress, parse
from games.webhooks.reads import check_seen
from games.webhooks.sending import operator_policy
from games.webhooks.shapes import delivery_json, webhook_json
from games.webhooks.sources import Told, moment, sources
from games.webhooks.sources import types as all_types
from scoring.wording import say

MOST = 10
"""Webhooks of one club."""

OVERLAP = timedelta(hours=24)
"""How long the old secret signs too, after a new one is made."""

TEST = "test"
Answer = dict[str, Any]


def create_webhook(
    *,
    caller: Caller,
    club: str,
    url: str,
    description: str = "",
    types: Sequence[str] = ("*",),
    now: datetime,
    key: Key | None = None,
) -> Answer:
    """Tell an address what happens in the club from now on. The answer has its `secret`, which is shown by this alone.

    Organisers. Raises `bad_url`, `bad_event_types`, `bad_text`, `too_many_webhooks`."""
    owner = club_for(caller, club, Role.ORGANISER)
    checked_url(url)
    wanted = checked_types(types)
    checked_text(description, "description", 200)
    with durable():
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            return _again(before)
        owner = Club.objects.select_for_update(no_key=True).get(pk=owner.pk)
        there = list(Webhook.objects.filter(club=owner).values_list("active", flat=True))
        if len(there) >= MOST:
            raise Invalid(
                "too_many_webhooks",
                say("A club has at most {most} webhooks. Delete one that is not needed.", most=MOST),
            )
        if not any(there):
            telling.start(owner)
        salt, digest = _new_secret()
        row = Webhook.objects.create(
            club=owner,
            url=url,
            description=description,
            types=wanted,
            created_at=now,
            since=now,
            salt=salt,
            digest=digest,
        )
        return _kept(caller, key, webhook_json(row), secret_of=row)


def change_webhook(
    *,
    caller: Caller,
    webhook: str,
    url: str | None = None,
    description: str | None = None,
    types: Sequence[str] | None = None,
    active: bool | None = None,
    now: datetime,
    key: Key | None = None,
    check: Callable[[Webhook], None] | None = None,
) -> Answer:
    """Change what is given. Switched on again, a webhook is told what happens from then on; what waits is sent.

    `check` raises where the locked row is not what the caller means to change."""
    with durable():
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            return _again(before)
        row = _locked(caller, webhook)
        if check is not None:
            check(row)
        if url is not None:
            checked_url(url)
            row.url = url
        if types is not None:
            row.types = checked_types(types)
        if description is not None:
            row.description = checked_text(description, "description", 200)
        if active is True and not row.active:
            owner = Club.objects.select_for_update(no_key=True).get(pk=row.club_id)
            if not Webhook.objects.filter(club=owner, active=True).exists():
                telling.start(owner)
            row.since, row.off_because = now, ""
            row.failures, row.failing_since, row.rest_until = 0, None, None
        row.active = row.active if active is None else active
        row.off_because = "" if active is False else row.off_because
        row.save(
            update_fields=[
                *("url", "types", "description", "active", "since", "off_because"),
                *("failures", "failing_since", "rest_until"),
            ]
        )
        answer = webhook_json(row)
        return _kept(caller, key, answer)


def delete_webhook(
    *, caller: Caller, webhook: str, key: Key | None = None, check: Callable[[Webhook], None] | None = None
) -> Answer:
    """Tell the address nothing more, and forget what it was told. `check`: as in `change_webhook`."""
    with durable():
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            return _again(before)
        row = _locked(caller, webhook)
        if check is not None:
            check(row)
        WebhookDelivery.objects.filter(webhook=row).delete()
        row.delete()
        answer = {"deleted": webhook}
        return _kept(caller, key, answer)


def rotate_secret(*, caller: Caller, webhook: str, now: datetime, key: Key | None = None) -> Answer:
    """Make a new secret, which the answer has. For a day the old one signs too: each call carries both signatures."""
    with durable():
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            return _again(before)
        row = _locked(caller, webhook)
        row.old_salt, row.old_digest, row.old_until = row.salt, row.digest, now + OVERLAP
        row.salt, row.digest = _new_secret()
        row.save(update_fields=["salt", "digest", "old_salt", "old_digest", "old_until"])
        answer = {**webhook_json(row), "old_secret_until": moment(row.old_until)}
        return _kept(caller, key, answer, secret_of=row)


def send_test(*, caller: Caller, webhook: str, now: datetime, key: Key | None = None) -> Answer:
    """Send an event of type `webhook.test`, which means nothing. Raises `webhook_off`."""
    with durable():
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            return _again(before)
        row = _locked(caller, webhook)
        _check_on(row)
        event = f"{TEST}-{secrets.token_hex(8)}"
        told = Told(0, TEST, now, f"/api/v1/webhooks/{row.public_id}")
        delivery = WebhookDelivery.objects.create(
            webhook=row,
            event=event,
            type=f"webhook.{TEST}",
            payload=telling.payload_of("webhook", row.public_id, row.club, told),
            created_at=now,
            due_at=now,
        )
        answer = delivery_json(delivery)
        return _kept(caller, key, answer)


def replay(*, caller: Caller, delivery: str, now: datetime, key: Key | None = None) -> Answer:
    """Send an event once more, under the same id and with as many tries as a new one. Raises `still_waiting`,
    `webhook_off`."""
    with durable():
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            return _again(before)
        row = WebhookDelivery.objects.select_for_update(no_key=True).filter(public_id=delivery).first()
        if row is None:
            raise NotFound("delivery")
        row.webhook = Webhook.objects.select_related("club").get(pk=row.webhook_id)
        check_seen(caller, row.webhook, "delivery")
        _check_on(row.webhook)
        if row.status == WebhookDelivery.Status.WAITING:
            raise Refusal("still_waiting", say("This event is still to be sent, or tried again by itself."))
        row.status, row.tries, row.due_at = WebhookDelivery.Status.WAITING, 0, now
        row.save(update_fields=["status", "tries", "due_at"])
        answer = delivery_json(row)
        return _kept(caller, key, answer)


def checked_url(url: str) -> str:
    """An address that this server may call, as far as it can be seen from it; raises `bad_url`."""
    try:
        parse(url, operator_policy())
    except BadAddress as error:
        raise Invalid("bad_url", str(error)) from error
    return url


def checked_types(wanted: Sequence[str]) -> list[str]:
    """Types of events as a webhook keeps them, each once; raises `bad_event_types`."""
    there = all_types()
    groups = [f"{name}.*" for name in sources]
    if unknown := [item for item in wanted if item != "*" and item not in there and item not in groups]:
        message = say(
            "There is no type of event {type}. There are *, {groups}, and the types that docs/webhooks.md lists.",
            type=ascii(unknown[0])[:60],
            groups=", ".join(groups),
        )
        raise Invalid("bad_event_types", message)
    if not wanted:
        raise Invalid("bad_event_types", say("Say which events: * is all of them."))
    return list(dict.fromkeys(wanted))


def _new_secret() -> tuple[bytes, bytes]:
    salt = signing.new_salt()
    return salt, signing.digest_of(signing.derive(salt))


def _kept(caller: Caller, key: Key | None, answer: Answer, *, secret_of: Webhook | None = None) -> Answer:
    """Remember an answer, as text: the database would sort its members. Of a secret that by which it is derived."""
    stored = {"text": json.dumps(answer)}
    if secret_of is not None:
        stored |= {"salt": bytes(secret_of.salt).hex(), "digest": bytes(secret_of.digest).hex()}
    remember(caller, key, answer=stored)
    return _read(stored)


def _again(before: RequestKey) -> Answer:
    """The answer that a request with this key got before; raises `key_reused` where it was none about webhooks."""
    stored = answer_of(before)
    if "text" not in stored:
        raise Invalid("key_reused", say("This Idempotency-Key was used with a different request."))
    return _read(stored)


def _read(stored: Answer) -> Answer:
    answer: Answer = json.loads(stored["text"])
    if "salt" in stored:
        salt, digest = bytes.fromhex(stored["salt"]), bytes.fromhex(stored["digest"])
        answer["secret"] = signing.reveal(salt, digest)
    return answer


def _locked(caller: Caller, public_id: str) -> Webhook:
    """The webhook, locked, with its club; NotFound to those outside the club, Forbidden to all but organisers."""
    row = (
        Webhook.objects.select_for_update(no_key=True, of=("self",)).select_related("club").filter(public_id=public_id)
    )
    found = row.first()
    if found is None:
        raise NotFound("webhook")
    check_seen(caller, found, "webhook")
    return found


def _check_on(row: Webhook) -> None:
    if not row.active:
        raise Refusal("webhook_off", say("This webhook is switched off. Switch it on first."))
