"""Every write of the API under an Idempotency-Key: sent again it gets the same bytes, another one under its key is
refused, and a twin waits while the first runs.

The routes are those that there are: a new one is tested as soon as it stands in the URL configuration and in the
matrices of rights, whose worlds and bodies are used here."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from games.services import sessions
from tests.api.clients import code_of
from tests.api.routes import all_routes
from tests.api.test_rights import LINE
from tests.api.test_rights import Case as GamesCase
from tests.competitions.api.routes import all_routes as competition_routes
from tests.competitions.api.test_rights import FILES
from tests.competitions.api.test_rights import Case as CompetitionCase
from tests.games.builders import NOW
from tests.games.test_workers import wait_for

Send = Callable[..., Any]
"""`send(key=…)`, and `send(key=…, body=…)` for another body."""

GAMES = [(name, method) for name, method in all_routes() if method != "GET"]
COMPETITIONS = [(name, method) for name, method in competition_routes() if method != "GET"]


def a_session(case: GamesCase, **settings: Any) -> str:
    """The address of a new session with everybody seated, and a deal that a scorer has entered."""
    made = sessions.open_session(
        caller=case.caller,
        club=case.world.club.slug,
        settings={"public": False, **settings},
        players={seat: player.public_id for seat, player in enumerate(case.world.table.players)},
        now=NOW,
        door="test",
    )
    path = f"/sessions/{made.session}"
    deal = {"number": 1, "dealer": 0, "result": {"cards_left": [0, 1, 2, 3]}}
    assert case.world.scorer.post(f"{path}/deals", deal).status_code == 201
    return path


def a_reseat(case: GamesCase) -> Send:
    """Of a deal that is over."""
    path, usual = f"{a_session(case)}/reseats", case.bodies["reseats", "POST"]
    return lambda key, body=None: case.world.organiser.post(path, usual if body is None else body, key=key)


def a_confirmation(case: GamesCase) -> Send:
    """Of a deal that somebody else has entered."""
    path = f"{a_session(case, confirm=True)}/deals/1/confirm"
    return lambda key, body=None: case.world.organiser.post(path, {"take": 1} if body is None else body, key=key)


def a_seat(case: GamesCase) -> Send:
    """Of somebody who sits down in a session that lets them."""
    world = case.world
    made = world.organiser.post(f"/clubs/{world.club.slug}/sessions", {"self_seating": True})
    assert made.status_code == 201, made.content
    path = f"/sessions/{made.json()['session']}/join"
    return lambda key, body=None: world.seats[0].post(path, {}, key=key)


def a_token(case: GamesCase) -> Send:
    """Of another token of the account than the one that asks."""
    made = case.world.organiser.post("/me/tokens", {"label": "Old", "scopes": ["account:read"]})
    assert made.status_code == 201, made.content
    path = f"/me/tokens/{made.json()['id']}"
    return lambda key, body=None: case.world.organiser.delete(path, key=key)


def a_finish(case: CompetitionCase) -> Send:
    """Of a competition with no round open."""
    assert case.cup.organiser.post(f"{case.cup.path}/rounds/3/close", {}).status_code == 201
    return lambda key, body=None: case.send("organiser", "competition-finish", "POST", key=key, body=body)


PREPARED: dict[str, Callable[[Any], Send]] = {
    "reseats": a_reseat,
    "deal-confirm": a_confirmation,
    "join": a_seat,
    "token": a_token,
    "competition-finish": a_finish,
}
"""What the worlds of the matrices are not ready for."""

PLAYERS = ("actions",)


def sender(case: Any, name: str, method: str) -> Send:
    if name in PREPARED:
        return PREPARED[name](case)
    role = "seat" if name in PLAYERS else "organiser"
    return lambda key, body=None: case.send(role, name, method, key=key, body=body)


def body_of(case: Any, name: str, method: str) -> Any:
    if name in FILES:
        return FILES[name]
    if name == "club-imports":
        return LINE
    if name == "deal-confirm":
        return {"take": 1}
    return case.bodies.get((name, method)) or case.bodies.get(name) or {}


def another(body: Any) -> Any:
    """A body of the same kind that says something else; None where there is nothing to say."""
    if isinstance(body, bytes):
        return body + b"\n"
    if isinstance(body, str):
        return body + "\n"
    for name, value in body.items():
        if name in ("reason", "name", "label", "season", "title", "url"):
            return {**body, name: f"{value}x"}
        if type(value) is int:
            return {**body, name: value + 1}
        if type(value) is bool:
            return {**body, name: not value}
    return None


def all_writes() -> list[Any]:
    return [
        *(pytest.param(GamesCase, name, method, id=f"{method} {name}") for name, method in GAMES),
        *(pytest.param(CompetitionCase, name, method, id=f"{method} {name}") for name, method in COMPETITIONS),
    ]


def faults(case: Any, name: str, method: str) -> list[str]:
    """What is wrong with how one write treats its key."""
    send = sender(case, name, method)
    first = send(key="one")
    if first.status_code not in ((201, 202) if method == "POST" else (200,)):
        return [f"{first.status_code} {first.content[:200]!r}"]
    found = []
    for _ in range(2):
        again = send(key="one")
        if (again.status_code, again.content) != (first.status_code, first.content):
            found.append(f"sent again: {again.status_code} {again.content[:200]!r}, first {first.content[:200]!r}")
        if again.headers.get("Location") != first.headers.get("Location"):
            found.append("sent again: another Location")
    changed = another(body_of(case, name, method))
    if changed is not None and method != "DELETE":
        refused = send(key="one", body=changed)
        if (refused.status_code, refused.json().get("code")) != (422, "key_reused"):
            found.append(f"another body: {refused.status_code} {refused.content[:200]!r}")
    return found


@pytest.mark.django_db
@pytest.mark.parametrize("make", [GamesCase, CompetitionCase])
def test_every_write_sent_again_gets_the_same_bytes_and_another_one_under_its_key_is_refused(make):
    case = make(public=False)
    found = {}
    for name, method in GAMES if make is GamesCase else COMPETITIONS:
        before = transaction.savepoint()
        if wrong := faults(case, name, method):
            found[name, method] = wrong
        transaction.savepoint_rollback(before)
    assert found == {}


@pytest.mark.django_db
@pytest.mark.parametrize("make", [GamesCase, CompetitionCase])
def test_a_key_used_for_one_write_is_good_for_no_other(make):
    case = make(public=False)
    client = case.world.organiser if make is GamesCase else case.cup.organiser
    found = {}
    for name, method in GAMES if make is GamesCase else COMPETITIONS:
        before = transaction.savepoint()
        send = sender(case, name, method)
        who = case.world.seats[case.turn] if name in PLAYERS else client
        if name in ("join", *PLAYERS):  # nobody but organisers may do the other
            transaction.savepoint_rollback(before)
            continue
        assert who.post("/clubs/river/players", {"name": "Other"}, key="used").status_code == 201
        refused = send(key="used")
        if name != "club-players" and (refused.status_code, refused.json().get("code")) != (422, "key_reused"):
            found[name, method] = f"{refused.status_code} {refused.content[:200]!r}"
        transaction.savepoint_rollback(before)
    assert found == {}


class Held:
    """The table of used keys, held by another connection: whoever is about to remember its key waits there, with all
    that it has done and locked until then."""

    def __enter__(self) -> "Held":
        self.other = connection.copy()
        self.other.set_autocommit(False)
        with self.other.cursor() as cursor:
            cursor.execute("LOCK TABLE games_requestkey IN SHARE MODE")
        return self

    def __exit__(self, *args: object) -> None:
        self.let_go()
        self.other.close()

    def let_go(self) -> None:
        self.other.rollback()


class Request(threading.Thread):
    """A request in a thread, on a connection of its own, which waits `patience_ms` for a lock."""

    def __init__(self, send: Callable[[], Any], patience_ms: int) -> None:
        super().__init__(daemon=True)
        self.send, self.patience_ms = send, patience_ms
        self.pid = 0
        self.answer: Any = None
        self.start()

    def run(self) -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"SET lock_timeout = {self.patience_ms}")
                cursor.execute("SELECT pg_backend_pid()")
                self.pid = cursor.fetchone()[0]
            self.answer = self.send()
        except Exception as error:
            self.answer = error
        finally:
            connection.close()

    def waits_for(self) -> str:
        """The kind of lock that it waits for; empty while it waits for none."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT locktype FROM pg_locks WHERE pid = %s AND NOT granted", [self.pid])
            row = cursor.fetchone()
        return row[0] if row else ""

    def cancel(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_cancel_backend(%s)", [self.pid])
        self.join()


def twins(case: Any, name: str, method: str) -> list[str]:
    """What is wrong with how a write treats a twin that comes while the first runs. Nothing of it is stored."""
    send = sender(case, name, method)
    with Held():
        first = Request(lambda: send(key="twin"), 0)
        wait_for(lambda: first.waits_for() == "relation" or not first.is_alive(), f"{name} to remember its key")
        if not first.is_alive():
            return [f"the first: {first.answer} {getattr(first.answer, 'content', b'')[:200]!r}"]
        second = Request(lambda: send(key="twin"), 250)
        waited: set[str] = set()
        while second.is_alive():
            waited.add(second.waits_for())
        first.cancel()
    found = []
    if waited - {""} == {"relation"} or not waited - {""}:
        found.append(f"the twin did not wait for the first: {waited}")
    status, retry = getattr(second.answer, "status_code", None), second.answer.headers.get("Retry-After")
    if (status, retry) != (503, "1") or second.answer.json()["code"] != "busy":
        found.append(f"the twin: {status} {retry} {second.answer.content[:200]!r}")
    return found


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("make", [GamesCase, CompetitionCase])
def test_a_twin_of_any_write_waits_for_the_first_and_is_then_told_to_come_back(make):
    """Real connections; the patience is a quarter of a second here, two seconds in the settings."""
    case = make(public=False)
    routes = GAMES if make is GamesCase else COMPETITIONS
    # Those that are prepared for change the world for good, so they come last.
    found = {
        (name, method): wrong
        for name, method in sorted(routes, key=lambda route: route[0] in PREPARED)
        if (wrong := twins(case, name, method))
    }
    assert found == {}


SAMPLE = {
    GamesCase: ["tokens", "club-players", "club-webhooks", "webhook-rotate", "club-imports", "adjustments", "undo"],
    CompetitionCase: ["competition-copy", "apart", "competition-adjustments", "import-points", "publications"],
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("make", SAMPLE)
def test_a_twin_that_waits_long_enough_gets_the_bytes_of_the_first(make):
    case = make(public=False)
    for name in SAMPLE[make]:
        send = sender(case, name, "POST")
        with Held() as held:
            first = Request(lambda send=send, name=name: send(key=name), 0)
            wait_for(lambda first=first: first.waits_for() == "relation", f"{name} to remember its key")
            second = Request(lambda send=send, name=name: send(key=name), 0)
            wait_for(lambda second=second: second.waits_for() not in ("", "relation"), f"the twin of {name}")
            held.let_go()
            first.join()
            second.join()
        assert (first.answer.status_code, second.answer.status_code) == (201, 201), name
        assert first.answer.content == second.answer.content, name


@pytest.mark.django_db
def test_a_busy_answer_says_when_to_come_back(monkeypatch):
    from games.errors import Busy
    from games.services import clubs

    case = GamesCase(public=False)

    def busy(**more: Any) -> None:
        raise Busy

    monkeypatch.setattr(clubs, "change_club", busy)
    answer = case.send("organiser", "club", "PATCH")
    assert code_of(answer) == (503, "busy")
    assert answer["Retry-After"] == "1"
