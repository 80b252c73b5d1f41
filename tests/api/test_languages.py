"""Errors are told in the language that was asked for; nothing else of the API depends on it."""

import pytest
from django.utils.translation import get_language, gettext, override
from rest_framework import exceptions, fields, serializers

from fantan_site.errors import FRAMEWORK
from games import wording
from games.api import framework_words
from tests.api.clients import BASE, World, code_of
from tests.api.routes import all_routes, path_of

SOME = {
    "There is no such session, or you may not see it.": "Такой партии нет.",
    "Seat {seat} does not hold {card}.": "У места {seat} нет карты {card}.",
    "The parameter {name}": "Параметр {name}",
    "{parameter} is a whole number from {least} to {most}.": "{parameter}: целое число от {least} до {most}.",
    "There is no such address, or you may not see it.": "По этому адресу ничего нет.",
    "{text} is not a card; a card is one of {ranks} and one of {suits}, as in 7D.": "{text}: это не карта.",
    "{token} is not an action; an action is a card as in 7D, - for a pass, or ^7D.": "{token}: это не ход.",
}


@pytest.fixture
def russian(monkeypatch):
    """A catalogue of a few sentences, whatever the real one says."""
    real = wording.gettext
    monkeypatch.setattr(
        wording, "gettext", lambda text: SOME[text] if get_language() == "ru" and text in SOME else real(text)
    )


pytestmark = pytest.mark.django_db


def vary(answer):
    return [name.strip() for name in answer.headers.get("Vary", "").split(",")]


def test_a_refusal_is_told_in_the_language_that_is_asked_for_with_the_same_code(russian):
    world = World()
    path = "/sessions/aaaaaaaaaaaa"
    told = world.member.get(path, HTTP_ACCEPT_LANGUAGE="ru-RU, ru;q=0.9, en;q=0.5")
    assert code_of(told) == (404, "not_found")
    assert told.json()["detail"] == "Такой партии нет."
    assert told["Content-Language"] == "ru"
    assert "Accept-Language" in vary(told)


@pytest.mark.parametrize("asked", [None, "en", "tlh, x;q=2", "*", "\x00", ";;;"])
def test_without_a_language_that_is_spoken_here_it_is_english(russian, asked):
    world = World()
    headers = {} if asked is None else {"HTTP_ACCEPT_LANGUAGE": asked}
    told = world.member.get("/sessions/aaaaaaaaaaaa", **headers)
    assert told.json()["detail"] == "There is no such session, or you may not see it."
    assert told.headers.get("Content-Language") == (None if asked is None else "en")
    assert ("Accept-Language" in vary(told)) == (asked is not None)


def test_one_request_leaves_its_language_to_no_other(russian):
    world = World()
    assert "Такой" in world.member.get("/sessions/aaaaaaaaaaaa", HTTP_ACCEPT_LANGUAGE="ru").json()["detail"]
    assert "There" in world.member.get("/sessions/aaaaaaaaaaaa").json()["detail"]


def test_what_is_wrong_with_a_parameter_and_where_nothing_is_are_told_so_too(russian):
    world = World()
    told = world.member.get("/clubs/river/players?limit=x", HTTP_ACCEPT_LANGUAGE="ru").json()
    assert told["detail"] == "Параметр limit: целое число от 1 до 200."
    assert [error["message"] for error in told["errors"]] == ["limit: целое число от 1 до 200."]
    nothing = world.member.get("/api/v1/nothing", HTTP_ACCEPT_LANGUAGE="ru").json()
    assert (nothing["code"], nothing["detail"]) == ("not_found", "По этому адресу ничего нет.")


def test_what_the_engine_refuses_is_told_so_with_seats_as_programs_count_them(russian):
    world = World()
    world.start()
    seat, view = world.to_act()
    card = next(f"{rank}C" for rank in "23456789TJQKA" if f"{rank}C" not in view["view"]["hand"])
    body = {"action": card, "expected_seq": view["seq"]}
    told = world.seats[seat].post(f"{world.path}/actions", body, key="one", HTTP_ACCEPT_LANGUAGE="ru")
    assert code_of(told) == (422, "card_not_held")
    assert told.json()["detail"] == f"У места {seat} нет карты {card}."
    wrong = (
        world.seats[seat]
        .post(f"{world.path}/actions", {**body, "action": "7Z"}, key="two", HTTP_ACCEPT_LANGUAGE="ru")
        .json()
    )
    assert [error["message"] for error in wrong["errors"]] == ["'7Z': это не ход."]


@pytest.mark.parametrize("language", ["ru", "fr"])
def test_every_read_answers_the_same_bytes_in_every_language(language):
    world = World(settings={"public": True})
    world.start()
    for name, method in all_routes():
        if method == "GET" and not name.endswith("stream"):
            path = path_of(name, world)
            plain = world.organiser.get(path)
            told = world.organiser.get(path, HTTP_ACCEPT_LANGUAGE=language)
            assert told.status_code == plain.status_code, name
            if plain.status_code < 400 and not plain.streaming:
                assert told.content == plain.content, name
                assert "Content-Language" not in told.headers, name


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("language", ["", "ru", "fr", "pt"])
def test_over_http_the_framework_tells_its_own_errors_so_too(live_http, language):
    world = World()
    headers = {"Authorization": f"Bearer {world.organiser.secret}"}
    if language:
        headers["Accept-Language"] = language
    with live_http.client(headers=headers) as client:
        answer = client.post(f"{BASE}/clubs/river/players", json={})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    with override(language or "en"):
        required = gettext("This field is required.")
    assert (required == "This field is required.") == (not language)
    assert answer.json()["errors"] == [{"field": "name", "code": "required", "message": required}]
    assert answer.headers.get("Content-Language", "") == language


def test_our_catalogues_hold_what_the_framework_says_itself():
    """Of the fields that bodies have, and of the errors that its views raise."""
    kinds = [
        fields.CharField,
        fields.IntegerField,
        fields.BooleanField,
        fields.JSONField,
        fields.ListField,
        fields.DictField,
        fields.ChoiceField,
        serializers.Serializer,
        serializers.ListSerializer,
    ]
    said = {
        str(text)
        for kind in kinds
        for part in kind.__mro__
        for text in getattr(part, "default_error_messages", {}).values()
    }
    said |= {str(error.default_detail) for error in FRAMEWORK}
    assert said == set(framework_words.TEXTS)
    assert (
        exceptions.Throttled.extra_detail_singular,
        exceptions.Throttled.extra_detail_plural,
    ) == framework_words.WAIT
