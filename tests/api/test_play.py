"""Playing a table over HTTP from the opening to the table of points."""

import pytest

from games.engine.cards import CARD_TEXT
from tests.api.clients import Api, World, code_of

pytestmark = pytest.mark.django_db


def test_a_club_runs_a_table_over_the_api_alone():
    world = World()
    organiser, club = world.organiser, world.club.slug
    players = []
    for seat, client in enumerate(world.seats):
        name = f"N{seat}"
        assert client.user is not None
        taken = organiser.post(f"/clubs/{club}/players", {"name": name, "username": client.user.username})
        assert code_of(taken) == (422, "bad_account")
        players.append(world.table.players[seat].public_id)
    opened = organiser.post(
        f"/clubs/{club}/sessions", {"label": "Thursday", "rules": "pagat", "scheme": "wins:target=1"}
    )
    assert opened.status_code == 201
    assert opened["Location"] == f"/api/v1/sessions/{opened.json()['session']}"
    world.session = world.table.session = session = opened.json()["session"]
    for seat, player in enumerate(players):
        assert organiser.put(f"/sessions/{session}/seats/{seat}", {"player": player}).status_code == 200
    started = organiser.post(f"/sessions/{session}/start")
    assert started.status_code == 201
    assert [event["kind"] for event in started.json()["events"]] == ["frozen", "dealer_drawn", "dealt"]
    last = world.play_out().json()
    assert last["deal_over"] is True
    assert last["winner"] == last["seat"]
    assert last["to_act"] is None
    table = world.member.get(f"/sessions/{session}/table").json()
    assert table["finished"] is True
    assert table["scheme"] == "wins:target=1"
    assert [row["place"] for row in table["rows"]] == [1, 2, 2, 2]
    assert table["rows"][0]["seat"] == last["winner"]
    assert table["rows"][0]["players"][0]["points"] == 1
    assert world.organiser.get(f"/sessions/{session}").json()["status"] == "finished"


def test_an_action_answers_with_what_followed_and_with_no_hand():
    world = World()
    world.start()
    seat, before = world.to_act()
    card = (before["view"]["legal"] or ["-"])[0]
    answer = world.seats[seat].act(world.session, card, before["seq"])
    assert answer.status_code == 201
    body = answer.json()
    at = body.pop("at")
    assert at.endswith("Z")
    assert body == {
        "session": world.session,
        "seq": before["seq"] + 1,
        "deal": 1,
        "seat": seat,
        "action": card,
        "deal_over": False,
        "winner": None,
        "to_act": (seat + 1) % 4,
    }
    view = world.anonymous.get(f"{world.path}/view")
    assert view.status_code == 404
    shown = world.member.get(f"{world.path}/view").json()
    assert shown["seq"] == body["seq"]
    assert shown["view"]["log"] == [{"seat": seat, "action": card}]
    assert "hand" not in shown["view"]


def test_a_seat_sees_its_own_hand_and_nobody_else_does():
    world = World()
    world.start()
    hands = [world.own_view(seat)["view"]["hand"] for seat in range(4)]
    assert sorted(card for hand in hands for card in hand) == sorted(CARD_TEXT)
    for name, client in world.roles.items():
        answer = client.get(f"{world.path}/seats/1/view")
        expected = {"anonymous": (401, "not_authenticated"), "outsider": (404, "not_found"), "bot": (404, "not_found")}
        assert code_of(answer) == expected.get(name, (403, "not_your_seat")), name


def test_the_turn_is_checked_before_the_hand():
    world = World()
    world.start()
    seat, view = world.to_act()
    other = (seat + 1) % 4
    held = world.own_view(other)["view"]["hand"]
    for action in [held[0], *[c for c in CARD_TEXT if c not in held][:2], "-", "^7S"]:
        if action == "^7S":
            continue
        answer = world.seats[other].act(world.session, action, view["seq"])
        assert code_of(answer) == (409, "not_your_turn")
        assert answer.json()["detail"] == f"It is the turn of seat {seat}."
        stranger = world.member.act(world.session, action, view["seq"])
        assert code_of(stranger) == (403, "not_your_seat")


def test_the_rules_refuse_with_their_codes():
    world = World()
    world.start()
    seat, table = world.to_act()
    hand, legal = table["view"]["hand"], table["view"]["legal"]
    me: Api = world.seats[seat]
    missing = next(card for card in CARD_TEXT if card not in hand)
    assert code_of(me.act(world.session, missing, table["seq"])) == (422, "card_not_held")
    if unfit := [card for card in hand if card not in legal]:
        assert code_of(me.act(world.session, unfit[0], table["seq"])) == (422, "illegal_play")
    if legal:
        assert code_of(me.act(world.session, "-", table["seq"])) == (422, "illegal_pass")
    stale = me.act(world.session, hand[0], table["seq"] - 1)
    assert code_of(stale) == (409, "stale")
    assert stale.json()["current_seq"] == table["seq"]


def test_without_a_running_deal_there_is_nothing_to_play():
    world = World()
    assert code_of(world.seats[0].act(world.session, "7D", 5)) == (409, "no_deal")


def test_a_fined_pass_is_corrected_and_only_its_seat_knows_it_was_wrongful():
    world = World(rules={"profile": "pagat", "wrongful_pass": "fined"})
    world.start()
    while True:
        seat, table = world.to_act()
        if table["view"]["legal"]:
            break
        world.step()
    card = table["view"]["legal"][0]
    passed = world.seats[seat].act(world.session, "-", table["seq"]).json()
    own = world.own_view(seat)
    assert own["view"]["correctable"] is True
    assert card in own["view"]["corrections"]
    shown = world.member.get(f"{world.path}/view").json()
    assert "wrongful" not in str(shown)
    corrected = world.seats[seat].act(world.session, f"^{card}", passed["seq"])
    assert corrected.status_code == 201
    assert corrected.json()["seat"] == seat
    assert corrected.json()["to_act"] == (seat + 1) % 4
    log = world.member.get(f"{world.path}/view").json()["view"]["log"]
    assert log[-2:] == [{"seat": seat, "action": "-"}, {"seat": seat, "action": f"^{card}"}]


def test_the_log_of_a_view_names_the_seat_of_every_action():
    world = World(rules={"profile": "pagat", "wrongful_pass": "fined"})
    world.start()
    done = []
    for _ in range(30):
        seat, table = world.to_act()
        if table["view"]["legal"] and len(done) % 3 == 0:
            done.append({"seat": seat, "action": "-"})
            seq = world.seats[seat].act(world.session, "-", table["seq"]).json()["seq"]
            card = table["view"]["legal"][0]
            done.append({"seat": seat, "action": f"^{card}"})
            assert world.seats[seat].act(world.session, f"^{card}", seq).status_code == 201
        else:
            answer = world.step().json()
            done.append({"seat": answer["seat"], "action": answer["action"]})
        assert world.member.get(f"{world.path}/view").json()["view"]["log"] == done
