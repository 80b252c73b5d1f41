"""Who gets in, and that another club's things do not exist: by list, address, search, form and action."""

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.test import Client
from django.urls import reverse

from games.models import Membership, Player, Role, Session, Token, User
from tests.admin.conftest import Desk, a_member_of, log_in, send
from tests.games.builders import a_user

pytestmark = pytest.mark.django_db

LISTS = ["session", "player", "deal", "membership", "token", "webhook"]
ACTIONS = [
    "deal",
    "result",
    "record",
    "confirm",
    "seats",
    "substitute",
    "reseat",
    "void",
    "adjust",
    "settings",
    "close",
    "undo",
]
SLIP = {f"left_{seat}": left for seat, left in enumerate((2, 3, 1, 0))}


@pytest.fixture
def other(make_desk) -> Desk:
    """Another club's session, with one deal."""
    other = make_desk(4, name="hill")
    other.do("result", number=1, dealer=0, **SLIP)
    return other


def all_addresses(desk: Desk) -> list[str]:
    deal = desk.table.row.deals.first()
    player = desk.table.players[0]
    membership = Membership.objects.get(user=desk.table.organiser)
    found = [reverse(f"admin:games_{name}_changelist") for name in LISTS]
    found += [reverse("admin:games_session_add"), reverse("admin:games_session_import"), reverse("admin:index")]
    found += [desk.address(action) for action in ACTIONS]
    found += [
        desk.page,
        reverse("admin:games_session_records", args=[desk.pk]),
        reverse("admin:games_session_history", args=[desk.pk]),
        reverse("admin:games_player_change", args=[player.pk]),
        *(reverse("admin:games_player_do", args=[player.pk, action]) for action in ("merge", "unmerge", "anonymise")),
        reverse("admin:games_membership_change", args=[membership.pk]),
        reverse("admin:games_membership_delete", args=[membership.pk]),
    ]
    if deal is not None:
        found.append(reverse("admin:games_deal_change", args=[deal.pk]))
    return found


def test_nobody_gets_in_without_logging_in(desk):
    for address in all_addresses(desk):
        answer = Client().get(address)
        assert answer.status_code == 302
        assert answer["Location"].startswith(reverse("admin:login"))


def test_an_account_in_no_club_is_told_why_there_is_no_way_in(desk):
    assert log_in(a_user("mia")).get(reverse("admin:index")).status_code == 302
    answer = Client().post(reverse("admin:login"), {"username": "mia", "password": "correct horse battery"})
    assert "in no club" in answer.content.decode()


def test_lists_hold_the_own_club_only(desk, other):
    for name in LISTS:
        page = desk.client.get(reverse(f"admin:games_{name}_changelist")).content.decode()
        assert other.table.row.label not in page
        assert "hill-organiser" not in page


def test_a_filter_by_another_club_finds_nothing_of_it(desk, other):
    page = desk.client.get(reverse("admin:games_session_changelist"), {"club": other.table.club.pk})
    assert other.table.row.label not in page.content.decode()


def test_addresses_of_another_club_lead_away_and_show_nothing(desk, other):
    own = set(all_addresses(desk))
    for address in set(all_addresses(other)) - own:
        answer = desk.client.get(address)
        assert answer.status_code == 302, address
        followed = desk.client.get(address, follow=True).content.decode()
        assert other.table.row.label not in followed


def test_forms_sent_to_another_clubs_objects_change_nothing(desk, other):
    row = other.table.row
    for action in ACTIONS:
        data = {"number": 1, "seq": row.seq, "reason": "Mine now", "seat": 0, "points": 5, "label": "Mine"}
        assert desk.client.post(other.address(action), data).status_code == 302
    player = other.table.players[0]
    desk.client.post(reverse("admin:games_player_change", args=[player.pk]), {"name": "Mine"})
    membership = Membership.objects.get(user=other.table.organiser)
    desk.client.post(reverse("admin:games_membership_change", args=[membership.pk]), {"role": "member"})
    desk.client.post(reverse("admin:games_membership_delete", args=[membership.pk]), {"post": "yes"})
    assert other.table.row.seq == row.seq
    assert Player.objects.get(pk=player.pk).name == "A"
    assert Membership.objects.get(pk=membership.pk).role == Role.ORGANISER


