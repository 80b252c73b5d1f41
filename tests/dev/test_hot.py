"""Published standings before the framework: never anything but what Django would answer, and nearly for nothing."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.db import DatabaseError, close_old_connections, connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from competitions.services import publishing
from fantan_site import hot
from fantan_site.hot import Hot
from fantan_site.wsgi import django_application
from games.models import Player
from tests.competitions.api.clients import Cup
from tests.games.builders import NOW

pytestmark = pytest.mark.django_db

SIGNALS = (request_started, request_finished)


class Counted:
    """Django, and how often it was asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, environ: Any, start_response: Callable[..., Any]) -> Any:
        self.times += 1
        return django_application(environ, start_response)


def ask_once(application: Any, path: str, method: str = "GET", **headers: str) -> tuple[Any, ...]:
    environ = dict(RequestFactory(HTTP_HOST="localhost").generic(method, path, **headers).META)
    told: list[Any] = []
    for signal in SIGNALS:  # which the test client connects again after each of its requests
        signal.disconnect(close_old_connections)
    response = application(environ, lambda status, headers, *more: told.extend([status, list(headers)]))
    body = b"".join(response)
    getattr(response, "close", lambda: None)()
    return (*told, body)


def ask(application: Any, path: str, method: str = "GET", **headers: str) -> tuple[str, list[tuple[str, str]], bytes]:
    """The answer but for what it says of the limits, which is another one each time."""
    status, found, body = ask_once(application, path, method, **headers)
    return status, [item for item in found if not item[0].startswith("RateLimit")], body


