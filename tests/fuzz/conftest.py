"""A club with things of every kind, for requests by lot."""

import pytest

from tests.competitions.api.clients import Cup
from tests.fuzz.cases import There


@pytest.fixture
def cup():
    return Cup(8, deals=1)


@pytest.fixture
def there(cup):
    """The club's things: a round with tables, a session that is played and one that is open."""
    cup.post("/rounds/1/draw")
    [opened] = cup.post("/rounds/1/open", {"publish": True})["events"][-1:]
    tables = opened["data"]["sessions"]
    played = cup.organiser.post(
        f"/sessions/{tables[0]}/deals", {"number": 1, "dealer": 0, "result": {"cards_left": [0, 1, 2, 3]}}
    )
    assert played.status_code == 201, played.content
    open_one = cup.organiser.post("/clubs/river/sessions", {"players": cup.ids[:4]}).json()["session"]
    return There(cup, sessions=[*tables, open_one], other="nobodyknows2")
