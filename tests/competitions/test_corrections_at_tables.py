"""A correction at a table tells beforehand what it changes in its competition, at every door, and then does that."""

import pytest
from django.urls import reverse

from competitions.audit import audit_competition
from tests.admin.conftest import log_in
from tests.api.clients import Api
from tests.competitions.builders import a_league

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def league():
    """One round of one table, played and closed."""
    found = a_league(4)
    found.whole_round(1)
    return found


def the_session(league):
    (session,) = league.sessions(1)
    assert session.status == "closed"
    return session


def test_the_preview_over_the_api_is_the_answer_of_the_correction(league):
    session = the_session(league)
    client = Api(league.organiser)
    path, body = f"/sessions/{session.public_id}/adjustments", {"seat": 0, "points": 40, "reason": "Late."}
    before = league.row.seq

    asked = client.post(f"{path}?preview=true", body)
    assert league.row.seq == before
    done = client.post(path, body, key="k")

    assert done.status_code == 201, done.content
    assert done.json()["competition"] == asked.json()["competition"]
    assert done.json()["table"] == asked.json()["table"] != []
    ids = {player.public_id for player in league.people}
    changes = asked.json()["competition"]["standings"]
    assert changes
    assert {change["player"] for change in changes} <= ids
    assert client.post(path, body, key="k").content == done.content
    session.refresh_from_db()
    assert session.status == "closed"


def test_players_in_wrong_chairs_are_put_right_in_the_standings_too(league):
    session = the_session(league)
    totals = {row.entrant: row.total for row in league.standings.rows}
    sitting = [item.player for item in session.occupancies.select_related("player").order_by("seat")]
    body = {"seats": {"0": sitting[1].public_id, "1": sitting[0].public_id}, "reason": "The wrong way round."}

    answer = Api(league.organiser).post(f"/sessions/{session.public_id}/reseats", body)

    assert answer.status_code == 201, answer.content
    now = {row.entrant: row.total for row in league.standings.rows}
    swapped = {sitting[0].pk: totals[sitting[1].pk], sitting[1].pk: totals[sitting[0].pk]}
    assert now == {**totals, **swapped}
    assert audit_competition(league.row) == []


def test_the_admin_shows_it_in_sentences_before_and_after(league):
    session = the_session(league)
    client = log_in(league.organiser)
    address = reverse("admin:games_session_do", args=[session.pk, "adjust"])
    data = {"seat": 0, "points": 40, "reason": "Late."}

    asked = client.post(address, data)
    table, beyond = asked.context["form"].shown
    assert table.rows
    assert "round 1" in beyond.heading
    assert any("points" in sentence for sentence in beyond.sentences)

    done = client.post(address, {**data, "confirmed": asked.context["form"].confirms}, follow=True)
    messages = [str(message) for message in done.context["messages"]]
    assert set(beyond.sentences) <= set(messages)
