"""What a table's script asks for by the login's cookie: the API's calls, and none for other sites."""

import pytest
from django.middleware.csrf import get_token
from django.test import Client, RequestFactory

from games.models import Role
from games.services import players
from tests.api.clients import World
from tests.games.builders import a_member, a_table

pytestmark = pytest.mark.django_db


def browser(user=None):
    """A browser that has been on a page of ours, and the headers that its scripts send along."""
    client = Client(enforce_csrf_checks=True)
    if user is not None:
        client.force_login(user)
    request = RequestFactory().get("/")
    token = get_token(request)
    client.cookies["csrftoken"] = request.META["CSRF_COOKIE"]
    return client, {"HTTP_X_CSRFTOKEN": token}


def act(client, world, headers, *, key="one", seq=None, action=None):
    _, table = world.to_act()
    legal = table["view"]["legal"]
    body = {"action": action or (legal[0] if legal else "-"), "expected_seq": table["seq"] if seq is None else seq}
    return client.post(
        f"{world.path}/actions", body, content_type="application/json", HTTP_IDEMPOTENCY_KEY=key, **headers
    )


def at_turn(world):
    """The browser of whoever is to act."""
    return browser(world.seats[world.table.row.to_act].user)


def test_a_card_is_played_once_however_often_it_is_sent():
    world = World()
    world.start()
    _, table = world.to_act()
    client, headers = at_turn(world)
    legal = table["view"]["legal"]
    asked = {"seq": table["seq"], "action": legal[0] if legal else "-"}
    answers = [act(client, world, headers, **asked) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert len({answer.content for answer in answers}) == 1
    assert world.table.row.seq == answers[0].json()["seq"]


def test_a_page_of_somebody_else_plays_nothing():
    world = World()
    world.start()
    client, headers = at_turn(world)
    before = world.table.row.seq
    refused = act(client, world, {})
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert refused.json()["detail"] == "This page is out of date. Load it again."
    assert world.table.row.seq == before
    assert act(client, world, headers).status_code == 201


def test_nobody_and_a_token_play_nothing():
    world = World()
    world.start()
    client, headers = browser()
    for more in (headers, {"HTTP_AUTHORIZATION": f"Bearer {world.seats[0].secret}", **headers}):
        refused = act(client, world, more)
        assert (refused.status_code, refused.json()["code"]) == (401, "not_authenticated")


def test_each_plays_for_the_own_seat():
    world = World()
    world.start()
    turn = world.table.row.to_act
    client, headers = browser(world.seats[(turn + 1) % 4].user)
    refused = act(client, world, headers).json()
    assert (refused["code"], refused["detail"]) == ("not_your_turn", f"It is the turn of seat {turn + 1}.")
    client, headers = browser(world.table.organiser)
    assert act(client, world, headers).json()["code"] == "not_your_seat"
    client, headers = browser(world.outsider.user)
    assert act(client, world, headers).status_code == 404


def test_refusals_are_said_in_the_language_of_the_page():
    world = World()
    world.start()
    client, headers = at_turn(world)
    client.cookies["language"] = "ru"
    refused = act(client, world, headers, seq=1)
    assert refused.json()["code"] == "stale"
    assert refused["Content-Language"] == "ru"


def test_a_member_sits_down_and_deals_from_the_page():
    table = a_table(3, settings={"self_seating": True})
    anna = a_member(table.club, "anna", Role.MEMBER)
    players.create_player(caller=table.caller, club=table.club.slug, name="Anna", username="anna")
    client, headers = browser(anna)
    address = f"/sessions/{table.session}"
    sat = client.post(f"{address}/join", {}, content_type="application/json", **headers)
    assert (sat.status_code, sat.json()["events"][0]["seat"]) == (201, 3)
    dealt = client.post(f"{address}/deals", {"number": 1}, content_type="application/json", **headers)
    assert dealt.status_code == 201
    again = client.post(f"{address}/deals", {"number": 1}, content_type="application/json", **headers)
    assert again.json()["code"] == "wrong_number"
    assert client.get(f"{address}/deals").status_code == 405


def test_requests_of_a_page_are_counted_for_its_account(settings, redis_url):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "writes": (1, 60)}
    world = World()
    world.start()
    client, headers = at_turn(world)
    assert act(client, world, headers)["RateLimit-Policy"] == '"writes";q=1;w=60'
    assert act(client, world, headers, key="two").json()["code"] == "throttled"
    other, headers = at_turn(world)
    assert act(other, world, headers, key="three").status_code == 201
