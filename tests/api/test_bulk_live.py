"""Bulk through real servers and workers: memory that does not grow, clients that go away, processes that are killed."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from django.db import connection
from django.utils import timezone

from games.audit import audit_session
from games.models import ImportChunk, ImportJob, Session
from games.services import importing
from tests.api.clients import BASE, World
from tests.games.builders import NOW
from tests.games.test_import_export import result_line
from tests.servers import Server, StreamServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]

MIB = 1024 * 1024
PATIENCE = 120
DEALS = f"{BASE}/clubs/river/deals.ndjson"
JOBS = f"{BASE}/clubs/river/import-jobs?dry_run=false"


def wait_for(condition, what):
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline, f"still waiting: {what}"
        time.sleep(0.05)
    return found


def bearer(api):
    return {"Authorization": f"Bearer {api.secret}"}


def bring_in(world, label, deals, note=""):
    """A session of so many deals, each with a note of that text."""
    lines = (result_line(session=label, number=n, dealer=(n - 1) % 3, note=note or None) for n in range(1, deals + 1))
    importing.import_records(
        caller=world.table.caller,
        club="river",
        lines=enumerate(lines, start=1),
        dry_run=False,
        now=NOW,
        door="import",
    )


@pytest.fixture(params=["wsgi", "asgi"])
def server(request, live_http) -> Iterator[Server]:
    """granian, and uvicorn with threads for all that is no stream."""
    if request.param == "wsgi":
        yield live_http
        return
    started = StreamServer()
    started.wait_until_ready()
    yield started
    started.stop()


def most_memory(server: Server) -> int:
    """Bytes that the processes of a server have had in memory at most, since `forget_memory`."""
    return sum(int(line.split()[1]) * 1024 for status in _statuses(server) for line in status if "VmHWM" in line)


def forget_memory(server: Server) -> None:
    for pid in _processes(server):
        Path(f"/proc/{pid}/clear_refs").write_text("5")


def _processes(server: Server) -> list[int]:
    """All of its session: the process itself and its workers."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, _, rest = stat.read_text().partition(" ")
            if int(rest.rpartition(") ")[2].split()[3]) == server.process.pid:
                found.append(int(pid))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def _statuses(server: Server) -> list[list[str]]:
    return [Path(f"/proc/{pid}/status").read_text().splitlines() for pid in _processes(server)]


def test_ten_times_as_many_deals_take_no_more_memory(server):
    world = World()
    note = "twelve kilobytes of it " * 520
    bring_in(world, "one", 500, note)

    def read() -> tuple[int, int, int]:
        lines = size = 0
        forget_memory(server)
        with (
            httpx.Client(base_url=server.url, timeout=60, headers=bearer(world.member)) as client,
            client.stream("GET", DEALS) as answer,
        ):
            for block in answer.iter_bytes():
                lines += block.count(b"\n")
                size += len(block)
            assert int(answer.headers["Export-Lines"]) == lines
        return lines, size, most_memory(server)

    read()
    _, _, before = read()
    for label in ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"):
        bring_in(world, label, 500, note)
    lines, size, after = read()
    assert lines == 5000
    assert size > 50 * MIB
    assert after - before < 12 * MIB


def test_a_file_that_comes_in_is_never_in_memory(server):
    world = World()
    body = (b"x" * 1023 + b"\n") * (60 * 1024)

    def send(data):
        forget_memory(server)
        headers = {**bearer(world.scorer), "Content-Type": "application/x-ndjson"}
        with httpx.Client(base_url=server.url, timeout=60, headers=headers) as client:
            answer = client.post(JOBS, content=data)
            assert answer.status_code == 202, answer.content
        return most_memory(server)

    send(body[:MIB])
    before, after = send(body[:MIB]), send(body)
    assert ImportChunk.objects.filter(job=ImportJob.objects.latest("pk")).count() == 60
    assert after - before < 20 * MIB


def test_a_file_that_breaks_off_leaves_nothing(server):
    world = World()
    address = urlsplit(server.url)
    head = (
        f"POST {JOBS} HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {world.scorer.secret}\r\n"
        "Content-Type: application/x-ndjson\r\nContent-Length: 5000000\r\nConnection: close\r\n\r\n"
    )
    with socket.create_connection((address.hostname, address.port), timeout=20) as half:
        half.sendall(head.encode() + b"x" * 2_000_000)
        wait_for(lambda: ImportChunk.objects.count() == 1, "a piece of it")
    wait_for(lambda: ImportJob.objects.count() == 0, "the half file to be gone")
    assert ImportChunk.objects.count() == 0


