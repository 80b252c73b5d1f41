"""Clients of the API for tests: accounts with tokens, and a club with one of everybody."""

import itertools
from functools import cached_property
from typing import Any

from rest_framework.test import APIClient

from games.access import bot_account
from games.models import Club, ImportJob, Role, Token, User, Webhook, WebhookDelivery
from games.services import webhooks
from tests.api.contract import Contract
from tests.games.builders import NOW, Table, a_member, a_table

BASE = "/api/v1"
_keys = itertools.count(1)


class Api(APIClient):
    """A client with a user's token; addresses are given without the base. Edits say `If-Match: *` unless they are told
    what else to say (`if_match`; None: nothing). Bugs in views raise in the test, and so does
    an answer that the schema does not have."""

    def __init__(self, user: User | None = None) -> None:
        super().__init__()
        self.user = user
        if user is not None:
            self.secret = Token.issue(user=user, label="test")[1]
            self.credentials(HTTP_AUTHORIZATION=f"Bearer {self.secret}")

    def generic(self, method: str, path: str, *args: Any, **kwargs: Any) -> Any:
        key = kwargs.pop("key", None)
        if key is not None:
            kwargs["HTTP_IDEMPOTENCY_KEY"] = key
        meant = kwargs.pop("if_match", "*" if method in ("PUT", "PATCH", "DELETE") else None)
        if meant is not None:
            kwargs["HTTP_IF_MATCH"] = meant
        address = path if path.startswith("/api") else BASE + path
        answer = super().generic(method, address, *args, **kwargs)
        check(method, answer)
        return answer

    def send(self, body: bytes | str, path: str, *, method: str = "POST", **more: Any) -> Any:
        """A body exactly as given."""
        more.setdefault("content_type", "application/json")
        return self.generic(method, path, body, **more)

    def act(self, session: str, action: str, seq: int, *, key: str | None = None) -> Any:
        return self.post(
            f"/sessions/{session}/actions", {"action": action, "expected_seq": seq}, key=key or f"key {next(_keys)}"
        )


def check(method: str, answer: Any) -> None:
    """Every answer to a test is one that the schema documents."""
    path = answer.wsgi_request.path
    if path.startswith(BASE):
        body = b"" if answer.streaming else answer.content
        Contract.committed().check(method, path, answer.status_code, answer.headers, body)


class World:
    """A club with a table of people, and somebody in every role; `roles` by name."""

    def __init__(self, *, people: int = 4, seats: int = 4, settings: Any = None, **more: Any) -> None:
        self.table: Table = a_table(seats, people=people, settings=settings, **more)
        self.club: Club = self.table.club
        self.session = self.table.session
        self.organiser = Api(self.table.organiser)
        self.scorer = Api(a_member(self.club, "a-scorer", Role.SCORER))
        self.member = Api(a_member(self.club, "a-member", Role.MEMBER))
        self.anonymous = Api()
        other = Club.objects.create(name="Hill", slug="hill")
        self.outsider = Api(a_member(other, "hill-organiser", Role.ORGANISER))
        self.superuser = Api(User.objects.create_superuser("root", password="correct horse battery"))
        self.bot = Api(bot_account("random"))
        self.seats = [Api(player.user) for player in self.table.players[:people]]

    @cached_property
    def import_job(self) -> ImportJob:
        """An import of a big file that is over."""
        user = self.table.organiser
        return ImportJob.objects.create(club=self.club, actor=user, door="test", dry_run=True, size=1, status="checked")

    @property
    def path(self) -> str:
        return f"/sessions/{self.session}"

    @property
    def roles(self) -> dict[str, Api]:
        return {
            "anonymous": self.anonymous,
            "outsider": self.outsider,
            "member": self.member,
            "seat": self.seats[0],
            "scorer": self.scorer,
            "organiser": self.organiser,
            "superuser": self.superuser,
            "bot": self.bot,
        }

    @cached_property
    def webhook(self) -> Webhook:
        """A webhook of the club, made when it is asked for."""
        made = webhooks.create_webhook(
            caller=self.table.caller, club=self.club.slug, url="https://example.org/hook", now=NOW
        )
        return Webhook.objects.get(public_id=made["id"])

    @cached_property
    def delivery(self) -> WebhookDelivery:
        """What was given up of what that webhook was to be told."""
        sent = webhooks.send_test(caller=self.table.caller, webhook=self.webhook.public_id, now=NOW)
        WebhookDelivery.objects.filter(public_id=sent["id"]).update(status="dead", tries=8)
        return WebhookDelivery.objects.get(public_id=sent["id"])

    def start(self) -> None:
        assert self.organiser.post(f"{self.path}/start").status_code == 201

    def own_view(self, seat: int) -> dict[str, Any]:
        return self.seats[seat].get(f"{self.path}/seats/{seat}/view").json()

    def to_act(self) -> tuple[int, dict[str, Any]]:
        """The seat whose turn it is, and what it sees."""
        seat = self.table.row.to_act
        return seat, self.own_view(seat)

    def step(self) -> Any:
        """The seat to act plays its first legal card, or passes."""
        seat, table = self.to_act()
        legal = table["view"]["legal"]
        return self.seats[seat].act(self.session, legal[0] if legal else "-", table["seq"])

    def play_out(self) -> Any:
        answer = None
        while self.table.row.live_deal is not None:
            answer = self.step()
            assert answer.status_code == 201, answer.content
        return answer


def code_of(answer: Any) -> tuple[int, str]:
    """Status and code of a problem; checks the form that every error has."""
    assert answer["Content-Type"] == "application/problem+json", answer.content
    body = answer.json()
    assert body["status"] == answer.status_code
    assert body["type"] == "about:blank"
    assert body["title"]
    assert body["detail"]
    assert answer["Cache-Control"] == "no-store"
    return answer.status_code, body["code"]
