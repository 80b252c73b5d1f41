"""A process that keeps streams open, for the tests of this folder."""

from collections.abc import Iterator

import pytest

from games import notify
from tests.servers import StreamServer


@pytest.fixture(scope="session")
def _stream_server(django_db_setup: None) -> Iterator[StreamServer]:
    server = StreamServer(STREAM_HEARTBEAT_SECONDS="1")
    server.wait_until_ready()
    yield server
    server.stop()


@pytest.fixture
def live_streams(transactional_db: None, redis_url: str, _stream_server: StreamServer) -> StreamServer:
    """A real process on the test's database and Redis: `live_streams.url`, `live_streams.client()`.

    One process serves all tests of an xdist worker; a test that kills it uses `live_streams.restart()` afterwards.
    """
    if not _stream_server.running:
        _stream_server.restart()
    return _stream_server


@pytest.fixture
def told(monkeypatch):
    """What was published, as (kind, id, seq)."""
    found: list[tuple[str, str, int]] = []

    def publish(channel: str, text: str) -> bool:
        kind, public_id, seq = text.split()
        assert channel == notify.CHANGES
        found.append((kind, public_id, int(seq)))
        return True

    monkeypatch.setattr(notify, "publish", publish)
    return found
