"""The one map from what went wrong to what a client is told, outside the API's views too."""

import psycopg.errors
import pytest
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import UnreadablePostError
from django.test import Client
from rest_framework.exceptions import Throttled

from fantan_site.errors import exception_handler, problem_of
from games import selectors
from games.engine.errors import BadDeal, BadRules, IllegalAction
from games.engine.session import SessionError
from games.errors import Busy, Refusal
from scoring.schemes import BadScheme
from tests.api.clients import Api, World, code_of
from tests.games.builders import a_user


def caused(error, cause):
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Refusal("stale", "m"), 409, "stale"),
        (SessionError("session_closed", "m"), 409, "session_closed"),
        (SessionError("no_such_deal", "m"), 404, "no_such_deal"),
        (IllegalAction("illegal_play", "m", 3), 422, "illegal_play"),
        (BadDeal("m"), 422, "bad_deal"),
        (BadRules("m"), 422, "bad_rules"),
        (BadScheme("m"), 422, "bad_rules"),
        (Throttled(7), 429, "throttled"),
        (UnreadablePostError("m"), 400, "unreadable_body"),
        (OperationalError("m"), 503, "unavailable"),
        (InterfaceError("m"), 503, "unavailable"),
        (caused(OperationalError("m"), psycopg.errors.LockNotAvailable()), 503, "busy"),
        (caused(OperationalError("m"), psycopg.errors.DeadlockDetected()), 503, "busy"),
        (Busy(), 503, "busy"),
    ],
)
def test_every_kind_of_refusal_has_its_status_and_code(error, status, code):
    problem = problem_of(error)
    assert (problem.status, problem.code) == (status, code)
    assert ("Retry-After" in problem.headers) == (status in (429, 503))
    assert exception_handler(error, {}).content_type == "application/problem+json"


@pytest.mark.parametrize("error", [ValueError("x"), KeyError("x"), IntegrityError("x"), AssertionError()])
def test_what_nobody_expected_is_a_bug_and_not_hidden_as_a_refusal(error):
    assert problem_of(error) is None


@pytest.mark.django_db
def test_a_bug_is_answered_without_its_details(monkeypatch):
    def broken(*args):
        raise ValueError("secret detail")

    client = Api(a_user("ada"))
    client.raise_request_exception = False
    monkeypatch.setattr(selectors, "visible_clubs", broken)
    answer = client.get("/me")
    assert code_of(answer) == (500, "server_error")
    assert b"secret" not in answer.content


@pytest.mark.django_db
def test_requests_that_django_itself_refuses_have_the_same_form():
    answer = Client().get("/api/v1/me", headers={"host": "evil.example"})
    assert code_of(answer) == (400, "bad_request")
    assert code_of(Client().get("/api/nothing")) == (404, "not_found")
    assert Client().get("/nothing")["Content-Type"].startswith("text/html")


@pytest.mark.django_db
def test_a_lost_database_is_503(monkeypatch):
    world = World()

    def lost(*args):
        raise OperationalError("the connection is closed")

    monkeypatch.setattr(selectors, "visible_session", lost)
    answer = world.member.get(f"{world.path}/deals")
    assert code_of(answer) == (503, "unavailable")
    assert answer["Retry-After"] == "1"
