"""The samples of the documentation do what the documentation says."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from games.access import Caller
from games.audit import audit_session
from games.engine.record import parse, write
from games.models import Club, Session, Token
from games.services import players
from tests.games.builders import a_member

SAMPLES = Path(__file__).parent.parent.parent / "docs" / "samples"


def test_the_sample_evening_is_written_in_the_one_form():
    for line in (SAMPLES / "evening.jsonl").read_text().splitlines():
        assert write(parse(line.encode())) == line


@pytest.mark.processes
@pytest.mark.skipif(shutil.which("curl") is None, reason="the script needs curl, which is not installed here")
@pytest.mark.django_db(transaction=True)
def test_the_curl_script_plays_a_deal_against_three_bots(live_http, celery_worker_process):
    club = Club.objects.create(name="Demo", slug="demo")
    organiser = a_member(club, "organiser")
    caller = Caller.of(organiser)
    players.create_player(caller=caller, club="demo", name="You", username="organiser")
    for name, strategy in (("Ada", "follow"), ("Boris", "far-first"), ("Coco", "random")):
        players.create_player(caller=caller, club="demo", name=name, strategy=strategy)
    _, secret = Token.issue(user=organiser, label="test")
    celery_worker_process()

    done = subprocess.run(
        ["sh", str(SAMPLES / "play.sh")],
        env={**os.environ, "API": f"{live_http.url}/api/v1", "TOKEN": secret},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    session = Session.objects.get()
    assert session.deals.get().finished
    assert done.stdout.splitlines()[0] == f"session {session.public_id}"
    assert done.stdout.splitlines()[-4].startswith("1. seat ")
    assert list(audit_session(session)) == []
