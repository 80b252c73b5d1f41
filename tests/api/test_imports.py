"""Importing record files: a dry run first, then all or nothing."""

import json

import pytest

from games.models import Player, Session
from tests.api.clients import World, code_of

pytestmark = pytest.mark.django_db

PATH = "/clubs/river/imports"


def line(**more):
    record = {"sevens": 1, "rules": "pagat", "session": "Friday", "number": 1, "players": ["A", "Zoë", "Ωmega"]}
    return json.dumps(record | {"dealer": 0, "result": {"cards_left": [0, 1, 2]}} | more, ensure_ascii=False) + "\n"


def send(client, body, query="dry_run=false", **more):
    return client.send(body.encode() if isinstance(body, str) else body, f"{PATH}?{query}", **KIND | more)


KIND = {"content_type": "application/x-ndjson"}


def test_a_dry_run_says_what_an_import_would_do_and_does_nothing():
    world = World()
    body = line() + line(number=2, dealer=2)
    before = (Session.objects.count(), Player.objects.count())
    dry = send(world.scorer, body, "dry_run=true")
    assert dry.status_code == 200, dry.content
    assert (Session.objects.count(), Player.objects.count()) == before
    report = dry.json()
    assert report["matched_players"] == {"A": world.table.players[0].public_id}
    assert report["new_players"] == ["Zoë", "Ωmega"]
    assert [warning["code"] for warning in report["warnings"]] == ["dealer_rotation"]
    assert report["sessions"][0]["session"] is None
    wet = send(world.scorer, body)
    assert wet.status_code == 201
    session = wet.json()["sessions"][0].pop("session")
    assert len(world.member.get(f"/sessions/{session}/deals").json()["results"]) == 2
    again = send(world.scorer, body)
    assert code_of(again) == (422, "import_faults")
    assert {error["code"] for error in again.json()["errors"]} == {"already_imported"}


def test_every_bad_line_is_reported_and_nothing_is_stored():
    world = World()
    body = line() + "{\n" + line(number=2, rules="whist") + line(number=3, result={"cards_left": [0, 0, 1]})
    before = Session.objects.count()
    answer = send(world.scorer, body)
    assert code_of(answer) == (422, "import_faults")
    assert [(error["line"], error["code"]) for error in answer.json()["errors"]] == [
        (2, "bad_record"),
        (3, "bad_rules"),
        (4, "bad_result"),
    ]
    assert Session.objects.count() == before


def test_a_name_that_several_players_have_is_settled_in_the_request():
    world = World()
    twin = world.organiser.post("/clubs/river/players", {"name": "a"}).json()["id"]
    assert {error["code"] for error in send(world.scorer, line()).json()["errors"]} == {"ambiguous_player"}
    report = send(world.scorer, line(), f"dry_run=false&player=A={twin}").json()
    assert report["matched_players"] == {"A": twin}
    odd = line(session="odd", players=["x=y", "B", "C"])
    mapped = send(world.scorer, odd, f"dry_run=true&player=x%3Dy={twin}&player=B={world.table.players[1].public_id}")
    assert mapped.json()["matched_players"]["x=y"] == twin
    other = world.outsider.post("/clubs/hill/players", {"name": "A"}).json()["id"]
    faults = send(world.scorer, line(session="other"), f"dry_run=true&player=A={other}").json()["errors"]
    assert {error["code"] for error in faults} == {"bad_player"}


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("", 400, "bad_parameter"),
        ("dry_run=yes", 400, "bad_parameter"),
        ("dry_run=true&dry_run=true", 400, "bad_parameter"),
        ("dry_run=true&player=A", 400, "bad_parameter"),
        ("dry_run=true&player==x", 400, "bad_parameter"),
        ("dry_run=true&player=A=x&player=A=y", 400, "bad_parameter"),
        ("dry_run=true&player=A%00=x", 400, "bad_parameter"),
        ("dry_run=true&players=A=x", 400, "unknown_parameter"),
        ("dry_run=true&scheme=nothing", 422, "bad_rules"),
    ],
)
def test_the_parameters_of_an_import_are_checked(query, status, code):
    assert code_of(send(World().scorer, line(), query)) == (status, code)


def test_what_is_no_record_file_is_refused():
    world = World()
    assert code_of(send(world.scorer, line(), content_type="application/json")) == (415, "unsupported_media_type")
    assert code_of(send(world.scorer, b"")) == (400, "empty_body")
    assert code_of(send(world.scorer, b"x" * (5 * 1024 * 1024 + 1))) == (413, "too_large")
    for body in (b"\xff\xfe", b"\x00", b"[" * 100_000, b"\n\n", b'{"sevens":1,"a":"\\ud800"}', b"null"):
        answer = send(world.scorer, body)
        assert code_of(answer) == (422, "import_faults")
        assert {error["code"] for error in answer.json()["errors"]} == {"bad_record"}


def test_the_scheme_is_for_sessions_that_name_none():
    world = World()
    report = send(
        world.scorer,
        line(session="one") + line(session="two", scheme="card-count"),
        "dry_run=true&scheme=wins:target=5",
    )
    assert [item["scheme"] for item in report.json()["sessions"]] == [{"scheme": "wins", "target": 5}, "card-count"]
