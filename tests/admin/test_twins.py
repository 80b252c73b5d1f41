"""The same form sent several times at once: one is taken, the others are told so in words."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, models
from django.test import Client
from django.urls import reverse

from games.models import Club, Membership, Player, Role, Session, User
from tests.admin.conftest import Desk, a_member_of
from tests.admin.test_session_pages import LINE, WHOLE
from tests.api.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = {"password1": "kinda long secret", "password2": "kinda long secret", "usable_password": "true"}


def forms(desk: Desk) -> dict[str, tuple[str, dict[str, Any], Callable[[], int]]]:
    """Every form that makes something whose name is given once: address, what is sent, how many there are."""
    club = desk.table.club
    a_member_of(club, "nina", Role.MEMBER)
    line = LINE.replace('"rules"', '"session":"Import","rules"') % WHOLE
    add = {name: reverse(f"admin:games_{name}_add") for name in ("session", "player", "membership", "user", "club")}
    player = reverse("admin:games_player_change", args=[Player.objects.create(club=club, name="Nina").pk])
    nina = User.objects.get(username="nina")
    return {
        "import": (
            reverse("admin:games_session_import"),
            {"club": club.pk, "text": line, "step": "import"},
            Session.objects.filter(label="Import").count,
        ),
        "session": (
            f"{add['session']}?club={club.slug}",
            {"label": "Friday", "profile": "pagat"},
            Session.objects.filter(label="Friday").count,
        ),
        "player": (
            add["player"],
            {"club": club.pk, "name": "Nina", "username": "nina"},
            Player.objects.filter(user=nina).count,
        ),
        "player's account": (
            player,
            {"name": "Nina", "active": "on", "account": nina.pk},
            Player.objects.filter(user=nina).count,
        ),
        "member": (
            add["membership"],
            {"club": club.pk, "username": "otto", "role": "member", "password": "kinda long secret"},
            Membership.objects.filter(user__username="otto").count,
        ),
        "user": (add["user"], {"username": "olga", **PASSWORD}, User.objects.filter(username="olga").count),
        "club": (add["club"], {"name": "Vale", "slug": "vale"}, Club.objects.filter(slug="vale").count),
    }


NAMES = ["import", "session", "player", "player's account", "member", "user", "club"]


def twins(client: Client, count: int = 5) -> list[Client]:
    """Browsers of one person; a bug is answered with 500, as it would be in earnest."""
    made = []
    for _ in range(count):
        twin = Client(raise_request_exception=False)
        twin.cookies = client.cookies.copy()
        made.append(twin)
    return made


@pytest.mark.parametrize("name", NAMES)
def test_of_equal_forms_at_once_one_is_taken_and_none_breaks(make_desk, superuser, name):
    desk = make_desk(4)
    address, data, count = forms(desk)[name]
    answers = at_once([lambda c=c: c.post(address, data) for c in twins(superuser)])
    codes = sorted(getattr(answer, "status_code", repr(answer)) for answer in answers)
    assert set(codes) <= {200, 302, 422}
    assert count() == 1
    if name != "player's account":  # where the second look finds nothing left to do
        assert codes.count(302) == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_loser_of_a_race_reads_why(make_desk, superuser, name, monkeypatch):
    """The look before the write misses the twin every time: what the database refuses becomes an error of the form."""
    desk = make_desk(4)
    address, data, count = forms(desk)[name]
    client = twins(superuser, 1)[0]
    if name == "player's account":
        Player.objects.create(club=desk.table.club, name="Nina", user=User.objects.get(username="nina"))
    else:
        assert client.post(address, data).status_code == 302
    blind(monkeypatch)
    answer = client.post(address, data)
    assert answer.status_code in (200, 422)
    context = answer.context
    form = context["adminform"].form if "adminform" in context else context["form"]
    assert form.errors
    assert count() == 1


def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks for twins find nothing until the database has refused once: as where the twin is stored in between."""
    refused = []
    save, exists = models.Model.save_base, models.QuerySet.exists

    def save_base(self: Any, *args: Any, **options: Any) -> None:
        try:
            save(self, *args, **options)
        except IntegrityError:
            refused.append(self)
            raise

    monkeypatch.setattr(models.Model, "save_base", save_base)
    monkeypatch.setattr(models.QuerySet, "exists", lambda rows: bool(refused) and exists(rows))


def test_a_double_click_is_taken_once_and_breaks_nothing(make_desk):
    desk = make_desk(4)
    slip = {f"left_{seat}": left for seat, left in enumerate((2, 3, 1, 0))}
    for action, data in (
        ("result", {"number": 1, "dealer": 0, **slip}),
        ("void", {"number": 1, "reason": "x"}),
        ("deal", {"number": 2}),
        ("close", {"reason": "x"}),
    ):
        address = desk.address(action)
        if action == "void":
            data["confirmed"] = desk.client.post(address, data).context["form"].confirms
        answers = at_once([lambda c=c, a=address, d=data: c.post(a, d) for c in twins(desk.client, 4)])
        codes = [getattr(answer, "status_code", 500) for answer in answers]
        assert set(codes) <= {302, 422}, action
        if action != "result":  # a result sent again takes the place of the same one
            assert codes.count(302) == 1, action
