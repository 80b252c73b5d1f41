"""Secrets of webhooks, and the headers that prove a call to be ours (standardwebhooks.com).

A secret is stored nowhere. It follows from a salt of its own and the server's SECRET_KEY, so that a copy of the
database alone signs nothing. After a change of that key it still follows from the one among SECRET_KEY_FALLBACKS; a
webhook whose key is gone signs no more until its secret is made anew.
"""

import base64
import hashlib
import secrets
from datetime import datetime

from django.conf import settings
from django.utils.crypto import salted_hmac
from standardwebhooks import Webhook as Signer

from games.models import Webhook

PREFIX = "whsec_"


def new_salt() -> bytes:
    return secrets.token_bytes(16)


def derive(salt: bytes) -> str:
    """The secret of a salt by the server's present key: `whsec_` and base64 of 32 bytes."""
    return _derive(salt, settings.SECRET_KEY)


def digest_of(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def reveal(salt: bytes, digest: bytes) -> str | None:
    """The secret of a stored salt; None where it was made by a key that the server no longer has."""
    found = (_derive(bytes(salt), key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))
    return next((secret for secret in found if digest_of(secret) == bytes(digest)), None)


def secrets_of(webhook: Webhook, now: datetime) -> list[str]:
    """The secrets that sign now, the newest first: after a rotation the one before, too. Empty: its key is gone."""
    found = [reveal(bytes(webhook.salt), bytes(webhook.digest))]
    if webhook.old_until is not None and webhook.old_until > now:
        found.append(reveal(bytes(webhook.old_salt or b""), bytes(webhook.old_digest or b"")))
    return [secret for secret in found if secret is not None]


def headers(event: str, payload: str, signed_by: list[str], now: datetime) -> dict[str, str]:
    """The headers of a call: the event's id, the time, and a signature by each secret."""
    return {
        "webhook-id": event,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(Signer(secret).sign(event, now, payload) for secret in signed_by),
    }


def _derive(salt: bytes, key: str) -> str:
    made = salted_hmac("games.webhooks", salt, secret=key, algorithm="sha256").digest()
    return PREFIX + base64.b64encode(made).decode()
