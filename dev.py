#!/usr/bin/env python3
"""Set up, run and test the project with nothing but Python 3.11 or newer.

    python3 dev.py run               install, start PostgreSQL and Valkey, migrate, make a demo club, serve
    python3 dev.py test [ARGS]       install, check, run pytest with ARGS on throw-away servers (--no-checks: no check)
    python3 dev.py check             install and run only the checks
    python3 dev.py setup             only install
    python3 dev.py manage COMMAND …  Django's command line, with the servers up where the command needs them
    python3 dev.py bench [ARGS]      install the yardsticks too and run the benchmarks with throw-away servers

PORT (8000) and HOST (127.0.0.1) say where `run` serves. DATABASE_URL and REDIS_URL take servers of yours;
USE_SYSTEM_SERVICES=1 starts Debian's own PostgreSQL and Redis. Everything kept lies in var/.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (this is where an older one is told so)
    sys.exit(f"dev.py: Python 3.11 or newer is needed, this is {sys.version.split()[0]}")

import contextlib
import fcntl
import http.client
import os
import secrets
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from devtools.checks import run_checks
from devtools.install import BENCH_VENV, ROOT, install
from devtools.processes import Children, State, dies_with_parent
from devtools.say import die, say
from devtools.services import start_services
from devtools.serving import FOR_WEBHOOKS, uvicorn
from manage import is_offline

VAR = ROOT / "var"
STATE = VAR / "services.json"
LOCK = VAR / "services.lock"
READY_SECONDS = 60
TURN_SECONDS = 60


def main(arguments: list[str]) -> int:
    commands = {"run": run, "test": test, "check": check, "setup": setup, "manage": manage, "bench": bench}
    command, *rest = arguments or ["help"]
    if command not in commands:
        print(__doc__, file=sys.stdout if command in ("help", "-h", "--help") else sys.stderr)
        return 0 if command in ("help", "-h", "--help") else 2
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # SIGINT too: a shell starts its background jobs with it ignored.
        signal.signal(number, _end)
    return commands[command](rest)


def _end(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def setup(arguments: list[str]) -> int:
    install(arguments[0] if arguments else "dev")
    return 0


def check(arguments: list[str]) -> int:
    return 1 if run_checks(install("dev")) else 0


def run(arguments: list[str]) -> int:
    """Serve until a signal (status 0) or until a process ends by itself (status 1)."""
    host, port = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8000"))
    python = str(install("run"))
    with persistent("run") as (children, env):
        _refuse_taken_port(host, port)
        name = _name_of(host)
        url = env["FANTAN_URL"] = f"http://{name}:{port}"
        env["ALLOWED_HOSTS"] = ",".join(filter(None, [os.environ.get("ALLOWED_HOSTS"), name]))
        children.state.facts["env"]["FANTAN_URL"] = url  # for commands of `manage` meanwhile
        children.state.write()
        _manage(python, env, "migrate", "-v0")
        say("migrated")
        welcome = _demo(python, env)
        _start_site(children, python, env, host, port)
        fallen = _wait_until_ready(children, host, port)
        if fallen is None:
            print(f"\nServing on {url}/  (Ctrl-C stops everything; logs in var/log)\n{welcome}", flush=True)
            try:
                while (fallen := children.fallen()) is None:
                    time.sleep(0.25)
            except SystemExit:
                say("stopping")
                return 0
        say(f"the end of {children.logs[fallen]}:\n{children.log_tail(fallen)}")
        say(f"{fallen} ended unexpectedly, stopping the rest")
        return 1


def _start_site(children: Children, python: str, env: dict[str, str], host: str, port: int) -> None:
    logs = VAR / "log"
    celery = [python, "-m", "celery", "-A", "fantan_site"]
    # One worker needs no talk with others, which would only delay its start.
    alone = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    commands = {
        "web": [python, *uvicorn(host, port)],
        "worker": [*celery, "worker", "--concurrency", "2", *alone],
        "webhooks": [*celery, "worker", "--hostname", "webhooks@%h", *FOR_WEBHOOKS, *alone],
        "beat": [*celery, "beat", "--schedule", str(VAR / "beat"), "--pidfile", ""],
    }
    for name, command in commands.items():
        children.start(name, command, log=logs / f"{name}.log", env=env)


def test(arguments: list[str]) -> int:
    """The checks, then pytest with the arguments; its status, or 1 when a check failed."""
    python = install("dev")
    checked = "--no-checks" not in arguments
    arguments = [a for a in arguments if a != "--no-checks"]
    failed = run_checks(python) if checked else []
    if not any(a.startswith(("-n", "--numprocesses", "--pdb")) or a == "no:xdist" for a in arguments):
        arguments = ["-n", "auto", *arguments]
    with throw_away("test", durable=False) as env:
        env["FANTAN_TESTING"] = "1"
        status = _foreground([str(python), "-m", "pytest", *arguments], env, ROOT)
    if failed:
        die(f"checks failed: {', '.join(failed)}", 1)
    return status


def manage(arguments: list[str]) -> int:
    """manage.py with the arguments; stdin, stdout and exit status are the command's own."""
    python = str(install("run"))
    command = [python, str(ROOT / "manage.py"), *arguments]
    if is_offline(arguments):
        os.execv(python, command)
    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        VAR.mkdir(exist_ok=True)
        os.execve(python, command, {**os.environ, **_site_env()})
    active = State.read(STATE)
    if active is not None and active.owner_alive() and active.facts.get("env") is not None:
        return _foreground(command, {**active.facts["env"], **os.environ, **_site_env()})
    with persistent("manage") as (_, env):
        if arguments[:1] != ["migrate"]:
            _manage(python, env, "migrate", "-v0")  # the servers are ours, and new code may just have been pulled
        return _foreground(command, env)


