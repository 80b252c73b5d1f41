"""Redis for what people do not wait for: hints to streams, counts of requests. It may be frozen or gone; then a call
costs well under a second once, and nothing at all for the next two."""

import logging
import time
from collections.abc import Callable
from functools import cache
from typing import TypeVar

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

log = logging.getLogger(__name__)

T = TypeVar("T")

PAUSE = 2.0
"""Seconds without another try after Redis did not answer."""
PATIENCE = 0.4
"""Seconds to connect, and to answer."""

_quiet_until = 0.0
"""0 while Redis answers."""


@cache
def client(url: str) -> "redis.Redis":
    """The connections to that Redis, kept open. One that it closed (a restart) is opened again at once; a silence is
    not waited for twice."""
    again = Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
    return redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=again)


def ask(call: Callable[["redis.Redis"], T]) -> T | None:
    """What `call` gets of Redis; None where it does not answer, or did not just now. Never raises."""
    global _quiet_until
    now = time.monotonic()
    if now < _quiet_until:
        return None
    if _quiet_until:
        _quiet_until = now + PAUSE  # one of us tries whether it is back, and the others go on meanwhile
    try:
        answer = call(client(settings.REDIS_URL))
    except Exception as error:  # whatever its client raises, people go on
        _quiet_until = time.monotonic() + PAUSE
        log.warning("Redis did not answer: %s", error)
        return None
    _quiet_until = 0.0
    return answer


def publish(channel: str, text: str) -> bool:
    """Tell whoever listens; returns whether Redis took it."""
    return ask(lambda server: server.publish(channel, text)) is not None
