"""Real server processes for tests: the web server and Celery workers, on the test's database and Redis database."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from urllib.parse import quote, urlencode

import httpx
from django.conf import settings
from django.db import connection

from devtools.processes import dies_with_parent
from devtools.serving import FOR_WEBHOOKS, uvicorn

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 60
STOP_SECONDS = 15


def database_url() -> str:
    """The address of the database that the running test uses."""
    database = connection.settings_dict
    host = database["OPTIONS"].get("host", "")
    login = ":".join(quote(str(part), safe="") for part in (database["USER"], database["PASSWORD"]) if part)
    place = f"{database['HOST']}:{database['PORT']}".rstrip(":")
    query = f"?{urlencode({'host': host})}" if host else ""
    return f"postgres://{login}@{place}/{database['NAME']}{query}"


class Server:
    """A process of ours with its output in a file. It dies with the test process, whatever happens to that."""

    name = "server"

    def __init__(self, command: list[str]) -> None:
        """`{folder}` in the command stands for a folder that is removed with the process."""
        self.folder = Path(tempfile.mkdtemp(prefix="fantan-server-"))
        self.command = [part.replace("{folder}", str(self.folder)) for part in command]
        self.log = self.folder / f"{self.name}.log"
        self.process = self._start()

    def environment(self) -> dict[str, str]:
        env = {**os.environ, "DATABASE_URL": database_url(), "REDIS_URL": settings.REDIS_URL}
        # Celery's master and its children must not measure or log for the test run.
        env.pop("PYTEST_CURRENT_TEST", None)
        return env

    def _start(self) -> "subprocess.Popen[bytes]":
        env = self.environment()
        with self.log.open("ab") as output:
            return subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=dies_with_parent(signal.SIGTERM),
            )

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def ready(self) -> bool:
        raise NotImplementedError

    def wait_until_ready(self) -> None:
        """Return once the process answers; AssertionError with its output when it ends or takes too long."""
        deadline = time.monotonic() + START_SECONDS
        while not self.ready():
            assert self.running, f"{self.name} ended:\n{self.output()}"
            assert time.monotonic() < deadline, f"{self.name} does not answer:\n{self.output()}"
            time.sleep(0.05)

    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def kill(self) -> None:
        """SIGKILL to the process and all its children: the power cut."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.running:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(STOP_SECONDS)
        self.discard()

    def discard(self) -> None:
        """Kill it and remove its files."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def restart(self) -> None:
        self.kill()
        self.process = self._start()
        self.wait_until_ready()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class WebServer(Server):
    """granian as in production, on a free port of this machine."""

    name = "web"

    def __init__(self, *, workers: int = 1, application: str = "fantan_site.wsgi:application") -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        serve = [
            "--interface",
            "wsgi",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--workers",
            str(workers),
            "--blocking-threads",
            "4",
            "--no-ws",
        ]
        super().__init__([sys.executable, "-m", "granian", *serve, application])

    def ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def client(self, **options: object) -> httpx.Client:
        """A client of its own with the server's address; close it, or use it as a context manager."""
        return httpx.Client(base_url=self.url, timeout=10, **options)  # type: ignore[arg-type]


class StreamServer(WebServer):
    """uvicorn as in production and in dev.py, on a free port: streams, and all else by threads.

    `settings`: environment variables of its own."""

    name = "streams"

    def __init__(self, **settings: str) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.settings = settings
        Server.__init__(self, [sys.executable, *uvicorn("127.0.0.1", port)])

    def environment(self) -> dict[str, str]:
        return super().environment() | self.settings


class Beat(Server):
    """The process that sends the sweep every two seconds."""

    name = "beat"

    def __init__(self) -> None:
        command = [sys.executable, "-m", "celery", "-A", "fantan_site", "beat", "--schedule", "{folder}/beat"]
        super().__init__([*command, "--pidfile", ""])


class Worker(Server):
    """A Celery worker (with a beat beside it on demand) as in production: prefork, late acknowledgement."""

    name = "worker"

    def __init__(self, *, beat: bool = False, concurrency: int = 1, webhooks: bool = False) -> None:
        """`webhooks`: the worker that sends to webhooks, and plays no bots."""
        self.node = f"{uuid.uuid4().hex[:12]}@test"
        alone = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        command = [sys.executable, "-m", "celery", "-A", "fantan_site", "worker", "-n", self.node, *alone]
        super().__init__([*command, *(FOR_WEBHOOKS if webhooks else ("--concurrency", str(concurrency)))])
        self.beat = Beat() if beat else None

    def output(self) -> str:
        return super().output() + (self.beat.output() if self.beat is not None else "")

    def kill(self) -> None:
        if self.beat is not None:
            self.beat.kill()
        super().kill()

    def discard(self) -> None:
        if self.beat is not None:
            self.beat.discard()
        super().discard()

    def ready(self) -> bool:
        from fantan_site.celery import app

        return bool(app.control.ping(destination=[self.node], timeout=0.5))
