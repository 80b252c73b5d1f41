"""Whom this server calls in somebody else's name: public addresses, and what its operator allows besides."""

import contextlib
import ipaddress
import socket
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.webhooks import sending
from games.webhooks.addresses import BadAddress, Policy, parse

PUBLIC = Policy()
LAN = Policy(networks=(ipaddress.ip_network("10.1.0.0/16"), ipaddress.ip_network("::1/128")), http=True)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/hook",
        "https://example.org:8443/a?b=c",
        "https://8.8.8.8/",
        "https://[2606:4700::1111]/",
        "https://bücher.example/",
        "https://EXAMPLE.org./",
    ],
)
def test_public_addresses_can_be_called(url):
    assert parse(url, PUBLIC).scheme == "https"


INSIDE = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "017700000001",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "0.0.0.0",
    "0",
    "255.255.255.255",
    "224.0.0.1",
    "240.0.0.1",
    "192.0.0.8",
    "198.18.0.1",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[fe80::1]",
    "[fe80::1%25eth0]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[2001:db8::1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00::]",
    "localhost",
    "db",
    "db.internal",
    "printer.local",
    "LOCALHOST.",
]


@pytest.mark.parametrize("host", INSIDE)
def test_private_addresses_cannot_in_whatever_form(host):
    for url in (f"https://{host}/", f"https://{host}:8000/x"):
        with pytest.raises(BadAddress):
            parse(url, PUBLIC)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://example.org/",
        "file:///etc/passwd",
        "//example.org/",
        "example.org",
        "",
        "https://",
        "https:///x",
        "https://user:pass@example.org/",
        "https://user@example.org/",
        "https://@example.org/",
        "https://example.org@127.0.0.1/",
        "https://example.org\\@127.0.0.1/",
        "https://example.org/#part",
        "https://example.org:22/",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "https://example.org/\r\nX: y",
        "https://example.org/\x00",
        " https://example.org/",
        "https://①②⑦.0.0.1/",
        "https://example.org/" + "x" * 500,
    ],
)
def test_what_is_no_address_of_the_web_is_refused_in_words(url):
    with pytest.raises(BadAddress) as refused:
        parse(url, PUBLIC)
    assert str(refused.value).endswith(".")


@given(st.text(max_size=60))
def test_any_text_is_taken_or_refused_never_more(text):
    for url in (text, f"https://{text}", f"https://example.org{text}"):
        with contextlib.suppress(BadAddress):
            parse(url, PUBLIC)


@given(st.ip_addresses())
def test_an_address_within_another_is_taken_for_what_it_is(address):
    allowed = PUBLIC.allows(address)
    if isinstance(address, ipaddress.IPv4Address):
        for form in (f"::ffff:{address}", f"64:ff9b::{int(address) >> 16:x}:{int(address) & 0xFFFF:x}"):
            assert PUBLIC.allows(ipaddress.ip_address(form)) == allowed
    if allowed:
        assert not address.is_private
        assert not address.is_loopback
        assert not address.is_multicast


def test_the_operator_allows_networks_and_plain_http():
    for url in ("http://10.1.2.3/", "https://10.1.2.3:8000/", "https://[::1]/", "http://[::ffff:10.1.2.3]/"):
        assert parse(url, LAN)
    for url in ("http://10.2.0.1/", "https://127.0.0.1/", "https://[::2]/", "https://169.254.169.254/"):
        with pytest.raises(BadAddress):
            parse(url, LAN)
    assert parse("http://scoreboard.lan/", LAN).port == 80  # what it leads to is checked at each call


def resolver(monkeypatch, *answers: list[str]) -> list[str]:
    """Let names lead to these addresses, a list for each time that somebody asks. Returns the names asked for."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def getaddrinfo(host, port, *args, **more):
        try:
            ipaddress.ip_address(host)
        except ValueError:
            asked.append(host)
            found = answers[min(len(asked), len(answers)) - 1]
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]
        return real(host, port, *args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize("answer", [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["169.254.169.254"], []])
def test_a_name_is_refused_if_any_address_it_leads_to_is_private(monkeypatch, make_receiver, answer):
    inside = make_receiver()
    resolver(monkeypatch, answer)
    outcome = sending.send(f"http://evil.example:{inside.port}/", "{}", {}, policy=Policy(http=True))
    assert outcome.code is None
    assert "address" in outcome.error
    assert "127" not in outcome.error
    assert inside.calls == []


def test_a_name_that_leads_elsewhere_when_asked_again_is_not_asked_again(monkeypatch, make_receiver):
    """DNS rebinding: the address that was checked is the one that is called."""
    checked, other = make_receiver(), make_receiver()
    policy = Policy((ipaddress.ip_network("127.0.0.1/32"),), http=True)
    asked = resolver(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])
    outcome = sending.send(f"http://rebind.example:{checked.port}/", "{}", {}, policy=policy)
    assert (outcome.code, len(checked.calls), len(other.calls)) == (204, 1, 0)
    assert asked == ["rebind.example"]
    assert checked.calls[0].headers["host"] == f"rebind.example:{checked.port}"
    # The next call resolves anew, and the address that it leads to by then is refused.
    outcome = sending.send(f"http://rebind.example:{checked.port}/", "{}", {}, policy=policy)
    assert outcome.code is None
    assert len(checked.calls) == 1


def test_a_resolver_that_hangs_costs_no_more_than_a_call_may(monkeypatch):
    release = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **more: [][release.wait(20) :])
    outcome = sending.send("https://slow.example/", "{}", {}, policy=PUBLIC, seconds=0.2)
    release.set()
    assert outcome.took_ms < 2000
    assert "No whole answer" in outcome.error


def test_a_name_that_does_not_exist_is_said_to_be_so(monkeypatch):
    def getaddrinfo(*args, **more):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    outcome = sending.send("https://nowhere.example/", "{}", {}, policy=PUBLIC)
    assert outcome.error == "The name cannot be resolved."


@pytest.fixture
def certificate(tmp_path):
    """A certificate of its own for hooks.example, and its key."""
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = subprocess.run(
        [
            *(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
            ),
            *("-subj", "/CN=hooks.example", "-addext", "subjectAltName=DNS:hooks.example"),
            *("-keyout", str(key), "-out", str(cert)),
        ],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("openssl makes no certificate here")
    return cert, key


def test_https_is_to_the_checked_address_in_the_hosts_name(monkeypatch, certificate):
    cert, key = certificate
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    named: list[str | None] = []
    context.sni_callback = lambda connection, name, _: named.append(name)
    hosts: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            hosts.append(self.headers["Host"])
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args):
            pass

    class Quiet(HTTPServer):
        def handle_error(self, *args):
            pass

    server = Quiet(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    policy = Policy((ipaddress.ip_network("127.0.0.1/32"),))
    resolver(monkeypatch, ["127.0.0.1"])
    trusting = ssl.create_default_context(cafile=str(cert))
    port = server.server_port
    try:
        monkeypatch.setattr(sending, "_tls", lambda: trusting)
        assert sending.send(f"https://hooks.example:{port}/", "{}", {}, policy=policy).code == 204
        assert (named, hosts) == (["hooks.example"], [f"hooks.example:{port}"])
        other = sending.send(f"https://other.example:{port}/", "{}", {}, policy=policy)
        assert (other.code, "certificate" in other.error.lower()) == (None, True)
        monkeypatch.undo()
        resolver(monkeypatch, ["127.0.0.1"])
        stranger = sending.send(f"https://hooks.example:{port}/", "{}", {}, policy=policy)
        assert (stranger.code, "certificate" in stranger.error.lower()) == (None, True)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert len(hosts) == 1