@pytest.fixture(autouse=True)
def every_time(monkeypatch):
    """Look the version up each time, so that what is done shows at once; and leave the test's transaction open."""
    monkeypatch.setattr(hot, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(hot, "close_old_connections", lambda: None)
    yield
    for signal in SIGNALS:
        signal.connect(close_old_connections)


@pytest.fixture
def cup():
    cup = Cup(8, public=True)
    cup.league.whole_round(1)
    publishing.publish(**cup.league.about, what="standings")
    return cup


@pytest.fixture
def address(cup):
    return f"/api/v1{cup.path}/standings"


@pytest.fixture
def application():
    return Hot(Counted())


def tag_of(answer: Any) -> str:
    return dict(answer[1])["ETag"]


def requests(tag: str) -> list[dict[str, str]]:
    """Everything that somebody without a token may send, and what should not be kept."""
    same = {"HTTP_IF_NONE_MATCH": tag}
    return [
        {},
        {"method": "HEAD"},
        same,
        {"method": "HEAD", **same},
        {"HTTP_IF_NONE_MATCH": f'"x", W/{tag}'},
        {"HTTP_IF_NONE_MATCH": '"another"'},
        {"HTTP_IF_NONE_MATCH": "*"},
        {"HTTP_IF_NONE_MATCH": "\x00nonsense"},
        {"QUERY_STRING": "rounds=true"},
        {"QUERY_STRING": "rounds=true", **same},
        {"QUERY_STRING": "rounds=maybe"},
        {"QUERY_STRING": "nothing=here"},
        {"QUERY_STRING": "rounds=true&rounds=true"},
        {"HTTP_ACCEPT": "application/json"},
        {"HTTP_ACCEPT": "text/html"},
        {"HTTP_ACCEPT_LANGUAGE": "ru"},
        {"HTTP_ACCEPT_LANGUAGE": "ru", **same},
        {"HTTP_ACCEPT_LANGUAGE": "ru", "QUERY_STRING": "nothing=here"},
        {"HTTP_ORIGIN": "https://league.example"},
        {"HTTP_HOST": "evil.example"},
        {"HTTP_HOST": "local host"},
        {"HTTP_HOST": ""},
        {"HTTP_X_FORWARDED_HOST": "evil.example"},
        {"HTTP_X_FORWARDED_PROTO": "https"},
        {"wsgi.url_scheme": "https"},
        {"HTTP_AUTHORIZATION": "Bearer nonsense"},
        {"HTTP_COOKIE": "sessionid=abc"},
        {"HTTP_TRANSFER_ENCODING": "chunked"},
        {"method": "POST"},
        {"method": "OPTIONS"},
    ]


def check_all(application: Hot, address: str, tag: str) -> None:
    """Each request is answered as by Django, when it is new and when it is kept."""
    for request in requests(tag):
        expected = ask(django_application, address, **request)
        for _ in range(3):
            assert ask(application, address, **request) == expected, request


def test_every_answer_is_djangos_to_the_byte_whatever_happens(application, cup, address):
    league = cup.league
    first = ask(application, address)
    tags = {tag_of(first)}

    def changed(done: Callable[[], Any], *, shown: bool) -> None:
        done()
        check_all(application, address, tag_of(first))
        answer = ask(application, address)
        if answer[0] == "200 OK":
            assert (tag_of(answer) not in tags) == shown
            tags.add(tag_of(answer))

    changed(lambda: None, shown=False)
    changed(lambda: Player.objects.filter(pk=league.people[0].pk).update(name="Zoë"), shown=True)
    changed(lambda: cup.post("/adjustments", {"player": cup.ids[0], "points": 1, "reason": "r"}), shown=False)
    changed(lambda: publishing.publish(**league.about, what="standings"), shown=True)
    changed(lambda: publishing.unpublish(**league.about, number=3, reason="r"), shown=False)
    changed(lambda: publishing.unpublish(**league.about, number=2, reason="r"), shown=False)


def test_an_answer_that_is_kept_does_not_reach_django_and_takes_one_statement(application, cup, address):
    tag = tag_of(ask(application, address))
    ask(application, address, HTTP_IF_NONE_MATCH=tag)
    ask(application, address, "HEAD")
    before = application.django.times
    for request in ({}, {"HTTP_IF_NONE_MATCH": tag}, {"method": "HEAD"}):
        with CaptureQueriesContext(connection) as captured:
            ask(application, address, **request)
        assert len(captured) == 1
    assert application.django.times == before


def test_how_often_another_has_asked_is_told_to_nobody(application, address, settings, redis_url):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous": (2, 60)}
    answers = [ask_once(application, address) for _ in range(5)]
    assert [status for status, _, _ in answers] == ["200 OK"] * 5
    assert application.django.times == 1
    assert "RateLimit-Remaining" in dict(answers[0][1])
    assert not [name for _, headers, _ in answers[1:] for name, _ in headers if name.startswith("RateLimit")]


def test_the_version_is_looked_up_at_most_every_fifty_milliseconds(application, cup, address, monkeypatch):
    ask(application, address)
    ask(application, address)
    monkeypatch.setattr(hot, "LOOK_SECONDS", 60.0)
    with CaptureQueriesContext(connection) as captured:
        for _ in range(20):
            ask(application, address)
    assert len(captured) == 0


def test_what_is_made_private_is_gone_at_once(application, cup, address):
    assert ask(application, address)[0] == "200 OK"
    cup.patch("", {"settings": {"public": False}, "reason": "r"})
    answer = ask(application, address)
    assert answer == ask(django_application, address)
    assert answer[0] == "404 Not Found"


def test_what_is_kept_back_comes_out_when_its_time_has_come(application):
    with time_machine.travel(NOW, tick=True) as clock:
        cup = Cup(8, public=True)
        cup.league.whole_round(1)
        address = f"/api/v1{cup.path}/standings"
        publishing.publish(**cup.league.about, what="standings", not_before=timezone.now() + timedelta(hours=1))
        assert ask(application, address)[0] == "404 Not Found"
        clock.shift(timedelta(hours=2))
        for _ in range(2):
            assert ask(application, address) == ask(django_application, address)
        assert ask(application, address)[0] == "200 OK"


def test_nothing_of_a_private_competition_or_for_somebody_known_is_kept(application, cup, address):
    cup.patch("", {"settings": {"public": False}, "reason": "r"})
    for _ in range(2):
        ask(application, address)
        answer = ask(application, address, HTTP_AUTHORIZATION=f"Bearer {cup.member.secret}")
        assert answer[0] == "200 OK"
    cup.patch("", {"settings": {"public": True}, "reason": "r"})
    ask(application, address, HTTP_AUTHORIZATION=f"Bearer {cup.member.secret}")
    for path in ("", "/table", "/crosstable", "/publications"):
        ask(application, f"/api/v1{cup.path}{path}")
    assert application.kept == {}


def test_while_the_database_is_away_django_says_so(application, cup, address, monkeypatch):
    tag = tag_of(ask(application, address))
    ask(application, address, HTTP_IF_NONE_MATCH=tag)

    def away(*args: Any, **kwargs: Any) -> None:
        raise DatabaseError

    monkeypatch.setattr(hot, "published_now", away)
    before = application.django.times
    for request in ({}, {"HTTP_IF_NONE_MATCH": tag}):
        ask(application, address, **request)
    assert application.django.times == before + 2


def test_what_is_kept_is_bounded(application, cup, address, monkeypatch):
    monkeypatch.setattr(hot, "MOST_ANSWERS", 5)
    for number in range(20):
        ask(application, address, HTTP_ORIGIN=f"https://{number}.example")
    assert len(application.kept) == 5
    size = len(ask(application, address)[2])
    monkeypatch.setattr(hot, "MOST_BYTES", 3 * size)
    for number in range(20):
        ask(application, address, HTTP_ORIGIN=f"https://{number}.example")
    assert application.bytes == sum(kept.size() for kept in application.kept.values()) <= 3 * size
    monkeypatch.setattr(hot, "LARGEST", size - 1)
    application.kept.clear()
    ask(application, address)
    assert application.kept == {}


def test_without_another_look_at_the_version_somebody_would_be_misled(application, cup, address, monkeypatch):
    ask(application, address)
    monkeypatch.setattr(hot, "LOOK_SECONDS", 1e9)
    ask(application, address)
    cup.patch("", {"settings": {"public": False}, "reason": "r"})
    assert ask(application, address) != ask(django_application, address)


def test_the_middleware_is_what_was_thought_of():
    """Whatever looks at more of a request than `hot._ASKED` has, or answers differently each time, belongs there."""
    assert [name.rpartition(".")[2] for name in settings.MIDDLEWARE] == [
        "SecurityMiddleware",
        "CSPMiddleware",
        "CorsMiddleware",
        "WhiteNoiseMiddleware",
        "PageCompression",  # of pages alone
        "SessionMiddleware",
        "LanguageMiddleware",  # of the API's errors alone, which are not kept
        "CommonMiddleware",
        "CsrfViewMiddleware",
        "AuthenticationMiddleware",
        "MessageMiddleware",
        "XFrameOptionsMiddleware",
        "ComeAgain",  # of what could not be answered
    ]
    assert not settings.USE_X_FORWARDED_HOST
