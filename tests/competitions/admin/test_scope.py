"""Who may do what with competitions in the admin, and that another club's do not exist."""

import pytest
from django.test import Client
from django.urls import reverse

from competitions.admin.competitions import FORMS
from competitions.models import Competition
from games.models import Role
from tests.admin.conftest import a_member_of, log_in
from tests.competitions.admin.conftest import Desk
from tests.competitions.builders import a_league

pytestmark = pytest.mark.django_db

ACTIONS = [form.slug for form in FORMS]
LIST = reverse("admin:competitions_competition_changelist")
ADD = reverse("admin:competitions_competition_add")


def pages(desk: Desk) -> list[str]:
    """The pages that are only read."""
    return [
        desk.page,
        *(desk.part(part) for part in ("entries", "standings", "publications", "files")),
        desk.part("round", 1),
        desk.part("publication", 1),
        desk.part("event", 1),
        reverse("admin:competitions_competition_history", args=[desk.row.pk]),
    ]


@pytest.fixture
def played(desk) -> Desk:
    """A round is played and closed, with its draw published; the next one is drawn."""
    desk.league.whole_round(1)
    return desk


@pytest.fixture
def other(db) -> Desk:
    """Another club's competition."""
    league = a_league(4, name="hill")
    league.whole_round(1)
    return Desk(league, log_in(league.organiser))


def test_nobody_gets_in_without_logging_in(played):
    for address in [LIST, ADD, *pages(played), *map(played.address, ACTIONS)]:
        answer = Client().get(address)
        assert answer.status_code == 302
        assert answer["Location"].startswith(reverse("admin:login"))


@pytest.mark.parametrize("role", [None, Role.MEMBER, Role.SCORER, Role.ORGANISER])
def test_each_page_and_action_by_role(played, role):
    user = a_member_of(played.league.club, "mia", role or Role.MEMBER)
    client = log_in(user)
    if role is None:
        user.memberships.all().delete()
    sees = role in (Role.SCORER, Role.ORGANISER)
    for address in [LIST, *pages(played)]:
        assert (client.get(address).status_code == 200) is sees, address
    assert (client.get(ADD).status_code == 200) is (role is Role.ORGANISER)
    for action in ACTIONS:
        allowed = role is Role.ORGANISER
        status = client.get(played.address(action, round=1, seq=1, number=1, table=1)).status_code
        assert (status == 200) is allowed, (action, status)
        before = played.row.seq
        if not allowed:
            assert client.post(played.address(action), {"number": 1, "seq": 1, "reason": "x"}).status_code in (302, 403)
        assert played.row.seq == before


def test_a_scorer_sees_no_button_for_what_only_organisers_do(played):
    client = log_in(a_member_of(played.league.club, "sam", Role.SCORER))
    offered = [f"/do/{action}/" for action in ACTIONS]
    for address in pages(played):
        page = client.get(address).content.decode()
        assert [action for action in offered if f"/competition/{played.row.pk}{action}" in page] == [], address


def test_a_scorer_enters_the_results_of_a_round(desk):
    desk.league.open(1)
    client = log_in(a_member_of(desk.league.club, "sam", Role.SCORER))
    page = client.get(desk.page).content.decode()
    assert "Enter the result" in page
    assert client.get(desk.part("round", 1)).status_code == 200


def test_the_list_holds_the_own_club_only(desk, other):
    Competition.objects.filter(pk=other.row.pk).update(name="Secret Cup", public=True)
    for address in (LIST, f"{LIST}?club={other.league.club.pk}", reverse("admin:index")):
        assert "Secret Cup" not in desk.text(address)


def test_addresses_of_another_club_lead_away_and_show_nothing(desk, other):
    Competition.objects.filter(pk=other.row.pk).update(name="Secret Cup", public=True)
    for address in [*pages(other), *map(other.address, ACTIONS)]:
        answer = desk.client.get(address, follow=True)
        assert answer.redirect_chain, address
        assert "Secret Cup" not in answer.content.decode()


def test_forms_sent_to_another_clubs_competition_change_nothing(desk, other):
    seq = other.row.seq
    for action in ACTIONS:
        data = {"number": 1, "seq": seq, "reason": "Mine", "name": "Mine", "season": "x", "typed": "Spy"}
        assert desk.client.post(other.address(action, round=1), data).status_code == 302
    assert other.row.seq == seq


def test_players_of_another_club_cannot_be_sent(desk, other):
    foreign, own = other.league.people[0], desk.league.people[0].public_id
    substituting = {"player": own, "by": foreign.pk, "number": 1, "credit": "player", "reason": "x"}
    for action, data in (
        ("enter", {"players": [foreign.public_id]}),
        ("withdraw", {"player": foreign.public_id}),
        ("sit-out", {"player": foreign.public_id, "number": 1, "bye": "no"}),
        ("adjust", {"player": foreign.public_id, "points": "5", "reason": "x"}),
        ("apart", {"player": foreign.public_id, "other": own}),
        ("substitute", substituting),
        ("draw", {"number": 1, "here": [foreign.public_id]}),
    ):
        seq = desk.row.seq
        assert desk.client.post(desk.address(action), data).status_code == 422, action
        assert desk.row.seq == seq


def test_nothing_is_made_in_another_club(desk, other):
    answer = desk.client.post(f"{ADD}?club={other.league.club.slug}", {"name": "Spy"})
    assert answer.status_code == 200  # the page that asks for the club, and offers none
    assert not Competition.objects.filter(name="Spy").exists()


def test_no_competition_can_be_deleted(desk, django_user_model):
    root = log_in(django_user_model.objects.create_superuser("root", password="correct horse battery"))
    address = reverse("admin:competitions_competition_delete", args=[desk.row.pk])
    assert root.post(address, {"post": "yes"}).status_code == 403
    assert Competition.objects.exists()


def test_addresses_that_are_none_are_refused_and_never_break(desk):
    for pk in ("abc", "9" * 30, "-1", "_5F", "%D9%A3"):
        for rest in ("change/", "standings/", "round/1/", "do/draw/"):
            assert desk.client.get(f"/admin/competitions/competition/{pk}/{rest}").status_code == 302
    assert desk.client.get(desk.address("nonsense")).status_code == 404
    for number in (0, 99, 10**20):
        assert desk.client.get(desk.part("round", number)).status_code == 404
        assert desk.client.get(desk.part("publication", number)).status_code == 404
