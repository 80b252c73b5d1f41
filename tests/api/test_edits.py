"""Edits say which version of a thing they are an edit of, so that nobody's change is lost without anybody noticing."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from competitions.models import Competition
from competitions.services import setup
from games.models import Club, Player, Role, Session, Webhook
from games.services import clubs, sessions, webhooks
from tests.api.clients import Api, World, code_of
from tests.api.routes import all_routes
from tests.api.test_races import at_once
from tests.competitions.api.clients import Cup
from tests.competitions.api.routes import all_routes as competition_routes
from tests.games.builders import a_member

pytestmark = pytest.mark.django_db


class Edits:
    """What can be edited: where it is read, and two edits of it that differ, as (method, address, body)."""

    def __init__(self) -> None:
        self.world = world = World()
        self.client = world.organiser
        club, seat, hook = f"/clubs/{world.club.slug}", f"{world.path}/seats/3", f"/webhooks/{world.webhook.public_id}"
        spare, other = (self.client.post(f"{club}/players", {"name": name}).json()["id"] for name in ("Spare", "Other"))
        made = self.client.post(f"{club}/competitions", {"name": "Cup", "settings": {"rounds": 3, "format": "swiss"}})
        cup = f"/competitions/{made.json()['competition']}"
        self.known: dict[str, tuple[str, list[tuple[str, str, Any]]]] = {
            "session": (world.path, [("PATCH", world.path, {"turn_seconds": n}) for n in (31, 32)]),
            "seat": (world.path, [("PUT", seat, {"player": player}) for player in (spare, other)]),
            "empty seat": (world.path, [("DELETE", seat, {}), ("DELETE", f"{world.path}/seats/2", {})]),
            "club": (club, [("PATCH", club, {"timezone": zone}) for zone in ("Asia/Tokyo", "Europe/Warsaw")]),
            "webhook": (hook, [("PATCH", hook, {"description": text}) for text in ("One", "Two")]),
            "webhook's end": (hook, [("PATCH", hook, {"active": False}), ("DELETE", hook, {})]),
            "competition": (cup, [("PATCH", cup, {"season": text}) for text in ("one", "two")]),
            "round": (f"{cup}/rounds/1", [("PATCH", f"{cup}/rounds/1", {"title": text}) for text in ("One", "Two")]),
        }

    def send(self, edit: tuple[str, str, Any], client: Api | None = None, **more: Any) -> Any:
        method, address, body = edit
        return getattr(client or self.client, method.lower())(address, body, **more)


@pytest.fixture
def edits() -> Edits:
    return Edits()


EDITS = ["session", "seat", "empty seat", "club", "webhook", "webhook's end", "competition", "round"]
UNGUARDED = {("token", "DELETE"), ("club-bot-token", "DELETE"), ("import-job", "DELETE")}
"""A token is revoked and a job is stopped whatever was read of it: no change of anybody else's is lost by that."""


def test_every_edit_of_the_api_takes_part():
    guarded = {("session", "PATCH"), ("seat", "PUT"), ("seat", "DELETE"), ("club", "PATCH")}
    guarded |= {("webhook", "PATCH"), ("webhook", "DELETE"), ("competition", "PATCH"), ("round", "PATCH")}
    there = {route for route in [*all_routes(), *competition_routes()] if route[1] in ("PUT", "PATCH", "DELETE")}
    assert there == guarded | UNGUARDED


def test_an_edit_says_what_it_edits(edits):
    for name in EDITS:
        read, (first, _) = edits.known[name]
        before = edits.client.get(read)
        assert code_of(edits.send(first, if_match=None)) == (428, "precondition_required")
        assert edits.client.get(read).content == before.content
        assert edits.send(first, if_match=before["ETag"]).status_code == 200


def test_what_somebody_else_has_changed_since_is_not_edited(edits):
    for name in EDITS:
        read, (first, second) = edits.known[name]
        tag = edits.client.get(read)["ETag"]
        assert edits.send(first, if_match=tag).status_code == 200
        left = edits.client.get(read)
        refused = edits.send(second, if_match=tag)
        assert code_of(refused) == (412, "precondition_failed")
        assert refused["ETag"] == refused.json()["etag"]
        assert edits.client.get(read).content == left.content
        assert edits.send(second, if_match=refused["ETag"]).status_code == 200


