"""Two clients at once, on a real database: the row lock decides, and without it the same tests fail."""

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection

from games import previewing
from games.engine.session_events import Kind
from games.models import Deal, Event, Player, RequestKey, Role, Session
from games.services import play, tokens, writing
from tests.api.clients import Api, World, code_of
from tests.games.builders import a_member

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """Run the calls in threads that start together; their answers, or the exceptions they raised."""
    barrier = threading.Barrier(len(calls))
    answers: list[Any] = [None] * len(calls)

    def run(place: int, call: Callable[[], Any]) -> None:
        try:
            barrier.wait()
            answers[place] = call()
        except Exception as error:
            answers[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=item) for item in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def a_turn(world: World) -> tuple[Api, str, int]:
    seat, view = world.to_act()
    return world.seats[seat], (view["view"]["legal"] or ["-"])[0], view["seq"]


def twice(client: Api, *args: Any, keys: list[str]) -> list[Any]:
    """The same action from clients of their own."""
    twins = [Api() for _ in keys]
    for twin in twins:
        twin.credentials(HTTP_AUTHORIZATION=f"Bearer {client.secret}")
    return at_once([lambda twin=twin, key=key: twin.act(*args, key=key) for twin, key in zip(twins, keys, strict=True)])


def played_once(world: World, rounds: int) -> bool:
    """Whether of four equal requests with keys of their own exactly one was accepted each time, the others stale."""
    for number in range(rounds):
        client, action, seq = a_turn(world)
        answers = twice(client, world.session, action, seq, keys=[f"{number} {i}" for i in range(4)])
        codes = sorted(str(getattr(answer, "status_code", type(answer).__name__)) for answer in answers)
        if codes != ["201", "409", "409", "409"]:
            return False
        refused = {code_of(answer)[1] for answer in answers if answer.status_code == 409}
        if not refused <= {"stale", "not_your_turn"}:
            return False
    return Event.objects.filter(session__public_id=world.session, kind__lt=10).count() == rounds


def test_of_equal_actions_with_different_keys_one_is_accepted():
    world = World()
    world.start()
    assert played_once(world, 8)


def without_lock(caller: Any, public_id: str) -> Session:
    return Session.objects.get(public_id=public_id)


def test_without_the_row_lock_the_race_is_lost(monkeypatch):
    world = World()
    world.start()
    monkeypatch.setattr(play, "lock", without_lock)
    assert not played_once(world, 8)


def same_bytes(world: World, rounds: int) -> bool:
    for number in range(rounds):
        client, action, seq = a_turn(world)
        answers = twice(client, world.session, action, seq, keys=[f"key {number}"] * 4)
        if {getattr(answer, "status_code", 0) for answer in answers} != {201}:
            return False
        if len({answer.content for answer in answers}) != 1:
            return False
    return Event.objects.filter(session__public_id=world.session, kind__lt=10).count() == rounds


def test_the_same_key_at_once_gives_the_same_bytes_and_one_event():
    world = World()
    world.start()
    assert same_bytes(world, 8)


def test_without_the_row_lock_twins_do_not_get_one_answer(monkeypatch):
    world = World()
    world.start()
    monkeypatch.setattr(play, "lock", without_lock)
    assert not same_bytes(world, 8)


def test_a_deal_is_dealt_once_whoever_asks():
    world = World()
    world.start()
    world.organiser.post(f"{world.path}/deals/1/void", {"reason": "r"})
    answers = at_once([lambda c=c: c.post(f"{world.path}/deals", {"number": 2}) for c in (*world.seats, world.scorer)])
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409]
    assert {code_of(answer)[1] for answer in answers if answer.status_code == 409} == {"wrong_number"}


def test_one_label_and_one_key_are_given_once():
    world = World()
    path = f"/clubs/{world.club.slug}/sessions"
    twins = [Api(world.organiser.user) for _ in range(4)]
    answers = at_once([lambda c=c: c.post(path, {"label": "Friday"}) for c in twins])
    assert sorted(answer.status_code for answer in answers) == [201, 422, 422, 422]
    assert {code_of(answer)[1] for answer in answers if answer.status_code == 422} == {"label_taken"}
    others = [world.organiser.post(path, {}).json()["session"] for _ in range(4)]
    calls = zip(twins, others, strict=True)
    answers = at_once([lambda c=c, s=s: c.post(f"/sessions/{s}/close", {}, key="one") for c, s in calls])
    assert sorted(answer.status_code for answer in answers) == [201, 422, 422, 422]
    assert {code_of(answer)[1] for answer in answers if answer.status_code == 422} == {"key_reused"}


def test_a_twin_of_a_slow_request_waits_and_is_then_told_to_come_back(monkeypatch):
    world = World()
    world.start()
    client, action, seq = a_turn(world)
    holding, done = threading.Event(), threading.Event()

    def hold() -> None:
        from django.db import transaction

        with transaction.atomic():
            writing.lock(world.table.caller, world.session)
            holding.set()
            done.wait(20)

    def late() -> Any:
        holding.wait(10)
        try:
            return client.act(world.session, action, seq, key="k")
        finally:
            done.set()

    answers = at_once([hold, late])
    assert code_of(answers[1]) == (503, "busy")
    assert answers[1]["Retry-After"] == "1"
    assert client.act(world.session, action, seq, key="k").status_code == 201


