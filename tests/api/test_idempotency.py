"""A request that is sent again under its Idempotency-Key gets its first answer, to the byte, and does nothing more."""

import pytest

from games.models import Event, Player, Session
from tests.api.clients import World, code_of

pytestmark = pytest.mark.django_db


def test_an_action_needs_a_key_and_everything_else_may_have_one():
    world = World()
    world.start()
    seat, view = world.to_act()
    body = {"action": view["view"]["hand"][0], "expected_seq": view["seq"]}
    answer = world.seats[seat].post(f"{world.path}/actions", body)
    assert code_of(answer) == (400, "idempotency_key_required")
    assert world.organiser.post(f"{world.path}/adjustments", {"seat": 0, "points": 1, "reason": "r"}).status_code == 201


def test_an_action_sent_again_gets_the_same_bytes_however_far_the_table_has_moved_on():
    world = World(scheme="wins:target=1")
    world.start()
    sent = []
    for number in range(6):
        seat, view = world.to_act()
        action = (view["view"]["legal"] or ["-"])[0]
        answer = world.seats[seat].act(world.session, action, view["seq"], key=f"turn {number}")
        sent.append((seat, action, view["seq"], f"turn {number}", answer.content))
    for _ in range(2):  # in the middle of the deal, and when it is over and the session closed
        events = Event.objects.count()
        for seat, action, seq, key, content in sent:
            again = world.seats[seat].act(world.session, action, seq, key=key)
            assert (again.status_code, again.content) == (201, content)
        assert Event.objects.count() == events
        last = world.play_out()
        if last is not None:
            assert last.json()["deal_over"] is True
            assert world.organiser.post(f"{world.path}/close").status_code == 201


def test_the_last_action_of_a_deal_answers_the_same_again():
    world = World()
    world.start()
    while True:
        seat, view = world.to_act()
        action = (view["view"]["legal"] or ["-"])[0]
        answer = world.seats[seat].act(world.session, action, view["seq"], key=f"seq {view['seq']}")
        if answer.json()["deal_over"]:
            break
    world.organiser.post(f"{world.path}/deals", {"number": 2})
    again = world.seats[seat].act(world.session, action, view["seq"], key=f"seq {view['seq']}")
    assert again.content == answer.content
    assert again.json()["winner"] == seat


def test_another_request_under_the_same_key_is_refused():
    world = World()
    world.start()
    seat, view = world.to_act()
    action = (view["view"]["legal"] or ["-"])[0]
    client = world.seats[seat]
    assert client.act(world.session, action, view["seq"], key="k").status_code == 201
    assert code_of(client.act(world.session, action, view["seq"] + 1, key="k")) == (422, "key_reused")
    assert code_of(client.post(f"{world.path}/deals", {"number": 1}, key="k")) == (422, "key_reused")


def test_keys_belong_to_their_account():
    world = World()
    body = {"seat": 0, "points": 1, "reason": "r"}
    world.start()
    for client in (world.organiser, world.superuser):
        assert client.post(f"{world.path}/adjustments", body, key="k").status_code == 201
    assert Event.objects.filter(kind=21).count() == 2


def test_one_key_is_not_good_for_two_sessions():
    world = World()
    other = world.organiser.post(f"/clubs/{world.club.slug}/sessions", {}).json()["session"]
    assert world.organiser.post(f"{world.path}/close", {}, key="k").status_code == 201
    assert code_of(world.organiser.post(f"/sessions/{other}/close", {}, key="k")) == (422, "key_reused")


def test_every_write_sent_again_answers_the_same_and_does_nothing_more():
    world = World()
    spare = world.organiser.post(f"/clubs/{world.club.slug}/players", {"name": "Spare"}).json()["id"]
    club, path = f"/clubs/{world.club.slug}", world.path
    result = {"cards_left": [0, 1, 2, 3], "forced_passes": [1, 1, 2, 3], "wrongful_passes": [0, 0, 0, 0]}
    line = '{"sevens":1,"rules":"pagat","players":["Ångström","Q","R"],"dealer":0,"result":{"cards_left":[0,1,2]}}\n'
    writes = [
        ("POST", f"{club}/players", {"name": "Zoë"}),
        ("POST", f"{club}/players", {"name": "Robot", "strategy": "follow"}),
        ("POST", f"{club}/sessions", {"label": "Friday", "rules": "bicycle"}),
        ("PATCH", path, {"turn_seconds": 30}),
        ("PUT", f"{path}/seats/3", {"player": spare}),
        ("DELETE", f"{path}/seats/3", {}),
        ("POST", f"{path}/start", {}),
        ("POST", f"{path}/deals/1/void", {"reason": "r"}),
        ("POST", f"{path}/deals", {"number": 2, "result": {"cards_left": [0, 1, 2]}}),
        ("POST", f"{path}/deals", {"number": 3}),
        ("POST", f"{path}/substitutions", {"seat": 0, "player": spare, "credit": "deals", "reason": "r"}),
        ("POST", f"{path}/adjustments", {"seat": 0, "points": 3, "reason": "r"}),
        ("POST", f"{path}/undo", {"seq": "adjustment", "reason": "r"}),
        ("POST", f"{path}/close", {"reason": "end"}),
    ]
    assert result
    done, seq = [], 0
    for number, (method, address, body) in enumerate(writes):
        if body.get("seq"):
            body["seq"] = seq
        answer = getattr(world.organiser, method.lower())(address, body, key=f"key {number}")
        assert answer.status_code == (201 if method == "POST" else 200), (address, answer.content)
        seq = answer.json().get("seq")
        done.append((method, address, body, f"key {number}", answer))
    imported = {"path": f"{club}/imports?dry_run=false", "content_type": "application/x-ndjson", "key": "file"}
    first = world.organiser.send(line, **imported)
    assert first.status_code == 201
    before = (Event.objects.count(), Session.objects.count(), Player.objects.count())
    Player.objects.filter(name="Zoë").update(name="Zoe")  # an edited row changes no answer
    for method, address, body, key, answer in done:
        again = getattr(world.organiser, method.lower())(address, body, key=key)
        assert (again.status_code, again.content) == (answer.status_code, answer.content), address
        assert again.headers.get("Location") == answer.headers.get("Location")
    assert world.organiser.send(line, **imported).content == first.content
    assert (Event.objects.count(), Session.objects.count(), Player.objects.count()) == before


def test_a_refused_request_leaves_its_key_free():
    world = World()
    body = {"seat": 0, "points": 1, "reason": "r"}
    assert code_of(world.organiser.post(f"{world.path}/adjustments", body, key="k")) == (409, "not_started")
    world.start()
    assert world.organiser.post(f"{world.path}/adjustments", body, key="k").status_code == 201


def test_a_dry_run_leaves_its_key_free():
    world = World()
    line = '{"sevens":1,"rules":"pagat","players":["P","Q","R"],"dealer":0,"result":{"cards_left":[0,1,2]}}\n'
    for dry_run, status in (("true", 200), ("true", 200), ("false", 201)):
        path = f"/clubs/{world.club.slug}/imports?dry_run={dry_run}"
        assert world.organiser.send(line, path, content_type="text/plain", key="k").status_code == status
