"""The messages of a session are a function of its log: one for each event, the same whenever they are asked for; and
whatever is written gives a hint."""

from collections.abc import Callable
from typing import Any

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import eventlog, receipts, selectors
from games.access import Caller
from games.api.play import table_shape
from games.engine.session_events import FIRST_OWN_KIND, Kind
from games.live import topics
from games.live.sessions import Sessions, Viewer
from games.live.topics import START, From
from games.models import Event, Player, Role
from games.past import Past
from games.services import corrections, recording, sessions
from games.services.recording import PaperResult
from tests.api.clients import World
from tests.games.builders import NOW, a_member
from tests.live.clients import so_far

pytestmark = pytest.mark.django_db


class Busy:
    """A session to which everything happens that can happen to one: `writes`, each a call that changes it."""

    def __init__(self) -> None:
        self.world = world = World(settings={"public": True, "confirm": True}, scheme="card-count")
        table = world.table
        self.second = a_member(world.club, "a-second-scorer", Role.SCORER)
        self.spare = Player.objects.create(
            club=world.club, name="Spare", user=a_member(world.club, "spare", Role.MEMBER)
        )
        about = {"session": world.session, "now": NOW, "door": "test"}
        own = {**about, "caller": table.caller}
        left = [2, 3, 1, 0]
        second = {"from_number": 2, "to_number": 2, "reason": "r"}

        def play(actions: int) -> Callable[[], None]:
            return lambda: [world.step() for _ in range(actions)] and None

        def undo(kind: Kind) -> Callable[[], Any]:
            return lambda: corrections.undo(**own, seq=self.last(kind), reason="r")

        self.writes: list[tuple[str, Callable[[], Any]]] = [
            ("configured", lambda: sessions.configure(**own, changes={"turn_seconds": 30})),
            ("unseated", lambda: sessions.seat(**own, seat=3, player=None)),
            ("seated", lambda: sessions.seat(**own, seat=3, player=table.players[3].public_id)),
            ("dealt", world.start),
            ("played", play(9)),
            ("passed", world.play_out),
            ("result_entered", lambda: recording.record_deal(**own, number=2, result=PaperResult(left))),
            ("confirmed", lambda: recording.confirm(**about, caller=Caller.of(self.second), number=2, take=1)),
            (
                "a new take",
                lambda: recording.record_deal(**own, number=2, result=PaperResult([1, 3, 1, 0]), reason="r"),
            ),
            ("recorded", lambda: recording.record_deal(**own, number=3, hands=hands_of(world), actions=b"")),
            ("voided", lambda: corrections.void(**own, number=3, reason="r")),
            (
                "substituted",
                lambda: corrections.substitute(**own, seat=0, player=self.spare.public_id, from_number=2, reason="r"),
            ),
            ("reseated", lambda: corrections.reseat(**own, seats={0: table.players[0].public_id}, **second)),
            ("adjusted", lambda: corrections.adjust(**own, seat=0, points=-5, reason="r")),
            ("undone", undo(Kind.ADJUSTED)),
            ("dealt again", lambda: table.deal(4)),
            ("a hosted void", lambda: corrections.void(**own, number=4, reason="r")),
            ("closed", lambda: sessions.close(**own)),
            ("opened again", undo(Kind.CLOSED)),
        ]

    def last(self, kind: Kind) -> int:
        events = Event.objects.filter(session=self.world.table.row, kind=int(kind))
        return int(events.order_by("-seq").values_list("seq", flat=True)[0])


def hands_of(world: World) -> list[int]:
    """Some hands that can be dealt: those of the first deal."""
    row = selectors.deal_of(world.table.row, 1)
    start = eventlog.replay_row(world.table.row, row, [])
    return list(start.hands)


@pytest.mark.django_db(transaction=True)
def test_every_write_gives_a_hint_and_every_event_one_message_with_the_state_after_it(told):
    busy = Busy()
    world = busy.world
    views: dict[int, Any] = {world.table.row.seq: world.member.get(f"{world.path}/view").json()}
    for name, write in busy.writes:
        told.clear()
        before = world.table.row.seq
        write()
        seq = world.table.row.seq
        assert seq > before, name
        assert ("session", world.session, seq) in told, name
        views[seq] = world.member.get(f"{world.path}/view").json()

    messages = so_far(world.anonymous, f"{world.path}/stream", after=0)
    assert [message.id for message in messages] == list(range(1, world.table.row.seq + 1))
    kinds = {Kind[message.data["change"]["kind"].upper()] for message in messages if message.event == "change"}
    assert kinds == {kind for kind in Kind if kind >= FIRST_OWN_KIND}
    for message in messages:
        if message.event == "action":
            answer = receipts.of_action(world.session, message.id)
            assert message.data == {**answer, "at": message.data["at"]}
        elif message.id in views:
            assert {name: message.data[name] for name in views[message.id]} == views[message.id], message.id
    events = {event["seq"]: event for event in world.member.get(f"{world.path}/events?limit=200").json()["results"]}
    changes = {message.id: message.data["change"] for message in messages if message.event == "change"}
    assert {seq: {name: event[name] for name in changes[seq]} for seq, event in events.items()} == changes


