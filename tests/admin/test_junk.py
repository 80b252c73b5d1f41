"""Values that no browser sends, in every field of every form: refused in words, never with 500."""

from collections.abc import Iterable
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.models import Membership, Player, Role, Session, Token
from tests.admin.conftest import Desk, a_member_of
from tests.admin.test_session_pages import LINE, SLIP, WHOLE
from tests.webhooks.builders import a_delivery, a_webhook

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

JUNK = ["", "x", "-1", "0", "9" * 20, "\x00"]
MORE_JUNK = [*JUNK, "9" * 400, "1.5", "٣", "a\x00b", "\u202e", "[]", "{", "x" * 5000]
ACTIONS = ["deal", "result", "record", "seats", "substitute", "reseat", "void", "adjust", "settings", "close", "undo"]


def post(client: Client, address: str, data: dict[str, Any]) -> int:
    """The status of the answer; whatever it stored is taken back."""
    block = transaction.atomic()
    block._from_testcase = True  # the services' own transactions may stand inside
    with block:
        status = client.post(address, data).status_code
        transaction.set_rollback(True)
    return status


def fields_of(answer: Any) -> dict[str, Any]:
    """The fields of the page's form with what they hold when it is opened."""
    context = answer.context
    form = context["adminform"].form if "adminform" in context else context["form"]
    values = {name: form[name].value() for name in form.fields}
    return {name: "" if value is None else value for name, value in values.items()}


def broken(client: Client, address: str, filled: dict[str, Any]) -> Iterable[tuple[str, str, str, int]]:
    """Each field that breaks the form when junk stands in it: address, field, junk, status."""
    client.raise_request_exception = False
    shown = client.get(address)
    assert shown.status_code == 200, address
    fields = {**fields_of(shown), **filled}
    # Seats and payments are alike: the first of each kind stands for all.
    for name in [name for name in fields if not name[-1].isdigit() or name.endswith("_0") or name == "password1"]:
        for junk in JUNK:
            status = post(client, address, {**fields, name: junk})
            if status >= 500:
                yield address, name, junk[:20], status
    for junk in MORE_JUNK:
        if (status := post(client, address, dict.fromkeys(fields, junk))) >= 500:
            yield address, "*", junk[:20], status


SENT = {
    "result": {"number": 1, "dealer": 0, **SLIP, "anyway": ""},
    "record": {"number": 1, "line": "", "dealer": 0, "actions": "7D 7H", "hand_0": "2C 3C", "anyway": ""},
    "substitute": {"seat": 1, "credit": "last", "reason": "x"},
    "reseat": {"from_number": 1, "to_number": 1, "reason": "x"},
    "void": {"number": 1, "reason": "x"},
    "adjust": {"seat": 0, "points": 5, "reason": "x"},
    "undo": {"seq": 1, "reason": "x"},
}


def filled(desk: Desk, action: str) -> dict[str, Any]:
    spare = Player.objects.create(club=desk.table.club, name=f"Spare {action}")
    return {**SENT.get(action, {}), **({"player": spare.pk} if action == "substitute" else {})}


@pytest.mark.parametrize("action", ACTIONS)
def test_the_pages_of_a_session_before_its_start(desk, action):
    assert list(broken(desk.client, desk.address(action), filled(desk, action))) == []


def test_a_score_slip_with_everything_that_a_scheme_can_ask_for(make_desk):
    desk = make_desk(4, scheme="yellowclub-chips")
    assert list(broken(desk.client, desk.address("result"), filled(desk, "result"))) == []


@pytest.mark.parametrize("action", ACTIONS)
def test_the_pages_of_a_session_with_a_deal(desk, action):
    desk.do("result", number=1, dealer=0, **SLIP)
    assert list(broken(desk.client, desk.address(action), filled(desk, action))) == []


@pytest.mark.parametrize("action", ACTIONS)
def test_the_addresses_of_the_pages_of_a_session(desk, action):
    desk.do("result", number=1, dealer=0, **SLIP)
    for name in ("number", "seq", "seat"):
        for junk in JUNK:
            assert desk.client.get(desk.address(action), {name: junk}).status_code in (200, 400), (name, junk)


def test_opening_a_session(desk):
    data = {"label": "New", "profile": "pagat", "seat_0": desk.table.players[0].pk}
    assert list(broken(desk.client, reverse("admin:games_session_add"), data)) == []


def test_importing(desk):
    line = LINE.replace('"rules"', '"session":"Import","rules"') % WHOLE
    Player.objects.create(club=desk.table.club, name="A")  # the second of that name is asked about
    for step in ("", "import"):
        data = {"text": line, "step": step, "name_0": desk.table.players[0].pk}
        assert list(broken(desk.client, reverse("admin:games_session_import"), data)) == []


