"""The second person in the admin: what waits is shown with who entered it, both versions side by side."""

import pytest
from django.urls import reverse

from games.models import Deal, Role
from tests.admin.conftest import Desk, a_member_of, log_in
from tests.admin.test_session_pages import SLIP, errors_of, messages_of
from tests.admin.test_statements import statements

pytestmark = pytest.mark.django_db


@pytest.fixture
def desks(make_desk) -> tuple[Desk, Desk]:
    """The browsers of two scorers at one table whose sheet is checked by two."""
    desk = make_desk(4, scheme="card-count", settings={"confirm": True})
    one, two = (log_in(a_member_of(desk.table.club, name, Role.SCORER)) for name in ("nora", "otto"))
    first = Desk(desk.table, one)
    return first, Desk(desk.table, two)


def standing(desk: Desk) -> Deal:
    return desk.table.row.deals.get(number=1, current=True)


def test_what_was_entered_waits_and_says_who_entered_it(desks):
    first, second = desks
    answer = first.do("result", number=1, dealer=2, **SLIP)
    assert "counts once a second person has confirmed it" in messages_of(answer)
    for desk in desks:
        page = desk.text()
        assert "Deal 1 waits for a second person" in page
        assert "entered by nora" in page
        assert "to be confirmed" in page
    assert "do/confirm/?number=1" in second.text()
    assert "do/confirm/?number=1" not in first.text()
    assert "One deal waits for a second person" in second.client.get(reverse("admin:index")).content.decode()


def test_a_second_person_confirms_what_they_were_shown(desks):
    first, second = desks
    first.do("result", number=1, dealer=2, **SLIP)
    page = second.client.get(second.address("confirm") + "?number=1").content.decode()
    assert "3 left" in page
    assert 'name="take" value="1"' in page
    assert "Deal 1 is confirmed." in messages_of(second.do("confirm", number=1, take=1))
    assert standing(second).counted
    assert "waits for a second person" not in second.text()
    assert "Deal 1 was confirmed." in second.text()


def test_who_entered_it_is_refused_in_words(desks):
    first, _ = desks
    first.do("result", number=1, dealer=2, **SLIP)
    assert "another scorer confirms it" in errors_of(first.do("confirm", number=1, take=1))
    assert standing(first).awaits


def test_entering_just_the_same_confirms_it(desks):
    first, second = desks
    first.do("result", number=1, dealer=2, **SLIP)
    assert "confirmed: you entered just what stood there" in messages_of(
        second.do("result", number=1, dealer=2, **SLIP)
    )
    assert standing(second).confirmed_by is not None


def test_versions_that_differ_stand_side_by_side(desks):
    first, second = desks
    first.do("result", number=1, dealer=2, **SLIP)
    second.do("result", number=1, dealer=2, reason="Misread", **{**SLIP, "left_1": 4})
    page = first.text()
    assert "Before, entered by nora" in page
    assert "As it stands, entered by otto" in page
    assert '<td class="number differs">3 left</td><td class="number differs">4 left</td>' in page.replace("\n", "")


def test_what_was_entered_anew_meanwhile_is_not_confirmed_unseen(desks):
    first, second = desks
    first.do("result", number=1, dealer=2, **SLIP)
    first.do("result", number=1, dealer=2, reason="Misread", **{**SLIP, "left_1": 4})
    assert "entered again meanwhile" in errors_of(second.do("confirm", number=1, take=1))


def test_junk_in_the_address_and_the_form_is_refused(desks):
    first, second = desks
    first.do("result", number=1, dealer=2, **SLIP)
    for number in ("x", "99", "-1", "9" * 30, ""):
        assert second.client.get(second.address("confirm") + f"?number={number}").status_code == 200
        assert second.do("confirm", number=number, take="x").status_code == 422


def test_the_pages_ask_the_database_no_more_for_many_deals_that_wait_than_for_one(desks):
    first, second = desks

    def counts() -> list[int]:
        return [statements(second.client, address) for address in (second.page, second.address("confirm"))]

    first.do("result", number=1, dealer=2, **SLIP)
    few = counts()
    for number in (2, 3, 4, 5):
        first.do("result", number=number, dealer=2, **SLIP)
        second.do("result", number=number, dealer=2, reason="Misread", **{**SLIP, "left_1": 4})
        first.do("result", number=number, dealer=2, reason="Misread", **{**SLIP, "left_1": 5})
    assert counts() == few


def test_the_second_person_enters_the_sheet_without_seeing_what_stands_there(desks):
    first, second = desks
    first.do("result", number=1, dealer=2, **SLIP)
    page = second.client.get(second.address("result") + "?number=1").content.decode()
    assert "You are the second person for deal 1" in page
    assert 'name="left_1" value="3"' not in page
    assert 'name="left_1" value="3"' in first.client.get(first.address("result") + "?number=1").content.decode()


def test_in_a_closed_session_an_organiser_is_asked_to_confirm_and_a_scorer_is_not(desks):
    first, second = desks
    first.do("result", number=1, dealer=2, **SLIP)
    organiser = Desk(first.table, log_in(first.table.organiser))
    organiser.do("close")
    assert "do/confirm/?number=1" not in second.text()
    assert "do/confirm/?number=1" in organiser.text()
    organiser.do("confirm", number=1, take=1)
    assert standing(organiser).counted
