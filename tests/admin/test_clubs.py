"""A club's time zone: set by its organisers, shown with every time."""

from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils.formats import date_format

from games.models import Club, Membership, Role
from tests.admin.conftest import a_member_of, log_in
from tests.admin.test_session_pages import SLIP, errors_of

pytestmark = pytest.mark.django_db


def page_of(club):
    return reverse("admin:games_club_change", args=[club.pk])


def test_an_organiser_sets_the_time_zone_and_nothing_else(desk):
    club = desk.table.club
    answer = desk.client.post(page_of(club), {"timezone": "Asia/Tokyo", "name": "Mine", "slug": "mine"}, follow=True)
    assert answer.status_code == 200
    club.refresh_from_db()
    assert (club.timezone, club.name, club.slug) == ("Asia/Tokyo", "River", "river")


def test_a_zone_that_does_not_exist_is_refused(desk):
    assert "Select a valid choice" in errors_of(desk.client.post(page_of(desk.table.club), {"timezone": "Mars/Base"}))


def test_scorers_and_other_clubs_organisers_do_not_see_the_clubs_page(desk, make_desk):
    other = make_desk(4, name="hill")
    scorer = log_in(a_member_of(desk.table.club, "nora", Role.SCORER))
    assert scorer.get(reverse("admin:games_club_changelist")).status_code == 403
    assert other.client.get(page_of(desk.table.club)).status_code == 302
    other.client.post(page_of(desk.table.club), {"timezone": "Asia/Tokyo"})
    assert Club.objects.get(pk=desk.table.club.pk).timezone == "UTC"


def test_a_superuser_makes_and_renames_clubs(superuser, desk):
    superuser.post(reverse("admin:games_club_add"), {"name": "Vale", "slug": "vale", "timezone": "Europe/Warsaw"})
    assert Club.objects.get(slug="vale").timezone == "Europe/Warsaw"
    superuser.post(page_of(desk.table.club), {"name": "Rivers", "timezone": "UTC"})
    assert Club.objects.get(pk=desk.table.club.pk).name == "Rivers"


def test_times_are_shown_in_the_zone_of_the_club_with_its_name(desk):
    desk.do("result", number=1, dealer=2, **SLIP)
    utc = desk.text()
    deal = reverse("admin:games_deal_change", args=[desk.table.row.deals.get().pk])
    Club.objects.update(timezone="Asia/Kathmandu")
    at = desk.table.row.deals.get().ended_at
    assert date_format(at, "SHORT_DATETIME_FORMAT") in utc
    assert "When (UTC)" in utc
    there = date_format(at.astimezone(ZoneInfo("Asia/Kathmandu")), "SHORT_DATETIME_FORMAT")
    for address in (desk.page, deal):
        page = desk.client.get(address).content.decode()
        assert there in page
        assert "When (Asia/Kathmandu)" in page
    for address in (reverse("admin:games_session_changelist"), reverse("admin:index")):
        assert "Times are shown as in Asia/Kathmandu" in desk.client.get(address).content.decode()


def test_who_is_in_several_clubs_sees_utc_but_on_the_pages_of_a_session(desk):
    Club.objects.update(timezone="Asia/Kathmandu")
    hill = Club.objects.create(name="Hill", slug="hill", timezone="Asia/Tokyo")
    Membership.objects.create(user=desk.table.organiser, club=hill, role=Role.ORGANISER)
    assert "Times are shown as in UTC" in desk.client.get(reverse("admin:index")).content.decode()
    assert "Times are shown as in Asia/Kathmandu" in desk.text()
    assert "Times are shown as in UTC" in desk.client.get(reverse("admin:index")).content.decode()