def test_bulk_actions_leave_other_clubs_sessions_alone(desk, other):
    address = reverse("admin:games_session_changelist")
    data = {"action": "close_sessions", ACTION_CHECKBOX_NAME: [other.pk], "confirmed": "yes", "reason": ""}
    desk.client.post(address, data)
    assert other.table.row.status != "closed"
    data = {"action": "export_records", ACTION_CHECKBOX_NAME: [desk.pk, other.pk]}
    answer = desk.client.post(address, data)
    assert other.table.row.label.encode() not in b"".join(answer.streaming_content)


def search(client, model, field, **more):
    data = {"app_label": "games", "model_name": model, "field_name": field, "term": "", **more}
    return client.get(reverse("admin:autocomplete"), data)


def test_searching_finds_active_players_of_the_own_club_only(desk, other):
    desk.table.players[3].active = False
    desk.table.players[3].save()
    found = search(desk.client, "occupancy", "player").json()["results"]
    assert sorted(int(item["id"]) for item in found) == sorted(player.pk for player in desk.table.players[:3])
    assert search(desk.client, "occupancy", "player", club=other.table.club.pk).json()["results"] == []


def test_searching_finds_accounts_of_the_own_members_only(desk, other):
    found = search(desk.client, "player", "user").json()["results"]
    assert [item["text"] for item in found] == ["river-organiser"]


@pytest.mark.parametrize(("model", "field"), [("session", "club"), ("token", "user"), ("deal", "session")])
def test_other_searches_open_nothing_of_other_clubs(desk, other, model, field):
    answer = search(desk.client, model, field)
    if answer.status_code == 200:
        texts = [item["text"] for item in answer.json()["results"]]
        assert not {other.table.row.label, "hill-organiser", "Hill"} & set(texts)


def test_players_of_another_club_cannot_be_sent_as_seats_or_substitutes(desk, other):
    foreign = other.table.players[0].pk
    assert desk.client.post(desk.address("seats"), {"seat_0": foreign}).status_code == 422
    create = reverse("admin:games_session_add")
    assert desk.client.post(create, {"profile": "pagat", "label": "X", "seat_0": foreign}).status_code == 422
    desk.do("result", number=1, dealer=0, **SLIP)
    data = {"seat": 0, "player": foreign, "credit": "last", "reason": "x"}
    assert desk.client.post(desk.address("substitute"), data).status_code == 422


def test_nothing_is_added_to_another_club(desk, other):
    club = other.table.club
    player = desk.client.post(reverse("admin:games_player_add"), {"club": club.pk, "name": "Spy"})
    member = desk.client.post(
        reverse("admin:games_membership_add"),
        {"club": club.pk, "username": "river-organiser", "role": "organiser"},
    )
    session = desk.client.post(
        reverse("admin:games_session_add") + f"?club={club.slug}", {"profile": "pagat", "label": "Spy"}
    )
    assert (player.status_code, member.status_code) == (422, 422)
    assert not Session.objects.filter(label="Spy").exists()
    assert session.status_code == 200  # the page that asks for the club
    imported = desk.client.post(reverse("admin:games_session_import"), {"club": club.pk, "text": "{}"})
    assert "Select a valid choice" in imported.content.decode()


def test_accounts_and_clubs_are_a_superusers_business(desk, superuser):
    pages = [reverse("admin:games_user_changelist"), reverse("admin:games_user_add"), reverse("admin:games_club_add")]
    for address in pages:
        assert desk.client.get(address).status_code == 403
        assert superuser.get(address).status_code == 200
    user = User.objects.get(username="river-organiser")
    assert desk.client.get(reverse("admin:games_user_change", args=[user.pk])).status_code == 403
    assert (
        desk.client.post(reverse("admin:games_user_change", args=[user.pk]), {"is_superuser": "on"}).status_code == 403
    )


