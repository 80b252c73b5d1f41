"""A receiver on this machine, which the operator allows to be called."""

from collections.abc import Callable, Iterator

import pytest

from tests.webhooks.receiver import Receiver


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
