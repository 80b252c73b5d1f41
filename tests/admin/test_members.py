"""What a plain member finds in the admin: the own password and the own tokens, nothing else."""

import re
from io import BytesIO

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.test import Client
from django.urls import reverse

from competitions.services.setup import create_competition
from games.models import Membership, Player, Role, Token, User
from games.services import import_jobs, webhooks
from tests.admin.conftest import a_member_of, log_in
from tests.admin.test_scope import ACTIONS, SLIP, all_addresses, search
from tests.games.builders import NOW, a_table, a_user

pytestmark = pytest.mark.django_db

FIRST = "kinda long secret"
TOKENS = reverse("admin:games_token_changelist")
OPEN_TO_MEMBERS = {reverse("admin:index"), TOKENS}


@pytest.fixture
def mia(desk) -> User:
    return a_member_of(desk.table.club, "mia", Role.MEMBER)


def test_a_new_member_logs_in_with_the_first_password_changes_it_and_makes_a_token(desk):
    add = reverse("admin:games_membership_add")
    assert "should change it when they log in here" in " ".join(desk.client.get(add).content.decode().split())
    data = {"club": desk.table.club.pk, "username": "otto", "role": "member", "password": FIRST}
    desk.client.post(add, data)
    otto = Client()
    answer = otto.post(reverse("login"), {"username": "otto", "password": FIRST, "next": reverse("admin:index")})
    assert answer["Location"] == reverse("admin:index")
    assert "you can do two things here" in otto.get(reverse("admin:index")).content.decode()
    new = {"old_password": FIRST, "new_password1": "something of my own", "new_password2": "something of my own"}
    assert otto.post(reverse("admin:password_change"), new).status_code == 302
    assert Client().login(username="otto", password="something of my own")
    made = otto.post(reverse("admin:games_token_add"), {"label": "phone", "scopes": ["admin"]}).content.decode()
    assert '<code class="secret">fantan_' in made
    assert "phone" in otto.get(TOKENS).content.decode()
    otto.post(reverse("admin:games_token_change", args=[Token.objects.get().pk]))
    assert Token.objects.get().revoked_at is not None


def test_a_member_sees_no_page_of_the_club(desk, mia):
    client = log_in(mia)
    desk.do("result", number=1, dealer=0, **SLIP)
    closed = set(all_addresses(desk)) - OPEN_TO_MEMBERS
    closed |= {reverse(f"admin:games_{name}_changelist") for name in ("user", "club")}
    closed |= {reverse(f"admin:games_{name}_add") for name in ("user", "club", "player", "membership")}
    closed |= {reverse("admin:games_user_change", args=[mia.pk])}
    closed |= {reverse("admin:auth_user_password_change", args=[mia.pk])}
    for address in closed:
        # What is of a club is not there for a member, as for a stranger: 403, or back to the first page.
        for answer in (client.get(address), client.post(address, {"number": 1, "reason": "x"})):
            assert answer.status_code in (302, 403), address
            assert answer.status_code == 403 or answer["Location"] == reverse("admin:index"), address
    page = client.get(reverse("admin:index")).content.decode()
    assert desk.table.row.label not in page
    links = {name for name in ("session", "player", "deal", "membership", "user", "club") if f"/games/{name}/" in page}
    assert links == set()


def test_a_member_changes_nothing_of_the_club(desk, mia):
    client = log_in(mia)
    seq = desk.table.row.seq
    for action in ACTIONS:
        client.post(
            desk.address(action), {"number": 1, "dealer": 0, "seq": seq, "reason": "x", "label": "Mine", **SLIP}
        )
    for bulk in ("close_sessions", "export_records"):
        data = {"action": bulk, ACTION_CHECKBOX_NAME: [desk.pk], "confirmed": "yes"}
        assert client.post(reverse("admin:games_session_changelist"), data).status_code == 403
    client.post(reverse("admin:games_player_change", args=[desk.table.players[0].pk]), {"name": "Mine"})
    own = Membership.objects.get(user=mia)
    client.post(reverse("admin:games_membership_change", args=[own.pk]), {"role": "organiser"})
    assert desk.table.row.seq == seq
    assert Membership.objects.get(user=mia).role == Role.MEMBER
    assert not Player.objects.filter(name="Mine").exists()
    for model, field in (("occupancy", "player"), ("player", "user"), ("session", "club"), ("token", "user")):
        assert search(client, model, field).status_code == 403


