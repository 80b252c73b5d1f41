"""Tokens in the admin: for what they are chosen for, until when; and bots that are played from outside."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from games.models import Membership, Player, Role, Token, User
from games.scopes import WORDS
from tests.admin.conftest import a_member_of, log_in
from tests.admin.test_session_pages import errors_of, messages_of

pytestmark = pytest.mark.django_db
ADD, LIST = reverse("admin:games_token_add"), reverse("admin:games_token_changelist")


def secret_in(answer):
    return answer.content.decode().split('<code class="secret">')[1].split("<")[0]


def page_of(token):
    return reverse("admin:games_token_change", args=[token.pk])


def test_what_a_token_is_for_is_chosen_in_plain_words(desk):
    page = desk.client.get(ADD).content.decode().replace("&#x27;", "'")
    assert all(words in page for words in WORDS.values())
    assert errors_of(desk.client.post(ADD, {"label": "x"}))
    assert errors_of(desk.client.post(ADD, {"label": "x", "scopes": ["everything"]}))
    assert not Token.objects.exists()
    desk.client.post(ADD, {"label": "site", "scopes": ["sessions:read", "standings:read"], "last_day": "2099-12-31"})
    token = Token.objects.get()
    assert token.scopes == ["standings:read", "sessions:read"]
    assert token.expires_at.date().isoformat() == "2099-12-31"
    assert "standings:read, sessions:read" in desk.client.get(LIST).content.decode()
    assert "Read competitions" in desk.client.get(page_of(token)).content.decode()


def test_a_token_is_ended_now_or_on_a_day_that_is_no_later_than_it_would(desk):
    desk.client.post(ADD, {"label": "x", "scopes": ["admin"], "last_day": "2099-12-31"})
    token = Token.objects.get()
    assert "not later" in errors_of(desk.client.post(page_of(token), {"last_day": "2100-01-01"}))
    assert "past already" in errors_of(desk.client.post(page_of(token), {"last_day": "2020-01-01"}))
    soon = timezone.now() + timedelta(days=3)
    said = messages_of(desk.client.post(page_of(token), {"last_day": f"{soon:%Y-%m-%d}"}, follow=True))
    assert f"{soon.day} {soon:%B %Y} is the last day of the token" in str(said)
    token.refresh_from_db()
    assert (token.expires_at.date(), token.revoked_at) == (soon.date(), None)
    desk.client.post(page_of(token), {"last_day": ""})
    token.refresh_from_db()
    assert token.revoked_at is not None


@pytest.fixture
def robo(desk):
    """A bot of the desk's club that is played from outside, and the page that showed its secret."""
    answer = desk.client.post(reverse("admin:games_player_add"), {
        "club": desk.table.club.pk, "name": "Robo", "strategy": "api",
    })  # fmt: skip
    return Player.objects.get(name="Robo"), answer


def test_an_organiser_adds_a_bot_that_a_program_plays_and_is_shown_its_token_once(desk, robo):
    player, answer = robo
    token = Token.objects.get()
    assert answer.status_code == 200
    assert secret_in(answer).startswith("fantanbot_")
    assert Token.digest_of(secret_in(answer)) == bytes(token.digest)
    assert (token.kind, token.user, token.user.is_bot) == ("bot", player.user, True)
    assert not player.user.has_usable_password()
    assert Membership.objects.get(user=player.user).role == Role.MEMBER
    page = desk.client.get(reverse("admin:games_player_change", args=[player.pk])).content.decode()
    assert "program plays over the API" in page
    assert "Make a token" in page
    assert secret_in(answer) not in page


def test_a_bot_has_no_other_account(desk):
    a_member_of(desk.table.club, "nina", Role.MEMBER)
    data = {"club": desk.table.club.pk, "name": "Robo", "strategy": "api", "username": "nina"}
    assert "by its own account" in errors_of(desk.client.post(reverse("admin:games_player_add"), data))
    assert not Player.objects.filter(name="Robo").exists()


def test_the_organisers_of_its_club_renew_and_end_a_bots_tokens_and_nobody_else(desk, make_desk, robo):
    player, _ = robo
    first = Token.objects.get()
    renew = reverse("admin:games_player_do", args=[player.pk, "token"])
    second = desk.client.post(renew, {"label": "Robo at home"})
    assert secret_in(second).startswith("fantanbot_")
    assert Token.objects.count() == 2
    colleague = log_in(a_member_of(desk.table.club, "olga", Role.ORGANISER))
    scorer = log_in(a_member_of(desk.table.club, "sara", Role.SCORER))
    for client in (make_desk(4, name="hill").client, scorer):
        assert "Robo at home" not in client.get(LIST).content.decode()
        assert client.post(page_of(first)).status_code == 302
        assert client.post(renew, {"label": "mine"}).status_code in (302, 403)
    assert (Token.objects.count(), Token.objects.get(pk=first.pk).revoked_at) == (2, None)
    assert "Robo at home" in colleague.get(LIST).content.decode()
    colleague.post(page_of(first))
    assert Token.objects.get(pk=first.pk).revoked_at is not None
    # A person has none that is made so.
    person = reverse("admin:games_player_do", args=[desk.table.players[0].pk, "token"])
    assert desk.client.get(person).status_code == 404


# -- the command


def made_by_command(capsys, *options):
    call_command("token", *options)
    return Token.objects.get(digest=Token.digest_of(capsys.readouterr().out.strip()))


def test_the_command_makes_tokens_for_what_it_is_told(desk, capsys):
    name = desk.table.organiser.username
    assert made_by_command(capsys, name).scopes == ["admin"]
    narrow = made_by_command(
        capsys, name, "--scope", "standings:read", "--scope", "account:read", "--expires", "2099-01-01T12:00+01:00"
    )
    assert narrow.scopes == ["account:read", "standings:read"]
    assert narrow.expires_at.isoformat() == "2099-01-01T11:00:00+00:00"
    robot = User.objects.create(username="robot", is_bot=True)
    bots = made_by_command(capsys, robot.username)
    assert (bots.kind, bots.scopes) == ("bot", ["standings:read", "sessions:read", "sessions:play"])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--scope", "everything"], "invalid choice"),
        (["--expires", "soon"], "no time such as"),
        (["--expires", "2020-01-01"], "expired already"),
    ],
)
def test_the_command_says_why_it_makes_none(desk, options, reason):
    with pytest.raises(CommandError, match=reason):
        call_command("token", desk.table.organiser.username, *options)
    assert not Token.objects.exists()
