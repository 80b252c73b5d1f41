"""Entering deals from a real table, and correcting: each an event, each in the table at once."""

import json

import pytest

from games.audit import audit_session
from games.engine.deal import Deal, action_text
from games.engine.rules import Rules
from tests.api.clients import World, code_of

pytestmark = pytest.mark.django_db

RESULT = {"cards_left": [0, 2, 3, 4], "forced_passes": [1, 3, 4, 5], "wrongful_passes": [0, 0, 0, 0], "withheld": []}


@pytest.fixture
def world():
    found = World()
    yield found
    assert list(audit_session(found.table.row)) == []


def a_recorded_deal(dealer: int = 0) -> tuple[Deal, list[str], list[str]]:
    """A deal of unshuffled cards, its hands and its actions as texts: everybody plays the first legal card."""
    rules = Rules()
    deal = Deal.from_deck(rules, dealer, [(card * 7 + card // 52) % 52 for card in range(52)], 4)
    hands = [text_of(hand) for hand in deal.hands]
    while not deal.over:
        deal.apply((deal.legal() or [52])[0])
    return deal, hands, [action_text(action) for action in deal.log]


def text_of(hand: int) -> str:
    from games.engine.cards import CARD_TEXT, cards_of

    return " ".join(CARD_TEXT[card] for card in cards_of(hand))


def test_a_recorded_deal_is_entered_checked_and_scored(world):
    deal, hands, actions = a_recorded_deal()
    body = {"number": 1, "dealer": 0, "hands": hands, "actions": " ".join(actions)}
    answer = world.scorer.post(f"{world.path}/deals", body)
    assert answer.status_code == 201, answer.content
    assert answer["Location"] == f"/api/v1{world.path}/deals/1"
    assert [event["kind"] for event in answer.json()["events"]] == ["frozen", "recorded"]
    facts = world.member.get(f"{world.path}/deals/1").json()
    assert (facts["mode"], facts["state"], facts["dealer"], facts["counted"]) == ("recorded", "finished", 0, True)
    assert facts["result"]["winner"] == deal.winner
    assert facts["result"]["cards_left"] == list(deal.cards_left())
    assert facts["points"] == [1 if seat == deal.winner else 0 for seat in range(4)]
    assert [player["name"] for player in facts["players"]] == ["A", "B", "C", "D"]
    replay = world.member.get(f"{world.path}/deals/1/replay").json()
    assert [step["action"] for step in replay["actions"]] == actions


def test_a_recorded_deal_may_be_entered_in_part_and_played_on(world):
    deal, hands, actions = a_recorded_deal()
    body = {"number": 1, "dealer": 0, "hands": hands, "actions": " ".join(actions[:10])}
    assert world.scorer.post(f"{world.path}/deals", body).status_code == 201
    view = world.member.get(f"{world.path}/view").json()
    assert (view["mode"], len(view["view"]["log"])) == ("recorded", 10)
    assert world.member.get(f"{world.path}/deals/1").json()["state"] == "playing"
    # Open from the start: the hands lay on a real table.
    assert world.member.get(f"{world.path}/deals/1/replay?step=0").json()["hands"][0]
    seq = view["seq"]
    for action in actions[10:]:
        answer = world.scorer.act(world.session, action, seq)
        assert answer.status_code == 201, answer.content
        seq = answer.json()["seq"]
    assert answer.json()["winner"] == deal.winner


def test_a_fault_in_recorded_actions_is_named_with_its_place(world):
    _, hands, actions = a_recorded_deal()
    body = {"number": 1, "dealer": 0, "hands": hands}
    bad = world.scorer.post(f"{world.path}/deals", {**body, "actions": " ".join([*actions[:3], actions[0]])})
    assert code_of(bad) == (422, "card_not_held")
    assert bad.json()["action"] == 3
    over = world.scorer.post(f"{world.path}/deals", {**body, "actions": " ".join([*actions, "-"])})
    assert code_of(over) == (422, "deal_over")
    assert over.json()["action"] == len(actions)
    for broken in (hands[:3], [hands[0], *hands[:3]], [hands[0] + " " + hands[0][:2], *hands[1:]], [""] * 4):
        assert code_of(world.scorer.post(f"{world.path}/deals", {**body, "hands": broken})) == (422, "bad_deal")
    assert world.member.get(f"{world.path}/deals").json()["results"] == []


def test_a_result_alone_counts_and_is_entered_again_as_a_new_take(world):
    body = {"number": 1, "dealer": 0, "result": RESULT}
    assert code_of(world.scorer.post(f"{world.path}/deals", {"number": 1, "result": RESULT})) == (422, "dealer_needed")
    assert world.scorer.post(f"{world.path}/deals", body).status_code == 201
    assert code_of(world.member.get(f"{world.path}/deals/1/replay")) == (409, "no_cards")
    line = json.loads(world.member.get(f"{world.path}/deals/1/record").content)
    assert line["result"] == RESULT
    again = {"number": 1, "result": {"cards_left": [2, 0, 3, 4]}}
    assert code_of(world.scorer.post(f"{world.path}/deals", again)) == (422, "reason_required")
    again["reason"] = "Read the slip again."
    assert world.scorer.post(f"{world.path}/deals", again).status_code == 201
    facts = world.member.get(f"{world.path}/deals/1").json()
    assert (facts["take"], facts["dealer"], facts["result"]["winner"]) == (2, 0, 1)
    assert facts["result"]["forced_passes"] is None
    table = world.member.get(f"{world.path}/table").json()
    assert [(row["seat"], row["place"]) for row in table["rows"]] == [(1, 1), (0, 2), (2, 2), (3, 2)]


@pytest.mark.parametrize(
    ("result", "code"),
    [
        ({"cards_left": [0, 1, 2]}, "bad_result"),
        ({"cards_left": [0, 0, 2, 3]}, "bad_result"),
        ({"cards_left": [1, 1, 2, 3]}, "bad_result"),
        ({"cards_left": [0, 1, 2, 14]}, "bad_result"),
        ({"cards_left": [0, 1, 2, -1]}, "bad_result"),
        ({"cards_left": [0, 1, 2, 3], "forced_passes": [1]}, "bad_result"),
        ({"cards_left": [0, 1, 2, 3], "withheld": [[0, 0]]}, "bad_result"),
        ({"cards_left": [0, 1, 2, 3], "withheld": [[0, 9]]}, "bad_result"),
    ],
)
def test_a_result_that_cannot_be_is_refused(world, result, code):
    assert code_of(world.scorer.post(f"{world.path}/deals", {"number": 1, "dealer": 0, "result": result})) == (
        422,
        code,
    )


def test_numbers_are_taken_in_order(world):
    for number in (2, 7, 999_999_999):
        answer = world.scorer.post(f"{world.path}/deals", {"number": number, "dealer": 0, "result": RESULT})
        assert code_of(answer) == (409, "wrong_number")
        assert answer.json()["next_number"] == 1
    world.start()
    again = world.organiser.post(f"{world.path}/start")
    assert code_of(again) == (409, "wrong_number")
    assert code_of(world.scorer.post(f"{world.path}/deals", {"number": 2})) == (409, "deal_running")
    assert code_of(world.scorer.post(f"{world.path}/deals", {"number": 1, "result": RESULT})) == (409, "hosted_deal")


def test_a_player_without_account_cannot_be_dealt_a_hosted_hand(world):
    spare = world.organiser.post("/clubs/river/players", {"name": "Spare"}).json()["id"]
    assert world.organiser.put(f"{world.path}/seats/1", {"player": spare}).status_code == 200
    answer = world.organiser.post(f"{world.path}/start")
    assert code_of(answer) == (422, "seat_without_account")
    assert "Spare" in answer.json()["detail"]


def test_voiding_substituting_adjusting_closing_and_undoing_each_of_them(world):
    spare = world.organiser.post("/clubs/river/players", {"name": "Spare"}).json()["id"]
    post = lambda path, body: world.organiser.post(f"{world.path}{path}", body)  # noqa: E731
    assert post("/deals", {"number": 1, "dealer": 0, "result": RESULT}).status_code == 201
    table = lambda: world.member.get(f"{world.path}/table").json()  # noqa: E731
    start = table()

    void = post("/deals/1/void", {"reason": "A card lay face up."}).json()
    assert [row["total"] for row in table()["rows"]] == [0, 0, 0, 0]
    assert world.member.get(f"{world.path}/deals/1").json()["state"] == "voided"
    assert code_of(post("/deals/1/void", {"reason": "again"})) == (409, "already_voided")
    assert post("/undo", {"seq": void["seq"], "reason": "It did not."}).status_code == 201
    assert table()["rows"] == start["rows"]

    change = post("/substitutions", {"seat": 0, "player": spare, "credit": "deals", "reason": "Left."}).json()
    assert change["events"][0]["data"] == {"player": spare, "from_number": 2, "credit": "deals"}
    names = [share["player"]["name"] for share in table()["rows"][0]["players"]]
    assert names == ["A", "Spare"]
    assert code_of(post("/substitutions", {"seat": 1, "player": spare, "reason": "r"})) == (409, "already_seated")
    assert post("/undo", {"seq": change["seq"], "reason": "Came back."}).status_code == 201
    assert table()["rows"] == start["rows"]

    adjusted = post("/adjustments", {"seat": 1, "points": -5, "reason": "Talked."}).json()
    assert table()["rows"][-1]["total"] == -5
    assert post("/undo", {"seq": adjusted["seq"], "reason": "Wrong seat."}).status_code == 201
    assert [item["cancelled_by"] for item in table()["adjustments"]] == [adjusted["seq"] + 1]
    assert table()["rows"] == start["rows"]

    closed = post("/close", {"reason": "Late."}).json()
    assert table()["status"] == "closed"
    for path, body in [
        ("/close", {}),
        ("/deals", {"number": 2}),
        ("/deals", {"number": 2, "result": RESULT}),
    ]:
        assert code_of(post(path, body)) == (409, "session_closed"), path
    assert post("/undo", {"seq": closed["seq"], "reason": "Not late."}).status_code == 201
    assert table()["status"] == start["status"]
    assert code_of(post("/undo", {"seq": closed["seq"], "reason": "r"})) == (409, "already_undone")
    assert code_of(post("/undo", {"seq": 1, "reason": "r"})) == (409, "cannot_undo")

    events = world.member.get(f"{world.path}/events?limit=200").json()["results"]
    reasons = {event["kind"]: event["reason"] for event in events if event["reason"]}
    assert reasons["voided"] == "A card lay face up."
    assert reasons["closed"] == "Late."
    assert {event["who"] for event in events} == {"river-organiser"}
    assert code_of(post("/adjustments", {"seat": 1, "points": 1, "reason": "  "})) == (422, "reason_required")
    assert code_of(post("/adjustments", {"seat": 7, "points": 1, "reason": "r"})) == (409, "bad_seat")
    assert code_of(post("/adjustments", {"seat": 1, "points": 0, "reason": "r"})) == (422, "bad_points")


def test_voiding_a_running_hosted_deal_opens_it_for_good(world):
    world.start()
    world.step()
    assert code_of(world.organiser.get(f"{world.path}/deals/1/replay")) == (409, "deal_running")
    void = world.organiser.post(f"{world.path}/deals/1/void", {"reason": "Wrong table."}).json()
    replay = world.member.get(f"{world.path}/deals/1/replay").json()
    assert sum(len(hand) for hand in replay["hands"]) == 52
    assert len(replay["actions"]) == 1
    answer = world.organiser.post(f"{world.path}/undo", {"seq": void["seq"], "reason": "r"})
    assert code_of(answer) == (409, "cannot_undo")


def test_the_log_names_no_mail_address(world):
    user = world.organiser.user
    user.username = "olga@example.org"
    user.save()
    world.organiser.patch(world.path, {"turn_seconds": 9})
    text = world.member.get(f"{world.path}/events").content.decode()
    assert "example.org" not in text
    assert '"who":"olga"' in text


def test_a_result_in_which_something_must_be_miscounted_is_asked_about_and_kept_if_it_is_meant():
    world = World()
    result = {"cards_left": [2, 3, 1, 0], "forced_passes": [3, 5, 2, 1], "wrongful_passes": [0, 0, 0, 0]}
    body = {"number": 1, "dealer": 3, "result": result}
    refused = world.scorer.post(f"{world.path}/deals", body)
    assert code_of(refused) == (422, "doubtful_result")
    assert "14 for seat 1, not 15" in refused.json()["detail"]
    assert world.scorer.post(f"{world.path}/deals", {**body, "anyway": True}).status_code == 201
    impossible = {**body, "number": 2, "anyway": True, "result": {"cards_left": [2, 3, 1, 1]}}
    assert code_of(world.scorer.post(f"{world.path}/deals", impossible)) == (422, "bad_result")
    assert code_of(world.scorer.post(f"{world.path}/deals", {"number": 2, "anyway": True})) == (400, "invalid")
