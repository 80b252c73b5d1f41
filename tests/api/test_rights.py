"""Who may do what: every route as every role, on a private and on a public session."""

from typing import Any

import pytest
from django.db import transaction

from games.models import Player, Session, Token
from games.services import corrections, sessions
from games.services.bots import make_bot
from tests.api.clients import World
from tests.api.routes import all_routes, path_of
from tests.games.builders import NOW
from tests.games.people import add, merge

pytestmark = pytest.mark.django_db

ROLES = ["anonymous", "outsider", "member", "seat", "scorer", "organiser", "superuser", "bot"]
MEMBERS = "404 404 200 200 200 200 200 404"
ORGANISERS = "401 404 403 403 403 201 201 404"
SETTERS = "401 404 403 403 403 200 200 404"
ORGANISED = "401 404 403 403 403 200 200 404"
SCORERS_READ = "401 404 403 403 200 200 200 404"
SCORERS = "401 404 403 403 201 201 201 404"
ACCOUNTS = "401 404 200 200 200 200 200 404"
ANYBODY = "200 200 200 200 200 200 200 200"
LOGGED_IN = "401 200 200 200 200 200 200 200"
RUNNING = "404 404 409 409 409 409 409 404"

# Roles in the order above. A hosted deal is being played in a session of the club; `seat` is the seat to act.
PRIVATE = {
    ("me", "GET"): LOGGED_IN,
    ("tokens", "GET"): LOGGED_IN,
    ("tokens", "POST"): "401 201 201 201 201 201 201 403",
    ("token", "DELETE"): "401 404 404 404 404 200 404 404",
    ("rules", "GET"): ANYBODY,
    ("schemes", "GET"): ANYBODY,
    ("bots", "GET"): ANYBODY,
    ("clubs", "GET"): LOGGED_IN,
    ("club", "GET"): ACCOUNTS,
    ("club", "PATCH"): SETTERS,
    ("club-players", "GET"): ACCOUNTS,
    ("club-players", "POST"): ORGANISERS,
    ("club-sessions", "GET"): ACCOUNTS,
    ("club-sessions", "POST"): ORGANISERS,
    ("club-bots", "GET"): "401 404 403 403 403 200 200 404",
    ("club-bots", "POST"): ORGANISERS,
    ("club-bot-tokens", "POST"): ORGANISERS,
    ("club-bot-token", "DELETE"): SETTERS,
    ("club-imports", "POST"): SCORERS,
    ("club-import-jobs", "GET"): SCORERS_READ,
    ("club-import-jobs", "POST"): SCORERS.replace("201", "202"),
    ("import-job", "GET"): SCORERS_READ,
    ("import-job", "DELETE"): SCORERS_READ,
    ("import-job-report", "GET"): SCORERS_READ,
    ("club-deals", "GET"): ACCOUNTS,
    ("club-events", "GET"): ACCOUNTS,
    ("club-webhooks", "GET"): ORGANISED,
    ("club-webhooks", "POST"): ORGANISERS,
    ("webhook", "GET"): ORGANISED,
    ("webhook", "PATCH"): SETTERS,
    ("webhook", "DELETE"): SETTERS,
    ("webhook-rotate", "POST"): ORGANISERS,
    ("webhook-test", "POST"): ORGANISERS,
    ("webhook-deliveries", "GET"): ORGANISED,
    ("delivery-replay", "POST"): ORGANISERS,
    ("player", "GET"): ACCOUNTS,
    ("player-merge", "POST"): ORGANISERS,
    ("player-unmerge", "POST"): ORGANISERS,
    ("player-anonymise", "POST"): ORGANISERS,
    ("sessions", "GET"): ANYBODY,
    ("session", "GET"): MEMBERS,
    ("session", "PATCH"): SETTERS,
    ("seat", "PUT"): SETTERS,
    ("seat", "DELETE"): SETTERS,
    ("seat-view", "GET"): "401 404 403 200 403 403 403 404",
    ("join", "POST"): "401 404 409 409 409 409 409 404",  # organisers seat its players
    ("session-stream", "GET"): MEMBERS,
    ("seat-stream", "GET"): "401 404 403 200 403 403 403 404",
    ("start", "POST"): ORGANISERS,
    ("deals", "GET"): MEMBERS,
    ("deals", "POST"): SCORERS,
    ("deal", "GET"): MEMBERS,
    ("deal-confirm", "POST"): "401 404 403 403 409 409 409 404",
    ("deal-void", "POST"): ORGANISERS,
    ("deal-replay", "GET"): RUNNING,
    ("deal-record", "GET"): RUNNING,
    ("actions", "POST"): "401 404 403 201 403 403 403 404",
    ("view", "GET"): MEMBERS,
    ("table", "GET"): MEMBERS,
    ("events", "GET"): ACCOUNTS,
    ("records", "GET"): MEMBERS,
    ("substitutions", "POST"): ORGANISERS,
    ("reseats", "POST"): "401 404 403 403 403 409 409 404",  # the only deal is not over
    ("adjustments", "POST"): ORGANISERS,
    ("close", "POST"): ORGANISERS,
    ("undo", "POST"): ORGANISERS,
}
# Of a public session everybody sees what its club sees, and may do no more than before: 403 instead of 404.
PUBLIC = PRIVATE | {
    route: columns.replace("404", {MEMBERS: "200", RUNNING: "409"}.get(columns, "403"))
    for route, columns in PRIVATE.items()
    if not route[0].startswith(("club", "player", "token", "webhook", "delivery", "import"))
}