def test_a_member_finds_the_own_tokens_only(desk, mia):
    desk.client.post(reverse("admin:games_token_add"), {"label": "scoreboard", "scopes": ["admin"]})
    client, token = log_in(mia), Token.objects.get()
    assert "scoreboard" not in client.get(TOKENS).content.decode()
    assert client.post(reverse("admin:games_token_change", args=[token.pk])).status_code == 302
    assert Token.objects.get().revoked_at is None


def test_who_leaves_the_last_club_or_is_set_inactive_has_no_way_in(desk, mia):
    client = log_in(mia)
    assert client.get(TOKENS).status_code == 200
    User.objects.filter(pk=mia.pk).update(is_active=False)
    assert client.get(TOKENS).status_code == 302
    User.objects.filter(pk=mia.pk).update(is_active=True)
    membership = Membership.objects.get(user=mia)
    desk.client.post(reverse("admin:games_membership_delete", args=[membership.pk]))
    assert client.get(TOKENS).status_code == 302


def test_every_link_of_every_list_leads_to_a_page_that_may_be_seen(desk, mia):
    """For each role, and for who is scorer of one club and organiser of another."""
    other = a_table(4, name="hill")
    mixed = a_member_of(desk.table.club, "max", Role.SCORER)
    Membership.objects.create(user=mixed, club=other.club, role=Role.ORGANISER)
    scorer = a_member_of(desk.table.club, "sam", Role.SCORER)
    desk.do("result", number=1, dealer=0, **SLIP)
    for table in (desk.table, other):
        about = {"caller": table.caller, "club": table.club.slug, "now": NOW}
        create_competition(**about, name="Cup", door="test")
        webhooks.create_webhook(**about, url="https://club.example.org/hook")
        file = {"source": BytesIO(b"{}"), "size": 2, "players": {}, "scheme": None, "dry_run": True}
        import_jobs.create(**about, **file, door="test")
    shown = {}
    for user in (mia, scorer, mixed, desk.table.organiser):
        client = log_in(user)
        client.post(reverse("admin:games_token_add"), {"label": "mine", "scopes": ["admin"]})
        index = client.get(reverse("admin:index"))
        links = set()
        for model in (model for app in index.context["app_list"] for model in app["models"]):
            rows = client.get(model["admin_url"])
            changes = rows.context["cl"]
            links |= {link for link in _links(rows.content.decode()) if "/change/" in link}
            assert changes.result_count
        for link in links:
            assert client.get(link).status_code == 200, (user.username, link)
        shown[user.username] = sum("/player/" in link for link in links)
    assert shown == {"mia": 0, "sam": 0, "max": 4, "river-organiser": 4}


def _links(page: str) -> list[str]:
    return re.findall(r'href="(/admin/[^"?]*)', page)


def test_logging_in_without_a_goal_leads_to_the_front_page_and_at_the_admin_to_its_own(desk):
    a_member_of(desk.table.club, "nora", Role.SCORER)
    login = {"username": "nora", "password": "correct horse battery"}
    assert Client().post(reverse("login"), login)["Location"] == reverse("front")
    goal = f'<input type="hidden" name="next" value="{reverse("admin:index")}">'
    assert goal in Client().get(reverse("admin:login")).content.decode()


def test_a_wrong_password_is_told_in_words_that_fit_everybody(desk):
    a_user("olaf")
    answer = Client().post(reverse("admin:login"), {"username": "olaf", "password": "wrong"})
    assert "staff" not in " ".join(map(str, answer.context["form"].non_field_errors()))
