"""Tokens over the API: made with a secret that is told once, listed without, revoked; a retry is told the same."""

import json
from datetime import timedelta

import pytest
from django.conf import settings as site
from django.utils import timezone

from games.api import rendering
from games.models import Membership, RequestKey, Token
from tests.api.clients import Api, World, code_of
from tests.api.test_scopes import with_scopes
from tests.games.builders import a_user

pytestmark = pytest.mark.django_db
PATH = "/me/tokens"
NEW = {"label": "web site", "scopes": ["sessions:read", "standings:read"]}


@pytest.fixture
def ada():
    return Api(a_user("ada"))


def using(secret):
    client = Api()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def test_a_token_is_made_told_once_used_and_revoked(ada):
    made = ada.post(PATH, NEW)
    body = made.json()
    assert made.status_code == 201
    assert made["Location"] == f"/api/v1/me/tokens/{body['id']}"
    assert made["Cache-Control"] == "no-store"
    assert body["scopes"] == ["standings:read", "sessions:read"]
    assert body["secret"].startswith(body["prefix"])
    site = using(body["secret"])
    assert site.get("/me").json()["scopes"] == ["account:read", "standings:read", "sessions:read"]
    assert code_of(site.get(PATH)) == (403, "scope_needed")

    listed = ada.get(PATH).json()["results"]
    assert listed[0] == {name: body[name] for name in body if name != "secret"}
    assert [token["label"] for token in listed] == ["web site", "test"]
    assert listed[0]["made_with"] == listed[1]["id"]
    assert body["secret"] not in json.dumps(listed)

    gone = ada.delete(f"{PATH}/{body['id']}")
    assert gone.status_code == 200
    assert gone.json()["revoked_at"] is not None
    assert code_of(site.get("/me")) == (401, "bad_token")
    assert ada.delete(f"{PATH}/{body['id']}").content == gone.content


def test_a_retry_is_told_the_same_bytes_although_no_secret_is_stored(ada):
    first = ada.post(PATH, NEW, key="one")
    again = ada.post(PATH, NEW, key="one")
    assert (again.status_code, again.content) == (201, first.content)
    secret = first.json()["secret"]
    assert using(secret).get("/me").status_code == 200
    assert Token.objects.filter(label="web site").count() == 1
    kept = str(list(RequestKey.objects.values())) + str(list(Token.objects.values()))
    assert secret.removeprefix("fantan_") not in kept
    assert ada.post(PATH, NEW, key="two").json()["secret"] != secret
    assert code_of(ada.post(PATH, {**NEW, "label": "other"}, key="one")) == (422, "key_reused")
    # What happened to the token since does not change the answer.
    ada.delete(f"{PATH}/{first.json()['id']}")
    assert ada.post(PATH, NEW, key="one").content == first.content


def test_only_the_token_that_asked_is_told_again(ada):
    made = ada.post(PATH, NEW, key="one").json()
    other = Api(ada.user)
    answer = other.post(PATH, NEW, key="one")
    assert code_of(answer) == (409, "secret_gone")
    assert answer.json()["token"] == made["id"]
    assert made["secret"] not in answer.content.decode()


def test_a_retry_is_told_the_same_after_the_servers_key_was_changed(ada, settings):
    first = ada.post(PATH, NEW, key="one")
    old = site.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another " * 8, [old]
    assert ada.post(PATH, NEW, key="one").content == first.content
    settings.SECRET_KEY_FALLBACKS = []
    assert code_of(ada.post(PATH, NEW, key="one")) == (409, "secret_gone")


def test_a_token_gives_no_more_than_it_has_and_for_no_longer(ada):
    end = timezone.now() + timedelta(days=1)
    narrow = with_scopes(ada.user, "tokens:manage", "standings:read")
    Token.objects.filter(digest=Token.digest_of(narrow.secret)).update(expires_at=end)
    answer = narrow.post(PATH, NEW)
    assert (*code_of(answer), answer.json()["scope"]) == (403, "scope_needed", "sessions:read")
    for scope in ("admin", "sessions:play"):
        assert code_of(narrow.post(PATH, {**NEW, "scopes": [scope]})) == (403, "scope_needed")
    fair = {**NEW, "scopes": ["standings:read"]}
    assert narrow.post(PATH, fair).json()["expires_at"] == rendering.time(end)
    late = {**fair, "expires_at": rendering.time(end + timedelta(hours=1))}
    assert code_of(narrow.post(PATH, late)) == (422, "bad_expiry")


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        ({"scopes": []}, (422, "bad_scope")),
        ({"scopes": ["sessions:paly"]}, (422, "bad_scope")),
        ({"scopes": "admin"}, (400, "invalid")),
        ({"label": ""}, (400, "invalid")),
        ({"label": " x"}, (422, "bad_text")),
        ({"expires_at": "2020-01-01T00:00:00Z"}, (422, "bad_expiry")),
        ({"expires_at": "2030-01-01T00:00:00"}, (400, "invalid")),
        ({"kind": "bot"}, (400, "unknown_field")),
    ],
)
def test_what_makes_no_token(ada, change, refused):
    assert code_of(ada.post(PATH, {**NEW, **change})) == refused
    assert Token.objects.count() == 1


