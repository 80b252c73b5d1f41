"""What a process does with open streams: breaks, rights that end, Redis and servers that go away, clients that do not
read, and what it costs to wait."""

import random
import socket
import subprocess
import threading
import time

import httpx
import pytest
from django.db import connection
from django.utils import timezone

from games.access import Caller
from games.models import Membership, Player, Token
from games.services import corrections, sessions, tokens
from tests.api.clients import World
from tests.games.test_broker_down import OwnRedis
from tests.games.test_workers import wait_for
from tests.live.clients import watching
from tests.servers import StreamServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]
AT_ONCE = 1.0


class Watcher(threading.Thread):
    """Watches a stream in a thread of its own; it breaks off after so many messages by lot and comes back with the last
    id, until `stop` is set and the last event is there."""

    def __init__(self, url, path, secret, *, breaks, seed):
        super().__init__(daemon=True)
        self.url, self.path, self.secret, self.breaks = url, path, secret, breaks
        self.lot = random.Random(seed)
        self.messages = []
        self.connections = 0
        self.until = None
        self.error = None

    @property
    def last(self):
        return self.messages[-1].id if self.messages else None

    @property
    def done(self):
        return self.until is not None and self.last == self.until

    def run(self):
        try:
            while not self.done:
                self._watch(self.lot.randint(0, 3) if self.connections < self.breaks else None)
        except Exception as error:  # told by the test
            self.error = error

    def _watch(self, most):
        self.connections += 1
        with watching(self.url, self.path, self.secret, after=self.last, timeout=15) as stream:
            while most is None or most > 0:
                self.messages.append(next(stream))
                most = None if most is None else most - 1
                if self.done:
                    return


def test_whoever_breaks_off_again_and_again_loses_nothing_and_gets_nothing_twice(live_streams):
    world = World(people=4, settings={"public": True})
    world.start()
    first = world.table.row.seq
    watchers = [
        Watcher(live_streams.url, f"{world.path}/stream", None, breaks=20, seed=1),
        Watcher(live_streams.url, f"{world.path}/seats/1/stream", world.seats[1].secret, breaks=20, seed=2),
        Watcher(live_streams.url, f"{world.path}/stream", world.organiser.secret, breaks=20, seed=3),
    ]
    for watcher in watchers:
        watcher.start()
    wait_for(lambda: all(watcher.messages for watcher in watchers), "the first states")
    world.play_out()
    sessions.configure(
        caller=world.table.caller,
        session=world.session,
        changes={"turn_seconds": 30},
        now=timezone.now(),
        door="test",
    )
    until = world.table.row.seq
    for watcher in watchers:
        watcher.until = until
    wait_for(lambda: not any(watcher.is_alive() for watcher in watchers), "the watchers")
    assert [watcher.error for watcher in watchers] == [None, None, None]
    assert sum(watcher.connections for watcher in watchers) >= 50
    for watcher in watchers:
        state, *rest = watcher.messages
        assert (state.event, state.id >= first) == ("state", True)
        assert [message.id for message in rest] == list(range(state.id + 1, until + 1))
        assert {message.event for message in rest} == {"action", "change"}


def ends(stream, within=AT_ONCE):
    """The `end` that comes next, and that nothing comes after it."""
    begin = time.monotonic()
    end = next(stream)
    assert time.monotonic() - begin < within
    assert end.event == "end", end
    assert next(stream, None) is None
    return end.data["status"], end.data["code"]


def test_a_revoked_token_closes_its_streams_within_a_second(live_streams):
    world = World()
    world.start()
    token = Token.objects.get(digest=Token.digest_of(world.member.secret))
    with (
        watching(live_streams.url, f"{world.path}/stream", world.member.secret) as stream,
        watching(live_streams.url, f"{world.path}/stream", world.organiser.secret) as other,
    ):
        assert [next(stream).event, next(other).event] == ["state", "state"]
        tokens.revoke_token(caller=Caller.of(world.member.user), token=token.public_id, now=timezone.now())
        assert ends(stream) == (401, "bad_token")
        world.step()
        assert next(other).event == "action"
    refused = httpx.get(
        f"{live_streams.url}/api/v1{world.path}/stream", headers={"Authorization": f"Bearer {world.member.secret}"}
    )
    assert (refused.status_code, refused.json()["code"]) == (401, "bad_token")


