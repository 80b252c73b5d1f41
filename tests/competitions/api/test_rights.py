"""Who may do what with competitions: every route as every role, of a private and of a public competition."""

from typing import Any

import pytest
from django.db import transaction

from competitions.services import corrections, drawing, entries, publishing, rounds, setup
from games.models import Session
from games.services import players, recording, sessions
from games.services.recording import PaperResult
from tests.competitions.api.clients import Cup
from tests.competitions.api.routes import all_routes, path_of
from tests.games.builders import NOW

pytestmark = pytest.mark.django_db

ROLES = ["anonymous", "outsider", "member", "scorer", "organiser", "superuser", "bot"]
ANYBODY = "200 200 200 200 200 200 200"
MEMBERS = "404 404 200 200 200 200 404"
ACCOUNTS = "401 404 200 200 200 200 404"
SCORERS = "401 404 403 200 200 200 404"
ORGANISERS = "401 404 403 403 201 201 404"
SETTERS = "401 404 403 403 200 200 404"

PRIVATE = {
    ("competitions", "GET"): ANYBODY,
    ("club-competitions", "GET"): ACCOUNTS,
    ("club-competitions", "POST"): ORGANISERS,
    ("club-results", "GET"): ACCOUNTS,
    ("competition-results", "GET"): MEMBERS,
    ("competition-deals", "GET"): MEMBERS,
    ("competition-export", "GET"): MEMBERS,
    ("competition", "GET"): MEMBERS,
    ("competition", "PATCH"): SETTERS,
    ("competition-stream", "GET"): MEMBERS,
    ("competition-copy", "POST"): ORGANISERS,
    ("competition-finish", "POST"): "401 404 403 403 409 409 404",
    ("entries", "GET"): ACCOUNTS,
    ("entries", "POST"): ORGANISERS,
    ("entry-withdraw", "POST"): ORGANISERS,
    ("entry-reinstate", "POST"): ORGANISERS,
    ("entry-sit-out", "POST"): ORGANISERS,
    ("entry-substitute", "POST"): ORGANISERS,
    ("apart", "GET"): SCORERS,
    ("apart", "POST"): ORGANISERS,
    ("rounds", "GET"): MEMBERS,
    ("round", "GET"): MEMBERS,
    ("round", "PATCH"): SETTERS,
    ("round-draw", "POST"): ORGANISERS,
    ("round-seating", "POST"): ORGANISERS,
    ("round-open", "POST"): ORGANISERS,
    ("round-close", "POST"): ORGANISERS,
    ("round-reopen", "POST"): ORGANISERS,
    ("round-tables", "POST"): ORGANISERS,
    ("round-decide", "POST"): ORGANISERS,
    ("competition-adjustments", "GET"): SCORERS,
    ("competition-adjustments", "POST"): ORGANISERS,
    ("competition-undo", "POST"): ORGANISERS,
    ("competition-table", "GET"): SCORERS,
    ("standings", "GET"): MEMBERS,
    ("crosstable", "GET"): MEMBERS,
    ("publications", "GET"): MEMBERS,
    ("publications", "POST"): ORGANISERS,
    ("publication", "GET"): MEMBERS,
    ("unpublish", "POST"): ORGANISERS,
    ("publication-diff", "GET"): MEMBERS,
    ("competition-events", "GET"): SCORERS,
    ("competition-event", "GET"): SCORERS,
    ("import-entries", "POST"): ORGANISERS,
    ("import-results", "POST"): "401 404 403 201 201 201 404",
    ("import-points", "POST"): ORGANISERS,
    ("file-table", "GET"): MEMBERS,
    ("club-file-players", "GET"): ACCOUNTS,
    ("club-file-sessions", "GET"): ACCOUNTS,
    ("file-rounds", "GET"): MEMBERS,
    ("file-draw", "GET"): MEMBERS,
    ("file-crosstable", "GET"): MEMBERS,
    ("file-entries", "GET"): ACCOUNTS,
    ("file-results", "GET"): SCORERS,
    ("file-standings", "GET"): MEMBERS,
}
# Of a public competition everybody sees what is published, and may do no more than before: 403 instead of 404.
PUBLIC = PRIVATE | {
    route: columns.replace("404", "200" if columns == MEMBERS else "403")
    for route, columns in PRIVATE.items()
    if not route[0].startswith("club")
}


FILES = {
    "import-entries": b"name\nNew\n",
    "import-results": b"round,table,deal,seat,cards_left\n3,1,1,1,0\n3,1,1,2,1\n3,1,1,3,2\n",
    "import-points": b"name,total\nA,5\n",
}


