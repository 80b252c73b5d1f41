"""One call of a webhook: to the very address that was checked, within a time that holds for all of it.

The name is resolved here, once, and every address that it leads to is checked; then the connection is opened to one of
them, whatever the name leads to by now. TLS and the Host header still name the host. Redirects are not followed,
proxies of the environment not used, and of the answer only the beginning is read.
"""

import functools
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpcore
import httpx
from django.conf import settings

from games.webhooks.addresses import BadAddress, Policy, Target, literal_of, parse
from scoring.wording import say

SECONDS = 10.0
"""For all of a call: resolving, connecting, TLS, sending, reading."""

MOST_READ = 4096
EXCERPT = 500
AGENT = "FanTan-Webhooks/1"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call went. `code`: the status of the answer; None where none came, and `error` says why."""

    code: int | None
    error: str = ""
    excerpt: str = ""
    took_ms: int = 0
    retry_after: int | None = None

    @property
    def done(self) -> bool:
        return self.code is not None and 200 <= self.code < 300

    @property
    def gone(self) -> bool:
        return self.code == 410


def operator_policy() -> Policy:
    """What whoever runs this server allows."""
    return Policy(tuple(settings.WEBHOOK_NETWORKS), settings.WEBHOOK_HTTP)


def send(
    url: str, payload: str, headers: Mapping[str, str], *, policy: Policy, seconds: float = SECONDS, agent: str = AGENT
) -> Outcome:
    """POST a payload. Never raises for what the other side does, or for an address that is not to be called."""
    started = time.monotonic()
    try:
        code, text, wait = _post(url, payload, headers, policy, started + seconds, agent)
        return Outcome(code, "", text, _since(started), wait)
    except BadAddress as error:
        return Outcome(None, str(error), took_ms=_since(started))
    except httpcore.TimeoutException:
        return Outcome(None, f"No whole answer within {seconds:.0f} seconds.", took_ms=_since(started))
    except (httpcore.NetworkError, OSError) as error:
        return Outcome(None, f"No connection: {_printable(str(error), 150)}", took_ms=_since(started))
    except httpcore.ProtocolError:
        return Outcome(None, "What came back was not HTTP.", took_ms=_since(started))


def _post(
    url: str, payload: str, headers: Mapping[str, str], policy: Policy, deadline: float, agent: str
) -> tuple[int, str, int | None]:
    target = parse(url, policy)
    addresses = resolve(target, deadline)
    policy.check(addresses)
    sent = {
        "Host": _host(target),
        "User-Agent": agent,
        "Content-Type": "application/json",
        "Connection": "close",
        **headers,
    }
    pool = httpcore.ConnectionPool(ssl_context=_tls(), network_backend=_Checked(addresses, deadline), retries=0)
    address = httpcore.URL(
        scheme=target.scheme.encode(), host=target.host.encode(), port=target.port, target=target.path.encode()
    )
    with pool, pool.stream("POST", address, headers=list(sent.items()), content=payload.encode()) as answer:
        body = b""
        for part in answer.iter_stream():
            body += part
            if len(body) >= MOST_READ:
                break
    found = {name.lower(): value.decode("latin-1") for name, value in answer.headers}
    wait = found.get(b"retry-after", "")
    text = _printable(body[:MOST_READ].decode("utf-8", "replace"), EXCERPT)
    return answer.status, text, int(wait) if wait.isascii() and wait.isdigit() and len(wait) < 8 else None


def resolve(target: Target, deadline: float) -> list[str]:
    """The addresses that a host leads to; raises BadAddress, or a timeout. A resolver that hangs is left behind."""
    literal = literal_of(target.host)
    if literal is not None:
        return [literal]
    found: list[str] = []
    failed: list[BaseException] = []

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
            found.extend(dict.fromkeys(str(row[4][0]) for row in rows))
        except (OSError, UnicodeError) as error:
            failed.append(error)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(max(0.0, deadline - time.monotonic()))
    if asking.is_alive():
        raise httpcore.ConnectTimeout
    if failed:
        raise BadAddress(say("The name cannot be resolved."))
    return found


class _Checked(httpcore.NetworkBackend):
    """Opens connections to addresses that were checked, whatever host is asked for, until a deadline."""

    def __init__(self, addresses: Sequence[str], deadline: float) -> None:
        self.addresses, self.deadline = addresses, deadline
        self.inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        failed: Exception = httpcore.ConnectError("no address")
        for address in self.addresses:
            try:
                stream = self.inner.connect_tcp(address, port, _left(self.deadline), None, socket_options)
                return _Limited(stream, self.deadline)
            except httpcore.ConnectError as error:
                failed = error
        raise failed


class _Limited(httpcore.NetworkStream):
    """A connection that is over at a deadline, however slowly the other side goes on answering."""

    def __init__(self, inner: httpcore.NetworkStream, deadline: float) -> None:
        self.inner, self.deadline = inner, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.inner.read(max_bytes, _left(self.deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.inner.write(buffer, _left(self.deadline))

    def close(self) -> None:
        self.inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Limited(self.inner.start_tls(ssl_context, server_hostname, _left(self.deadline)), self.deadline)

    def get_extra_info(self, info: str) -> Any:
        return self.inner.get_extra_info(info)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout
    return left


@functools.cache
def _tls() -> ssl.SSLContext:
    return httpx.create_ssl_context()


def _host(target: Target) -> str:
    host = f"[{target.host}]" if ":" in target.host else target.host
    return host if target.port == {"https": 443, "http": 80}[target.scheme] else f"{host}:{target.port}"


def _since(started: float) -> int:
    return int((time.monotonic() - started) * 1000)


def _printable(text: str, longest: int) -> str:
    """Foreign text as a column and a page take it."""
    return "".join(char if char.isprintable() or char == "\n" else "�" for char in text)[:longest]
