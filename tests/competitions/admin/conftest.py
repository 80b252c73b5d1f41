"""A competition with its organiser's browser."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from competitions.models import Competition
from tests.admin.conftest import log_in
from tests.competitions.builders import League, a_league


@dataclass
class Desk:
    """A competition and a browser."""

    league: League
    client: Client

    @property
    def row(self) -> Competition:
        return self.league.row

    @property
    def page(self) -> str:
        return reverse("admin:competitions_competition_change", args=[self.row.pk])

    def part(self, name: str, *more: Any) -> str:
        return reverse(f"admin:competitions_competition_{name}", args=[self.row.pk, *more])

    def address(self, action: str, **asked: Any) -> str:
        address = reverse("admin:competitions_competition_do", args=[self.row.pk, action])
        return address + "?" + "&".join(f"{name}={value}" for name, value in asked.items()) if asked else address

    def text(self, address: str = "") -> str:
        answer = self.client.get(address or self.page)
        assert answer.status_code == 200, address
        return answer.content.decode()

    def send(self, action: str, data: dict[str, Any] | None = None, **asked: Any) -> Any:
        """Send an action's form once."""
        return self.client.post(self.address(action, **asked), data or {}, follow=True)

    def do(self, action: str, data: dict[str, Any] | None = None, **asked: Any) -> Any:
        """Send an action's form, and once more with what the preview carries, as the button under it does."""
        answer = self.send(action, data, **asked)
        form = answer.context.get("form") if answer.status_code == 200 else None
        if form is not None and form.shown is not None:
            return self.send(action, {**(data or {}), **carried(answer)}, **asked)
        return answer


def carried(answer: Any) -> dict[str, Any]:
    """What the page of a preview sends along."""
    form = answer.context["form"]
    return {"confirmed": form.confirms}


def messages_of(answer: Any) -> str:
    return " ".join(str(message) for message in answer.context["messages"])


def errors_of(answer: Any) -> str:
    assert answer.status_code == 422, answer.status_code
    return " ".join(error for errors in answer.context["form"].errors.values() for error in errors)


@pytest.fixture
def desk(db) -> Desk:
    """Eight people, nothing drawn; three rounds are planned."""
    league = a_league(8, rounds=3)
    return Desk(league, log_in(league.organiser))