def in_transaction() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND xact_start < now()"
        )
        return int(cursor.fetchone()[0])


def test_a_client_that_goes_away_leaves_the_thread_and_its_transaction_free(server):
    world = World()
    bring_in(world, "long", 500, "k" * 40_000)
    headers = bearer(world.member)
    with (
        httpx.Client(base_url=server.url, timeout=60, headers=headers) as client,
        client.stream("GET", DEALS) as answer,
    ):
        blocks = answer.iter_bytes()
        next(blocks)
        with httpx.Client(base_url=server.url, timeout=60, headers=headers) as other:
            refused = other.get(DEALS)
        assert (refused.status_code, refused.json()["code"]) == (503, "busy")
        assert in_transaction() == 1
    wait_for(lambda: in_transaction() == 0, "the transaction to end")
    with httpx.Client(base_url=server.url, timeout=60, headers=headers) as client:
        assert client.get(DEALS).content.count(b"\n") == 500


def until_it_breaks(blocks) -> bytes:
    got = b""
    try:
        for block in blocks:
            got += block
    except httpx.HTTPError:
        return got
    raise AssertionError("a torn answer looked like a whole one")


def test_an_export_that_a_killed_server_cut_off_is_known_to_be_torn_and_goes_on(live_http):
    world = World()
    bring_in(world, "long", 500, "k" * 40_000)
    headers = bearer(world.member)
    with live_http.client(headers=headers) as client:
        whole = client.get(DEALS).content
        with client.stream("GET", DEALS) as answer:
            tag, lines = answer.headers["Export-Snapshot"], int(answer.headers["Export-Lines"])
            blocks = answer.iter_bytes()
            got = next(blocks)
            live_http.kill()
            got += until_it_breaks(blocks)
    live_http.restart()
    kept = got[: got.rindex(b"\n") + 1]
    assert kept.count(b"\n") < lines == 500
    with live_http.client(headers=headers) as client:
        rest = client.get(DEALS, params={"snapshot": tag, "from_line": kept.count(b"\n") + 1})
        assert kept + rest.content == whole


def test_a_worker_killed_in_the_middle_of_an_import_costs_nothing_and_doubles_nothing(celery_worker_process):
    world = World()
    first = celery_worker_process()
    body = b"".join(
        result_line(session=f"s {n:03}", number=number, dealer=number - 1) + b"\n"
        for n in range(150)
        for number in (1, 2, 3)
    )
    taken = world.scorer.send(body, "/clubs/river/import-jobs?dry_run=false", content_type="application/x-ndjson")
    assert taken.status_code == 202
    job = wait_for(lambda: ImportJob.objects.filter(stored_sessions__gte=3).first(), "some sessions")

    first.kill()

    assert ImportJob.objects.get().status == "storing"
    ImportJob.objects.filter(lease_until__isnull=False).update(lease_until=timezone.now())  # as after its time
    celery_worker_process(beat=True)
    wait_for(lambda: ImportJob.objects.get().over, "the end of the import")
    job.refresh_from_db()
    assert (job.status, job.stored_sessions, job.stored_deals) == ("done", 150, 450)
    labels = list(Session.objects.filter(label__startswith="s ").order_by("pk").values_list("label", flat=True))
    assert labels == [f"s {n:03}" for n in range(150)]
    for session in Session.objects.filter(label__startswith="s ").order_by("?")[:5]:
        assert list(audit_session(session)) == []


def test_an_import_whose_nudges_are_all_lost_is_found_by_the_sweep(celery_worker_process, redis_client):
    world = World()
    taken = world.scorer.send(
        result_line() + b"\n", "/clubs/river/import-jobs?dry_run=true", content_type="application/x-ndjson"
    )
    redis_client.flushdb()
    celery_worker_process(beat=True)
    path = f"/import-jobs/{taken.json()['job']}"
    wait_for(lambda: world.scorer.get(path).json()["status"] == "checked", "the check")
