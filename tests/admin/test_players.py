"""Players of one's club: added, renamed, set inactive, linked to an account; never deleted."""

import pytest
from django.urls import reverse

from games.models import Player, Role
from tests.admin.conftest import a_member_of
from tests.admin.test_session_pages import errors_of, messages_of

pytestmark = pytest.mark.django_db
ADD = reverse("admin:games_player_add")


def test_a_bot_is_added_with_its_way_of_playing(desk):
    data = {"club": desk.table.club.pk, "name": "Robo", "strategy": "random"}
    assert "Robo is added." in messages_of(desk.client.post(ADD, data, follow=True))
    assert Player.objects.get(name="Robo").strategy == "random"


def test_a_player_is_linked_to_a_member_once(desk):
    a_member_of(desk.table.club, "nina", Role.MEMBER)
    data = {"club": desk.table.club.pk, "name": "Nina", "username": "nina"}
    desk.client.post(ADD, data)
    assert Player.objects.get(name="Nina").user.username == "nina"
    assert "already plays as another player" in errors_of(desk.client.post(ADD, {**data, "name": "Nina again"}))
    assert "no member with the username" in errors_of(desk.client.post(ADD, {**data, "username": "nobody"}))


def test_a_name_with_control_or_direction_characters_is_refused(desk):
    for name in ("Ni\u202ena", "Ni\x07na"):
        answer = desk.client.post(ADD, {"club": desk.table.club.pk, "name": name})
        assert "not allowed" in errors_of(answer)


def test_a_player_is_renamed_and_set_inactive(desk):
    player = desk.table.players[0]
    page = reverse("admin:games_player_change", args=[player.pk])
    desk.client.post(page, {"name": "Émile", "strategy": "follow"})
    stored = Player.objects.get(pk=player.pk)
    assert (stored.name, stored.name_key, stored.active, stored.strategy) == ("Émile", "émile", False, "random")


def test_the_list_searches_and_filters(desk):
    page = reverse("admin:games_player_changelist")
    desk.client.post(ADD, {"club": desk.table.club.pk, "name": "Nina"})
    assert "Nina" in desk.client.get(page, {"q": "nin"}).content.decode()
    people = desk.client.get(page, {"kind": "people"})
    assert [player.name for player in people.context["cl"].result_list] == ["Nina"]
    assert desk.client.get(page, {"active__exact": "0"}).context["cl"].result_count == 0