def checked_by_two() -> tuple[World, list[Api]]:
    """A session whose sheet two people check, and four scorers' clients of different accounts."""
    world = World(settings={"confirm": True})
    scorers = [Api(a_member(world.club, f"scorer-{n}", Role.SCORER)) for n in range(4)]
    return world, scorers


RESULT = {"number": 1, "dealer": 0, "result": {"cards_left": [2, 3, 1, 0]}}


def confirmations(world: World) -> int:
    return Event.objects.filter(session__public_id=world.session, kind=Kind.CONFIRMED).count()


def told(answer: Any) -> str:
    """What a write came to: done, the code it was refused with, or the exception it ended in."""
    status = getattr(answer, "status_code", None)
    if status is None:
        return type(answer).__name__
    return "done" if status == 201 else code_of(answer)[1]


def confirmed_once(rounds: int) -> bool:
    """Whether of four who confirm a deal at once one does, and the others are told so, each time."""
    world, scorers = checked_by_two()
    for number in range(1, rounds + 1):
        assert world.organiser.post(f"{world.path}/deals", {**RESULT, "number": number}).status_code == 201
        path = f"{world.path}/deals/{number}/confirm"
        answers = at_once([lambda scorer=scorer, path=path: scorer.post(path, {"take": 1}) for scorer in scorers])
        if sorted(map(told, answers)) != [*["already_confirmed"] * 3, "done"]:
            return False
    return confirmations(world) == rounds


def test_of_those_who_confirm_a_deal_at_once_one_does():
    assert confirmed_once(6)


def test_without_the_row_lock_a_deal_is_confirmed_more_than_once(monkeypatch):
    monkeypatch.setattr(writing, "lock", without_lock)
    assert not confirmed_once(6)


def test_one_result_from_two_people_at_once_is_entered_by_one_and_confirmed_by_the_other():
    world, scorers = checked_by_two()
    answers = at_once([lambda scorer=scorer: scorer.post(f"{world.path}/deals", RESULT) for scorer in scorers])
    assert [answer.status_code for answer in answers] == [201] * 4
    assert Deal.objects.filter(session__public_id=world.session).count() == 1
    assert confirmations(world) == 1


def test_a_result_that_one_person_sends_twice_at_once_is_confirmed_by_nobody():
    world, scorers = checked_by_two()
    twins = [Api(scorers[0].user) for _ in range(4)]
    answers = at_once([lambda twin=twin: twin.post(f"{world.path}/deals", RESULT) for twin in twins])
    assert [answer.status_code for answer in answers] == [201] * 4
    assert Deal.objects.filter(session__public_id=world.session).count() == 1
    assert confirmations(world) == 0


def seats_in_a_preview_while_another_corrects(monkeypatch, lock: Callable[..., Session]) -> list[int]:
    """The seats whose total would change by what a preview for seat 0 says, while somebody else adjusts seat 1."""
    world = World(scheme="card-count")
    body = {"number": 1, "dealer": 0, "result": {"cards_left": [2, 3, 1, 0]}}
    assert world.scorer.post(f"{world.path}/deals", body).status_code == 201
    other: list[threading.Thread] = []

    def correct() -> None:
        try:
            Api(world.organiser.user).post(f"{world.path}/adjustments", {"seat": 1, "points": 50, "reason": "r"})
        finally:
            connection.close()

    def locked_meanwhile(caller: Any, public_id: str) -> Session:
        row = lock(caller, public_id)
        other.append(threading.Thread(target=correct))
        other[0].start()
        other[0].join(0.7)
        return row

    parts = SimpleNamespace(lock=locked_meanwhile)
    monkeypatch.setattr(previewing, "writing", parts)
    body = {"seat": 0, "points": 50, "reason": "r"}
    asked = world.organiser.post(f"{world.path}/adjustments?preview=true", body)
    other[0].join()
    assert asked.status_code == 200, asked.content
    assert [row["total"] for row in world.member.get(f"{world.path}/table").json()["rows"]] == [0, 1, 2, 53]
    return [row["seat"] for row in asked.json()["table"] if row["total"]["before"] != row["total"]["after"]]


def test_a_preview_tells_nothing_of_what_another_corrects_at_the_same_time(monkeypatch):
    assert seats_in_a_preview_while_another_corrects(monkeypatch, writing.lock) == [0]


def test_without_its_lock_a_preview_takes_anothers_correction_for_its_own(monkeypatch):
    assert seats_in_a_preview_while_another_corrects(monkeypatch, without_lock) == [0, 1]


def bots_of_twins(world: World) -> tuple[set[int], int]:
    """The statuses of four equal requests for a bot at once, and how many bots came of them."""
    twins = [Api() for _ in range(4)]
    for twin in twins:
        twin.credentials(HTTP_AUTHORIZATION=f"Bearer {world.organiser.secret}")
    made = at_once([lambda twin=twin: twin.post("/clubs/river/bots", {"name": "Robo"}, key="k") for twin in twins])
    return {answer.status_code for answer in made}, len({answer.content for answer in made})


def test_equal_requests_for_a_bot_make_one_and_all_are_told_its_secret(monkeypatch):
    world = World()
    assert bots_of_twins(world) == ({201}, 1)
    assert Player.objects.filter(strategy="api").count() == 1
    # Without the wait for one's twin they would get in each other's way.
    RequestKey.objects.all().delete()
    meet = threading.Barrier(4)
    monkeypatch.setattr(tokens, "wait_for_twin", lambda caller, key: meet.wait(5))
    assert bots_of_twins(world)[0] != {201}
