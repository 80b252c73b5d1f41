"""Guessing passwords: attempts to log in are counted before a password is looked at.

For an account from one address, from one address, and for an account from anywhere. The last one would let strangers
keep somebody out by guessing all the time, so it does not hold where the account has logged in from lately.
"""

import hashlib

from games import lossy
from games.limits import forget, take

REMEMBERED = 30 * 24 * 3600
"""Seconds for which an address is known after a login."""


def attempt(username: str, address: str) -> int:
    """Count an attempt. Seconds to wait before the next one; 0 where this one may go on."""
    account = _account(username)
    counts = [take("login", f"{account}:{address}"), take("login-address", address)]
    if not lossy.ask(lambda server: server.exists(_known(account, address))):
        counts.append(take("login-name", account))
    return max((count.reset for count in counts if count is not None and count.over), default=0)


def succeeded(username: str, address: str) -> None:
    """The password was right: this account is known here, and begins afresh."""
    account = _account(username)
    forget("login", f"{account}:{address}")
    lossy.ask(lambda server: server.set(_known(account, address), 1, ex=REMEMBERED))


def _account(username: str) -> str:
    """A name of any length and script, as part of a key."""
    return hashlib.sha256(username.casefold().encode(errors="replace")).hexdigest()[:32]


def _known(account: str, address: str) -> str:
    return f"fantan:login:{account}:{address}"
