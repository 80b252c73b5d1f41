"""A tournament over the API alone, from an empty club to published final standings."""

import pytest

from tests.api.clients import Api, code_of
from tests.competitions.api.clients import Cup
from tests.competitions.builders import BASICS, a_club

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_tournament_is_played_over_the_api():
    _, user = a_club()
    api = Api(user)
    players = [api.post("/clubs/river/players", {"name": f"P{n}"}).json()["id"] for n in range(9)]
    body = {
        "name": "Open",
        "season": "2026",
        "starts_on": "2026-11-01",
        "ends_on": "2026-12-31",
        "seed": "s",
        "settings": {**BASICS, "format": "swiss", "rounds": 2, "absence": "0", "points": "neutral"},
    }
    answer = api.post("/clubs/river/competitions", body)
    assert answer.status_code == 201, answer.content
    path = f"/competitions/{answer.json()['competition']}"
    assert answer["Location"] == f"/api/v1{path}"

    def post(address: str, content: object = None) -> dict:
        done = api.post(f"{path}{address}", content or {})
        assert done.status_code == 201, done.content
        return done.json()

    post("/entries", {"entries": [{"player": player, "seed": n} for n, player in enumerate(players[:8], 1)]})
    assert api.get(path).json()["settings"]["format"] == "swiss"
    assert len(api.get(f"{path}/entries").json()["results"]) == 8
    post("/entries", {"entries": [{"player": players[8]}]})
    for number in (1, 2):
        drawn = post(f"/rounds/{number}/draw", {"absent": [players[8]] if number == 1 else []})
        assert drawn["events"][-1]["data"]["how"]
        opened = post(f"/rounds/{number}/open", {"publish": True})
        for session in opened["events"][-1]["data"]["sessions"]:
            seats = len(api.get(f"/sessions/{session}").json()["seating"])
            result = {"number": 1, "dealer": 0, "result": {"cards_left": list(range(seats))}}
            assert api.post(f"/sessions/{session}/deals", result).status_code == 201
        post(f"/rounds/{number}/close")
    assert code_of(api.get(f"{path}/standings")) == (404, "not_published")
    post("/publications", {"what": "standings"})
    post("/finish")
    table = api.get(f"{path}/standings").json()
    assert [table["rows"][0]["rank"], table["round"], table["publication"]] == [1, 2, 3]
    assert len(table["rows"]) == 9
    assert api.get(path).json()["status"] == "finished"
    lines = api.get(f"{path}/crosstable?limit=4").json()
    assert len(lines["results"]) == 4
    assert lines["next"].endswith("after=4")
    copied = api.post(f"{path}/copy", {"name": "Open", "season": "2027", "entries": True}).json()["competition"]
    assert len(api.get(f"/competitions/{copied}/entries?limit=200").json()["results"]) == 9
    assert [row["season"] for row in api.get("/clubs/river/competitions").json()["results"]] == ["2027", "2026"]
    assert [row["id"] for row in api.get("/competitions?season=2027&club=river&status=open").json()["results"]] == [
        copied
    ]


def test_every_reading_is_answered():
    cup = Cup(8, rounds=3, tie_breaks=["wins"])
    cup.league.whole_round(1)
    cup.post("/publications", {"what": "standings"})
    cup.post("/adjustments", {"player": cup.ids[0], "points": "3/2", "reason": "Cake."})
    cup.post("/publications", {"what": "standings"})
    cup.post("/rounds/2/draw", {"absent": [cup.ids[3]]})
    cup.post(f"/entries/{cup.ids[4]}/substitute", {"round": 2, "by": spare(cup), "reason": "Ill."})
    cup.post("/apart", {"players": cup.ids[:2]})
    live = cup.get("/table?rounds=true")
    assert live["rows"][0]["exact"] == "2003/2"
    assert live["rows"][0]["adjustments"][0]["reason"] == "Cake."
    assert live["rows"][0]["rounds"][0]["places"] == [1]
    assert "rounds" not in cup.get("/table")["rows"][0]
    assert cup.get("/table?after_round=1&provisional=true")["after_round"] == 1
    round_two = cup.get("/rounds/2")
    assert round_two["status"] == "drawn"
    assert [one["id"] for one in round_two["absent"]] == [cup.ids[3]]
    assert round_two["substitutes"][0]["player"]["id"] == cup.ids[4]
    assert "The best of very many draws that were tried." in round_two["draw"]["lines"]
    assert cup.get("/rounds/1", cup.member)["draw"]["tables"]
    assert [one["status"] for one in cup.get("/rounds")["results"]] == ["closed", "drawn", "planned"]
    assert [one["number"] for one in cup.get("/publications")["results"]] == [1, 2, 3]
    assert cup.get("/publications/1")["draw"]["tables"]
    assert cup.get("/publications/2")["standings"]["rows"]
    diff = cup.get("/publications/3/diff")
    assert (diff["before"], diff["after"], diff["what"]) == (2, 3, "standings")
    assert diff["sentences"] == ["A: 1000 → 1001.50 points.", *diff["sentences"][1:]]
    assert cup.get("/publications/2/diff?to=3") == diff
    assert code_of(cup.member.get(f"{cup.path}/publications/1/diff?to=2")) == (422, "not_comparable")
    assert code_of(cup.member.get(f"{cup.path}/publications/1/diff")) == (404, "not_published")
    assert [[one["name"] for one in pair] for pair in cup.get("/apart")["pairs"]] == [["A", "B"]]
    given = cup.get("/adjustments")["results"]
    assert [(one["player"]["name"], one["points"], one["exact"]) for one in given] == [("A", 1.5, "3/2")]
    events = cup.get("/events?limit=200")["results"]
    adjusted = next(event for event in events if event["kind"] == "adjusted")
    assert (adjusted["who"], adjusted["reason"], adjusted["door"]) == ("river-organiser", "Cake.", "api")
    told = cup.get(f"/events/{adjusted['seq']}")
    assert told["sentences"] == diff["sentences"]
    assert told["effects"]["standings"] == diff["standings"]


def spare(cup: Cup) -> str:
    return cup.organiser.post("/clubs/river/players", {"name": "Spare"}).json()["id"]
