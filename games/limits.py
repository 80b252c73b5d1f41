"""How often somebody may ask. Counted in Redis by one script, so that requests at the same moment, in whatever
processes, never get more through than the limit. Where Redis does not answer nothing is limited, and nobody waits."""

import math
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv6Address, ip_address
from typing import Any, NamedTuple

import redis
from django.conf import settings
from django.http import HttpRequest

from games import lossy

COUNT = """
local used = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {used, left}
"""
"""Counts one, in a window that begins with its first request; a window without an end gets one."""


class Policy(NamedTuple):
    """So many requests in so many seconds."""

    limit: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Count:
    """Where somebody stands after this request: `used` of the policy's limit, counted afresh in `reset` seconds."""

    name: str
    policy: Policy
    used: int
    reset: int

    @property
    def over(self) -> bool:
        return self.used > self.policy.limit

    @property
    def headers(self) -> dict[str, str]:
        return {
            "RateLimit-Limit": str(self.policy.limit),
            "RateLimit-Remaining": str(max(0, self.policy.limit - self.used)),
            "RateLimit-Reset": str(self.reset),
            "RateLimit-Policy": f'"{self.name}";q={self.policy.limit};w={self.policy.seconds}',
        }


@cache
def _script(client: "redis.Redis") -> Any:
    return client.register_script(COUNT)


def take(name: str, who: str) -> Count | None:
    """Count a request of `who` under the policy of that name. None where that is not limited, or cannot be counted."""
    allowed: tuple[int, int] | None = settings.RATE_LIMITS[name]
    if allowed is None:
        return None
    policy = Policy(*allowed)
    found = lossy.ask(lambda client: _script(client)(keys=[_key(name, who)], args=[policy.seconds * 1000]))
    if found is None:
        return None
    used, left = found
    return Count(name, policy, int(used), max(1, math.ceil(int(left) / 1000)))


def forget(name: str, who: str) -> None:
    """Let `who` begin afresh."""
    lossy.ask(lambda client: client.delete(_key(name, who)))


def _key(name: str, who: str) -> str:
    return f"fantan:rate:{name}:{who}"


def client_address(request: HttpRequest) -> str:
    """Whose request it is, by address: as our outermost proxy saw it, of IPv6 the network, which one household has."""
    seen = request.META.get("REMOTE_ADDR", "")
    if settings.NUM_PROXIES:
        passed = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
        # What stands further left was written by the client, who may write anything.
        seen = passed[-settings.NUM_PROXIES] if len(passed) >= settings.NUM_PROXIES else seen
    try:
        address = ip_address(seen)
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)
