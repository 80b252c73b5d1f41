"""Values that no browser sends, in every field of every form about competitions: refused in words, never with 500."""

import pytest
from django.urls import reverse

from competitions.admin.competitions import FORMS
from tests.admin.test_junk import JUNK, MORE_JUNK, broken
from tests.competitions.admin.conftest import Desk
from tests.competitions.admin.test_night import NEW

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ACTIONS = [form.slug for form in FORMS]


def sent(desk: Desk, action: str) -> dict:
    """What makes each form whole, so that one field at a time can be junk."""
    people = [player.public_id for player in desk.league.people]
    return {
        "round-settings": {"number": 2, "deals": 2},
        "enter": {"typed": "Nina"},
        "withdraw": {"player": people[0]},
        "sit-out": {"player": people[0], "number": 2},
        "substitute": {"player": people[0], "number": 2, "reason": "x"},
        "apart": {"player": people[0], "other": people[1]},
        "swap": {"one": people[0], "other": people[1]},
        "seat": {"tables": "A; B; C; D\nE; F; G; H"},
        "decide": {"table": 1, "players": people[:1], "reason": "x"},
        "adjust": {"player": people[0], "points": "5", "reason": "x"},
        "undo": {"seq": desk.row.seq, "reason": "x"},
        "unpublish": {"number": 1, "reason": "x"},
        "copy": {"season": "next"},
    }.get(action, {})


EARLY = {"draw", "swap", "seat", "publish-draw", "open"}
"""Actions on a round that is drawn and not opened; the others are tried with one that is closed."""


@pytest.mark.parametrize("action", ACTIONS)
def test_the_forms_of_a_competition(desk, action):
    if action in EARLY:
        desk.client.post(desk.address("draw"), {"number": 1, "here": [p.public_id for p in desk.league.people]})
    else:
        desk.league.whole_round(1)
    assert list(broken(desk.client, desk.address(action), sent(desk, action))) == []


@pytest.mark.parametrize("action", ACTIONS)
def test_the_addresses_of_the_forms(desk, action):
    desk.league.open(1)
    for name in ("round", "seq", "number", "table", "player", "next"):
        for junk in MORE_JUNK[:8]:
            status = desk.client.get(desk.address(action), {name: junk}).status_code
            assert status in (200, 400, 404), (name, junk, status)


def test_files(desk):
    desk.league.open(1)
    for kind in ("entries", "results", "points"):
        data = {"kind": kind, "content": "bmFtZQpOaW5h", "name": "x.csv", "step": "import", "reason": "x"}
        assert list(broken(desk.client, desk.part("files"), data)) == []


def test_making_a_competition(desk):
    assert list(broken(desk.client, reverse("admin:competitions_competition_add"), NEW)) == []


def test_the_pages(desk):
    desk.league.whole_round(1)
    desk.client.raise_request_exception = False
    for part in ("entries", "standings", "publications"):
        for name in ("q", "p", "show", "only"):
            for junk in JUNK:
                assert desk.client.get(desk.part(part), {name: junk}).status_code < 500, (part, name, junk)
    for name in ("q", "p", "events"):
        for junk in JUNK:
            for address in (
                desk.page,
                desk.part("publication", 1),
                reverse("admin:competitions_competition_changelist"),
            ):
                assert desk.client.get(address, {name: junk}).status_code < 500, (address, name, junk)
