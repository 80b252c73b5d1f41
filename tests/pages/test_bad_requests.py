"""Requests that no page of ours sends are refused in words, whatever they hold."""

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client
from django.urls import reverse

from tests.games.builders import a_table

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"


def posted() -> list[str]:
    """The addresses that forms are sent to."""
    table = a_table(4).session
    names = ["login", "logout", "set_language", "play-now", "admin:login"]
    return [*map(reverse, names), reverse("table-do", args=[table]), reverse("slip", args=["a" * 20])]


@pytest.mark.parametrize("charset", ["iso-8859-1", "utf-7", "UTF8", "no-such"])
def test_a_form_in_another_writing_is_not_understood(charset):
    addresses = posted()
    for checks in (False, True):
        browser = Client(enforce_csrf_checks=checks)
        browser.cookies["csrftoken"] = "a" * 32
        for address in addresses:
            answer = browser.generic("POST", address, b"a=1", content_type=f"{FORM}; charset={charset}")
            assert answer.status_code < 500, address
            if checks and answer.status_code == 400:
                assert "The request cannot be read." in answer.content.decode()


def test_addresses_of_forms_lead_whoever_only_looks_to_a_page():
    table = a_table(4).session
    for address, page in (
        (reverse("play-now"), reverse("front")),
        (reverse("logout"), reverse("front")),
        (reverse("table-do", args=[table]), reverse("session-page", args=[table])),
    ):
        assert Client().get(address)["Location"] == page


def test_whoever_is_logged_in_is_not_led_round_in_a_circle():
    browser = Client()
    browser.force_login(a_table(4).organiser)
    for query in ("", "?next=/login", "?next=/login?next=/login", "?next=//elsewhere.example/"):
        assert browser.get(reverse("login") + query)["Location"] == reverse("front")


def test_a_refused_form_offers_no_way_back_to_itself(settings):
    settings.PLAY_NOW, settings.RATE_LIMITS = True, {**settings.RATE_LIMITS, "play-now": (0, 600)}
    answer = Client().post(reverse("play-now"))
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert reverse("play-now") not in answer.content.decode()


@pytest.mark.parametrize("error", [OperationalError("canceling statement"), InterfaceError("connection is closed")])
def test_a_page_that_the_database_does_not_answer_may_be_asked_for_again(monkeypatch, error):
    def fail(*args):
        raise error

    monkeypatch.setattr("games.selectors.visible_session", fail)
    answer = Client().get(reverse("session-page", args=["a" * 12]))
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
