"""Writes to competitions that are sent again answer the same, to the byte; a version names what was looked at."""

import pytest

from competitions.models import Event
from games.models import Player, Session
from tests.api.clients import code_of
from tests.competitions.api.clients import Cup

pytestmark = pytest.mark.django_db


def test_every_write_sent_again_answers_the_same_and_does_nothing_more():
    cup = Cup(9, rounds=3, tie_breaks=["wins"])
    spare = cup.organiser.post("/clubs/river/players", {"name": "Spare"}).json()["id"]
    path, ids = cup.path, cup.ids
    done = []

    def ask(address: str, body: dict, method: str = "post") -> None:
        key = f"key {len(done)}"
        answer = getattr(cup.organiser, method)(address, body, key=key)
        assert answer.status_code == (201 if method == "post" else 200), (address, answer.content)
        done.append((method, address, body, key, answer))

    ask("/clubs/river/competitions", {"name": "Other"})
    ask(path, {"season": "2027"}, "patch")
    ask(f"{path}/copy", {"name": "Copy", "entries": True})
    ask(f"{path}/entries", {"entries": [{"player": spare, "seed": 4}]})
    ask(f"{path}/apart", {"players": ids[:2]})
    ask(f"{path}/rounds/1", {"title": "Opening night"}, "patch")
    ask(f"{path}/rounds/1/draw", {"variant": 2})
    ask(f"{path}/entries/{ids[8]}/withdraw", {"reason": "Away."})
    ask(f"{path}/publications", {"what": "draw", "round": 1})
    ask(f"{path}/publications/1/unpublish", {"reason": "Too soon."})
    ask(f"{path}/rounds/1/open", {"publish": True})
    cup.league.play(1)
    ask(f"{path}/rounds/1/close", {})
    ask(f"{path}/adjustments", {"player": ids[0], "points": "-7/2", "reason": "Late."})
    ask(f"{path}/undo", {"seq": done[-1][-1].json()["seq"], "reason": "Not late."})
    ask(f"{path}/entries/{ids[8]}/reinstate", {})
    ask(f"{path}/entries/{ids[7]}/sit-out", {"round": 2, "bye": True})
    ask(f"{path}/rounds/2/seating", {"tables": [ids[:4], ids[4:7]]})
    ask(f"{path}/rounds/1/reopen", {"reason": "One more deal."})
    ask(f"{path}/rounds/1/close", {})
    ask(f"{path}/publications", {"what": "standings"})
    ask(f"{path}/finish", {})
    events, sessions = Event.objects.count(), Session.objects.count()
    Player.objects.filter(public_id__in=ids).update(name="Somebody else")
    Event.objects.exclude(reason="").update(reason="")
    for method, address, body, key, answer in done:
        again = getattr(cup.organiser, method)(address, body, key=key)
        assert (again.status_code, again.content) == (answer.status_code, answer.content), address
        assert again.headers.get("Location") == answer.headers.get("Location")
    assert (Event.objects.count(), Session.objects.count()) == (events, sessions)


def test_a_preview_leaves_its_key_free():
    cup = Cup(4)
    body = {"player": cup.ids[0], "points": 1, "reason": "r"}
    for query, status in (("?preview=true", 200), ("?preview=true", 200), ("", 201), ("", 201)):
        assert cup.organiser.post(f"{cup.path}/adjustments{query}", body, key="k").status_code == status
    assert len(cup.league.state.adjustments) == 1


def test_what_a_preview_says_is_what_happens_unless_something_came_between():
    cup = Cup(8, rounds=2)
    cup.league.whole_round(1)
    body = {"player": cup.ids[1], "points": 400, "reason": "r"}
    said = cup.post("/adjustments?preview=true", body, status=200)
    assert said["sentences"]
    assert said["effects"]["standings"]
    version = said["version"]
    assert cup.get("/table")["version"] == cup.get()["version"] == version
    cup.post("/adjustments", {"player": cup.ids[2], "points": 1, "reason": "Meanwhile."})
    late = cup.organiser.post(f"{cup.path}/adjustments?version={version}", body)
    assert code_of(late) == (409, "moved_on")
    again = cup.post("/adjustments?preview=true", body, status=200)
    done = cup.post(f"/adjustments?version={late.json()['version']}", body)
    assert done["effects"] == again["effects"]
    assert [event["kind"] for event in done["events"]] == [event["kind"] for event in again["events"]] == ["adjusted"]
    assert cup.get(f"/events/{done['seq']}")["sentences"] == again["sentences"]


def test_another_request_under_the_same_key_is_refused():
    cup = Cup(4)
    assert cup.post("/finish", {}, key="k")["events"]
    assert code_of(cup.organiser.post(f"{cup.path}/undo", {"seq": 6, "reason": "r"}, key="k")) == (422, "key_reused")


def test_a_correction_at_a_table_says_what_it_changed_in_the_competition_and_says_it_again():
    cup = Cup(4, tie_breaks=["wins"])
    cup.league.open(1)
    cup.league.play(1)
    (session,) = cup.league.sessions(1)
    path = f"/sessions/{session.public_id}/adjustments"
    body = {"seat": 0, "points": 50, "reason": "Late."}
    asked = cup.organiser.post(f"{path}?preview=true", body).json()["competition"]
    answer = cup.organiser.post(path, body, key="k")
    told = answer.json()["competition"]
    assert (asked["id"], asked["standings"]) == (told["id"], told["standings"])
    assert told["id"] == cup.league.public_id
    assert {change["player"] for change in told["standings"]} <= set(cup.ids)
    cup.patch("", {"name": "Renamed"})
    assert cup.organiser.post(path, body, key="k").content == answer.content
