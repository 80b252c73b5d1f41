"""A receiver on this machine, which the operator allows to be called."""

import ipaddress
from collections.abc import Callable, Iterator

import pytest

from tests.webhooks.receiver import Receiver


@pytest.fixture
def inside(settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator allows this machine, over plain http; workers started from now on do so too."""
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    settings.WEBHOOK_HTTP = True
    monkeypatch.setenv("WEBHOOK_NETWORKS", "127.0.0.0/8")
    monkeypatch.setenv("WEBHOOK_HTTP", "1")


@pytest.fixture
def receiver(inside: None) -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.stop()


@pytest.fixture
def make_receiver(inside: None) -> Iterator[Callable[..., Receiver]]:
    made: list[Receiver] = []

    def make(*args) -> Receiver:
        made.append(Receiver(*args))
        return made[-1]

    yield make
    for item in made:
        item.stop()
