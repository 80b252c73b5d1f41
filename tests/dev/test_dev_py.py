"""dev.py from outside, and its helpers that need no server."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from devtools import install
from devtools.checks import LOCK_LINE, REGISTRIES, unclean_files
from devtools.services import socket_folder, uses_system
from manage import is_offline

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "cases"
pytestmark = pytest.mark.processes


def dev(*arguments: str, stdin: bytes = b"", cwd: Path = ROOT) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, str(ROOT / "dev.py"), *arguments]
    return subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, check=False)


def test_manage_hands_stdin_stdout_and_status_to_an_offline_command(tmp_path: Path) -> None:
    records = (GOLDEN / "bad.jsonl").read_bytes()
    done = dev("manage", "replay", "-", stdin=records, cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert len(lines) == len(records.splitlines())
    assert json.loads(lines[0])["ok"] is False
    assert done.returncode == 1


def test_a_relative_path_is_the_callers(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    done = dev("manage", "replay", "empty.jsonl", cwd=tmp_path)
    assert (done.stdout, done.returncode) == (b"", 0)


@pytest.mark.skipif("DATABASE_URL" not in os.environ, reason="python3 dev.py test starts the servers")
def test_manage_hands_stdin_stdout_and_status_to_a_command_with_servers() -> None:
    code = "import sys; from django.db import connection as c; c.ensure_connection(); print('up'); sys.exit(7)"
    done = dev("manage", "shell", "--no-imports", "-c", code)
    assert done.stdout == b"up\n", done.stderr
    assert done.returncode == 7


def test_an_unknown_command_gets_the_usage_and_status_2() -> None:
    done = dev("fly")
    assert done.returncode == 2
    assert b"python3 dev.py run" in done.stderr


@pytest.mark.parametrize("arguments", [["replay", "-"], ["migrate", "--help"], ["help"], [], ["makemigrations"]])
def test_these_commands_need_no_server(arguments: list[str]) -> None:
    assert is_offline(arguments)


@pytest.mark.parametrize("arguments", [["migrate"], ["audit"], ["check", "--database", "default"], ["shell"]])
def test_these_commands_need_the_servers(arguments: list[str]) -> None:
    assert not is_offline(arguments)


def test_an_environment_counts_as_installed_only_where_it_was_made_and_for_the_same_lock(tmp_path: Path) -> None:
    lock = tmp_path / "run.txt"
    lock.write_text("a==1")
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").touch()
    assert not install.is_installed(venv, lock)
    (venv / install.STAMP).write_text(f"{venv}\n{install.lock_digest(lock)}")
    assert install.is_installed(venv, lock)
    moved = tmp_path / "moved"
    venv.rename(moved)
    assert not install.is_installed(moved, lock)
    moved.rename(venv)
    lock.write_text("a==2")
    assert not install.is_installed(venv, lock)


def test_socket_paths_stay_far_below_the_limit_and_private() -> None:
    folder = socket_folder()
    try:
        assert len(f"{folder}/.s.PGSQL.5432.lock") < 100
        assert folder.stat().st_mode & 0o777 == 0o700
    finally:
        folder.rmdir()


def test_use_system_services_can_be_switched_off() -> None:
    assert uses_system({"USE_SYSTEM_SERVICES": "1"})
    assert not uses_system({"USE_SYSTEM_SERVICES": "0"})
    assert not uses_system({})


def test_the_lock_files_hold_pins_and_hashes_only() -> None:
    for lock in (ROOT / "requirements").glob("*.txt"):
        lines = lock.read_text().splitlines()
        assert lines
        assert [line for line in lines if not LOCK_LINE.fullmatch(line)] == []


def test_a_file_with_a_registry_or_a_path_of_this_machine_is_found(tmp_path: Path) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "run.txt").write_text("a==1 \\\n    --hash=sha256:" + "0" * 64 + "\n--index-url x\n")
    (tmp_path / "a.py").write_text(f"# {REGISTRIES[0]}")
    (tmp_path / "b.py").write_text(f"# {tmp_path}/x")
    (tmp_path / "c.py").write_text("# clean")
    found = unclean_files(tmp_path)
    assert sorted(line.split()[0] for line in found) == ["a.py", "b.py", "requirements/run.txt:3"]
