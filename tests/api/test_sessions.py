"""Opening sessions over the API."""

import pytest

from tests.api.clients import World

pytestmark = pytest.mark.django_db


def test_a_session_is_opened_with_its_players_seated_or_not_at_all():
    world = World(people=3, seats=3)
    ids = [player.public_id for player in world.table.players]

    opened = world.organiser.post("/clubs/river/sessions", {"players": ids})
    refused = world.organiser.post("/clubs/river/sessions", {"label": "twice", "players": [ids[0], ids[0]]})

    assert opened.status_code == 201
    seating = world.organiser.get(f"/sessions/{opened.json()['session']}").json()["seating"]
    assert [item["player"]["id"] for item in seating] == ids
    assert (refused.status_code, refused.json()["code"]) == (422, "already_seated")
    assert world.organiser.get("/sessions?label=twice").json()["results"] == []