def test_nobody_finds_somebody_elses_token(ada):
    made = Api(a_user("bob")).post(PATH, NEW).json()
    assert code_of(ada.delete(f"{PATH}/{made['id']}")) == (404, "not_found")
    assert using(made["secret"]).get("/me").status_code == 200


# -- bots


def a_bot(world, **more):
    answer = world.organiser.post("/clubs/river/bots", {"name": "Robo", **more})
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_organisers_make_a_bot_which_is_seated_like_anybody_and_plays_with_its_own_token():
    world = World(people=3)
    made = a_bot(world)
    robot = using(made["token"]["secret"])
    assert made["token"]["secret"].startswith("fantanbot_")
    me = robot.get("/me").json()
    assert (me["is_bot"], me["clubs"][0]["role"], me["clubs"][0]["player"]) == (True, "member", made["id"])
    player = world.organiser.get(f"/players/{made['id']}").json()
    assert (player["strategy"], player["username"]) == ("api", None)

    world.organiser.put(f"{world.path}/seats/3", {"player": made["id"]})
    world.start()
    played = 0
    while world.table.row.live_deal is not None:
        if world.table.row.to_act != 3:
            world.step()
            continue
        # The server plays no card for it, and without a clock nothing is due.
        assert world.table.row.due_at is None
        table = robot.get(f"{world.path}/seats/3/view").json()
        legal = table["view"]["legal"]
        assert robot.act(world.session, legal[0] if legal else "-", table["seq"]).status_code == 201
        played += 1
    assert played
    assert robot.post(f"{world.path}/deals", {"number": 2}).status_code == 201


def test_a_bots_token_is_for_playing_alone():
    world = World()
    made = a_bot(world)
    assert made["token"]["scopes"] == ["standings:read", "sessions:read", "sessions:play"]
    robot = using(made["token"]["secret"])
    for refused in (robot.get(PATH), robot.post(PATH, NEW), robot.post("/clubs/river/sessions", {})):
        assert code_of(refused) == (403, "scope_needed")
    answer = world.organiser.post("/clubs/river/bots", {"name": "X", "scopes": ["sessions:score"]})
    assert code_of(answer) == (422, "bad_scope")
    # Nobody gives a bot what their own token is not for.
    narrow = with_scopes(world.organiser.user, "tokens:manage")
    assert code_of(narrow.post("/clubs/river/bots", {"name": "X"})) == (403, "scope_needed")


def test_a_retry_makes_no_second_bot_and_is_told_the_same():
    world = World()
    first = world.organiser.post("/clubs/river/bots", {"name": "Robo"}, key="k")
    assert world.organiser.post("/clubs/river/bots", {"name": "Robo"}, key="k").content == first.content
    assert len(world.organiser.get("/clubs/river/bots").json()["results"]) == 1


def test_a_bots_tokens_are_renewed_and_revoked_by_its_club():
    world = World()
    made = a_bot(world)
    path = f"/clubs/river/bots/{made['id']}/tokens"
    fresh = world.organiser.post(path, {})
    assert fresh.status_code == 201
    listed = world.organiser.get("/clubs/river/bots").json()["results"][0]["tokens"]
    assert [token["id"] for token in listed] == [fresh.json()["id"], made["token"]["id"]]
    assert world.organiser.delete(f"{path}/{made['token']['id']}").status_code == 200
    assert code_of(using(made["token"]["secret"]).get("/me")) == (401, "bad_token")
    assert using(fresh.json()["secret"]).get("/me").status_code == 200
    own = world.organiser.get(PATH).json()["results"][0]["id"]
    assert code_of(world.organiser.delete(f"{path}/{own}")) == (404, "not_found")
    for client, refused in ((world.scorer, 403), (world.outsider, 404)):
        assert client.get("/clubs/river/bots").status_code == refused
        assert client.post("/clubs/river/bots", {"name": "X"}).status_code == refused
        assert client.post(path, {}).status_code == refused
        assert client.delete(f"{path}/{fresh.json()['id']}").status_code == refused
    person = world.table.players[0].public_id
    assert code_of(world.organiser.post(f"/clubs/river/bots/{person}/tokens", {})) == (404, "not_found")


def test_a_bot_that_leaves_the_club_keeps_its_seats_and_reads_nothing_else():
    world = World()
    made = a_bot(world)
    Membership.objects.filter(user__players__public_id=made["id"]).delete()
    assert code_of(using(made["token"]["secret"]).get(world.path)) == (404, "not_found")
