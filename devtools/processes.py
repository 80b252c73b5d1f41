"""Child processes that never outlive dev.py: start, stop in reverse order, clean up after a killed one.

Three nets, each for when the one before it is gone:
1. dev.py stops its children itself on Ctrl-C, SIGTERM, SIGHUP and on every error.
2. The warden (devtools/warden.py), a process of its own, sees dev.py end and stops what its state file lists. On Linux
   the kernel also signals each child when dev.py dies (PR_SET_PDEATHSIG), in case the warden was killed with it.
3. The next start reads a state file that was left behind and stops what is still alive of it.
A process is recognised by its pid together with its start time, so a reused pid is never signalled.
"""

import contextlib
import ctypes
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 12.0  # seconds from asking a process to end to killing it
PR_SET_PDEATHSIG = 1
LINUX = platform.system() == "Linux"


def identity(pid: int) -> "str | None":
    """What tells a process from a later one with the same pid: its start time (and boot). None: not running."""
    try:
        # The command name before the last ")" may hold anything; the state is field 3, the start time field 22.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        if fields[0] in "ZX":
            return None
        return f"{Path('/proc/sys/kernel/random/boot_id').read_text().strip()}:{fields[19]}"
    except (FileNotFoundError, ProcessLookupError):
        if LINUX:
            return None
    found = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


@dataclass
class Listed:
    """A started process as the state file lists it. `ask` is the signal that makes it end in good order."""

    name: str
    pid: int
    identity: "str | None"
    ask: int

    def alive(self) -> bool:
        return self.identity is not None and identity(self.pid) == self.identity


def stop(listed: Sequence[Listed], *, fresh: bool, patience: float = PATIENCE) -> None:
    """End the processes one by one, last started first; whoever does not end in time is killed with its group.

    `fresh`: they were alive a moment ago, so a group that one of them led and left behind is ours too. Read from an old
    file the group's number may belong to others by now.
    """
    for process in reversed(listed):
        if process.alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, process.ask)
            _wait_for(process, patience)
        if process.alive() or (fresh and _left_a_group(process.pid)):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            _wait_for(process, patience)
        _reap(process.pid)


def _wait_for(process: Listed, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while process.alive() and time.monotonic() < deadline:
        _reap(process.pid)
        time.sleep(0.02)


def _reap(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def _left_a_group(pid: int) -> bool:
    """Whether members of the group that the ended process led are still there."""
    try:
        os.killpg(pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return identity(pid) is None


class State:
    """The state file: who owns the running services, where they answer, and every process that was started.

    `remove` names folders that go when the services stop (sockets, throw-away data).
    """

    def __init__(self, path: Path, **facts: Any) -> None:
        self.path = path
        self.processes: list[Listed] = []
        self.remove: list[str] = []
        self.facts: dict[str, Any] = {"owner": os.getpid(), "owner_identity": identity(os.getpid()), **facts}

    def write(self) -> None:
        document = {**self.facts, "remove": self.remove, "processes": [vars(p) for p in self.processes]}
        draft = self.path.with_suffix(".new")
        draft.write_text(json.dumps(document, indent=1))
        draft.chmod(0o600)
        draft.replace(self.path)

    @classmethod
    def read(cls, path: Path) -> "State | None":
        """The state that a file tells; None when there is none (or it is half a file)."""
        try:
            document = json.loads(path.read_text())
            state = cls(path)
            state.processes = [Listed(**p) for p in document.pop("processes")]
            state.remove = document.pop("remove")
            state.facts = document
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None
        return state

    def owner_alive(self) -> bool:
        return (
            self.facts["owner_identity"] is not None and identity(self.facts["owner"]) == self.facts["owner_identity"]
        )

    def end(self, *, fresh: bool = True) -> None:
        """Stop everything listed (`fresh`: see `stop`), remove the listed folders and the file."""
        stop(self.processes, fresh=fresh)
        for folder in self.remove:
            shutil.rmtree(folder, ignore_errors=True)
        self.path.unlink(missing_ok=True)


class Children:
    """The processes of one dev.py, written to its state file as they start."""

    def __init__(self, state: State, held: Sequence[int] = ()) -> None:
        """`held`: file descriptors (the lock) that the warden keeps open until all has ended."""
        self.state = state
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.logs: dict[str, Path] = {}
        state.write()
        ours, self._pipe = os.pipe()
        self._warden = subprocess.Popen(
            [sys.executable, "-m", "devtools.warden", str(state.path), str(ours)],
            cwd=ROOT,
            pass_fds=[ours, *held],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(ours)

    def start(
        self,
        name: str,
        command: Sequence[str],
        *,
        log: Path,
        env: "Mapping[str, str] | None" = None,
        ask: int = signal.SIGTERM,
    ) -> "subprocess.Popen[bytes]":
        """Start a process in a session of its own, its output in the log file. `ask`: the signal that ends it well."""
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as output:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=None if env is None else dict(env),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=dies_with_parent(ask),
            )
        self.running[name] = process
        self.logs[name] = log
        self.state.processes.append(Listed(name, process.pid, identity(process.pid), ask))
        self.state.write()
        return process

    def fallen(self) -> "str | None":
        """The name of a process that has ended by itself, if any."""
        return next((name for name, process in self.running.items() if process.poll() is not None), None)

    def log_tail(self, name: str, lines: int = 25) -> str:
        text = self.logs[name].read_text(errors="replace") if self.logs[name].exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    def stop(self) -> None:
        """Stop all in reverse order, then let the warden go. No signal interrupts this."""
        previous = {s: signal.signal(s, signal.SIG_IGN) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        self.state.end()
        for process in self.running.values():
            process.poll()
        os.close(self._pipe)
        self._warden.wait()
        for number, handler in previous.items():
            signal.signal(number, handler)


def dies_with_parent(number: int) -> "Callable[[], None] | None":
    """For Popen's preexec_fn: have the kernel send this signal to the child when its parent dies (Linux)."""
    if not LINUX:
        return None
    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def arm() -> None:
        prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return arm
