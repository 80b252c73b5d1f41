"""A deal that is over is open to all who may see the session: whole, at each step, and as record text."""

import pytest

from games.engine.actions import parse_action
from games.engine.cards import mask_of, parse_card
from games.engine.deal import replay
from games.engine.rules import Rules
from tests.api.clients import World, code_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    found = World(settings={"public": True})
    found.start()
    found.table.play_out()
    return found


def test_the_replay_says_everything_and_replays_to_the_same_end(world):
    body = world.anonymous.get(f"{world.path}/deals/1/replay").json()
    hands = [mask_of(map(parse_card, hand)) for hand in body["hands"]]
    rules = Rules.from_json({"profile": "pagat", "wrongful_pass": "refused"})
    deal = replay(rules, body["dealer"], hands, [parse_action(step["action"]) for step in body["actions"]])
    assert deal.winner == body["winner"] == body["result"]["winner"]
    assert body["cards_left"] == list(deal.cards_left()) == body["result"]["cards_left"]
    assert body["forced_passes"] == deal.forced
    assert body["points"][deal.winner] == 1
    passes = [step for step in body["actions"] if step["action"] == "-"]
    assert {step["passed"] for step in passes} == {"forced"}
    assert [sum(step["seat"] == seat for step in passes) for seat in range(4)] == deal.forced
    assert {step["passed"] for step in body["actions"] if step["action"] != "-"} == {None}
    seqs = [step["seq"] for step in body["actions"]]
    assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))


def test_every_step_shows_the_hands_and_what_could_be_played(world):
    whole = world.member.get(f"{world.path}/deals/1/replay").json()
    last = len(whole["actions"])
    for step in (0, 1, 7, last - 1):
        position = world.member.get(f"{world.path}/deals/1/replay?step={step}").json()
        following = whole["actions"][step]
        assert (position["step"], position["steps"], position["to_act"]) == (step, last, following["seat"])
        assert position["cards_left"] == [len(hand) for hand in position["hands"]]
        assert (following["action"] in position["legal"]) == (following["action"] != "-")
        assert set(position["legal"]) <= set(position["hands"][following["seat"]])
    first = world.member.get(f"{world.path}/deals/1/replay?step=0").json()
    assert first["hands"] == whole["hands"]
    assert first["layout"] == {"C": None, "D": None, "H": None, "S": None}
    end = world.member.get(f"{world.path}/deals/1/replay?step={last}").json()
    assert (end["winner"], end["to_act"], end["legal"], end["layout"]) == (whole["winner"], None, [], whole["layout"])
    for step in (last + 1, 100_000, 100_001, -1, "x"):
        assert code_of(world.member.get(f"{world.path}/deals/1/replay?step={step}")) == (400, "bad_parameter")


def test_a_pass_that_was_wrongful_or_taken_back_is_marked():
    world = World(rules={"profile": "pagat", "wrongful_pass": "fined"})
    world.start()
    marks = []
    while len(marks) < 2:
        seat, view = world.to_act()
        if not view["view"]["legal"]:
            world.step()
            continue
        seq = world.seats[seat].act(world.session, "-", view["seq"]).json()["seq"]
        marks.append(seq)
        if len(marks) == 1:
            world.seats[seat].act(world.session, f"^{view['view']['legal'][0]}", seq)
    world.organiser.post(f"{world.path}/deals/1/void", {"reason": "r"})
    steps = world.member.get(f"{world.path}/deals/1/replay").json()["actions"]
    assert [step["passed"] for step in steps if step["seq"] in marks] == ["corrected", "wrongful"]


def test_a_record_is_the_canonical_line_and_imports_again_to_the_same_bytes(world):
    one = world.member.get(f"{world.path}/deals/1/record")
    assert one["Content-Type"] == "application/x-ndjson"
    text = world.member.get(f"{world.path}/records", HTTP_ACCEPT="text/plain")
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert one.content == text.content
    assert one.content.count(b"\n") == 1
    answer = world.outsider.send(one.content, "/clubs/hill/imports?dry_run=false", content_type="application/x-ndjson")
    assert answer.status_code == 201, answer.content
    copy = answer.json()["sessions"][0]["session"]
    assert world.outsider.get(f"/sessions/{copy}/records").content == one.content


def test_a_running_deal_has_no_record_and_a_session_exports_what_is_over(world):
    world.organiser.post(f"{world.path}/deals", {"number": 2})
    assert code_of(world.member.get(f"{world.path}/deals/2/record")) == (409, "deal_running")
    assert world.member.get(f"{world.path}/records").content.count(b"\n") == 1
    assert code_of(world.member.get(f"{world.path}/deals/3/record")) == (404, "not_found")


def test_errors_of_record_routes_are_problems_whatever_was_asked_for(world):
    for accept in ("application/x-ndjson", "text/plain", "text/*"):
        assert code_of(world.member.get(f"{world.path}/deals/3/record", HTTP_ACCEPT=accept)) == (404, "not_found")


def test_records_are_lines_and_no_json_value(world):
    for path in ("records", "deals/1/record"):
        answer = world.member.get(f"{world.path}/{path}", HTTP_ACCEPT="application/json")
        assert code_of(answer) == (406, "not_acceptable")
