"""Every correction can be asked first what it would change: the same numbers, the same refusals, nothing stored."""

import pytest

from games.audit import audit_session
from games.models import Event, RequestKey
from tests.api.clients import World, code_of

pytestmark = pytest.mark.django_db

FIRST = {"number": 1, "dealer": 0, "result": {"cards_left": [2, 3, 1, 0]}}
SECOND = {"number": 2, "result": {"cards_left": [0, 4, 2, 5]}}


@pytest.fixture
def world():
    """Two deals by their results: 2 7 3 5 by seat, the fewest cards leading."""
    found = World(scheme="card-count")
    for body in (FIRST, SECOND):
        assert found.scorer.post(f"{found.path}/deals", body).status_code == 201
    yield found
    assert list(audit_session(found.table.row)) == []


def corrections_of(world):
    """Every correction with a body that is taken, by address."""
    spare = world.organiser.post("/clubs/river/players", {"name": "Spare"}).json()["id"]
    adjusted = world.organiser.post(f"{world.path}/adjustments", {"seat": 3, "points": 1, "reason": "r"}).json()["seq"]
    one, two = (player.public_id for player in world.table.players[:2])
    return {
        "/deals/1/void": {"reason": "r"},
        "/substitutions": {"seat": 0, "player": spare, "from_number": 2, "credit": "deals", "reason": "r"},
        "/reseats": {"seats": {"0": two, "1": one}, "from_number": 1, "to_number": 1, "reason": "r"},
        "/adjustments": {"seat": 1, "points": -5, "reason": "r"},
        "/undo": {"seq": adjusted, "reason": "r"},
        "/deals": {**FIRST, "result": {"cards_left": [0, 3, 1, 9]}, "reason": "r"},
    }


def test_a_preview_says_just_what_the_correction_then_does_and_stores_nothing(world):
    for path, body in corrections_of(world).items():
        before = Event.objects.count(), world.table.row.version, RequestKey.objects.count()

        asked = world.organiser.post(f"{world.path}{path}?preview=true", body, key=f"preview {path}")

        assert asked.status_code == 200, asked.content
        assert asked.json()["preview"] is True
        assert asked.json()["seq"] == world.table.row.seq
        assert (Event.objects.count(), world.table.row.version, RequestKey.objects.count()) == before
        done = world.organiser.post(f"{world.path}{path}", body, key=f"real {path}")
        assert done.status_code == 201, done.content
        assert done.json()["table"] == asked.json()["table"] != [], path
        again = world.organiser.post(f"{world.path}{path}", body, key=f"real {path}")
        assert again.content == done.content


def test_the_rows_that_change_are_listed_with_both_sides(world):
    world.organiser.post(f"{world.path}/adjustments", {"seat": 0, "points": 3, "reason": "r"})
    a, b, _, d = (player.public_id for player in world.table.players)

    rows = world.organiser.post(f"{world.path}/deals/1/void?preview=true", {"reason": "r"}).json()["table"]

    assert [row["seat"] for row in rows] == [0, 1, 2, 3]
    assert rows[1]["total"] == {"before": 7, "after": 4}
    assert rows[1]["place"] == {"before": 4, "after": 3}
    assert rows[1]["deals"] == {"before": 2, "after": 1}
    assert rows[1]["players"] == {
        "before": [{"player": b, "deals": 2, "points": 7}],
        "after": [{"player": b, "deals": 1, "points": 4}],
    }
    moved = world.organiser.post(f"{world.path}/reseats?preview=true", {"seats": {"0": d, "3": a}, "reason": "r"})
    assert [(row["seat"], row["players"]["after"][0]["player"]) for row in moved.json()["table"]] == [(0, d), (3, a)]
    assert all(row["total"]["before"] == row["total"]["after"] for row in moved.json()["table"])


def test_a_preview_is_refused_with_what_the_correction_is_refused_with(world):
    a = world.table.players[0].public_id
    refused = {
        "/deals/1/void": {"reason": "  "},
        "/deals/7/void": {"reason": "r"},
        "/substitutions": {"seat": 1, "player": a, "reason": "r"},
        "/reseats": {"seats": {"0": a, "1": a}, "reason": "r"},
        "/adjustments": {"seat": 9, "points": 1, "reason": "r"},
        "/undo": {"seq": 1, "reason": "r"},
        "/deals": {"number": 1, "result": {"cards_left": [2, 0, 3, 4]}},
    }
    for path, body in refused.items():
        asked = world.organiser.post(f"{world.path}{path}?preview=true", body)
        done = world.organiser.post(f"{world.path}{path}", body)
        assert asked.json() == done.json(), path
        assert code_of(asked)[0] in (404, 409, 422)


def test_who_may_not_correct_is_shown_nothing(world):
    body = {"reason": "r"}
    path = f"{world.path}/deals/1/void?preview=true"
    assert code_of(world.scorer.post(path, body)) == (403, "forbidden")
    assert code_of(world.outsider.post(path, body)) == (404, "not_found")
    assert code_of(world.anonymous.post(path, body)) == (401, "not_authenticated")


def test_a_preview_is_asked_for_in_one_way(world):
    for value in ("1", "yes", "", "True"):
        answer = world.organiser.post(f"{world.path}/deals/1/void?preview={value}", {"reason": "r"})
        assert code_of(answer) == (400, "bad_parameter")
    kept = world.organiser.post(f"{world.path}/deals/1/void?preview=false", {"reason": "r"})
    assert kept.status_code == 201


def test_what_the_server_would_deal_is_not_to_be_had_beforehand(world):
    answer = world.organiser.post(f"{world.path}/deals?preview=true", {"number": 3})
    assert code_of(answer) == (400, "bad_parameter")
    assert world.table.row.live_deal is None


def test_a_deal_still_being_played_counts_on_neither_side(world):
    world.organiser.post(f"{world.path}/deals", {"number": 3})
    world.step()
    void = world.organiser.post(f"{world.path}/deals/1/void?preview=true", {"reason": "r"}).json()
    assert [row["deals"] for row in void["table"]] == [{"before": 2, "after": 1}] * 4
    done = world.organiser.post(f"{world.path}/deals/1/void", {"reason": "r"}, key="k")
    world.play_out()
    # However far the session has moved on, the answer to the same request is the same.
    assert world.organiser.post(f"{world.path}/deals/1/void", {"reason": "r"}, key="k").content == done.content


@pytest.mark.parametrize(
    ("seats", "status"),
    [({}, 400), ({"8": "x"}, 400), ({"-1": "x"}, 400), ({"00": "x"}, 400), ({"0": 5}, 400), (["x"], 400), ("x", 400)],
)
def test_a_list_of_seats_that_cannot_be_read_is_refused(world, seats, status):
    answer = world.organiser.post(f"{world.path}/reseats", {"seats": seats, "reason": "r"})
    assert code_of(answer) == (status, "invalid")


def test_a_reseat_is_told_with_public_ids(world):
    one, two = (player.public_id for player in world.table.players[:2])
    body = {"seats": {"0": two, "1": one}, "to_number": 1, "reason": "r"}
    done = world.organiser.post(f"{world.path}/reseats", body).json()
    assert done["events"][0]["kind"] == "reseated"
    assert done["events"][0]["data"] == {"seats": {"0": two, "1": one}, "from_number": 1, "to_number": 1}
    players = [player["name"] for player in world.member.get(f"{world.path}/deals/1").json()["players"]]
    assert players == ["B", "A", "C", "D"]
    players = [player["name"] for player in world.member.get(f"{world.path}/deals/2").json()["players"]]
    assert players == ["A", "B", "C", "D"]
