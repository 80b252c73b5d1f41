"""A club's people over the API: merged, unmerged, anonymised, found, and the club's own log."""

import pytest

from games.models import ClubEvent, Player
from tests.api.clients import World, code_of
from tests.api.test_lists import TIME, pages
from tests.games.people import add, merge, played

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    return World()


def test_a_duplicate_is_merged_shown_as_the_person_and_taken_apart_again(world):
    anna, ann = add(world.table, "Anna"), add(world.table, "Ann")
    session = played(world.table, ann, *world.table.players[:3])
    body = {"into": anna.public_id, "reason": "Entered twice."}

    answer = world.organiser.post(f"/players/{ann.public_id}/merge", body)

    assert answer.status_code == 201
    event = answer.json()["event"]
    assert TIME.fullmatch(event.pop("at"))
    assert event == {"seq": 1, "kind": "merged", "player": ann.public_id, "data": {"into": anna.public_id}}
    shown = world.member.get(f"/players/{ann.public_id}").json()
    assert (shown["merged_into"], shown["active"], shown["name"]) == (anna.public_id, False, "Ann")
    person = {"id": anna.public_id, "name": "Anna", "strategy": ""}
    detail = world.member.get(f"/sessions/{session}").json()
    assert detail["seating"][0]["player"] == person
    assert world.member.get(f"/sessions/{session}/deals").json()["results"][0]["players"][0] == person
    table = world.member.get(f"/sessions/{session}/table").json()
    assert table["rows"][0]["players"][0]["player"] == person
    seated = world.member.get(f"/sessions/{session}/events").json()["results"][1]
    assert seated["data"] == {"player": ann.public_id}  # the log says what it said

    assert world.organiser.post(f"/players/{ann.public_id}/unmerge", {"reason": "Cousins."}).status_code == 201
    assert world.member.get(f"/sessions/{session}").json()["seating"][0]["player"]["id"] == ann.public_id


def test_each_refusal_has_its_code(world):
    anna, ann = add(world.table, "Anna"), add(world.table, "Ann")
    session = played(world.table, anna, ann, *world.table.players[:2])
    path = f"/players/{ann.public_id}/merge"
    met = world.organiser.post(path, {"into": anna.public_id, "reason": "r"})
    assert code_of(met) == (409, "met")
    assert met.json()["session"] == session
    assert code_of(world.organiser.post(path, {"into": ann.public_id, "reason": "r"})) == (422, "same_player")
    assert code_of(world.organiser.post(path, {"into": "x" * 12, "reason": "r"})) == (422, "bad_player")
    assert code_of(world.organiser.post(path, {"into": anna.public_id, "reason": " "})) == (422, "reason_required")
    assert code_of(world.organiser.post(path, {"into": anna.public_id})) == (400, "invalid")
    assert code_of(world.organiser.post(f"/players/{ann.public_id}/unmerge", {"reason": "r"})) == (409, "not_merged")


def test_a_request_sent_again_gets_the_same_bytes_whatever_happened_since(world):
    anna, ann = add(world.table, "Anna"), add(world.table, "Ann")
    body = {"into": anna.public_id, "reason": "Ann is Anna."}
    first = world.organiser.post(f"/players/{ann.public_id}/merge", body, key="k")
    world.organiser.post(f"/players/{anna.public_id}/anonymise", {"reason": "By letter."})
    assert world.organiser.post(f"/players/{ann.public_id}/merge", body, key="k").content == first.content
    assert code_of(world.organiser.post(f"/players/{anna.public_id}/merge", body, key="k")) == (422, "key_reused")
    assert ClubEvent.objects.count() == 3


def test_somebody_forgotten_is_shown_without_name_and_account_everywhere(world):
    zoe = add(world.table, "Zoë Jones", account="zoe")
    session = played(world.table, zoe, *world.table.players[:3])
    world.organiser.post(f"{world.path.replace(world.session, session)}/adjustments", ADJUSTED)
    answer = world.organiser.post(f"/players/{zoe.public_id}/anonymise", {"reason": "By letter."})
    assert answer.status_code == 201
    for path in (
        f"/players/{zoe.public_id}",
        "/clubs/river/players",
        "/clubs/river/events",
        f"/sessions/{session}",
        f"/sessions/{session}/table",
        f"/sessions/{session}/deals",
        f"/sessions/{session}/events",
        f"/sessions/{session}/records",
    ):
        text = world.organiser.get(path).content.decode()
        assert "Zoë" not in text, path
        assert "Jones" not in text, path
    shown = world.organiser.get(f"/players/{zoe.public_id}").json()
    assert shown == {
        "id": zoe.public_id,
        "club": "river",
        "name": f"Player {zoe.public_id[:4]}",
        "strategy": "",
        "username": None,
        "active": False,
        "merged_into": None,
        "anonymised": True,
    }


ADJUSTED = {"seat": 0, "points": -1, "reason": "Zoë Jones talked."}


def test_the_clubs_log_is_paged_and_says_who_and_why(world):
    anna = add(world.table, "Anna")
    for name in ("Ann", "Hanna", "Annie"):
        merge(world.table, add(world.table, name), anna, reason=f"{name} is one of them.")
    found = pages(world.member, "/clubs/river/events?limit=2")
    assert [[row["seq"] for row in page] for page in found] == [[1, 2], [3]]
    row = found[0][0]
    assert (row["who"], row["reason"], row["kind"]) == ("river-organiser", "Ann is one of them.", "merged")
    assert code_of(world.outsider.get("/clubs/river/events")) == (404, "not_found")
    assert world.outsider.get("/clubs/hill/events").json() == {"results": [], "next": None}
    assert code_of(world.member.get("/clubs/river/events?after=x")) == (400, "bad_parameter")


def test_a_name_is_found_whatever_its_case_and_accents(world):
    for name in ("Jérôme", "Jean", "Žofie", "Łukasz", "Søren", "Straße", "Ёлка"):
        add(world.table, name)

    def found(text: str) -> list[str]:
        answer = world.member.get("/clubs/river/players", {"name": text})
        return [row["name"] for row in answer.json()["results"]]

    assert found("Je") == ["Jérôme", "Jean"]
    assert found("JÉR") == found("jer") == ["Jérôme"]
    assert found("zofie") == ["Žofie"]
    assert found("lukasz") == ["Łukasz"]
    assert found("soren") == ["Søren"]
    assert found("STRASSE") == ["Straße"]
    assert found("елка") == ["Ёлка"]
    assert found("%") == found("_") == found("nobody") == []
    first = world.member.get("/clubs/river/players?name=je&limit=1").json()
    assert "name=je" in first["next"]


def test_no_door_of_the_api_deletes_a_player(world):
    player = world.table.players[0].public_id
    for path in (f"/players/{player}", "/clubs/river/players", f"/players/{player}/merge"):
        assert world.superuser.delete(path).status_code == 405
    assert Player.objects.filter(public_id=player).exists()