def test_the_answer_to_an_edit_has_the_tag_for_the_next_one(edits):
    for name in EDITS:
        read, (first, second) = edits.known[name]
        done = edits.send(first, if_match=edits.client.get(read)["ETag"])
        assert done["Cache-Control"] == "no-store"
        assert edits.client.get(read, HTTP_IF_NONE_MATCH=done["ETag"]).status_code == 200
        assert edits.send(second, if_match=done["ETag"]).status_code == 200


def test_an_edit_that_is_sent_again_gets_its_first_answer_though_things_have_moved_on(edits):
    for name in EDITS:
        read, (first, second) = edits.known[name]
        tag = edits.client.get(read)["ETag"]
        done = edits.send(first, if_match=tag, key=name)
        assert edits.send(second, if_match="*", key=f"other {name}").status_code == 200
        for again in (edits.send(first, if_match=tag, key=name), edits.send(first, if_match='"another"', key=name)):
            assert (again.status_code, again.content) == (200, done.content)
            # Not the tag of now: with that, the other's change would be undone by who never saw it.
            assert again["ETag"] == done["ETag"]


def test_a_refused_edit_leaves_its_key_free(edits):
    read, (first, _) = edits.known["session"]
    assert code_of(edits.send(first, if_match='"old"', key="one"))[0] == 412
    assert edits.send(first, if_match=edits.client.get(read)["ETag"], key="one").status_code == 200


def test_if_match_is_read_as_http_has_it(edits):
    read, (first, _) = edits.known["club"]
    for header in ("W/{tag}", '"other", {tag}', "*"):
        assert edits.send(first, if_match=header.format(tag=edits.client.get(read)["ETag"])).status_code == 200
    tag = edits.client.get(read)["ETag"]
    for header in ("", "x", '""', '"*"', tag.strip('"'), tag.partition(".")[0] + '"', f'"{tag[2:]}'):
        assert code_of(edits.send(first, if_match=header)) == (412, "precondition_failed"), header


def test_a_tag_is_of_one_thing(edits):
    tags = {name: edits.client.get(read)["ETag"] for name, (read, _) in edits.known.items()}
    _, (first, _) = edits.known["session"]
    for name in ("club", "webhook", "competition"):
        assert code_of(edits.send(first, if_match=tags[name]))[0] == 412


def test_an_edit_that_changes_nothing_leaves_the_tag_as_it_is(edits):
    read, (first, _) = edits.known["club"]
    done = edits.send(first, if_match=edits.client.get(read)["ETag"])
    assert edits.send(first, if_match=done["ETag"])["ETag"] == done["ETag"]


def test_a_seat_goes_by_the_session_and_whatever_happened_in_it_before_the_first_deal(edits):
    world = edits.world
    tag = world.organiser.get(world.path)["ETag"]
    world.organiser.patch(world.path, {"label": "Friday"})
    assert code_of(world.organiser.delete(f"{world.path}/seats/0", if_match=tag))[0] == 412


def test_the_tag_that_a_member_read_is_good_for_an_organisers_edit(edits):
    world = edits.world
    for client in (world.member, world.organiser):
        tag = client.get(world.path)["ETag"]
        assert world.organiser.patch(world.path, {"turn_seconds": 40}, if_match=tag).status_code == 200


def test_a_card_that_is_played_and_a_player_who_is_renamed_refuse_nobodys_edit():
    world = World()
    world.start()
    tag = world.organiser.get(world.path)["ETag"]
    world.step()
    Player.objects.filter(pk=world.table.players[0].pk).update(name="Anna")
    assert world.organiser.get(world.path)["ETag"] != tag
    done = world.organiser.patch(world.path, {"turn_seconds": 9}, if_match=tag)
    assert done.status_code == 200
    world.step()
    assert world.organiser.patch(world.path, {"turn_seconds": 8}, if_match=done["ETag"]).status_code == 200
    assert code_of(world.organiser.patch(world.path, {"turn_seconds": 7}, if_match=tag))[0] == 412


