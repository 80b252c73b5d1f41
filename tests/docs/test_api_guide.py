"""The guide to the API is run: every `sh` block of docs/api.md, in order, in one shell, against real processes."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from games.access import Caller
from games.audit import audit_session
from games.models import Club, Membership, Role, Session, Token
from games.services import players
from tests.games.builders import a_member

GUIDE = Path(__file__).parent.parent.parent / "docs" / "api.md"


def blocks() -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.processes
@pytest.mark.skipif(shutil.which("curl") is None, reason="the guide needs curl, which is not installed here")
@pytest.mark.django_db(transaction=True)
def test_what_the_guide_shows_is_what_happens(live_http, celery_worker_process, tmp_path):
    club = Club.objects.create(name="Riverside", slug="riverside")
    organiser = a_member(club, "anna")
    Membership.objects.create(
        user=organiser, club=Club.objects.create(name="Hillside", slug="hillside"), role=Role.ORGANISER
    )
    players.create_player(caller=Caller.of(organiser), club="riverside", name="Anna", username="anna")
    _, secret = Token.issue(user=organiser, label="test")
    celery_worker_process(beat=True)

    done = subprocess.run(
        ["sh", "-eux", "-c", "\n".join(blocks())],
        cwd=tmp_path,
        env={**os.environ, "API": f"{live_http.url}/api/v1", "TOKEN": secret, "CLUB": "riverside", "NAME": "anna"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert "problem" not in done.stdout
    assert [fault for session in Session.objects.all() for fault in audit_session(session)] == []


def test_the_guide_has_blocks_to_run():
    assert len(blocks()) >= 9
