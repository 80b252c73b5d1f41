"""The environment of the tests: settings per xdist worker, a clean Redis database, real worker and web processes.

`python3 dev.py test` starts PostgreSQL and Redis and sets their addresses. Without them (bare `pytest`) the pure tests
run, and a test that asks for a database says what it needs.
"""

import ipaddress
import os
from collections.abc import Callable, Iterator

import hypothesis

from fantan_site.redis_url import with_db

# Before anything reads the settings: each xdist worker has a Redis database of its own (and, by pytest-django, a
# PostgreSQL database).
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw-1").removeprefix("gw")) + 1
os.environ["DJANGO_SETTINGS_MODULE"] = "fantan_site.settings"
os.environ["FANTAN_TESTING"] = "1"
HAS_SERVERS = "REDIS_URL" in os.environ and "DATABASE_URL" in os.environ
if HAS_SERVERS:
    os.environ["REDIS_URL"] = with_db(os.environ["REDIS_URL"], WORKER)
else:
    os.environ["FANTAN_OFFLINE"] = "1"

import django

django.setup()

import pgtrigger
import pytest
import pytest_django
import redis
from django.conf import settings
from django.db import connection
from django.utils import translation

from tests.servers import WebServer, Worker

hypothesis.settings.register_profile("local", deadline=None)
# In CI the same examples every time: what a search finds there would fail somebody else's change.
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """The language of a test's last request is not that of the next test."""
    yield
    translation.activate("en")


@pytest.fixture(scope="session")
def django_db_setup(request: pytest.FixtureRequest) -> Iterator[None]:
    """The test database, with flushing let through the triggers that forbid TRUNCATE."""
    if not HAS_SERVERS:
        pytest.fail("this test needs PostgreSQL and Redis: python3 dev.py test …", pytrace=False)
    # pytest-django's own set-up, asked for by its name once it is known that there are servers.
    request.getfixturevalue("_test_databases")
    flush = connection.ops.execute_sql_flush

    def execute_sql_flush(sql_list: list[str]) -> None:
        # What pgtrigger.ignore() does, as a statement of its own: prepared statements cannot hold two.
        triggers = ",".join(trigger.get_pgid(model) for model, trigger in pgtrigger.registered())
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('pgtrigger.ignore', %s, false)", [f"{{{triggers}}}"])
        try:
            flush(sql_list)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('pgtrigger.ignore', NULL, false)")

    connection.ops.execute_sql_flush = execute_sql_flush  # type: ignore[method-assign]
    yield
    connection.ops.execute_sql_flush = flush  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def _test_databases(
    request: pytest.FixtureRequest,
    django_test_environment: None,
    django_db_blocker: pytest_django.DjangoDbBlocker,
    django_db_modify_db_settings: None,
) -> Iterator[None]:
    from django.test.utils import setup_databases, teardown_databases

    with django_db_blocker.unblock():
        made = setup_databases(verbosity=0, interactive=False)
    yield
    with django_db_blocker.unblock():
        teardown_databases(made, verbosity=0)


@pytest.fixture
def redis_url() -> Iterator[str]:
    """This worker's Redis database, empty."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.flushdb()
        yield settings.REDIS_URL
        client.flushdb()


@pytest.fixture
def redis_client(redis_url: str) -> Iterator["redis.Redis"]:
    """A client of this worker's Redis database, empty."""
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        yield client


@pytest.fixture
def celery_worker_process(transactional_db: None, redis_url: str) -> Iterator[Callable[..., Worker]]:
    """Start real `celery worker` processes on the test's database and Redis: `celery_worker_process(beat=True)`.

    The call returns once the worker answers a ping. All are stopped at the end of the test.
    """
    started: list[Worker] = []

    def start(*, beat: bool = False, concurrency: int = 1, webhooks: bool = False) -> Worker:
        worker = Worker(beat=beat, concurrency=concurrency, webhooks=webhooks)
        started.append(worker)
        worker.wait_until_ready()
        return worker

    yield start
    for worker in reversed(started):
        print(worker.output())  # shown with a failed test
        worker.stop()


@pytest.fixture
def inside(settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator lets webhooks call this machine, over plain http; workers started from now on do so too."""
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    settings.WEBHOOK_HTTP = True
    monkeypatch.setenv("WEBHOOK_NETWORKS", "127.0.0.0/8")
    monkeypatch.setenv("WEBHOOK_HTTP", "1")


@pytest.fixture(scope="session")
def _web_server(django_db_setup: None) -> Iterator[WebServer]:
    server = WebServer()
    server.wait_until_ready()
    yield server
    server.stop()


@pytest.fixture
def live_http(transactional_db: None, redis_url: str, _web_server: WebServer) -> WebServer:
    """A real web server process on the test's database and Redis: `live_http.url`, `live_http.client()`.

    One process serves all tests of an xdist worker; a test that kills it uses `live_http.restart()` afterwards.
    """
    if not _web_server.running:
        _web_server.restart()
    return _web_server
