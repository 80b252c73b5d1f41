"""Reading again what has not changed: an ETag, and a 304 before anything is computed."""

import json
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Player, Role, User
from tests.api.clients import World, code_of
from tests.games.people import add, merge

pytestmark = pytest.mark.django_db

READS = [
    "{session}",
    "{session}/table",
    "{session}/view",
    "{session}/seats/0/view",
    "{session}/deals",
    "{session}/deals/1",
    "{session}/deals/1/replay",
    "{session}/deals/1/replay?step=20",
    "{session}/deals/1/record",
    "{session}/records",
    "{session}/events",
]


@pytest.fixture
def world():
    world = World(settings={"public": True})
    world.start()
    world.table.play_out()
    return world


def address(world, path):
    return path.format(session=world.path)


@pytest.mark.parametrize("path", READS)
def test_what_has_not_changed_is_a_304_of_two_statements(world, path):
    reader = world.seats[0]
    first = reader.get(address(world, path))
    assert first.status_code == 200
    with CaptureQueriesContext(connection) as captured:
        again = reader.get(address(world, path), HTTP_IF_NONE_MATCH=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert len(captured) == 2  # the token, and the session with its club
    for header in ("ETag", "Cache-Control", "Vary"):
        assert again[header] == first[header]
    assert "Content-Type" not in again


@pytest.mark.parametrize("header", ["W/{tag}", '"other", {tag}', '"other" , W/{tag}'])
def test_a_tag_is_known_weakly_and_among_others(world, header):
    first = world.member.get(world.path)
    asked = header.format(tag=first["ETag"])
    assert world.member.get(world.path, HTTP_IF_NONE_MATCH=asked).status_code == 304
    assert world.member.get(world.path, HTTP_IF_NONE_MATCH=asked.replace(first["ETag"][1:9], "0")).status_code == 200


def test_a_tag_is_of_one_address_and_one_form(world):
    tag = world.member.get(f"{world.path}/deals/1/replay?step=3")["ETag"]
    for path in ("/deals/1/replay", "/deals/1/replay?step=4", "/deals/1/record", "/table", ""):
        assert world.member.get(world.path + path, HTTP_IF_NONE_MATCH=tag).status_code == 200
    records = f"{world.path}/records"
    lines = world.member.get(records, HTTP_ACCEPT="application/x-ndjson")
    text = world.member.get(records, HTTP_ACCEPT="text/plain")
    assert lines["ETag"] != text["ETag"]


def test_a_tag_that_one_has_is_no_right(world):
    """A tag of before one lost the right to see what it is of, or was handed on."""
    theirs = world.seats[0].get(f"{world.path}/seats/0/view")["ETag"]
    assert code_of(world.seats[1].get(f"{world.path}/seats/0/view", HTTP_IF_NONE_MATCH=theirs))[0] == 403
    events = world.member.get(f"{world.path}/events")["ETag"]
    assert code_of(world.outsider.get(f"{world.path}/events", HTTP_IF_NONE_MATCH=events))[0] == 403
    world.table.club.memberships.filter(user=world.member.user).delete()
    assert code_of(world.member.get(f"{world.path}/events", HTTP_IF_NONE_MATCH=events))[0] == 403


def test_head_answers_as_get_does(world):
    got = world.member.get(world.path)
    asked = world.member.head(world.path)
    assert (asked.status_code, asked["ETag"]) == (200, got["ETag"])
    assert world.member.head(world.path, HTTP_IF_NONE_MATCH=got["ETag"]).status_code == 304


def test_whoever_is_renamed_or_merged_shows_in_the_tag(world):
    tags = set()

    def read():
        answer = world.member.get(f"{world.path}/table")
        tags.add(answer["ETag"])
        return answer.content

    read()
    player = world.table.players[0]
    spare = add(world.table, "Spare")
    Player.objects.filter(pk=player.pk).update(name="Anna")
    assert b"Anna" in read()
    merge(world.table, player, spare)
    assert b"Spare" in read()
    User.objects.filter(pk=world.organiser.user.pk).update(username="olga")
    read()
    assert len(tags) == 4


def test_who_sees_a_session_later_has_another_tag_than_who_does_not():
    world = World(settings={"spectator_delay": 60})
    world.start()
    for path in ("/sessions", "/clubs/river/sessions", world.path, f"{world.path}/view"):
        later, before = world.member.get(path), world.member.get(path)["ETag"]
        world.club.memberships.filter(user=world.member.user).update(role=Role.SCORER)
        at_once = world.member.get(path, HTTP_IF_NONE_MATCH=before)
        assert at_once.status_code == 200
        assert at_once.content != later.content
        world.club.memberships.filter(user=world.member.user).update(role=Role.MEMBER)


def test_what_spectators_see_later_comes_with_its_time():
    world = World(settings={"public": True, "spectator_delay": 60})
    world.start()
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False) as clock:
        world.step()
        kept = {}
        for _ in range(5):
            for path in (world.path, f"{world.path}/view", f"{world.path}/records", "/sessions"):
                answer = world.anonymous.get(path)
                assert kept.setdefault((path, answer["ETag"]), answer.content) == answer.content
            clock.shift(timedelta(seconds=25))
        assert len([path for path, _ in kept if path.endswith("/view")]) == 2


