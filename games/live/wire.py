"""Listening to the hints that writes leave in Redis (games/notify.py). A hint may be lost; the hub looks by itself."""

import asyncio
import logging
from collections.abc import Callable

import redis.asyncio as redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from games.notify import CHANGES, TOKENS

log = logging.getLogger(__name__)

PAUSE = 1.0
"""Seconds until the next try where Redis does not answer."""
QUIET = 5.0
"""Seconds of silence after which Redis is asked whether it is still there."""


async def listen(url: str, *, changed: Callable[[str, str], None], token: Callable[[int], None]) -> None:
    """Hand on hints until cancelled: `changed(kind, public_id)`, `token(id)`. `changed("", "")` says that hints may
    have been lost."""
    told = False
    while True:
        try:
            await _listen(url, changed, token)
        except Exception as error:  # whatever its client raises, streams go on: the hub looks by itself
            if not told:
                log.warning("Redis gives no hints, changes are looked for: %s", error)
                told = True
            else:
                log.debug("Redis gives no hints: %s", error)
        await asyncio.sleep(PAUSE)


async def _listen(url: str, changed: Callable[[str, str], None], token: Callable[[int], None]) -> None:
    server = redis.Redis.from_url(url, socket_connect_timeout=2, retry=Retry(NoBackoff(), 0))
    try:
        async with server.pubsub() as pubsub:
            await asyncio.wait_for(pubsub.subscribe(CHANGES, TOKENS), 2)
            changed("", "")
            log.info("listening to hints")
            while True:
                message = await pubsub.get_message(timeout=QUIET)
                if message is None:
                    await asyncio.wait_for(pubsub.ping(), 2)
                elif message["type"] == "message":
                    _hand_on(message["channel"].decode(), message["data"].decode(), changed, token)
    finally:
        await server.aclose()


def _hand_on(channel: str, text: str, changed: Callable[[str, str], None], token: Callable[[int], None]) -> None:
    parts = text.split()
    if channel == TOKENS and len(parts) == 1 and parts[0].isdigit():
        token(int(parts[0]))
    elif channel == CHANGES and len(parts) == 3:
        changed(parts[0], parts[1])
