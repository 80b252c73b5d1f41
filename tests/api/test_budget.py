"""Statements of one action over HTTP (docs/architecture.md): the same at the first action and the last."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.clients import World


def counted(world: World) -> tuple[int, int, int, dict]:
    """One action: statements before BEGIN, between BEGIN and COMMIT, after it, and the answer."""
    seat, view = world.to_act()
    action = (view["view"]["legal"] or ["-"])[0]
    with CaptureQueriesContext(connection) as captured:
        answer = world.seats[seat].act(world.session, action, view["seq"])
    assert answer.status_code == 201
    statements = [query["sql"] for query in captured]
    begin, commit = statements.index("BEGIN"), statements.index("COMMIT")
    return begin, commit - begin - 1, len(statements) - commit - 1, answer.json()


@pytest.mark.django_db(transaction=True)
def test_an_action_keeps_to_its_statements_from_the_first_to_the_last():
    world = World()
    world.start()
    over = False
    actions = 0
    while not over:
        before, inside, after, answer = counted(world)
        over = answer["deal_over"]
        actions += 1
        assert before == 1
        assert inside <= (10 if over else 6), actions
        assert after == 0
    assert actions >= 40
    world.organiser.post(f"{world.path}/deals", {"number": 2})
    assert counted(world)[:3] == (1, 6, 0)


READS = {
    "/me": 3,
    "/clubs": 2,
    "/clubs/river/players": 3,
    "/clubs/river/sessions": 3,
    "/sessions": 2,
    "{session}": 3,
    "{session}/view": 4,
    "{session}/seats/0/view": 5,
    "{session}/deals": 4,
    "{session}/deals/1": 4,
    "{session}/deals/1/replay": 4,
    "{session}/deals/1/replay?step=20": 4,
    "{session}/deals/1/record": 7,
    "{session}/records": 6,
    "{session}/table": 6,
    "{session}/events": 5,
}


@pytest.mark.django_db
def test_reads_take_the_same_few_statements_however_long_the_session():
    world = World(scheme="wins:target=9")
    world.start()
    counts = []
    for number in (2, 3):
        world.table.play_out()
        counts.append({path: reading(world, path) for path in READS})
        world.organiser.post(f"{world.path}/deals", {"number": number})
    assert counts[0] == counts[1]
    assert {path: n for path, n in counts[0].items() if n > READS[path]} == {}


def reading(world: World, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert world.seats[0].get(path.format(session=world.path)).status_code == 200
    return len(captured)
