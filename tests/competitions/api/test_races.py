"""Two organisers at once: the database lets one through, the other is told why."""

import pytest

from competitions.models import Competition, Entry
from tests.api.clients import Api, code_of
from tests.api.test_races import at_once
from tests.competitions.api.clients import Cup

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_name_is_given_once():
    cup = Cup(3)
    twins = [Api(cup.organiser.user) for _ in range(4)]
    answers = at_once([lambda c=c: c.post("/clubs/river/competitions", {"name": "New"}) for c in twins])
    assert sorted(answer.status_code for answer in answers) == [201, 422, 422, 422]
    assert {code_of(answer)[1] for answer in answers if answer.status_code == 422} == {"name_taken"}
    assert Competition.objects.filter(name="New").count() == 1


def test_one_player_is_entered_once_and_one_request_is_done_once():
    cup = Cup(6, enter=False)
    twins = [Api(cup.organiser.user) for _ in range(4)]
    body = {"entries": [{"player": player} for player in cup.ids]}
    answers = at_once([lambda c=c: c.post(f"{cup.path}/entries", body) for c in twins])
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    assert {code_of(answer)[1] for answer in answers if answer.status_code == 409} == {"already_entered"}
    assert Entry.objects.count() == 6
    answers = at_once([lambda c=c: c.post(f"{cup.path}/rounds/1/draw", {}, key="one") for c in twins])
    assert {(answer.status_code, answer.content) for answer in answers} == {(201, answers[0].content)}
    assert [event.kind.name for event in cup.league.state.events].count("DRAWN") == 1


def test_of_two_who_looked_at_the_same_version_one_changes_it():
    cup = Cup(4)
    version = cup.get()["version"]
    body = {"player": cup.ids[0], "points": 1, "reason": "r"}
    twins = [Api(cup.organiser.user) for _ in range(4)]
    answers = at_once([lambda c=c: c.post(f"{cup.path}/adjustments?version={version}", body) for c in twins])
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    assert {code_of(answer)[1] for answer in answers if answer.status_code == 409} == {"moved_on"}
