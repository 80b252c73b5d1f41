"""Published standings before the framework: what half a league reloads after a round costs next to nothing.

A WSGI application around Django's. It keeps Django's own answers to `GET` and `HEAD` of public standings, status,
headers and bytes as they are, each with the version that the view says it is of, and sends them again while the
database says that this is still the version. Everything else goes to Django: whoever comes with a token or a cookie,
what is not exactly understood here, what is not kept, and every request while the database does not answer. So
nothing is decided here but "the same again"; docs/decisions/0009 has the reasons.
"""

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Lock
from typing import Any

from django.db import Error, close_old_connections
from django.utils import timezone

from competitions.api.versions import published_now
from games.api.base import PUBLISHED_VERSION
from games.api.versions import Version, names_one

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]
Key = tuple[str | None, ...]

LOOK_SECONDS = 0.05
"""How long the version that was looked up counts: an answer may be so old."""

MOST_BYTES = 64 * 2**20
LARGEST = 8 * 2**20
MOST_ANSWERS = 1000

_PATH = re.compile(r"/api/v1/competitions/([a-z0-9]{12})/standings")
# What decides about an answer to somebody without a token: which host and scheme Django believes itself asked by, the
# address, what may be answered (`Accept`), and who may read it (`Origin`).
_ASKED = (
    "REQUEST_METHOD",
    "PATH_INFO",
    "QUERY_STRING",
    "HTTP_HOST",
    "wsgi.url_scheme",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_ACCEPT",
    "HTTP_ORIGIN",
)
_NOT_OURS = ("HTTP_AUTHORIZATION", "HTTP_COOKIE", "HTTP_TRANSFER_ENCODING", "SCRIPT_NAME")


@dataclass(frozen=True, slots=True)
class Answer:
    """One of Django's, and what it is of."""

    version: Version
    etag: str
    status: str
    headers: list[tuple[str, str]]
    body: bytes


class Hot:
    """See the module. One for each process; its threads share it."""

    def __init__(self, django: Application) -> None:
        self.django = django
        self.kept: OrderedDict[Key, Answer] = OrderedDict()
        self.bytes = 0
        self.looked: dict[str, tuple[float, Version | None]] = {}
        self.lock = Lock()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        found = _PATH.fullmatch(environ.get("PATH_INFO", ""))
        if found is None or not _is_plain(environ):
            return self.django(environ, start_response)
        key = tuple(map(environ.get, _ASKED))
        answer = self._kept(key, found[1], environ.get("HTTP_IF_NONE_MATCH"))
        if answer is None:
            return self._asked(environ, start_response, key)
        start_response(answer.status, list(answer.headers))
        return [answer.body]

    def _kept(self, key: Key, competition: str, names: str | None) -> Answer | None:
        """What Django would answer, if it is here: `names` is the request's If-None-Match."""
        whole, same = self.kept.get(("200", *key)), self.kept.get(("304", *key))
        if whole is None and same is None:
            return None
        version = self._version(competition)
        if same is not None and names is not None and same.version == version and _names(names, same.etag):
            return same
        if whole is not None and whole.version == version and (names is None or not _names(names, whole.etag)):
            return whole
        return None

    def _version(self, competition: str) -> Version | None:
        """The version of what is published now, looked up at most every LOOK_SECONDS; None where nothing is, or where
        the database does not say."""
        now = time.monotonic()
        at, version = self.looked.get(competition, (0.0, None))
        if not at or now - at >= LOOK_SECONDS:
            try:
                close_old_connections()
                version = published_now(competition, now=timezone.now())
            except Error:
                version = None
            if len(self.looked) > MOST_ANSWERS:
                self.looked.clear()
            self.looked[competition] = (now, version)
        return version

    def _asked(self, environ: Environ, start_response: StartResponse, key: Key) -> Iterable[bytes]:
        """Django's answer, kept if its view says of what version it is."""
        told: list[Any] = []

        def told_to(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            told[:] = [status, headers]
            return start_response(status, headers, *more)

        environ.pop(PUBLISHED_VERSION, None)
        response = self.django(environ, told_to)
        version = environ.get(PUBLISHED_VERSION)
        if version is None or told[0][:3] not in ("200", "304"):
            return response
        status, headers = told
        try:
            body = b"".join(response)
        finally:
            close: Callable[[], None] | None = getattr(response, "close", None)
            if close is not None:
                close()
        etag = next((value for name, value in headers if name == "ETag"), None)
        if etag is not None and len(body) <= LARGEST:
            self._keep((status[:3], *key), Answer(version, etag, status, list(headers), body))
        return [body]

    def _keep(self, key: Key, answer: Answer) -> None:
        with self.lock:
            before = self.kept.pop(key, None)
            self.kept[key] = answer
            self.bytes += len(answer.body) - (0 if before is None else len(before.body))
            while self.bytes > MOST_BYTES or len(self.kept) > MOST_ANSWERS:
                _, oldest = self.kept.popitem(last=False)
                self.bytes -= len(oldest.body)


def _is_plain(environ: Environ) -> bool:
    """A request of somebody without a token, and nothing in it that is not thought of here."""
    return (
        environ["REQUEST_METHOD"] in ("GET", "HEAD")
        and environ.get("CONTENT_LENGTH", "") in ("", "0")
        and "HTTP_HOST" in environ
        and not any(map(environ.get, _NOT_OURS))
    )


def _names(header: str, etag: str) -> bool:
    return header == etag or names_one(header, etag)
