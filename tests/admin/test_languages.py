"""The admin in each of its languages: every page opens, and a form sent back as it stands changes nothing."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.models import ImportJob, Membership, Player, Role, Session, Token, User
from tests.admin.conftest import Desk, a_member_of, log_in
from tests.admin.test_scope import ACTIONS, LISTS, SLIP
from tests.webhooks.builders import a_delivery, a_webhook

pytestmark = pytest.mark.django_db

LANGUAGES = [code for code, _ in settings.LANGUAGES]


class Form(HTMLParser):
    """What a browser sends of the page's main form as it stands."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = self.shown = False
        self.sent: dict[str, list[str]] = {}
        self.into = self.area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name, value = given.get("name", ""), given.get("value", "")
        if tag == "form":
            self.inside = given.get("class") == "page" or given.get("id", "").endswith("_form")
        elif self.inside and tag == "select":
            self.into = name
        elif self.inside and tag == "option" and "selected" in given:
            self.sent.setdefault(self.into, []).append(value)
        elif self.inside and tag == "textarea":
            self.area, self.sent[name] = name, [""]
        elif self.inside and tag == "input" and (kind := given.get("type")) not in ("submit", "file"):
            if kind in ("checkbox", "radio") and "checked" not in given:
                return
            self.sent.setdefault(name, []).append(given.get("value") or ("on" if kind == "checkbox" else ""))

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "form"
        self.area = "" if tag == "textarea" else self.area

    def handle_data(self, data: str) -> None:
        if self.area:
            self.sent[self.area] = [data.removeprefix("\n")]


def speaking(client: Client, language: str) -> Client:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    return client


def as_it_stands(client: Client, address: str) -> dict[str, list[str]]:
    form = Form()
    form.feed(client.get(address).content.decode())
    return form.sent


@pytest.fixture
def full(make_desk) -> Desk:
    """A session with a deal of each kind: counted, void, corrected; its history; a webhook with a delivery."""
    desk = make_desk(4, scheme="yellowclub-chips")
    passes = {f"{column}_{seat}": 0 for column in ("forced", "wrongful") for seat in range(4)}
    for number in (1, 2, 3):
        desk.do("result", number=number, dealer=0, anyway="on", **SLIP, **passes)
    assert desk.table.row.deals.count() == 3
    desk.do("void", number=2, reason="Misdeal")
    desk.do("adjust", seat=0, points=5, reason="Late")
    spare = Player.objects.create(club=desk.table.club, name="Spare")
    desk.do("substitute", seat=1, player=spare.pk, credit="deals", from_number=3, reason="Ill")
    desk.do("undo", seq=desk.table.row.seq, reason="Well again")
    a_delivery(a_webhook(desk.table.club, desk.table.caller), status="dead")
    return desk


