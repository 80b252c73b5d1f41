"""Published standings before the framework: what half a league reloads after a round costs next to nothing.

A WSGI application around Django's. It keeps Django's own answers to `GET` and `HEAD` of public standings, status,
headers and bytes as they are, each with the version that the view says it is of, and sends them again while the
database says that this is still the version. Everything else goes to Django: whoever comes with a token or a cookie,
what is not exactly understood here, what is not kept, and every request while the database does not answer. So
nothing is decided here but "the same again"; docs/decisions/0011 has the reasons.
"""

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
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
    "PATH_INFO",
    "QUERY_STRING",
    "REQUEST_METHOD",
    "HTTP_HOST",
    "wsgi.url_scheme",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_ACCEPT",
    "HTTP_ORIGIN",
)
# What no request has whose answer is kept.
_ABSENT = ("HTTP_AUTHORIZATION", "HTTP_COOKIE", "HTTP_TRANSFER_ENCODING", "SCRIPT_NAME")
_KEY = (*_ASKED, *_ABSENT, "CONTENT_LENGTH")


@dataclass(frozen=True, slots=True)
class Answer:
    """One of Django's, and what it is of."""

    version: Version
    etag: str
    status: str
    headers: list[tuple[str, str]]
    body: bytes

    def named_by(self, names: str | None) -> bool:
        """Whether an If-None-Match names it."""
        return names is not None and (names == self.etag or names_one(names, self.etag))


@dataclass(slots=True)
class Look:
    """The version of what a competition has published, as it was looked up a moment ago; None where nothing is, or
    where the database did not say. `at` in seconds of a clock that only goes on."""

    competition: str
    at: float = -inf
    version: Version | None = None

    def now(self) -> Version | None:
        """The version, looked up anew where LOOK_SECONDS have passed."""
        now = time.monotonic()
        if now - self.at >= LOOK_SECONDS:
            try:
                found = published_now(self.competition, now=timezone.now())
            except Error:  # the connection may be of no more use; the next look makes another
                close_old_connections()
                found = None
            if found != self.version:  # the same object as long as it is equal, so that comparing costs nothing
                self.version = found
            self.at = now
        return self.version


@dataclass(slots=True)
class Kept:
    """Django's answers to one request: the whole one, and the 304 to whoever has that."""

    look: Look
    whole: Answer | None = None
    same: Answer | None = None

    def answer(self, names: str | None) -> Answer | None:
        """What Django would answer, if it is here; `names` is the request's If-None-Match."""
        version = self.look.now()
        same, whole = self.same, self.whole
        if same is not None and (same.version is version or same.version == version) and same.named_by(names):
            return same
        if whole is not None and (whole.version is version or whole.version == version) and not whole.named_by(names):
            return whole
        return None

    def size(self) -> int:
        return 0 if self.whole is None else len(self.whole.body)


class Hot:
    """See the module. One for each process; its threads share it."""

    def __init__(self, django: Application) -> None:
        self.django = django
        self.kept: OrderedDict[Key, Kept] = OrderedDict()
        self.looks: dict[str, Look] = {}
        self.bytes = 0
        self.lock = Lock()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if not environ["PATH_INFO"].endswith("/standings"):
            return self.django(environ, start_response)
        key = tuple(map(environ.get, _KEY))
        kept = self.kept.get(key)
        if kept is not None:
            answer = kept.answer(environ.get("HTTP_IF_NONE_MATCH"))
            if answer is not None:
                start_response(answer.status, answer.headers.copy())
                return [answer.body]
        found = _PATH.fullmatch(environ["PATH_INFO"])
        if found is None or not _is_plain(environ):
            return self.django(environ, start_response)
        return self._asked(environ, start_response, key, found[1])

    def _asked(self, environ: Environ, start_response: StartResponse, key: Key, competition: str) -> Iterable[bytes]:
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
            # How often somebody has asked is theirs alone; what is kept is given to everybody, and not counted.
            shown = [item for item in headers if not item[0].startswith("RateLimit")]
            self._keep(key, competition, Answer(version, etag, status, shown, body))
        return [body]

    def _keep(self, key: Key, competition: str, answer: Answer) -> None:
        with self.lock:
            before = self.kept.pop(key, None)
            kept = before or Kept(self.looks.setdefault(competition, Look(competition)))
            self.bytes -= 0 if before is None else before.size()
            if answer.status.startswith("304"):
                kept.same = answer
            else:
                kept.whole = answer
            self.kept[key] = kept
            self.bytes += kept.size()
            while self.bytes > MOST_BYTES or len(self.kept) > MOST_ANSWERS:
                _, oldest = self.kept.popitem(last=False)
                self.bytes -= oldest.size()
            if len(self.looks) > 2 * MOST_ANSWERS:
                self.looks = {one.look.competition: one.look for one in self.kept.values()}


def _is_plain(environ: Environ) -> bool:
    """A request of somebody without a token, and nothing in it that is not thought of here."""
    return (
        environ["REQUEST_METHOD"] in ("GET", "HEAD")
        and environ.get("CONTENT_LENGTH", "") in ("", "0")
        and "HTTP_HOST" in environ
        and not any(map(environ.get, _ABSENT))
    )
