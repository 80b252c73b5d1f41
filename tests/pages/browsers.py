"""Somebody's browser on a real server: cookies, and the token that forms and scripts send along."""

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from django.conf import settings
from django.contrib.sessions.models import Session as Login
from django.test import Client

from games.models import User
from tests.live.clients import Message, messages
from tests.servers import WebServer

_keys = itertools.count(1)


class Browser:
    """A browser in which `user` is logged in; nobody without one."""

    def __init__(self, server: WebServer, user: User | None = None) -> None:
        self.server = server
        self.cookies = httpx.Cookies()
        self.csrf = ""
        if user is not None:
            inner = Client()
            inner.force_login(user)
            self.cookies.set("sessionid", inner.cookies[settings.SESSION_COOKIE_NAME].value)

    @contextmanager
    def _client(self) -> Iterator[httpx.Client]:
        with httpx.Client(base_url=self.server.url, timeout=10, cookies=self.cookies, verify=False) as client:
            yield client
            self.cookies.update(client.cookies)

    def get(self, address: str, **more: Any) -> httpx.Response:
        with self._client() as client:
            answer = client.get(address, **more)
        if found := re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', answer.text):
            self.csrf = found[1]
        return answer

    def post(self, address: str, body: Any, *, key: str = "", **headers: str) -> httpx.Response:
        """What a script sends."""
        sent = {"X-CSRFToken": self.csrf, "Idempotency-Key": key or f"page {next(_keys)}", **headers}
        with self._client() as client:
            return client.post(address, json=body, headers=sent)

    def send(self, address: str, **fields: Any) -> httpx.Response:
        """What a form sends; the page that comes of it."""
        data = {"csrfmiddlewaretoken": self.csrf, **fields}
        with self._client() as client:
            answer = client.post(address, data=data, headers={"Referer": self.server.url})
        return answer if answer.status_code != 302 else self.get(answer.headers["Location"])

    @contextmanager
    def watching(self, address: str, *, after: int | None = None) -> Iterator[Iterator[Message]]:
        """The messages of a stream, as EventSource opens it."""
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        with self._client() as client, client.stream("GET", address, headers=headers) as answer:
            if answer.status_code != 200:
                answer.read()
            assert answer.status_code == 200, answer.text
            yield messages(answer.iter_lines())

    def log_out_elsewhere(self) -> None:
        """The login ends at the server, whatever this browser has open."""
        Login.objects.filter(session_key=self.cookies["sessionid"]).delete()