@pytest.mark.parametrize(
    ("how", "end"),
    [
        ("the token is revoked and nobody says so", (401, "bad_token")),
        ("the account is closed", (401, "bad_token")),
        ("the membership ends", (404, "not_found")),
    ],
)
def test_rights_that_end_without_a_word_end_with_the_next_heartbeat(live_streams, how, end):
    world = World()
    with watching(live_streams.url, f"{world.path}/stream", world.member.secret) as stream:
        assert next(stream).event == "state"
        if "token" in how:
            Token.objects.filter(user=world.member.user).update(revoked_at=timezone.now())
        elif "account" in how:
            world.member.user.is_active = False
            world.member.user.save()
        else:
            Membership.objects.filter(user=world.member.user).delete()
        assert ends(stream, within=5) == end


def test_a_session_made_private_is_not_shown_a_message_longer(live_streams):
    world = World(settings={"public": True})
    with (
        watching(live_streams.url, f"{world.path}/stream") as stream,
        watching(live_streams.url, f"{world.path}/stream", world.member.secret) as members,
    ):
        assert [next(stream).event, next(members).event] == ["state", "state"]
        about = {"caller": world.table.caller, "session": world.session, "now": timezone.now(), "door": "test"}
        sessions.configure(**about, changes={"public": False})
        assert ends(stream) == (404, "not_found")
        assert next(members).data["change"]["kind"] == "configured"


def test_a_seat_that_somebody_else_plays_now_is_shown_to_them_alone(live_streams):
    world = World()
    world.start()
    world.play_out()
    spare = Player.objects.create(club=world.club, name="Spare", user=world.member.user)
    path = f"{world.path}/seats/2/stream"
    about = {"caller": world.table.caller, "session": world.session, "now": timezone.now(), "door": "test"}
    with watching(live_streams.url, path, world.seats[2].secret) as stream:
        assert next(stream).event == "state"
        corrections.substitute(**about, seat=2, player=spare.public_id, from_number=2, reason="Left.")
        assert next(stream).data["change"]["kind"] == "substituted"
        world.table.deal(2)
        assert ends(stream) == (403, "not_your_seat")
    with watching(live_streams.url, path, world.member.secret) as stream:
        assert next(stream).data["view"]["hand"]


def test_hints_that_are_lost_are_made_up_for_and_redis_may_come_and_go(settings):
    broker = OwnRedis()
    settings.REDIS_URL = broker.url
    server = StreamServer()
    try:
        server.wait_until_ready()
        world = World(settings={"public": True})
        world.start()
        with watching(server.url, f"{world.path}/stream") as stream:
            at = next(stream).id

            def moves(within):
                nonlocal at
                begin = time.monotonic()
                seq = world.step().json()["seq"]
                told = next(stream)
                assert (told.id, seq) == (at + 1, at + 1)
                assert time.monotonic() - begin < within
                at = seq

            moves(AT_ONCE)
            broker.freeze()
            moves(6)
            broker.thaw()
            broker.kill()
            moves(6)
            broker.start()
            wait_for(lambda: "listening" in server.output().rpartition("gives no hints")[2], "the hints")
            time.sleep(2.1)  # writers try Redis again after two seconds
            moves(6)
            moves(AT_ONCE)
    finally:
        server.stop()
        broker.kill()


def test_a_server_that_is_killed_and_comes_back_goes_on_where_its_clients_were(live_streams):
    world = World(settings={"public": True})
    world.start()
    path = f"{world.path}/stream"
    with watching(live_streams.url, path) as stream:
        at = next(stream).id
        world.step()
        assert next(stream).id == at + 1
        live_streams.kill()
        with pytest.raises((httpx.TransportError, StopIteration)):
            next(stream)
    answers = [world.step().json() for _ in range(3)]
    live_streams.restart()
    with watching(live_streams.url, path, after=at + 1) as stream:
        assert [next(stream).data for _ in range(3)] == answers


def test_a_hundred_streams_that_wait_hold_no_database_connection(live_streams):
    world = World(settings={"public": True})
    world.start()
    streams = [watching(live_streams.url, f"{world.path}/stream", world.member.secret) for _ in range(40)]
    streams += [watching(live_streams.url, f"{world.path}/stream") for _ in range(60)]
    opened = [stream.__enter__() for stream in streams]
    try:
        assert {next(stream).event for stream in opened} == {"state"}
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
            (connections,) = cursor.fetchone()
        assert connections <= 8 + 3 + 3, "threads for requests, readers, and the test itself"
        answer = world.step().json()
        assert all(next(stream).data == answer for stream in opened)
    finally:
        for stream in streams:
            stream.__exit__(None, None, None)