def test_a_member_of_one_club_and_organiser_of_another_works_in_the_latter_only(desk, other):
    Membership.objects.create(user=desk.table.organiser, club=other.table.club, role=Role.MEMBER)
    page = desk.client.get(reverse("admin:games_session_changelist")).content.decode()
    assert other.table.row.label not in page
    assert desk.client.get(other.page).status_code == 302


def test_a_scorer_enters_results_and_corrects_them_and_nothing_else(desk):
    scorer = log_in(a_member_of(desk.table.club, "sam", Role.SCORER))
    desk.do("result", number=1, dealer=0, **SLIP)
    again = {**SLIP, "left_0": 5, "number": 1, "dealer": 0, "reason": "misread"}
    assert "is saved" in send(scorer, desk.address("result"), again).content.decode()
    page = scorer.get(desk.page).content.decode()
    assert "Enter a result" in page
    assert "Close the session" not in page
    for action in ("void", "adjust", "substitute", "settings", "close", "seats"):
        assert scorer.get(desk.address(action)).status_code == 403
        assert scorer.post(desk.address(action), {"number": 1, "reason": "x"}).status_code == 403
    for name in ("session", "player", "membership"):
        assert scorer.get(reverse(f"admin:games_{name}_add")).status_code == 403
    assert scorer.get(reverse("admin:games_membership_changelist")).status_code == 403
    data = {"action": "close_sessions", ACTION_CHECKBOX_NAME: [desk.pk], "confirmed": "yes"}
    scorer.post(reverse("admin:games_session_changelist"), data)
    assert desk.table.row.status == "waiting"


def test_a_superuser_works_in_every_club(desk, other, superuser):
    page = superuser.get(reverse("admin:games_session_changelist")).content.decode()
    assert desk.table.row.label in page
    assert other.table.row.label in page
    assert superuser.get(other.page).status_code == 200


def test_nothing_with_a_history_can_be_deleted(desk, superuser):
    desk.do("result", number=1, dealer=0, **SLIP)
    for name, pk in (
        ("session", desk.pk),
        ("player", desk.table.players[0].pk),
        ("deal", desk.table.row.deals.get().pk),
        ("user", desk.table.organiser.pk),
        ("club", desk.table.club.pk),
    ):
        address = reverse(f"admin:games_{name}_delete", args=[pk])
        assert superuser.get(address).status_code == 403
        assert superuser.post(address, {"post": "yes"}).status_code == 403
        bulk = {"action": "delete_selected", ACTION_CHECKBOX_NAME: [pk], "post": "yes"}
        superuser.post(reverse(f"admin:games_{name}_changelist"), bulk)
    assert Session.objects.exists()
    assert User.objects.filter(username="river-organiser").exists()


def test_tokens_are_made_for_oneself_shown_once_and_revoked(desk, other, superuser):
    made = desk.client.post(
        reverse("admin:games_token_add"), {"label": "scoreboard", "scopes": ["admin"]}
    ).content.decode()
    token = Token.objects.get()
    assert token.user == desk.table.organiser
    secret = made.split('<code class="secret">')[1].split("<")[0]
    assert Token.digest_of(secret) == bytes(token.digest)
    listed = desk.client.get(reverse("admin:games_token_changelist")).content.decode()
    page = reverse("admin:games_token_change", args=[token.pk])
    for text in (listed, desk.client.get(page).content.decode()):
        assert secret not in text
        assert bytes(token.digest).hex() not in text
    assert other.client.get(page).status_code == 302
    other.client.post(page)
    assert Token.objects.get().revoked_at is None
    superuser.post(page)
    assert Token.objects.get().revoked_at is not None


def test_addresses_that_are_none_are_refused_and_never_break(desk):
    lists = [reverse(f"admin:games_{name}_changelist") for name in LISTS]
    for address in lists:
        assert desk.client.get(address + "?q=%00").status_code == 400
        assert desk.client.get(address + "?user__password__startswith=a").status_code == 400
        for row in ("1;drop", "-1", "9" * 20):
            assert desk.client.post(address, {"action": "x", ACTION_CHECKBOX_NAME: row}).status_code == 400
    for pk in ("abc", "9" * 30, "-1"):
        assert desk.client.get(f"/admin/games/session/{pk}/change/").status_code == 302
        assert desk.client.get(f"/admin/games/session/{pk}/do/void/").status_code == 302
    assert desk.client.get(desk.address("nonsense")).status_code == 404


