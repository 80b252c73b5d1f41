"""Streams of sessions from a real process: the state first, then what happens, once each and in order."""

import pytest

from tests.api.clients import World
from tests.live.clients import watching

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]


def test_a_spectator_gets_the_state_and_then_every_action(live_streams):
    world = World()
    world.start()
    with watching(live_streams.url, f"{world.path}/stream", world.member.secret) as stream:
        first = next(stream)
        assert (first.event, first.id) == ("state", world.table.row.seq)
        assert first.data == world.member.get(f"{world.path}/view").json()
        for _ in range(5):
            answer = world.step()
            told = next(stream)
            assert (told.event, told.id) == ("action", answer.json()["seq"])
            assert told.data == answer.json()


def test_a_seat_gets_what_it_sees_after_every_action(live_streams):
    world = World()
    world.start()
    with watching(live_streams.url, f"{world.path}/seats/1/stream", world.seats[1].secret) as stream:
        assert next(stream).data == world.own_view(1)
        for _ in range(5):
            answer = world.step()
            told = next(stream)
            own = world.own_view(1)["view"]
            assert {name: told.data[name] for name in answer.json()} == answer.json()
            assert told.data["view"] == {name: own[name] for name in told.data["view"]}
            assert {"hand", "legal", "may_pass", "correctable", "corrections"} <= set(told.data["view"])


def test_a_change_says_what_happened_and_how_things_stand_after_it(live_streams):
    world = World()
    with watching(live_streams.url, f"{world.path}/stream", world.member.secret) as stream:
        assert next(stream).data["view"] is None
        world.start()
        told = [next(stream) for _ in range(3)]
        assert [item.data["change"]["kind"] for item in told] == ["frozen", "dealer_drawn", "dealt"]
        last = told[-1].data
        del last["change"]
        assert last == world.member.get(f"{world.path}/view").json()


def test_whoever_comes_back_gets_what_happened_since_and_no_state(live_streams):
    world = World()
    world.start()
    with watching(live_streams.url, f"{world.path}/stream", world.member.secret) as stream:
        at = next(stream).id
    answers = [world.step().json() for _ in range(6)]
    with watching(live_streams.url, f"{world.path}/stream", world.member.secret, after=at + 2) as stream:
        assert [next(stream).data for _ in range(4)] == answers[2:]
        assert world.step().json() == next(stream).data