def test_a_result_that_comes_in_refuses_no_edit_of_its_competition():
    cup = Cup(4)
    cup.post("/rounds/1/draw")
    session = cup.post("/rounds/1/open", {"publish": True})["events"][-1]["data"]["sessions"][0]
    tags = [cup.organiser.get(f"{cup.path}{path}")["ETag"] for path in ("", "/rounds/1")]
    body = {"number": 1, "dealer": 0, "result": {"cards_left": [0, 4, 2, 1]}}
    assert cup.scorer.post(f"/sessions/{session}/deals", body).status_code == 201
    for tag in tags:
        previewed = cup.organiser.patch(f"{cup.path}/rounds/2?preview=true", {"title": "Second"}, if_match=tag)
        assert (previewed.status_code, previewed.json()["preview"]) == (200, True)
    done = cup.organiser.patch(f"{cup.path}/rounds/2", {"title": "Second"}, if_match=previewed["ETag"])
    assert done.status_code == 200
    # The competition's log is one: what a round is called is part of it.
    for path in ("?preview=true", ""):
        assert code_of(cup.organiser.patch(f"{cup.path}{path}", {"season": "x"}, if_match=tags[0]))[0] == 412


def test_a_webhook_whose_calls_fail_is_edited_all_the_same(edits):
    read, (first, _) = edits.known["webhook"]
    tag = edits.client.get(read)["ETag"]
    Webhook.objects.update(failures=3, failing_since="2026-11-29T20:00:00Z")
    assert edits.client.get(read)["ETag"] != tag
    assert edits.send(first, if_match=tag).status_code == 200


def test_a_tag_is_no_right(edits):
    world = edits.world
    for name in EDITS:
        read, (first, _) = edits.known[name]
        tag = edits.client.get(read)["ETag"]
        for client in (world.member, world.outsider, world.anonymous):
            assert edits.send(first, client, if_match=tag).status_code in (401, 403, 404)


def test_nobody_learns_from_a_tag_what_they_may_not_read(edits):
    for name in EDITS:
        _, (first, _) = edits.known[name]
        refused = edits.send(first, edits.world.outsider, if_match='"guess"')
        assert code_of(refused) == (404, "not_found")
        assert "ETag" not in refused


# -- two editors at once


def both(calls: list[Callable[[], Any]]) -> list[int]:
    return sorted(answer.status_code for answer in at_once(calls))


def editors(edits: Edits, name: str) -> list[Callable[[], Any]]:
    """Two organisers who have read the same, and edit it differently."""
    read, pair = edits.known[name]
    others = [edits.client, Api(a_member(edits.world.club, f"editor of {name}".replace(" ", "-"), Role.ORGANISER))]
    tags = [client.get(read)["ETag"] for client in others]
    sent = zip(pair, others, tags, strict=True)
    return [lambda e=edit, c=client, t=tag: edits.send(e, c, if_match=t) for edit, client, tag in sent]


@pytest.mark.django_db(transaction=True)
def test_of_two_who_edit_at_once_one_is_told_of_the_other(edits):
    for name in EDITS:
        assert both(editors(edits, name)) in ([200, 412], [200, 404] if name == "webhook's end" else []), name


EARLY: dict[str, tuple[Any, str, Callable[[dict[str, Any]], Any]]] = {
    "session": (sessions, "configure", lambda call: Session.objects.get(public_id=call["session"])),
    "seat": (sessions, "seat", lambda call: Session.objects.get(public_id=call["session"])),
    "club": (clubs, "change_club", lambda call: Club.objects.get(slug=call["club"])),
    "webhook": (webhooks, "change_webhook", lambda call: Webhook.objects.get(public_id=call["webhook"])),
    "competition": (setup, "configure", lambda call: Competition.objects.get(public_id=call["competition"])),
    "round": (setup, "set_round", lambda call: Competition.objects.get(public_id=call["competition"])),
}


def compared_early(usual: Callable[..., Any], row: Callable[[dict[str, Any]], Any]) -> Callable[..., Any]:
    compared = threading.Barrier(2)

    def early(*, check: Any, **call: Any) -> Any:
        check(row(call))
        compared.wait(10)
        return usual(**call)

    return early


@pytest.mark.django_db(transaction=True)
def test_compared_before_the_lock_one_of_two_edits_is_lost(edits, monkeypatch):
    """The twin: what the service does under its lock is done before it, by both, and then nobody is told."""
    for name, (module, service, row) in EARLY.items():
        monkeypatch.setattr(module, service, compared_early(getattr(module, service), row))
        assert both(editors(edits, name)) == [200, 200], name