def test_players_members_and_tokens(desk):
    nina = a_member_of(desk.table.club, "nina", Role.MEMBER)
    membership = Membership.objects.get(user=nina)
    person = Player.objects.create(club=desk.table.club, name="Nina", user=nina)
    other = Player.objects.create(club=desk.table.club, name="Nina again")

    def person_page(action: str) -> str:
        return reverse("admin:games_player_do", args=[person.pk, action])

    desk.client.post(reverse("admin:games_token_add"), {"label": "mine", "scopes": ["admin"]})
    club = {"club": desk.table.club.pk}
    for address, data in (
        (reverse("admin:games_player_add"), {**club, "name": "New", "username": "nina"}),
        (reverse("admin:games_player_change", args=[person.pk]), {"account": nina.pk}),
        (person_page("merge"), {"into": other.pk, "reason": "x"}),
        (person_page("merge"), {"into": other.pk, "reason": "x", "seen": other.pk}),
        (person_page("unmerge"), {"reason": "x"}),
        (person_page("anonymise"), {"reason": "x"}),
        (
            reverse("admin:games_membership_add"),
            {**club, "username": "otto", "password": "kinda long", "role": "member"},
        ),
        (reverse("admin:games_membership_change", args=[membership.pk]), {}),
        (reverse("admin:games_membership_delete", args=[membership.pk]), {}),
        (reverse("admin:games_token_add"), {"label": "more", "scopes": ["admin"], "last_day": "2099-01-01"}),
        (reverse("admin:games_token_change", args=[Token.objects.get().pk]), {}),
        (reverse("admin:password_change"), {"old_password": "correct horse battery"}),
    ):
        assert list(broken(desk.client, address, data)) == []


def test_webhooks(desk):
    webhook = a_webhook(desk.table.club, desk.table.caller)
    given_up = a_delivery(webhook, status="dead")

    def page(action: str) -> str:
        return reverse("admin:games_webhook_do", args=[webhook.pk, action])

    for address, data in (
        (reverse("admin:games_webhook_add"), {"url": "https://example.org/", "groups": ["*"]}),
        (page("change"), {"types": ["session.closed"]}),
        *((page(action), {}) for action in ("test", "rotate", "off", "on")),
        (f"{page('replay')}?delivery={given_up.public_id}", {}),
        (page("delete"), {}),
    ):
        assert list(broken(desk.client, address, data)) == []
    shown = reverse("admin:games_webhook_change", args=[webhook.pk])
    for name in ("status", "log"):
        for junk in JUNK:
            assert desk.client.get(shown, {name: junk}).status_code in (200, 400), (name, junk)
    for junk in JUNK:
        assert desk.client.get(page("replay"), {"delivery": junk}).status_code in (400, 404), junk


def test_clubs_and_accounts(desk, superuser):
    for address, data in (
        (reverse("admin:games_club_add"), {"name": "Vale", "slug": "vale"}),
        (reverse("admin:games_club_change", args=[desk.table.club.pk]), {}),
        (
            reverse("admin:games_user_add"),
            {"username": "olga", "password1": "kinda long 1", "password2": "kinda long 1"},
        ),
        (reverse("admin:games_user_change", args=[desk.table.organiser.pk]), {}),
        (reverse("admin:auth_user_password_change", args=[desk.table.organiser.pk]), {}),
    ):
        assert list(broken(superuser, address, data)) == []


def test_logging_in(desk):
    data = {"username": "river-organiser", "password": "correct horse battery", "next": "/admin/"}
    assert list(broken(Client(), reverse("admin:login"), data)) == []


@pytest.mark.parametrize("model", ["session", "player", "deal", "membership", "token", "webhook", "user", "club"])
def test_lists_and_their_actions(desk, superuser, model):
    address = reverse(f"admin:games_{model}_changelist")
    client = superuser if model in ("user", "club") else desk.client
    client.raise_request_exception = False
    for action in ("close_sessions", "export_records", "delete_selected", "x"):
        for junk in MORE_JUNK:
            data = {"action": action, "_selected_action": [desk.pk, junk], "confirmed": "yes", "reason": "x"}
            assert post(client, address, data) < 500, (action, junk)
    chosen = {"action": "close_sessions", "_selected_action": [desk.pk], "confirmed": "yes"}
    for name in ("reason", "index", "select_across", "confirmed", "action"):
        for junk in JUNK:
            assert post(client, address, {**chosen, name: junk}) < 500, (name, junk)
    for name in ("q", "p", "o", "all", "club", "status__exact", "active__exact", "role__exact", "session__exact", "e"):
        for junk in JUNK:
            assert client.get(address, {name: junk}).status_code < 500, (name, junk)


def test_searching(desk):
    desk.client.raise_request_exception = False
    known = {
        "app_label": "games",
        "model_name": "occupancy",
        "field_name": "player",
        "term": "",
        "club": "",
        "page": "1",
    }
    for name in known:
        for junk in JUNK:
            answer = desk.client.get(reverse("admin:autocomplete"), {**known, name: junk})
            assert answer.status_code < 500, (name, junk)


def test_ids_in_addresses(desk):
    desk.client.raise_request_exception = False
    for junk in ("x", "-1", "0", "9" * 20, "9" * 400, "%00", "_5F", "%D9%A3"):
        for model in ("session", "player", "deal", "membership", "token", "webhook", "user", "club"):
            for page in ("change", "history", "delete", "do/void", "do/merge", "records"):
                status = desk.client.get(f"/admin/games/{model}/{junk}/{page}/").status_code
                assert status < 500, (model, junk, page)
    assert Session.objects.count() == 1