def test_a_message_is_the_same_whenever_it_is_asked_for():
    """Whoever comes back after any event gets the very rest of what there was from the beginning."""
    world = World(settings={"public": True})
    world.start()
    for _ in range(12):
        world.step()
    sessions.configure(
        caller=world.table.caller, session=world.session, changes={"turn_seconds": 30}, now=NOW, door="test"
    )
    world.play_out()
    corrections.void(caller=world.table.caller, session=world.session, number=1, reason="r", now=NOW, door="test")
    for client, path in [(world.anonymous, f"{world.path}/stream"), (world.seats[2], f"{world.path}/seats/2/stream")]:
        whole = so_far(client, path, after=0)
        for after in range(0, len(whole), 5):
            assert so_far(client, path, after=after) == whole[after:]
        assert so_far(client, path, after=len(whole)) == []


def test_how_a_session_stood_is_told_by_its_log_at_every_point():
    """`Past` walked to an event says what it says when it starts there."""
    world = World(people=0)
    world.table.deal(1)
    world.table.play_out()
    world.table.deal(2)
    world.table.step()
    past = Past(world.table.row, 0)
    for event in past.events():
        if event.seq % 7 == 0 or event.seq > past.until - 4:
            there = Past(world.table.row, event.seq)
            assert table_shape(past.table()) == table_shape(there.table())
            assert table_shape(past.table(1)) == table_shape(there.table(1))
    assert orjson.loads(orjson.dumps(table_shape(past.table()))) == world.organiser.get(f"{world.path}/view").json()


def test_an_action_is_read_for_all_who_watch_in_two_statements_and_one_for_who_sits_where():
    world = World(settings={"public": True})
    world.start()
    source, spectators = Sessions(), {Viewer(), Viewer(at_once=True)}

    def read(wanted):
        with CaptureQueriesContext(connection) as queries:
            found = source.read(world.session, wanted, now=timezone.now())
        return found, len(queries)

    for viewers, statements in ((spectators, 2), (spectators | {Viewer(seat) for seat in range(4)}, 3)):
        at, _ = read(dict.fromkeys(viewers, START))
        for _ in range(4):
            world.step()
            at, made = read({viewer: From.behind(batch) for viewer, batch in at.items()})
            assert [len(batch.frames) for batch in at.values()] == [1] * len(viewers)
        assert made == statements


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ("x", "not_an_id"),
        ("-1", "not_an_id"),
        ("1.0", "not_an_id"),
        ("", "not_an_id"),
        ("9" * 16, "not_an_id"),
        ("999", "beyond_the_log"),
    ],
)
def test_an_id_to_go_on_from_that_is_none_gives_a_resync_and_the_state(after, reason):
    world = World(settings={"public": True})
    for messages in (
        so_far(world.anonymous, f"{world.path}/stream", after=after),
        so_far(world.anonymous, f"{world.path}/stream?last_event_id={after}"),
    ):
        resync, state = messages
        assert (resync.event, resync.id, resync.data["reason"]) == ("resync", None, reason)
        assert state == so_far(world.anonymous, f"{world.path}/stream")[0]


def test_whoever_is_too_far_behind_gets_the_state_instead(monkeypatch):
    world = World(settings={"public": True})
    world.start()
    monkeypatch.setattr(topics, "MOST_BEHIND", 5)
    seq, path = world.table.row.seq, f"{world.path}/stream"
    assert len(so_far(world.anonymous, path, after=seq - 5)) == 5
    resync, state = so_far(world.anonymous, path, after=seq - 6)
    assert (resync.data["reason"], state.event, state.id) == ("too_far_behind", "state", seq)


def test_unknown_parameters_are_refused_as_everywhere():
    world = World(settings={"public": True})
    answer = world.anonymous.get(f"{world.path}/stream?after=3")
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_parameter")
    assert world.anonymous.get(f"{world.path}/stream", HTTP_ACCEPT="image/png").status_code == 406
    assert world.anonymous.get(f"{world.path}/stream", HTTP_ACCEPT="text/event-stream").status_code == 200
