"""Tokens: who gets in, in how many statements, and what a bad one is told."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Membership, Role, Token
from games.scopes import Scope
from tests.api.clients import Api, World, code_of
from tests.games.builders import a_user

pytestmark = pytest.mark.django_db


def test_a_token_says_who_one_is():
    world = World()
    seat = world.seats[0].get("/me").json()
    assert seat == {
        "username": "river-A",
        "is_bot": False,
        "superuser": False,
        "scopes": list(Scope),
        "clubs": [
            {"club": "river", "name": "River", "role": "member", "player": world.table.players[0].public_id},
        ],
    }
    assert world.superuser.get("/me").json()["superuser"] is True
    assert world.bot.get("/me").json()["is_bot"] is True


def test_the_token_its_user_and_all_roles_are_read_in_one_statement():
    world = World()
    for name in ("hill", "dale"):
        from games.models import Club

        club, _ = Club.objects.get_or_create(slug=name, defaults={"name": name})
        Membership.objects.create(user=world.member.user, club=club, role=Role.SCORER)
    with CaptureQueriesContext(
        connection,
    ) as statements:
        assert world.member.get("/rules").status_code == 200
    assert len(statements) == 1
    assert "games_token" in statements[0]["sql"]
    assert "games_membership" in statements[0]["sql"]


@pytest.mark.parametrize("change", ["expired", "revoked", "inactive"])
def test_a_token_that_is_no_longer_valid_is_refused_at_once(change):
    client = Api(a_user("ada"))
    assert client.get("/me").status_code == 200
    now = timezone.now()
    if change == "expired":
        Token.objects.update(expires_at=now - timedelta(seconds=1))
    elif change == "revoked":
        Token.objects.update(revoked_at=now)
    else:
        client.user.is_active = False
        client.user.save()
    answer = client.get("/me")
    assert code_of(answer) == (401, "bad_token")
    assert answer["WWW-Authenticate"] == 'Bearer realm="api"'
    # Also where nobody need log in: the program should learn of it.
    assert code_of(client.get("/rules")) == (401, "bad_token")


def test_a_token_with_time_left_is_good():
    client = Api(a_user("ada"))
    Token.objects.update(expires_at=timezone.now() + timedelta(minutes=1))
    assert client.get("/me").status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Bearer fantan_short",
        "Basic YTpi",
        "Token fantan_" + "a" * 43,
        "Bearer fantan_" + "a" * 43,
        "Bearer fantan_" + "a" * 44,
        "Bearer fantan_" + "é" * 43,
        "Bearer fantan_" + "a" * 43 + " x",
        "Bearer fantan_" + "a" * 42 + "\x00",
        "Bearer " + "x" * 9000,
    ],
)
def test_anything_else_in_the_header_is_a_bad_token(header):
    client = Api()
    client.credentials(HTTP_AUTHORIZATION=header)
    assert code_of(client.get("/me")) == (401, "bad_token")


def test_without_a_token_one_is_asked_for_one():
    answer = Api().get("/me")
    assert code_of(answer) == (401, "not_authenticated")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_browser_session_is_no_way_in():
    user = a_user("ada")
    client = Api()
    client.force_login(user)
    assert code_of(client.get("/me")) == (401, "not_authenticated")


def test_a_changed_role_counts_from_the_next_request():
    world = World()
    path = f"/clubs/{world.club.slug}/players"
    assert code_of(world.member.post(path, {"name": "Zoë"})) == (403, "forbidden")
    Membership.objects.filter(user=world.member.user).update(role=Role.ORGANISER)
    assert world.member.post(path, {"name": "Zoë"}).status_code == 201
    Membership.objects.filter(user=world.member.user).delete()
    assert code_of(world.member.post(path, {"name": "Zoë"})) == (404, "not_found")