def test_the_version_of_a_clubs_people_never_goes_back(world):
    stale = type(world.club).objects.get(pk=world.club.pk)
    Player.objects.filter(club=world.club).update(active=True)
    world.club.refresh_from_db()
    now = world.club.people_version
    assert now == stale.people_version + 1  # once for all of them
    stale.save()
    world.club.refresh_from_db()
    assert world.club.people_version == now


UNVERSIONED = {
    "bots": "the catalogue: the same for everybody, kept for five minutes",
    "rules": "as bots",
    "schemes": "as bots",
    "me": "about an account, and never kept",
    "tokens": "as me",
    "club_bots": "about accounts and tokens, and never kept",
    "club_import_jobs": "changes as one watches",
    "import_job": "as club_import_jobs",
    "import_job_report": "as club_import_jobs",
    "club_webhooks": "about other people's servers, and never kept",
    "webhook_deliveries": "as club_webhooks",
    "club_deals": "a long export, which has Export-Snapshot",
    "club_results": "as club_deals",
    "competition_deals": "as club_deals",
    "competition_results": "as club_deals",
    "competition_export": "as club_deals",
    "session_stream": "tells changes itself",
    "seat_stream": "as session_stream",
    "competition_stream": "as session_stream",
}


def test_every_read_has_a_tag_or_a_reason_for_none():
    """That answers carry the tag which the schema promises is looked at in every test (tests/api/contract.py)."""
    schema = json.loads((settings.BASE_DIR / "docs" / "openapi.json").read_text())
    reads = {at["get"]["operationId"]: at["get"] for at in schema["paths"].values() if "get" in at}
    untagged = {name for name, operation in reads.items() if "304" not in operation["responses"]}
    assert untagged - UNVERSIONED.keys() == set()
    assert UNVERSIONED.keys() - reads.keys() == set()
    assert len(reads) - len(untagged) > 30


# -- who may keep what

KEPT = {
    "{session}/deals/1/replay": ("public, max-age=5", "private, no-cache"),
    "{session}/deals/1/record": ("public, max-age=5", "private, no-cache"),
    "{session}/records": ("public, max-age=5", "private, no-cache"),
    "{session}": ("private, no-cache", "private, no-cache"),
    "{session}/table": ("private, no-cache", "private, no-cache"),
    "{session}/view": ("private, no-cache", "private, no-cache"),
    "{session}/seats/0/view": (None, "no-store"),
    "{session}/events": (None, "private, no-cache"),
    "/me": (None, "no-store"),
    "/rules": ("public, max-age=300", "public, max-age=300"),
}


@pytest.mark.parametrize("path", KEPT)
def test_caches_are_told_what_they_may_keep(world, path):
    anybody, account = KEPT[path]
    if anybody is not None:
        answer = world.anonymous.get(address(world, path))
        assert (answer.status_code, answer["Cache-Control"]) == (200, anybody)
        assert "Authorization" in answer["Vary"]
    answer = world.seats[0].get(address(world, path))
    assert (answer.status_code, answer["Cache-Control"]) == (200, account)
    assert "Authorization" in answer["Vary"]


def test_nothing_of_a_private_session_is_for_everybody():
    world = World()
    world.start()
    world.table.play_out()
    for path in READS:
        answer = world.seats[0].get(address(world, path))
        assert answer["Cache-Control"] in ("private, no-cache", "no-store")
