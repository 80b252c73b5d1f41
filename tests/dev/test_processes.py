"""dev.py's children: recognised beyond doubt, stopped in order, and never left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from devtools.processes import Listed, State, identity, stop

ROOT = Path(__file__).resolve().parents[2]
SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)",
]


def listed(process: "subprocess.Popen[bytes]", name: str = "sleeper") -> Listed:
    return Listed(name, process.pid, identity(process.pid), signal.SIGTERM)


def ended_within(seconds: float, pid: int) -> bool:
    deadline = time.monotonic() + seconds
    while identity(pid) is not None:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def test_a_process_has_an_identity_while_it_runs_and_none_after() -> None:
    process = subprocess.Popen(SLEEPER)
    first = identity(process.pid)
    assert first is not None
    assert identity(process.pid) == first
    process.kill()
    process.wait()
    assert identity(process.pid) is None


def test_a_reused_pid_is_never_signalled() -> None:
    stranger = subprocess.Popen(SLEEPER, start_new_session=True)
    try:
        stop([Listed("ours, long ago", stranger.pid, "another boot:123", signal.SIGKILL)], fresh=False)
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_who_does_not_end_when_asked_is_killed() -> None:
    process = subprocess.Popen(STUBBORN, start_new_session=True, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    stop([listed(process)], fresh=True, patience=0.2)
    assert identity(process.pid) is None
    process.stdout.close()
    process.wait()


def test_a_state_file_tells_what_to_stop(tmp_path: Path) -> None:
    process = subprocess.Popen(SLEEPER, start_new_session=True)
    folder = tmp_path / "sockets"
    folder.mkdir()
    state = State(tmp_path / "state.json", kind="run")
    state.processes.append(listed(process))
    state.remove.append(str(folder))
    state.write()
    assert (tmp_path / "state.json").stat().st_mode & 0o777 == 0o600
    read = State.read(tmp_path / "state.json")
    assert read is not None
    assert read.owner_alive()
    read.end(fresh=False)
    process.wait()
    assert not folder.exists()
    assert not (tmp_path / "state.json").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"owner": 1}'])
def test_half_a_state_file_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "state.json").write_text(text)
    assert State.read(tmp_path / "state.json") is None
    assert State.read(tmp_path / "missing.json") is None


OWNER = """
import sys, time
from pathlib import Path
from devtools.processes import Children, State
folder = Path(sys.argv[1])
state = State(folder / "state.json", kind="test")
children = Children(state)
first = children.start("first", [sys.executable, "-c", "import time; time.sleep(60)"], log=folder / "first.log")
print(first.pid, children._warden.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("warden_too", [False, True])
def test_a_killed_dev_py_leaves_nothing_running(tmp_path: Path, warden_too: bool) -> None:
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    child, warden = map(int, owner.stdout.readline().split())
    if warden_too:
        if not sys.platform.startswith("linux"):
            pytest.skip("only Linux tells the children itself")
        os.kill(warden, signal.SIGKILL)
    owner.kill()
    owner.wait()
    owner.stdout.close()
    assert ended_within(10, child)
    assert ended_within(10, warden)
    assert (tmp_path / "state.json").exists() == warden_too
