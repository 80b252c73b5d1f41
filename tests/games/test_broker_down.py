"""While Redis is frozen or gone people play on; when it is back every due seat moves."""

import os
import signal
import subprocess
import tempfile
from pathlib import Path

import httpx
import pytest
import redis
from django.utils import timezone

from devtools.services import redis_program
from games import selectors
from games.engine.actions import action_text
from games.models import Token
from tests.games.builders import a_table
from tests.games.test_workers import assert_sound, wait_for
from tests.servers import WebServer, Worker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]
HANGING = 8
"""Seconds after which a request counts as hanging; a dead broker may cost it one or two."""


class OwnRedis:
    """A Redis for one test, which the test may freeze and kill."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ft-"))
        self.socket = self.folder / "redis.sock"
        self.url = f"unix://{self.socket}?db=0"
        self.start()

    def start(self) -> None:
        program = str(redis_program(os.environ))
        options = ["--port", "0", "--unixsocket", str(self.socket), "--save", "", "--dir", str(self.folder)]
        self.process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
        wait_for(self.answers, "Redis")

    def answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.socket.unlink(missing_ok=True)


@pytest.fixture
def site(settings):
    """A web server and a worker with its beat, on a Redis of their own."""
    broker = OwnRedis()
    settings.REDIS_URL = broker.url
    web, worker = WebServer(), Worker(beat=True)
    web.wait_until_ready()
    yield web, broker
    broker.thaw()
    worker.discard()
    web.discard()
    broker.kill()


def test_people_play_on_while_redis_is_frozen_and_while_it_is_gone_and_bots_follow_after(site):
    web, broker = site
    table = a_table(4, people=1)
    _, secret = Token.issue(user=table.players[0].user, label="test")
    table.deal(1, now=timezone.now())

    def persons_turn():
        row = table.row
        return row.live_deal is None or row.to_act == 0

    def play_one(key):
        found = selectors.own_seat(table.seat_caller(0), table.row, 0)
        action = action_text(found.view.legal[0]) if found.view.legal else "-"
        answer = httpx.post(
            f"{web.url}/api/v1/sessions/{table.session}/actions",
            json={"action": action, "expected_seq": found.seq},
            headers={"Authorization": f"Bearer {secret}", "Idempotency-Key": key},
            timeout=HANGING,
        )
        assert answer.status_code == 201, answer.text

    wait_for(persons_turn, "the person's first turn")
    broker.freeze()
    play_one("while frozen")
    assert table.row.to_act == 1
    broker.thaw()
    wait_for(persons_turn, "the bots, after the thaw")

    broker.kill()
    play_one("while gone")
    assert table.row.to_act == 1
    broker.start()
    wait_for(persons_turn, "the bots, after the restart")
    assert_sound(table)