class Case:
    """A cup with what each route needs: round 1 over and published, round 2 drawn, in round 3 a table that is over."""

    def __init__(self, *, public: bool) -> None:
        self.cup = cup = Cup(8, rounds=4, public=public)
        league = cup.league
        about = league.about
        spare = players.create_player(caller=league.caller, club="river", name="Spare")
        league.whole_round(1)
        publishing.publish(**about, what="standings")
        self.adjusted = corrections.adjust(**about, player=cup.ids[0], points=1, reason="r").seq
        publishing.publish(**about, what="standings")
        entries.withdraw(**about, player=cup.ids[7])
        drawing.draw(**about, number=2)
        rounds.add_table(**about, number=3, session=self.a_session(played=True))
        self.bodies = {
            "club-competitions": {"name": "New"},
            "competition": {"season": "2027"},
            "competition-copy": {"name": "Copy"},
            "entries": {"entries": [{"player": spare}]},
            "entry-sit-out": {"round": 2},
            "entry-substitute": {"round": 2, "by": spare, "reason": "r"},
            "apart": {"players": cup.ids[:2]},
            "round": {"title": "First"},
            "round-seating": {"tables": [cup.ids[:4], cup.ids[4:7]]},
            "round-open": {"publish": True},
            "round-reopen": {"reason": "r"},
            "round-tables": {"session": self.a_session(played=False)},
            "round-decide": {"table": 1, "players": cup.ids[:1], "reason": "r"},
            "competition-adjustments": {"player": cup.ids[0], "points": 3, "reason": "r"},
            "competition-undo": {"seq": self.adjusted, "reason": "r"},
            "publications": {"what": "standings", "round": 1},
            "unpublish": {"reason": "r"},
        }

    def a_session(self, *, played: bool) -> str:
        league = self.cup.league
        made = sessions.open_session(
            caller=league.caller,
            club="river",
            players=dict(enumerate(self.cup.ids[:3])),
            settings={"deals_planned": 1, "public": league.row.public},
            now=NOW,
            door="test",
        ).session
        Session.objects.filter(public_id=made).update(created_at=NOW)
        if played:
            recording.record_deal(
                caller=league.caller,
                session=made,
                number=1,
                dealer=0,
                result=PaperResult([0, 1, 2]),
                now=NOW,
                door="test",
            )
        return made

    def path(self, name: str) -> str:
        number = {
            "round-draw": 2,
            "round-seating": 2,
            "round-open": 2,
            "round-close": 3,
            "round-tables": 3,
            "unpublish": 3,
            "publication": 2,
            "publication-diff": 3,
        }.get(name, 1)
        return path_of(name, self.cup, number=number, player=7 if name == "entry-reinstate" else 0)

    def ask(self, role: str, name: str, method: str, *, query: str = "") -> int:
        """The status that the role gets; whatever was changed is taken back."""
        before = transaction.savepoint()
        answer = self.send(role, name, method, query=query)
        transaction.savepoint_rollback(before)
        return int(answer.status_code)

    def send(self, role: str, name: str, method: str, *, key: str = "k", body: Any = None, query: str = "") -> Any:
        """What the role is answered; a `body` other than the usual one may be given."""
        client, path = self.cup.roles[role], self.path(name) + query
        send = getattr(client, method.lower())
        if name in FILES:
            reason = "" if name == "import-entries" else "&reason=r"
            file = FILES[name] if body is None else body
            return client.send(file, f"{path}?dry_run=false{reason}", content_type="text/csv", key=key)
        sent = self.bodies.get(name, {}) if body is None else body
        return send(path, sent, key=key) if method != "GET" else send(path)


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


def test_whoever_may_not_do_a_thing_may_not_preview_it_either():
    case = Case(public=True)
    for name, method in all_routes():
        if method == "GET" or name in ("club-competitions", "competition-copy", *FILES):
            continue
        real = {role: case.ask(role, name, method) for role in ROLES}
        asked = {role: case.ask(role, name, method, query="?preview=true") for role in ROLES}
        assert asked == {role: 200 if status == 201 else status for role, status in real.items()}, name


def test_a_preview_changes_nothing():
    case = Case(public=False)
    league = case.cup.league
    before = (league.row.seq, league.state, Session.objects.count(), setup.Competition.objects.count())
    for name, method in all_routes():
        if method == "GET" or name in ("club-competitions", "competition-copy", *FILES):
            continue
        send = getattr(case.cup.organiser, method.lower())
        answer = send(f"{case.path(name)}?preview=true", case.bodies.get(name, {}))
        if answer.status_code == 200:
            assert set(answer.json()) == {"preview", "competition", "version", "events", "effects", "sentences"}, name
            assert answer.json()["events"], name
    assert (league.row.seq, league.state, Session.objects.count(), setup.Competition.objects.count()) == before


def test_lists_hold_only_what_the_caller_may_see():
    cup = Cup(4)
    seen = {role: len(cup.roles[role].get("/competitions").json()["results"]) for role in ROLES}
    assert seen == {role: 0 if role in ("anonymous", "outsider", "bot") else 1 for role in ROLES}
    setup.configure(**cup.league.about, changes={"public": True})
    assert len(cup.anonymous.get("/competitions").json()["results"]) == 1
