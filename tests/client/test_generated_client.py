"""The schema is good enough to make a typed client of it, and the client to run a club by it."""

import importlib
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.api.clients import World

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana"]


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """A folder with the package `fantan_client`, made from docs/openapi.json, and what the generator said."""
    folder = tmp_path_factory.mktemp("client")
    files = ["--path", "docs/openapi.json", "--config", str(HERE / "generator.yml")]
    made = ["--output-path", str(folder / "fantan_client"), "--meta", "none"]
    done = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", *files, *made],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder, done.stdout + done.stderr


@pytest.fixture
def evening(generated, monkeypatch):
    """The program of tests/client/evening.py."""
    monkeypatch.syspath_prepend(str(generated[0]))
    yield importlib.import_module("tests.client.evening")
    for name in [name for name in sys.modules if name.startswith(("fantan_client", "tests.client.evening"))]:
        del sys.modules[name]


def test_the_generator_has_nothing_to_complain_of(generated):
    _, said = generated
    assert said.splitlines() == [said.strip()], said
    assert said.startswith("Generating")


@pytest.mark.slow
def test_client_and_program_are_typed_strictly(generated):
    folder, _ = generated
    strict = ["--config-file=", "--strict", f"--cache-dir={folder / 'cache'}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *strict, "-p", "fantan_client", "-m", "evening"],
        cwd=folder,
        env={**os.environ, "MYPYPATH": f"{folder}{os.pathsep}{HERE}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_a_program_runs_an_evening_and_a_league_by_the_client(evening, live_http):
    world = World()
    with ExitStack() as clients:

        def logged_in(secret):
            return clients.enter_context(evening.with_token(live_http.url, secret))

        hold_an_evening(evening, world, logged_in)


def hold_an_evening(evening, world, logged_in):
    organiser, seats = logged_in(world.organiser.secret), [logged_in(seat.secret) for seat in world.seats]
    players = [player.public_id for player in world.table.players]

    session = evening.open_session(organiser, world.club.slug, players)
    winner = evening.play_a_deal(seats, session)
    assert [place for seat, place, _ in evening.places(seats[0], session) if seat == winner] == [1]
    assert evening.refused(evening.act(seats[0], session, "7D", 0)) == "no_deal"
    assert evening.refused(evening.seat_view.sync(session, 1, client=seats[0])) == "not_your_seat"
    assert evening.refused(evening.table.sync(session, client=logged_in("fantan_wrong"))) == "bad_token"
    assert evening.refused(evening.table.sync("aaaaaaaaaaaa", client=organiser)) == "not_found"

    report = evening.try_records(organiser, world.club.slug, evening.take_records(seats[0], session))
    assert evening.refused(report) == "import_faults"  # it is on record already
    assert {fault.code for fault in report.errors} == {"already_imported"}

    league = evening.hold_a_league(organiser, world.club.slug, NAMES)
    names, file = evening.ranking(seats[0], league)
    assert sorted(names) == NAMES
    assert file.decode("utf-8-sig").startswith("rank,name,")