class Case:
    """A world with what each route needs: a running deal, a session not yet started, an event to undo."""

    def __init__(self, *, public: bool) -> None:
        self.world = world = World(settings={"public": public})
        world.start()
        assert world.import_job  # made before anything is taken back
        self.caller = world.table.caller
        self.turn = world.table.row.to_act
        self.spare = world.organiser.post(f"/clubs/{world.club.slug}/players", {"name": "Spare"}).json()["id"]
        self.double, self.merged = (add(world.table, name) for name in ("Double", "Merged"))
        merge(world.table, self.merged, Player.objects.get(public_id=self.spare))
        undoable = corrections.adjust(
            caller=self.caller, session=world.session, seat=0, points=1, reason="r", now=NOW, door="test"
        )
        self.fresh = sessions.open_session(
            caller=self.caller, club=world.club.slug, settings={"public": public}, now=NOW, door="test"
        ).session
        for seat, player in enumerate(world.table.players):
            sessions.seat(
                caller=self.caller, session=self.fresh, seat=seat, player=player.public_id, now=NOW, door="test"
            )
        self.bot, bot_token, _ = make_bot(caller=self.caller, club=world.club.slug, name="Robo", now=NOW)
        own = Token.objects.filter(user=world.organiser.user).latest("pk")
        assert world.delivery  # made now, with its webhook
        self.tokens = {"token": own.public_id, "club-bot-token": bot_token.public_id}
        view = world.own_view(self.turn)
        result = {"cards_left": [0, 1, 2, 3]}
        self.bodies = {
            ("club", "PATCH"): {"timezone": "Asia/Tokyo"},
            ("tokens", "POST"): {"label": "x", "scopes": ["account:read"]},
            ("club-bots", "POST"): {"name": "Robo"},
            ("club-bot-tokens", "POST"): {},
            ("club-players", "POST"): {"name": "Zoë"},
            ("club-sessions", "POST"): {},
            ("player-merge", "POST"): {"into": self.spare, "reason": "r"},
            ("player-unmerge", "POST"): {"reason": "r"},
            ("player-anonymise", "POST"): {"reason": "Asked to be."},
            ("club-webhooks", "POST"): {"url": "https://example.org/other"},
            ("webhook", "PATCH"): {"active": False},
            ("session", "PATCH"): {"turn_seconds": 30},
            ("seat", "PUT"): {"player": self.spare},
            ("start", "POST"): {},
            ("deals", "POST"): {"number": 1, "dealer": 0, "result": result},
            ("deal-void", "POST"): {"reason": "r"},
            ("actions", "POST"): {"action": (view["view"]["legal"] or ["-"])[0], "expected_seq": view["seq"]},
            ("substitutions", "POST"): {"seat": 0, "player": self.spare, "reason": "r"},
            ("reseats", "POST"): {"seats": {"0": self.spare}, "reason": "r"},
            ("adjustments", "POST"): {"seat": 0, "points": 3, "reason": "r"},
            ("close", "POST"): {},
            ("undo", "POST"): {"seq": undoable.seq, "reason": "r"},
        }

    def ask(self, role: str, name: str, method: str) -> int:
        """The status that the role gets; whatever was changed is taken back."""
        before = transaction.savepoint()
        answer = self.send(role, name, method)
        transaction.savepoint_rollback(before)
        return int(answer.status_code)

    def send(self, role: str, name: str, method: str, *, key: str = "k", body: Any = None) -> Any:
        """What the role is answered; a `body` other than the usual one may be given."""
        client = self.world.seats[self.turn] if role == "seat" else self.world.roles[role]
        unstarted = name in ("seat", "start") or (name, method) == ("deals", "POST")
        who = {
            "player-merge": self.double,
            "player-anonymise": self.double,
            "player-unmerge": self.merged,
            "club-bot-tokens": self.bot,
            "club-bot-token": self.bot,
        }.get(name)
        path = path_of(
            name,
            self.world,
            session=self.fresh if unstarted else None,
            seat=self.turn,
            player=who and who.public_id,
            token=self.tokens.get(name, ""),
        )
        if (name, method) in (("club-imports", "POST"), ("club-import-jobs", "POST")):
            path, more = f"{path}?dry_run=false", {"content_type": "application/x-ndjson"}
            return client.send(LINE if body is None else body, path, key=key, **more)
        send = getattr(client, method.lower())
        sent = self.bodies.get((name, method)) if body is None else body
        return send(path, sent, key=key) if method != "GET" else send(path)


