"""Sessions in which members take their seats themselves."""

import secrets

import pytest

from games import selectors
from games.access import Caller
from games.errors import Forbidden, Invalid, Refusal
from games.models import Role
from games.services import dealing, players, sessions
from tests.api.clients import World
from tests.games.builders import NOW, a_member, a_table

pytestmark = pytest.mark.django_db


def a_free_table(bots=2, people=2):
    """A session whose last `people` members have no seat yet; their callers."""
    table = a_table(bots + people, people=people, settings={"self_seating": True})
    for seat in range(people):
        sessions.seat(caller=table.caller, session=table.session, seat=seat, player=None, now=NOW, door="test")
    return table, [Caller.of(player.user) for player in table.players[:people]]


def join(table, caller):
    return sessions.join(caller=caller, session=table.session, now=NOW, door="test")


def seated(table):

    return selectors.state_of(table.row).seated


def test_a_member_takes_the_lowest_free_seat_and_starts_the_game():
    table, (first, second) = a_free_table()
    join(table, first)
    join(table, second)
    assert [seated(table)[seat] for seat in range(4)] == [player.pk for player in table.players]
    dealing.deal(caller=second, session=table.session, number=1, rng=secrets.SystemRandom(), now=NOW, door="test")
    assert table.row.status == "playing"


def test_joining_again_changes_nothing_and_leaving_frees_the_seat():
    table, (first, second) = a_free_table()
    join(table, first)
    before = table.row.seq
    assert join(table, first).seq == before
    with pytest.raises(Forbidden):
        sessions.seat(caller=second, session=table.session, seat=0, player=None, now=NOW, door="test")
    sessions.seat(caller=first, session=table.session, seat=0, player=None, now=NOW, door="test")
    join(table, second)
    assert seated(table)[0] == table.players[1].pk


def test_who_may_not_sit_down_is_told_why():
    table, (first, _) = a_free_table()
    without = Caller.of(a_member(table.club, "no-player", Role.MEMBER))
    with pytest.raises(Invalid, match="ask an organiser for one") as refused:
        join(table, without)
    assert refused.value.code == "bad_account"
    closed = a_table(3, name="hill", people=1)
    with pytest.raises(Refusal) as refused:
        join(closed, Caller.of(closed.players[0].user))
    assert refused.value.code == "not_joinable"
    with pytest.raises(Forbidden):
        dealing.deal(caller=first, session=table.session, number=1, rng=secrets.SystemRandom(), now=NOW, door="test")


def test_a_full_table_says_so():
    table = a_table(8, people=0, settings={"self_seating": True})
    late = a_member(table.club, "late", Role.MEMBER)

    players.create_player(caller=table.caller, club=table.club.slug, name="Late", username="late")
    with pytest.raises(Refusal, match="full"):
        join(table, Caller.of(late))


def test_over_the_api_a_member_joins_and_leaves():
    world = World(settings={"self_seating": True})
    world.organiser.delete(f"{world.path}/seats/0")
    answer = world.seats[0].post(f"{world.path}/join", {}, key="sit")
    assert answer.status_code == 201
    assert answer.json()["events"][0]["kind"] == "seated"
    assert world.seats[0].post(f"{world.path}/join", {}, key="sit").content == answer.content
    assert world.seats[1].delete(f"{world.path}/seats/0").status_code == 403
    assert world.seats[0].delete(f"{world.path}/seats/0").status_code == 200
    assert world.organiser.get(world.path).json()["self_seating"] is True
