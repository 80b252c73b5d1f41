"""The same form sent several times at once: it is done once, and nobody reads an error for it."""

import pytest
from django.urls import reverse

from competitions.facts import Kind
from competitions.models import Competition
from games.models import Player
from tests.admin.conftest import log_in
from tests.admin.test_twins import twins
from tests.api.test_races import at_once
from tests.competitions.admin.conftest import Desk, carried
from tests.competitions.admin.test_night import NEW
from tests.competitions.builders import a_league

pytestmark = pytest.mark.django_db(transaction=True)


def opened(desk: Desk, address: str) -> dict:
    """What the form holds when it is opened, its one-time mark with it."""
    form = desk.client.get(address).context["form"]
    values = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in values.items() if value not in (None, False)}


def statuses(answers) -> list:
    return sorted(getattr(answer, "status_code", repr(answer)) for answer in answers)


def test_a_double_click_is_done_once_through_a_whole_night():
    league = a_league(8, enter=False, rounds=1)
    desk = Desk(league, log_in(league.organiser))
    people = [player.public_id for player in league.people]
    for action, data, kind in (
        ("enter", {"players": people[:7], "typed": "Nina"}, Kind.ENTERED),
        ("draw", {}, Kind.DRAWN),
        ("open", {}, Kind.OPENED),
        ("close", {}, Kind.CLOSED),
        ("publish", {}, Kind.PUBLISHED),
        ("adjust", {"player": people[0], "points": "5", "reason": "x"}, Kind.ADJUSTED),
        ("finish", {}, Kind.FINISHED),
    ):
        if action == "close":
            league.play(1, lambda seated: list(range(len(seated))))
        address = desk.address(action, round=1)
        body = {**opened(desk, address), **data}
        asked = desk.client.post(address, body) if action == "adjust" else None
        if asked is not None:
            body |= carried(asked)
        answers = at_once([lambda c=c, a=address, b=body: c.post(a, b) for c in twins(desk.client, 4)])
        assert statuses(answers) == [302] * 4, (action, [getattr(a, "content", a) for a in answers][:1])
        found = [event for event in league.state.events if event.kind is kind]
        expected = {"enter": 8, "publish": 2}.get(action, 1)  # the draw was published with the opening
        assert len(found) == expected, action
    assert Player.objects.filter(name="Nina").count() == 1


def test_of_two_competitions_of_one_name_at_once_one_is_made():
    league = a_league(4)
    client = log_in(league.organiser)
    address = reverse("admin:competitions_competition_add")
    answers = at_once([lambda c=c: c.post(address, NEW) for c in twins(client, 4)])
    assert set(statuses(answers)) <= {302, 422}
    assert statuses(answers).count(302) == 1
    assert Competition.objects.filter(name=NEW["name"]).count() == 1


def test_what_was_previewed_is_asked_again_when_the_numbers_have_moved_on():
    league = a_league(8, rounds=2)
    desk = Desk(league, log_in(league.organiser))
    league.open(1)
    data = {"player": league.people[0].public_id, "points": "5", "reason": "x"}
    asked = desk.send("adjust", data)
    league.play(1)
    again = desk.send("adjust", {**data, **carried(asked)})
    assert again.status_code == 200
    assert again.context["form"].shown is not None
    assert not league.state.adjustments
    desk.send("adjust", {**data, **carried(again)})
    assert len(league.state.adjustments) == 1
