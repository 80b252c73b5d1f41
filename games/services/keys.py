"""Idempotency keys: look one up, remember one. Always inside the transaction of the write it belongs to."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from django.db import connection

from games.access import Caller
from games.errors import Invalid
from games.models import RequestKey
from scoring.wording import say

_REMEMBER = """
    INSERT INTO games_requestkey (actor_id, key, fingerprint, session_id, seq, answer, created_at)
    VALUES (%s, %s, %s, %s, %s, %s::jsonb, now())
"""


@dataclass(frozen=True, slots=True)
class Key:
    """A client's key with a digest of what it was sent with: another request under the same key is refused."""

    value: str
    fingerprint: bytes

    @classmethod
    def of(cls, value: str, route: str, body: Any) -> "Key":
        text = json.dumps([route, body], sort_keys=True, ensure_ascii=True)
        return cls(value, hashlib.sha256(text.encode()).digest())

    def check(self, fingerprint: bytes | memoryview) -> None:
        if bytes(fingerprint) != self.fingerprint:
            raise Invalid("key_reused", say("This Idempotency-Key was used with a different request."))


def known(caller: Caller, key: Key | None) -> RequestKey | None:
    """What the key was used for before, if it was; raises `key_reused` where that was something else."""
    if key is None:
        return None
    found = RequestKey.objects.select_related("session").filter(actor=caller.user, key=key.value).first()
    if found is not None:
        key.check(found.fingerprint)
    return found


def answer_of(before: RequestKey) -> Any:
    """What a request outside any session was answered with; raises `key_reused` where the key was used in a session."""
    if before.answer is None:
        raise Invalid("key_reused", say("This Idempotency-Key was used with a different request."))
    return before.answer


def wait_for_twin(caller: Caller, key: Key | None) -> None:
    """Make a twin of this request wait until we are done. For writes that lock no session."""
    if key is not None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"{caller.user} {key.value}"])


def remember(
    caller: Caller, key: Key | None, *, session: int | None = None, seq: int | None = None, answer: Any = None
) -> None:
    if key is not None:
        with connection.cursor() as cursor:
            stored = None if answer is None else json.dumps(answer)
            cursor.execute(_REMEMBER, [caller.user, key.value, key.fingerprint, session, seq, stored])
