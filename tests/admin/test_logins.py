"""Guessing passwords in the admin: slowed down by account and address, and nobody is kept out by others."""

import pytest
from django.test import Client
from django.urls import reverse

from games import logins
from tests.games.builders import a_table

pytestmark = pytest.mark.django_db
RIGHT = "correct horse battery"


@pytest.fixture
def organiser(settings, redis_url):
    settings.RATE_LIMITS = {
        **settings.RATE_LIMITS,
        "login": (3, 900),
        "login-address": (8, 900),
        "login-name": (6, 900),
    }
    user = a_table(3).organiser
    user.set_password(RIGHT)
    user.save()
    return user.username


def log_in(name, password, address="10.0.0.1"):
    return Client().post(reverse("admin:login"), {"username": name, "password": password}, REMOTE_ADDR=address)


def test_who_guesses_too_often_is_asked_to_wait_even_with_the_right_password(organiser):
    assert [log_in(organiser, f"guess {n}").status_code for n in range(3)] == [200, 200, 200]
    answer = log_in(organiser, RIGHT)
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 900
    assert "Wait for 15 minutes." in answer.content.decode()
    # The name in other letters is the same account's.
    assert log_in(organiser.upper(), "guess").status_code == 429


def test_others_at_that_address_and_the_account_elsewhere_go_on(organiser):
    for n in range(4):
        log_in(organiser, f"guess {n}")
    assert log_in("somebody", "else").status_code == 200
    assert log_in(organiser, RIGHT, "10.0.0.2").status_code == 302


def test_the_right_password_clears_what_was_mistyped(organiser):
    for _ in range(2):
        assert [log_in(organiser, "oops").status_code for _ in range(2)] == [200, 200]
        assert log_in(organiser, RIGHT).status_code == 302


def test_one_address_does_not_try_many_accounts(organiser):
    statuses = [log_in(f"name{n}", "guess").status_code for n in range(9)]
    assert statuses == [200] * 8 + [429]


def test_who_guesses_from_everywhere_is_stopped_and_keeps_nobody_out_where_they_are_known(organiser):
    assert log_in(organiser, RIGHT, "192.168.0.7").status_code == 302
    statuses = [log_in(organiser, "guess", f"10.0.1.{n}").status_code for n in range(8)]
    assert statuses[-1] == 429
    assert log_in(organiser, RIGHT, "10.0.2.1").status_code == 429
    assert log_in(organiser, RIGHT, "192.168.0.7").status_code == 302


def test_without_redis_people_log_in(organiser, settings, monkeypatch):
    monkeypatch.setattr("games.lossy._quiet_until", 0.0)
    settings.REDIS_URL = "unix:///dev/null/redis.sock?db=0"
    assert [log_in(organiser, RIGHT).status_code for _ in range(5)] == [302] * 5
    monkeypatch.setattr("games.lossy._quiet_until", 0.0)


def test_a_name_of_any_kind_can_be_counted(organiser):
    for name in ("é" * 5000, "a b:c*", "\ud800"):
        assert logins.attempt(name, "10.0.0.1") == 0
