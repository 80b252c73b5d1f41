"""Whom this server may call in somebody else's name: public addresses, and networks that its operator names.

Pure. A name is checked when it is resolved, once for each call, and the call goes to the very address that was checked.
"""

import ipaddress
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass

import httpx

from scoring.wording import say

LONGEST = 500
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_SPECIAL: Sequence[Network] = [
    ipaddress.ip_network(text) for text in ("192.0.0.0/24", "192.88.99.0/24", "64:ff9b:1::/48", "3fff::/20")
]
"""Not public either, though Python's own tables may not say so."""

_HOST = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")
_INSIDE = ("localhost", ".localhost", ".local", ".internal", ".home.arpa", ".lan")


class BadAddress(Exception):
    """This server does not call that address. The message says why, in words for whoever entered it."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What the operator allows beyond public addresses over https: `networks` that are not public, and plain `http`."""

    networks: Sequence[Network] = ()
    http: bool = False

    def allows(self, address: Address) -> bool:
        """Whether this server may call the address itself: one that holds another (mapped, 6to4, …) as that one."""
        inner = _inner(address)
        if any(inner in network for network in self.networks if network.version == inner.version):
            return True
        special = inner.is_multicast or inner.is_reserved or inner.is_unspecified or inner.is_link_local
        site = isinstance(inner, ipaddress.IPv6Address) and inner.is_site_local
        listed = any(inner in network for network in _SPECIAL if network.version == inner.version)
        return inner.is_global and not (special or site or listed)

    def check(self, addresses: Sequence[str]) -> None:
        """Every address that a name leads to may be called; raises BadAddress."""
        if not addresses:
            raise BadAddress(say("The name leads to no address."))
        for text in addresses:
            if not self.allows(ipaddress.ip_address(text.partition("%")[0])):
                raise BadAddress(
                    say("The address is not a public one, which this server calls only where its operator allows it.")
                )


@dataclass(frozen=True, slots=True)
class Target:
    """An address taken apart: `host` in ASCII, as it is resolved, named in TLS and in the Host header."""

    scheme: str
    host: str
    port: int
    path: str


def parse(url: str, policy: Policy) -> Target:
    """Take an address apart; raises BadAddress for one that cannot be called whatever its name leads to."""
    if len(url) > LONGEST or not url.isprintable() or url != url.strip() or "\\" in url:
        raise BadAddress(
            say("An address is one line of at most {longest} characters, without spaces around it.", longest=LONGEST)
        )
    try:
        read = httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        raise BadAddress(say("This is no address that can be called.")) from None
    if read.scheme not in (("https", "http") if policy.http else ("https",)):
        raise BadAddress(
            say("The address must begin with https://.")
            if not policy.http
            else say("It must begin with https:// or http://.")
        )
    host = read.raw_host.decode().lower().rstrip(".")
    if read.userinfo or "@" in url.partition("//")[2].partition("/")[0]:
        raise BadAddress(
            say("The address holds a name or password: put a secret into its path, or check the signature.")
        )
    if read.fragment or "#" in url:
        raise BadAddress(say("Leave out what follows the #: it is never sent."))
    port = (443 if read.scheme == "https" else 80) if read.port is None else read.port
    if port not in (80, 443) and not 1024 <= port <= 65535:
        raise BadAddress(say("The port is 443, 80, or one from 1024 on."))
    literal = literal_of(host)
    if literal is not None:
        policy.check([literal])
    elif not _HOST.fullmatch(host):
        raise BadAddress(say("The address names no host that there can be."))
    elif not policy.networks and (host == "localhost" or host.endswith(_INSIDE) or "." not in host):
        raise BadAddress(
            say("The name is one of a private network, which this server calls only where its operator allows it.")
        )
    return Target(read.scheme, host, port, read.raw_path.decode() or "/")


def literal_of(host: str) -> str | None:
    """The address that a host is in figures, in whatever form a resolver takes: dotted, decimal, octal, hexadecimal."""
    text = host.strip("[]")
    try:
        return str(ipaddress.ip_address(text.partition("%")[0]))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(text))
    except (OSError, UnicodeError):
        return None


def _inner(address: Address) -> Address:
    """The IPv4 address that packets to an IPv6 address end up at, where it is of such a kind; else itself."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address.sixtofour is not None:
            return address.sixtofour
        if address.teredo is not None:
            return address.teredo[1]
        if address in _NAT64:
            return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address