def addresses(desk: Desk) -> Iterator[str]:
    """Every page of games in the admin."""
    yield reverse("admin:index")
    for name in [*LISTS, "user", "club", "importjob"]:
        yield reverse(f"admin:games_{name}_changelist")
    for name in ["session", "player", "membership", "token", "webhook", "user", "club"]:
        yield reverse(f"admin:games_{name}_add")
    yield reverse("admin:games_session_import")
    yield desk.page
    yield from (desk.address(action) for action in ACTIONS)
    yield from (f"{desk.address(action)}?number=1" for action in ("result", "record", "void"))
    yield f"{desk.address('undo')}?seq={desk.table.row.seq}"
    yield reverse("admin:games_session_history", args=[desk.pk])
    for deal in desk.table.row.deals.all():
        yield reverse("admin:games_deal_change", args=[deal.pk])
    player, bot = Player.objects.filter(strategy="").first(), desk.table.players[0]
    for one in (player, bot):
        yield reverse("admin:games_player_change", args=[one.pk])
        yield from (reverse("admin:games_player_do", args=[one.pk, what]) for what in ("merge", "unmerge", "anonymise"))
    membership = Membership.objects.get(user=desk.table.organiser)
    yield from (reverse(f"admin:games_membership_{page}", args=[membership.pk]) for page in ("change", "delete"))
    webhook = desk.table.club.webhooks.get()
    yield reverse("admin:games_webhook_change", args=[webhook.pk])
    yield from (
        reverse("admin:games_webhook_do", args=[webhook.pk, what])
        for what in ("change", "test", "rotate", "off", "delete")
    )
    job = ImportJob.objects.create(club=desk.table.club, actor=desk.table.organiser, door="admin", dry_run=True, size=1)
    yield reverse("admin:games_importjob_change", args=[job.pk])
    yield reverse("admin:games_club_change", args=[desk.table.club.pk])
    yield reverse("admin:games_user_change", args=[desk.table.organiser.pk])
    yield reverse("admin:games_token_change", args=[Token.issue(user=desk.table.organiser, label="x")[0].pk])
    yield reverse("admin:password_change")
    yield reverse("admin:games_session_change", args=[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_opens_and_says_which_language_it_speaks(full, superuser, language):
    client = speaking(superuser, language)
    for address in addresses(full):
        answer = client.get(address, follow=True)
        assert answer.status_code == 200, address
        assert f'<html lang="{language}"'.casefold() in answer.content.decode().casefold(), address


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_form_sent_back_as_it_stands_changes_nothing(full, superuser, language):
    client = speaking(superuser, language)
    organiser, club = full.table.organiser, full.table.club
    webhook = club.webhooks.get()
    person = Player.objects.get(name="Spare")
    forms = [
        reverse("admin:games_player_change", args=[person.pk]),
        reverse("admin:games_club_change", args=[club.pk]),
        reverse("admin:games_membership_change", args=[Membership.objects.get(user=organiser).pk]),
        reverse("admin:games_webhook_do", args=[webhook.pk, "change"]),
        reverse("admin:games_user_change", args=[organiser.pk]),
        full.address("settings"),
    ]

    def stored() -> list[Any]:
        models: list[Any] = [Player, User, Membership, Session]
        rows = [list(model.objects.order_by("pk").values()) for model in models]
        return [*rows, list(type(club).objects.values("name", "slug", "timezone")), list(club.webhooks.values())]

    before = stored()
    for address in forms:
        answer = client.post(address, as_it_stands(client, address))
        assert answer.status_code == 302, address
        assert stored() == before, address


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_result_sent_back_as_it_stands_is_the_same_result(full, language):
    client = speaking(full.client, language)
    address = f"{full.address('result')}?number=1"
    before = full.table.row.deals.values_list("number", "take", "result", "points")
    was = list(before)
    sent = {**as_it_stands(client, address), "reason": "Looked at once more", "anyway": "on"}
    assert client.post(address, sent).status_code == 302
    assert list(before.all()) == was


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_is_taken_as_browsers_send_it(full, language):
    client = speaking(full.client, language)
    data = {"label": "script", "scopes": ["sessions:read"], "last_day": "2099-12-31"}
    assert client.post(reverse("admin:games_token_add"), data).status_code == 200
    token = Token.objects.get(label="script")
    assert f"{token.expires_at:%Y-%m-%d}" == "2099-12-31"


def test_the_log_is_kept_in_english_whoever_wrote_it(full):
    from django.contrib.admin.models import LogEntry

    speaking(full.client, "ru")
    full.do("adjust", seat=1, points=-2, reason="x")
    assert LogEntry.objects.latest("pk").change_message == "−2 points for B."


def test_a_scorer_reads_the_first_page_in_the_language_that_was_chosen(full):
    scorer = log_in(a_member_of(full.table.club, "scorer", Role.SCORER))
    answer = speaking(scorer, "sr-latn").get(reverse("admin:index"))
    assert answer.status_code == 200
    assert answer.headers["Content-Language"] == "sr-latn"
