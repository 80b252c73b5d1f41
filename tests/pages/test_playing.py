"""Play now makes a table with bots for whoever comes, once, and opens nothing else to a guest."""

import secrets
import threading

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.errors import Refusal
from games.models import Club, Membership, Player, Role, Session, User
from games.services import guests
from tests.admin.conftest import log_in
from tests.games.builders import a_table, a_user

pytestmark = pytest.mark.django_db
PLAY = reverse("play-now")


def play(client):
    answer = client.post(PLAY)
    assert answer.status_code == 302
    return answer["Location"]


def test_nobody_becomes_a_guest_with_a_hand_against_three_bots():
    client = Client()
    page = client.get(play(client))
    assert page.status_code == 200
    session, user = Session.objects.get(), User.objects.get(username="guest-1")
    assert (session.status, session.seats, session.public) == ("playing", 4, True)
    assert not user.has_usable_password()
    assert not user.is_staff
    assert page.content.decode().count("data-card=") == 52 + 13
    strategies = session.occupancies.order_by("seat").values_list("player__strategy", flat=True)
    assert strategies[0] == ""
    assert all(strategies[1:])


def test_whoever_plays_on_comes_back_to_the_same_table_and_later_to_a_new_one():
    client = Client()
    first = play(client)
    assert play(client) == first
    Session.objects.update(status="finished", live_deal=None, live_seq=None, to_act=None)
    assert "Play again" in client.get(first).content.decode()
    second = play(client)
    assert second != first
    assert User.objects.filter(username__startswith="guest-").count() == 1
    assert sorted(Session.objects.values_list("label", flat=True)) == ["Guest 1 – 1", "Guest 1 – 2"]


def test_guests_have_names_of_their_own():
    club = Club.objects.create(name="Demo club", slug=guests.CLUB)
    Player.objects.create(club=club, name="guest 2")
    for _ in range(3):
        play(Client())
    assert sorted(Player.objects.filter(name__startswith="Guest").values_list("name", flat=True)) == [
        "Guest 1", "Guest 3", "Guest 4",
    ]  # fmt: skip


def test_whoever_has_a_player_in_the_club_plays_as_that():
    table = a_table(3, name=guests.CLUB)
    user = a_user("anna")
    Membership.objects.create(user=user, club=table.club, role=Role.MEMBER)
    own = Player.objects.create(club=table.club, user=user, name="Anna")
    client = log_in(user)
    session = play(client).split("/")[2]
    assert Session.objects.get(public_id=session).occupancies.get(seat=0).player == own
    assert not User.objects.filter(username__startswith="guest-").exists()
    own.active = False
    own.save()
    assert client.post(PLAY).status_code == 409


def test_an_account_of_another_club_gets_a_player_and_keeps_its_login():
    table = a_table(3)
    client = log_in(table.organiser)
    client.get(play(client))
    assert Player.objects.get(user=table.organiser, club__slug=guests.CLUB).name == "Guest 1"
    assert client.get("/").wsgi_request.user == table.organiser


def test_a_guest_enters_nothing_but_the_pages():
    client = Client()
    play(client)
    assert client.get("/admin/").status_code == 302
    assert client.get("/admin/games/player/").status_code == 302
    assert "/admin/" not in client.get("/").content.decode()
    assert client.get("/api/v1/me").status_code == 401
    assert not client.login(username="guest-1", password="")


def test_it_is_not_there_where_the_operator_does_not_want_it(settings):
    settings.PLAY_NOW = False
    assert Client().post(PLAY).status_code == 404
    assert PLAY not in Client().get("/").content.decode()
    assert not User.objects.filter(username__startswith="guest-").exists()


def test_it_is_asked_for_by_a_page_of_ours_which_sets_no_cookie_for_those_who_read():
    client = Client(enforce_csrf_checks=True)
    assert PLAY in client.get("/").content.decode()
    assert not client.cookies
    assert client.post(PLAY, headers={"Origin": "https://elsewhere.example.org"}).status_code == 403
    assert client.post(PLAY, headers={"Origin": "null"}).status_code == 403
    assert client.get(PLAY)["Location"] == "/"
    assert not User.objects.filter(username__startswith="guest-").exists()
    assert client.post(PLAY, headers={"Origin": "http://testserver"}).status_code == 302


def test_who_only_watches_gets_no_cookie():
    table = a_table(4, settings={"public": True})
    client = Client()
    assert client.get(f"/sessions/{table.session}/").status_code == 200
    assert not client.cookies


def test_games_of_one_address_are_limited(settings, redis_url):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "play-now": (1, 60)}
    client = Client()
    play(client)
    refused = client.post(PLAY)
    assert (refused.status_code, "Too many games" in refused.content.decode()) == (429, True)


@pytest.mark.django_db(transaction=True)
def test_two_at_once_are_two_guests_and_one_who_presses_twice_has_one_table(transactional_db):
    def run(user, found):
        try:
            game = guests.play_now(user=user, rng=secrets.SystemRandom(), now=timezone.now(), door="page")
            found.append((game.user.username, game.session))
        except Refusal as refusal:
            found.append(refusal.code)
        finally:
            connection.close()

    def together(users):
        found = []
        threads = [threading.Thread(target=run, args=(user, found)) for user in users]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    strangers = together([None] * 4)
    assert len({name for name, _ in strangers}) == len({session for _, session in strangers}) == 4
    user = User.objects.get(username="guest-1")
    Session.objects.update(status="finished", live_deal=None, live_seq=None, to_act=None)
    twins = together([user] * 4)
    assert len(set(twins)) == 1
    assert Session.objects.filter(status="playing").count() == 1
