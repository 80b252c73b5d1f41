"""The bot author's example sits down, plays a whole session against the club's own bots, and survives what breaks."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from games.access import Caller
from games.audit import audit_session
from games.models import Club, Role, Session, Token
from games.services import players, sessions
from tests.games.builders import NOW, a_member
from tests.servers import StreamServer

EXAMPLE = Path(__file__).parent.parent.parent / "docs" / "samples" / "bot.py"

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def stream_server(transactional_db, redis_url):
    server = StreamServer()
    server.wait_until_ready()
    yield server
    server.stop()


@pytest.fixture
def session():
    """A session of two deals with three bots at the table and a free seat; the member who may take it."""
    club = Club.objects.create(name="Demo", slug="demo")
    organiser = Caller.of(a_member(club, "organiser"))
    author = a_member(club, "author", Role.MEMBER)
    players.create_player(caller=organiser, club="demo", name="Author", username="author")
    bots = [
        players.create_player(caller=organiser, club="demo", name=n, strategy="follow") for n in ("Ada", "Bo", "Cy")
    ]
    opened = sessions.open_session(
        caller=organiser,
        club="demo",
        settings={"self_seating": True, "deals_planned": 2},
        players=dict(enumerate(bots)),
        now=NOW,
        door="test",
    )
    return opened.session, Token.issue(user=author, label="bot")[1]


def test_the_example_plays_a_session_to_its_end_whatever_breaks(stream_server, celery_worker_process, session):
    public_id, secret = session
    celery_worker_process(beat=True)
    example = subprocess.Popen(
        [sys.executable, str(EXAMPLE), public_id],
        env={**os.environ, "API": f"{stream_server.url}/api/v1", "TOKEN": secret},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        _wait(lambda: Session.objects.get().seq > 15, example)
        stream_server.restart()  # killed under its feet
        output, _ = example.communicate(timeout=120)
    finally:
        example.kill()
    assert example.returncode == 0, output
    row = Session.objects.get()
    assert (row.status, row.deals.count()) == ("finished", 2)
    assert [deal.finished for deal in row.deals.all()] == [True, True]
    assert list(audit_session(row)) == []


def _wait(done, process):
    deadline = time.monotonic() + 60
    while not done():
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_guide_shows_the_example_as_it_is():
    guide = (EXAMPLE.parent.parent / "api.md").read_text()
    assert f"```python\n{EXAMPLE.read_text()}```" in guide
