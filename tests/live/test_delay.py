"""Spectators of a session with a delay see later what those at the table see at once."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from games.models import Membership, Role
from games.services import sessions
from games.services.sessions import LONGEST_DELAY
from tests.api.clients import World, code_of
from tests.live.clients import so_far, watching

pytestmark = pytest.mark.django_db
DELAY = 600
START = datetime(2026, 12, 1, 20, 0, tzinfo=UTC)


class Evening:
    """A public session with a delay of ten minutes, a second for each action. The clock stands still otherwise."""

    def __init__(self, clock):
        self.clock, self.now = clock, START
        clock.move_to(START, tick=False)
        self.world = World(settings={"public": True, "spectator_delay": DELAY})
        self.world.start()

    def wait(self, seconds):
        self.now += timedelta(seconds=seconds)
        self.clock.move_to(self.now, tick=False)

    def play(self, actions):
        for _ in range(actions):
            self.wait(1)
            assert self.world.step().status_code == 201

    def view(self, client):
        return client.get(f"{self.world.path}/view").json()

    def actions_seen(self, client):
        return len(self.view(client)["view"]["log"])


@pytest.fixture
def evening(time_machine):
    return Evening(time_machine)


def test_spectators_see_the_table_as_it_was_and_the_others_as_it_is(evening):
    world = evening.world
    evening.wait(DELAY + 1)
    evening.play(7)
    later = [world.anonymous, world.outsider, world.member, world.seats[0]]
    assert [evening.actions_seen(client) for client in later] == [0, 0, 0, 0]
    at_once = [world.scorer, world.organiser, world.superuser]
    assert [evening.actions_seen(client) for client in at_once] == [7, 7, 7]
    evening.wait(DELAY - 4)
    assert [evening.actions_seen(client) for client in later] == [3, 3, 3, 3]
    evening.wait(4)
    assert evening.view(world.anonymous) == evening.view(world.organiser)


def test_before_anything_may_be_seen_there_is_nothing_to_see(evening):
    world = evening.world
    seen = evening.view(world.anonymous)
    assert (seen["status"], seen["deal"], seen["view"]) == ("open", None, None)
    assert evening.view(world.organiser)["status"] == "playing"


def test_an_old_tag_is_no_answer_once_more_may_be_seen(evening):
    world = evening.world
    evening.wait(DELAY + 1)
    evening.play(3)
    path = f"{world.path}/view"
    tag = world.anonymous.get(path)["ETag"]
    assert world.anonymous.get(path, HTTP_IF_NONE_MATCH=tag).status_code == 304
    evening.wait(DELAY - 1)
    fresh = world.anonymous.get(path, HTTP_IF_NONE_MATCH=tag)
    assert (fresh.status_code, len(fresh.json()["view"]["log"])) == (200, 2)


def test_a_seat_sees_its_own_view_and_stream_at_once(evening):
    world = evening.world
    evening.play(6)
    assert len(world.own_view(0)["view"]["log"]) == 6
    (state,) = so_far(world.seats[0], f"{world.path}/seats/0/stream")
    assert state.data == world.own_view(0)


def test_a_stream_gives_spectators_no_more_than_the_view(evening):
    world = evening.world
    evening.wait(DELAY + 1)
    evening.play(5)
    path = f"{world.path}/stream"
    (before,) = so_far(world.anonymous, path)
    assert before.data == evening.view(world.anonymous)
    assert so_far(world.anonymous, path, after=before.id) == []
    evening.wait(DELAY - 2)
    told = so_far(world.anonymous, path, after=before.id)
    assert [message.id for message in told] == [before.id + n for n in (1, 2, 3)]
    all_of_it = so_far(world.organiser, path, after=before.id)
    assert [message.id for message in all_of_it] == [before.id + n for n in range(1, 6)]


def test_an_id_that_a_spectator_cannot_have_yet_is_not_confirmed(evening):
    world = evening.world
    evening.wait(DELAY + 1)
    evening.play(5)
    seq = world.table.row.seq
    for after in (seq, seq + 1000):
        resync, state = so_far(world.anonymous, f"{world.path}/stream", after=after)
        assert (resync.data["reason"], len(state.data["view"]["log"])) == ("beyond_the_log", 0)


def test_the_cards_of_a_deal_open_to_spectators_when_they_have_seen_its_end(evening):
    world = evening.world
    world.play_out()

    def exported(client):
        return b"".join(client.get(f"/clubs/{world.club.slug}/deals.ndjson"))

    deal = f"{world.path}/deals/1"
    for path in (f"{deal}/replay", f"{deal}/record"):
        assert code_of(world.anonymous.get(path)) == (409, "deal_running")
        assert code_of(world.member.get(path)) == (409, "deal_running")
        assert world.organiser.get(path).status_code == 200
    assert world.member.get(f"{world.path}/records").content == b""
    assert exported(world.member) == b""
    assert exported(world.organiser) != b""
    evening.wait(DELAY + 1)
    for path in (f"{deal}/replay", f"{deal}/record"):
        assert world.anonymous.get(path).status_code == 200
    records = world.organiser.get(f"{world.path}/records").content
    assert world.member.get(f"{world.path}/records").content == records != b""
    assert exported(world.member) == exported(world.organiser) == records


def test_a_void_or_a_closing_opens_no_hand_sooner(evening):
    world = evening.world
    evening.wait(DELAY + 1)
    evening.play(3)
    world.organiser.post(f"{world.path}/deals/1/void", {"reason": "A card lay face up."})
    assert code_of(world.anonymous.get(f"{world.path}/deals/1/replay")) == (409, "deal_running")
    world.organiser.post(f"{world.path}/deals", {"number": 2})
    evening.wait(DELAY + 1)
    world.organiser.post(f"{world.path}/close", {})
    assert code_of(world.anonymous.get(f"{world.path}/deals/2/replay")) == (409, "deal_running")
    assert world.organiser.get(f"{world.path}/deals/2/replay").status_code == 200
    evening.wait(DELAY + 1)
    assert world.anonymous.get(f"{world.path}/deals/2/replay").status_code == 200


def test_whose_turn_it_is_and_how_long_spectators_learn_by_watching(evening):
    world = evening.world
    for client, known in [(world.anonymous, False), (world.member, False), (world.organiser, True)]:
        (row,) = client.get("/sessions").json()["results"]
        assert (row["to_act"] is not None) == known
        assert client.get(world.path).json()["to_act"] == row["to_act"]


@pytest.mark.parametrize("value", [-1, LONGEST_DELAY + 1, 1.5, "60", None, True])
def test_a_delay_is_a_number_of_seconds(value):
    world = World()
    answer = world.organiser.patch(world.path, {"spectator_delay": value})
    assert answer.status_code in (400, 422), answer.content


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_a_spectators_stream_comes_so_much_later(live_streams):
    world = World(settings={"public": True, "spectator_delay": 1})
    world.start()
    with (
        watching(live_streams.url, f"{world.path}/stream", world.organiser.secret) as at_once,
        watching(live_streams.url, f"{world.path}/stream") as later,
    ):
        assert next(at_once).data["view"] is not None
        seen = next(later).id
        for _ in range(3):
            done = world.step().json()
            told = next(at_once)
            assert told.data == done
            at = datetime.fromisoformat(done["at"])
            assert timezone.now() - at < timedelta(seconds=1)
            while seen < told.id:
                message = next(later)
                assert message.id == seen + 1, json.dumps(message.data)
                seen = message.id
            assert message.data == done
            assert timezone.now() - at >= timedelta(seconds=1)


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_a_scorer_who_is_one_no_more_does_not_go_on_seeing_it_at_once(live_streams):
    world = World(settings={"public": True, "spectator_delay": DELAY})
    world.start()
    with watching(live_streams.url, f"{world.path}/stream", world.scorer.secret) as stream:
        assert next(stream).data["view"] is not None
        Membership.objects.filter(user=world.scorer.user).update(role=Role.MEMBER)
        assert next(stream).data["code"] == "rights_changed"


def test_the_admin_sets_it(client):
    world = World()
    caller = world.table.caller
    sessions.configure(
        caller=caller, session=world.session, changes={"spectator_delay": 90}, now=timezone.now(), door="test"
    )
    client.force_login(world.table.organiser)
    page = client.get(f"/admin/games/session/{world.table.row.pk}/change/")
    assert b"90 seconds later" in page.content


def test_cards_of_a_deal_that_has_just_ended_are_held_back_from_its_result_too(evening):
    world = evening.world
    while world.organiser.get(f"{world.path}/view").json()["view"]["to_act"] is not None:
        evening.play(1)

    def left(client):
        several, one = client.get(f"{world.path}/deals"), client.get(f"{world.path}/deals/1")
        result = one.json()["result"]
        assert several.json()["results"][0]["result"] == result
        assert sum(result["cards_left"]) > 0
        return result["left_cards"], one["ETag"]

    readers = [world.anonymous, world.member, world.seats[0]]
    before = [left(client) for client in readers]
    shown = left(world.organiser)[0]
    assert shown is not None
    assert [cards for cards, _ in before] == [None] * 3
    evening.wait(DELAY + 1)
    after = [left(client) for client in readers]
    assert [cards for cards, _ in after] == [shown] * 3
    assert all(tag != later for (_, tag), (_, later) in zip(before, after, strict=True))