def bench(arguments: list[str]) -> int:
    install("dev")
    install("dev", BENCH_VENV)
    python = str(install("bench", BENCH_VENV))
    with throw_away("bench", durable=True) as env:
        _manage(python, env, "migrate", "-v0")
        return _foreground([python, "-m", "bench", *arguments], env, ROOT)


@contextlib.contextmanager
def persistent(kind: str) -> Iterator[tuple[Children, dict[str, str]]]:
    """The durable services in var/ while the block runs; its children and the environment for Django."""
    VAR.mkdir(exist_ok=True)
    with LOCK.open("w") as lock:
        _take_turn(lock.fileno(), kind)
        left = State.read(STATE)
        if left is not None:
            say("cleaning up after a killed run")
            left.end(fresh=False)
        children = Children(State(STATE, kind=kind), held=[lock.fileno()])
        try:
            env = {**os.environ, **_site_env()}
            found = start_services(children, VAR / "data", VAR / "log", os.environ, durable=True)
            env.update(found)
            children.state.facts["env"] = found
            children.state.write()
            yield children, env
        finally:
            children.stop()


@contextlib.contextmanager
def throw_away(kind: str, *, durable: bool) -> Iterator[dict[str, str]]:
    """Services in a temporary folder that goes with them; the environment for Django."""
    folder = Path(tempfile.mkdtemp(prefix=f"fantan-{kind}-"))
    state = State(folder / "services.json", kind=kind)
    state.remove.append(str(folder))
    children = Children(state)
    try:
        found = start_services(children, folder, folder / "log", os.environ, durable=durable)
        yield {**os.environ, **found, "SECRET_KEY": secrets.token_urlsafe(50), "FANTAN_EMBEDDED": "1"}
    finally:
        children.stop()


def _take_turn(lock: int, kind: str) -> None:
    """Hold the lock on var/. A running `run` refuses another one; what is only finishing is waited for."""
    deadline = time.monotonic() + TURN_SECONDS
    told = False
    while True:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        holder = State.read(STATE)
        if kind == "run" and holder and holder.owner_alive() and holder.facts.get("kind") == "run":
            die(f"it is already running here (pid {holder.facts['owner']}): stop that one first")
        if time.monotonic() > deadline:
            die("the services in var/ are in use by another dev.py; try again when it has ended")
        if not told:
            say("waiting for another dev.py to finish")
            told = True
        time.sleep(0.1)


def _site_env() -> dict[str, str]:
    """What Django needs besides the services. The secret key is made at the first run, readable by its owner only."""
    key_file = VAR / "secret_key"
    if not os.environ.get("SECRET_KEY") and not key_file.exists():
        with contextlib.suppress(FileExistsError):
            handle = os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(secrets.token_urlsafe(50))
    return {"FANTAN_EMBEDDED": "1", "SECRET_KEY": os.environ.get("SECRET_KEY") or key_file.read_text()}


def _manage(python: str, env: dict[str, str], *arguments: str) -> None:
    done = subprocess.run(
        [python, "manage.py", *arguments], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False
    )
    if done.returncode:
        die(f"manage.py {arguments[0]} failed (see above)", 1)


def _demo(python: str, env: dict[str, str]) -> str:
    """Make the demo club unless it is there; what the command tells about where to look and how to log in."""
    if not (ROOT / "games" / "management" / "commands" / "demo.py").exists():
        return ""
    made = subprocess.run(
        [python, "manage.py", "demo"], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False
    )
    if made.returncode:
        die("manage.py demo failed (see above)", 1)
    return made.stdout.decode(errors="replace")


def _foreground(command: list[str], env: dict[str, str], cwd: "Path | None" = None) -> int:
    """Run with our own stdin and stdout; its exit status. Signals go to it, and we wait for it to end."""
    process = subprocess.Popen(command, cwd=cwd, env=env, preexec_fn=dies_with_parent(signal.SIGTERM))

    def pass_on(number: int, frame: object) -> None:
        # The terminal sends Ctrl-C to the whole group; SIGTERM and SIGHUP come to us alone.
        if number != signal.SIGINT or not sys.stdin.isatty():
            process.send_signal(number)

    previous = {s: signal.signal(s, pass_on) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        status = process.wait()
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
    return status if status >= 0 else 128 - status


def _name_of(host: str) -> str:
    """How others reach a server that listens on `host`: of all addresses of this machine the one in its network."""
    if host != "0.0.0.0":  # noqa: S104
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the address
        return str(probe.getsockname()[0])
    return "127.0.0.1"


def _refuse_taken_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            die(f"cannot serve on {host}:{port} ({error.strerror}); choose another: PORT={port + 1} python3 dev.py run")


def _wait_until_ready(children: Children, host: str, port: int) -> "str | None":
    """Wait for /healthz; the name of a process that ended instead, or None."""
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        fallen = children.fallen()
        if fallen:
            return fallen
        connection = http.client.HTTPConnection("127.0.0.1" if host == "0.0.0.0" else host, port, timeout=2)  # noqa: S104
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection.request("GET", "/healthz", headers={"Host": "localhost"})
            if connection.getresponse().status == 200:
                return None
        connection.close()
        time.sleep(0.1)
    return "web"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