LINE = '{"sevens":1,"rules":"pagat","players":["P","Q","R"],"dealer":0,"result":{"cards_left":[0,1,2]}}\n'


@pytest.mark.parametrize("public", [False, True])
def test_every_route_answers_every_role_as_declared(public):
    case = Case(public=public)
    expected = {
        route: dict(zip(ROLES, map(int, columns.split()), strict=True))
        for route, columns in (PUBLIC if public else PRIVATE).items()
    }
    actual = {(name, method): {role: case.ask(role, name, method) for role in ROLES} for name, method in all_routes()}
    assert {route: roles for route, roles in actual.items() if roles != expected.get(route)} == {}
    assert set(actual) == set(expected), "a route is declared that does not exist"


def test_lists_hold_only_what_the_caller_may_see():
    case = Case(public=False)
    seen = {role: len(case.world.roles[role].get("/sessions").json()["results"]) for role in ROLES}
    assert seen == {role: 0 if role in ("anonymous", "outsider", "bot") else 2 for role in ROLES}
    Session.objects.filter(public_id=case.fresh).update(public=True)
    assert len(case.world.anonymous.get("/sessions").json()["results"]) == 1
    clubs = {role: [c["id"] for c in case.world.roles[role].get("/clubs").json()["results"]] for role in ROLES[1:]}
    assert clubs["outsider"] == ["hill"]
    assert clubs["bot"] == []
    assert clubs["superuser"] == ["river", "hill"]
    assert clubs["member"] == ["river"]


def test_a_player_of_another_club_cannot_be_seated_here():
    case = Case(public=False)
    stranger = case.world.outsider.post("/clubs/hill/players", {"name": "Stranger"}).json()["id"]
    answer = case.world.organiser.put(f"/sessions/{case.fresh}/seats/0", {"player": stranger})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_player")


def test_usernames_are_shown_to_organisers_alone():
    world = World()
    shown = {
        role: world.roles[role].get(f"/players/{world.table.players[0].public_id}").json()["username"]
        for role in ("member", "seat", "scorer", "organiser", "superuser")
    }
    username = world.table.players[0].user.username
    assert shown == {"member": None, "seat": None, "scorer": None, "organiser": username, "superuser": username}
