"""Two clubs with a session each, and a browser for each kind of person."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Club, Membership, Role, User
from games.services.members import settle_staff
from tests.games.builders import Table, a_table, a_user


def log_in(user: User) -> Client:
    settle_staff(user)
    client = Client()
    client.force_login(user)
    return client


def a_member_of(club: Club, name: str, role: Role) -> User:
    user = a_user(name)
    Membership.objects.create(user=user, club=club, role=role)
    return user


def send(client: Client, address: str, data: dict):
    """Send a form and, where a preview comes back, confirm it; follow where it leads."""
    answer = client.post(address, data, follow=True)
    form = (answer.context or {}).get("form")
    if getattr(form, "shown", None) is None:
        return answer
    return client.post(address, {**data, "confirmed": form.confirms}, follow=True)


@dataclass
class Desk:
    """A table with its organiser's browser."""

    table: Table
    client: Client

    @property
    def pk(self) -> int:
        return self.table.row.pk

    @property
    def page(self) -> str:
        return reverse("admin:games_session_change", args=[self.pk])

    def address(self, action: str) -> str:
        return reverse("admin:games_session_do", args=[self.pk, action])

    def do(self, action: str, **data):
        """Send an action's form, again where it first shows what would change; follow to the session's page when it
        was taken."""
        return send(self.client, self.address(action), data)

    def text(self) -> str:
        return self.client.get(self.page).content.decode()


@pytest.fixture
def desk(db) -> Desk:
    """Four bots, not started."""
    table = a_table(4)
    return Desk(table, log_in(table.organiser))


@pytest.fixture
def make_desk(db) -> Callable[..., Desk]:
    def make(*args, **options) -> Desk:
        table = a_table(*args, **options)
        return Desk(table, log_in(table.organiser))

    return make


@pytest.fixture
def superuser(db) -> Client:
    return log_in(User.objects.create_superuser("root", password="correct horse battery"))