def test_so_many_streams_and_no_more(settings):
    server = StreamServer(STREAMS_PER_TOKEN="2", STREAMS_PER_PROCESS="4")
    try:
        server.wait_until_ready()
        world = World(settings={"public": True})
        url, path = server.url, f"{world.path}/stream"

        def refused(secret=None):
            headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
            answer = httpx.get(f"{url}/api/v1{path}", headers=headers)
            assert answer.headers["Content-Type"] == "application/problem+json"
            assert int(answer.headers["Retry-After"]) > 0
            return answer.status_code, answer.json()["code"]

        with watching(url, path, world.member.secret) as one, watching(url, path, world.member.secret) as two:
            assert [next(one).event, next(two).event] == ["state", "state"]
            assert refused(world.member.secret) == (429, "too_many_streams")
            with watching(url, path) as three, watching(url, path) as four:
                assert [next(three).event, next(four).event] == ["state", "state"]
                assert refused() == (503, "no_room")
                assert refused(world.organiser.secret) == (503, "no_room")
        wait_for(lambda: httpx_opens(url, path), "room again")
    finally:
        server.stop()


def httpx_opens(url, path):
    with httpx.stream("GET", f"{url}/api/v1{path}") as answer:
        return answer.status_code == 200


def test_a_client_that_does_not_read_is_cut_off(settings):
    server = StreamServer(STREAM_SLOW_SECONDS="1")
    try:
        server.wait_until_ready()
        world = World(people=0, settings={"public": True})
        host, port = server.url.removeprefix("http://").split(":")
        world.table.deal(1)
        world.table.play_out()  # from now on each change is told with a long view
        with socket.socket() as client:
            # Buffers of the system's, too, are small for such a client.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
            client.connect((host, int(port)))
            client.sendall(f"GET /api/v1{world.path}/stream HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            assert client.recv(12) == b"HTTP/1.1 200"
            about = {"caller": world.table.caller, "session": world.session, "door": "test"}
            wait_for(lambda: open_connections(server) == 1, "the stream")
            for number in range(200):
                sessions.configure(**about, changes={"turn_seconds": 1 + number % 2}, now=timezone.now())
            wait_for(lambda: open_connections(server) == 0, "the end of a client that does not read")
    finally:
        server.stop()


def open_connections(server):
    """How many clients the server has; those that were cut off count no more."""
    port = server.url.rpartition(":")[2]
    wanted = ["ss", "-Htn", "state", "established", f"( sport = :{port} )"]
    found = subprocess.run(wanted, capture_output=True, text=True, check=True)
    return len(found.stdout.splitlines())


def test_the_server_stops_within_seconds_with_streams_open_and_ends_them_in_good_order():
    server = StreamServer()
    try:
        server.wait_until_ready()
        world = World(settings={"public": True})
        with watching(server.url, f"{world.path}/stream") as stream:
            assert next(stream).event == "state"
            begin = time.monotonic()
            server.process.terminate()
            assert next(stream, None) is None  # a broken connection would raise
            server.process.wait(5)
            assert time.monotonic() - begin < 5
        assert "Cancel" not in server.output(), server.output()
    finally:
        server.discard()


def test_everything_else_works_there_as_it_does_under_wsgi(live_streams):
    world = World()
    headers = {"Authorization": f"Bearer {world.organiser.secret}", "Content-Type": "application/json"}
    with live_streams.client() as http:
        assert http.get("/readyz").json() == {"status": "ok"}
        assert http.get("/static/admin/css/base.css").headers["Content-Type"].startswith("text/css")
        assert http.get("/admin/login/").status_code == 200
        players = f"/api/v1/clubs/{world.club.slug}/players"
        chunked = http.post(players, content=iter([b'{"name": "Zoe"}']), headers=headers)
        assert (chunked.status_code, chunked.json()["code"]) == (411, "length_required")
        large = http.post(players, content=b" " * 70_000, headers=headers)
        assert (large.status_code, large.json()["code"]) == (413, "too_large")
        assert http.post(players, content=b'{"name": "Zoe"}', headers=headers).status_code == 201
        assert http.get("/api/v1/nowhere/stream").json()["code"] == "not_found"
        assert http.post(f"/api/v1{world.path}/stream", content=b"{}", headers=headers).status_code == 405
        assert http.head(f"/api/v1{world.path}/stream", headers=headers).status_code == 200
        forged = http.get("/healthz", headers={"Host": "evil.example"})
        assert forged.status_code == 400


def test_requests_keep_their_threads_connections(live_streams):
    world = World(settings={"public": True})

    def backends():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            return {pid for (pid,) in cursor.fetchall()}

    with live_streams.client() as http:
        for _ in range(20):
            assert http.get(f"/api/v1{world.path}").status_code == 200
        before = backends()
        for _ in range(50):
            assert http.get(f"/api/v1{world.path}").status_code == 200
        assert backends() <= before | backends()
        assert len(before) <= 8 + 3 + 1
        assert before <= backends(), "a connection was closed and opened anew"
