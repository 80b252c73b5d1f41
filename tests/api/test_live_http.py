"""The API through a real server: what only HTTP itself can show."""

import http.client
import socket
import threading
from urllib.parse import urlsplit

import pytest

from tests.api.clients import BASE, World

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]


@pytest.fixture
def world(live_http):
    return World()


def bearer(api):
    return {"Authorization": f"Bearer {api.secret}"}


def test_a_turn_is_played_over_http_and_its_twins_get_the_same_bytes(live_http, world):
    world.start()
    seat, view = world.to_act()
    body = {"action": (view["view"]["legal"] or ["-"])[0], "expected_seq": view["seq"]}
    answers = []

    def play():
        with live_http.client(headers={**bearer(world.seats[seat]), "Idempotency-Key": "one"}) as client:
            answers.append(client.post(f"{BASE}{world.path}/actions", json=body))

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [201] * 4
    assert len({answer.content for answer in answers}) == 1
    assert world.member.get(f"{world.path}/view").json()["seq"] == view["seq"] + 1


def test_errors_have_their_form_and_next_is_an_address_that_works(live_http, world):
    with live_http.client(headers=bearer(world.member)) as client:
        missing = client.get(f"{BASE}/sessions/aaaaaaaaaaaa")
        assert (missing.status_code, missing.headers["Content-Type"]) == (404, "application/problem+json")
        assert client.get(f"{BASE}/sessions/%00").status_code == 404
        page = client.get(f"{BASE}/clubs/river/players", params={"limit": 2}).json()
        assert page["next"].startswith(live_http.url)
        following = client.get(page["next"]).json()["results"]
        assert {row["id"] for row in following}.isdisjoint(row["id"] for row in page["results"])
    with live_http.client() as client:
        assert client.get(f"{BASE}/me").headers["WWW-Authenticate"] == 'Bearer realm="api"'
        assert client.get(f"{BASE}/rules").status_code == 200


def test_a_body_in_chunks_is_refused_and_not_read_as_empty(live_http, world):
    def chunks():
        yield b'{"reason":'
        yield b'"late"}'

    headers = {**bearer(world.organiser), "Content-Type": "application/json"}
    with live_http.client(headers=headers) as client:
        answer = client.post(f"{BASE}{world.path}/close", content=chunks())
    assert (answer.status_code, answer.json()["code"]) == (411, "length_required")
    assert world.member.get(world.path).json()["status"] == "open"


def test_a_client_that_hangs_up_in_the_middle_changes_nothing(live_http, world):
    address = urlsplit(live_http.url)
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall(
            f"POST {BASE}{world.path}/close HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {world.organiser.secret}\r\nContent-Length: 500\r\n\r\n{{".encode()
        )
    assert world.member.get(world.path).json()["status"] == "open"
    with live_http.client(headers=bearer(world.member)) as client:
        assert client.get(f"{BASE}/me").status_code == 200


def test_a_body_that_is_too_long_is_refused(live_http, world):
    with live_http.client(headers=bearer(world.organiser)) as client:
        big = client.post(f"{BASE}{world.path}/close", json={"reason": "x" * 200_000})
        assert (big.status_code, big.json()["code"]) == (413, "too_large")


def test_odd_bytes_in_the_request_line_and_headers_are_no_500(live_http, world):
    address = urlsplit(live_http.url)
    for target in (
        b"/api/v1/sessions?label=\xff",
        b"/api/v1/sessions?label=%ff",
        b"/api/v1/clubs/\xc3\xa9",
        b"/api/v1/sessions?label=\xc3\xa9",
        b"/api/v1/sessions?" + b"a" * 5000,
    ):
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=10)
        connection._validate_path = lambda path: None
        connection._encode_request = lambda request: request.encode("latin-1")
        connection.putrequest("GET", target.decode("latin-1"), skip_accept_encoding=True)
        connection.putheader("Authorization", f"Bearer {world.member.secret}")
        connection.endheaders()
        assert connection.getresponse().status < 500, target
        connection.close()


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        ("/clubs/river/imports?dry_run=false", "application/x-ndjson", b"{}\n"),
        ("/clubs/river/sessions", "application/json", b'{"label": "half"}'),
    ],
)
def test_a_body_that_breaks_off_is_refused_even_where_it_reads_as_whole(live_http, world, path, kind, body):
    address = urlsplit(live_http.url)
    head = (
        f"POST {BASE}{path} HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {world.organiser.secret}\r\n"
        f"Content-Type: {kind}\r\nContent-Length: {len(body) + 100}\r\nConnection: close\r\n\r\n"
    )
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        connection.sendall(head.encode() + body)
        connection.shutdown(socket.SHUT_WR)
        answer = connection.makefile("rb").read()

    assert b" 400 " in answer.splitlines()[0]
    assert b"unreadable_body" in answer
    assert world.organiser.get("/sessions?label=half").json()["results"] == []


def test_a_session_without_a_deal_exports_an_empty_file_of_its_type(world):
    answer = world.organiser.get(f"{world.path}/records")

    assert (answer.status_code, answer.content) == (200, b"")
    assert answer["Content-Type"] == "application/x-ndjson"