# -- members


def test_an_organiser_adds_an_existing_account_by_its_exact_name(desk):
    a_user("nina")
    add = reverse("admin:games_membership_add")
    wrong = desk.client.post(add, {"club": desk.table.club.pk, "username": "Nina", "role": "scorer"})
    assert wrong.status_code == 422
    desk.client.post(add, {"club": desk.table.club.pk, "username": "nina", "role": "scorer"})
    assert User.objects.get(username="nina").is_staff


def test_an_organiser_makes_a_new_account_that_can_log_in(desk):
    add = reverse("admin:games_membership_add")
    data = {"club": desk.table.club.pk, "username": "otto", "role": "organiser", "password": "kinda long secret"}
    assert desk.client.post(add, {**data, "password": "short"}).status_code == 422
    assert desk.client.post(add, {**data, "username": "bot-follow"}).status_code == 422
    assert desk.client.post(add, data).status_code == 302
    otto = User.objects.get(username="otto")
    assert (otto.is_staff, otto.is_superuser) == (True, False)
    assert Client().login(username="otto", password="kinda long secret")


def test_who_loses_the_last_role_of_organiser_or_scorer_is_no_longer_staff(desk, other, superuser):
    sam = a_member_of(desk.table.club, "sam", Role.SCORER)
    log_in(sam)
    second = Membership.objects.create(user=sam, club=other.table.club, role=Role.SCORER)
    first = Membership.objects.get(user=sam, club=desk.table.club)
    desk.client.post(reverse("admin:games_membership_change", args=[first.pk]), {"role": "member"})
    assert User.objects.get(username="sam").is_staff
    other.client.post(reverse("admin:games_membership_delete", args=[second.pk]))
    assert not User.objects.get(username="sam").is_staff


def test_nobody_changes_the_own_role(desk):
    own = Membership.objects.get(user=desk.table.organiser)
    answer = desk.client.post(reverse("admin:games_membership_change", args=[own.pk]), {"role": "member"})
    assert answer.status_code == 422
    assert desk.client.post(reverse("admin:games_membership_delete", args=[own.pk])).status_code == 422


def test_an_account_is_not_changed_under_a_running_deal(make_desk):
    """Else an organiser could link an account of their own to a seat, and look at its hand."""
    desk = make_desk(4, people=1)
    desk.do("deal", number=1)
    page = reverse("admin:games_player_change", args=[desk.table.players[0].pk])
    data = {"name": "A", "active": "on", "account": desk.table.organiser.pk}
    assert "running deal" in desk.client.post(page, data).content.decode()
    assert desk.client.post(page, {**data, "account": desk.table.players[0].user_id}).status_code == 302


def test_a_superuser_gives_no_account_the_name_of_a_bot(superuser):
    data = {
        "username": "bot-follow",
        "usable_password": "true",
        "password1": "kinda long 1",
        "password2": "kinda long 1",
    }
    assert superuser.post(reverse("admin:games_user_add"), data).status_code == 200
    assert not User.objects.filter(username="bot-follow").exists()
    superuser.post(reverse("admin:games_user_add"), {**data, "username": "olivia"})
    assert User.objects.filter(username="olivia", is_staff=False).exists()


def test_accounts_of_bots_are_only_looked_at(desk, superuser):
    """With a password of somebody's choice they could be played with, and their hands seen."""
    bot = User.objects.get(username="bot-random")
    page = superuser.get(reverse("admin:games_user_change", args=[bot.pk]))
    assert page.status_code == 200
    assert 'name="_save"' not in page.content.decode()
    address = reverse("admin:auth_user_password_change", args=[bot.pk])
    data = {"usable_password": "true", "password1": "kinda long 1", "password2": "kinda long 1", "set-password": "x"}
    assert superuser.post(address, data).status_code == 403
