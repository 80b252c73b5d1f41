"""Long exports: one snapshot, whole or known to be torn, gone on with at any line."""

import threading
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games import exporting, exports
from games.models import Club, Player, Role, Session
from games.services import corrections, importing, people
from tests.api.clients import Api, World, code_of
from tests.games.builders import NOW, a_member
from tests.games.test_import_export import SESSIONS, result_line

PATH = "/clubs/river/deals.ndjson"
pytestmark = pytest.mark.django_db(transaction=True)


def bring_in(world, lines):
    return importing.import_records(
        caller=world.table.caller,
        club="river",
        lines=list(enumerate(lines, start=1)),
        dry_run=False,
        now=NOW,
        door="import",
    )


def evening(deals, session="evening"):
    return [result_line(session=session, number=number, dealer=(number - 1) % 3) for number in range(1, deals + 1)]


def a_world(deals=12, session="evening"):
    """A club with an imported session of that many deals."""
    world = World()
    bring_in(
        world, [result_line(session=session, number=number, dealer=(number - 1) % 3) for number in range(1, deals + 1)]
    )
    return world


def lines_of(answer):
    return answer.getvalue().splitlines(keepends=True)


@pytest.fixture
def small_steps(monkeypatch):
    """A line at a time, from the database and to the client."""
    monkeypatch.setattr(exporting, "FETCH", 1)
    monkeypatch.setattr(exports, "CHUNK", 1)


def test_all_deals_of_a_club_are_those_of_its_sessions_one_after_the_other():
    world = a_world()
    world.start()
    world.table.play_out()
    bring_in(world, SESSIONS)
    answer = world.member.get(PATH)
    sessions = Session.objects.filter(club=world.club).order_by("pk")
    assert answer.getvalue() == b"".join(
        world.member.get(f"/sessions/{session.public_id}/records").content for session in sessions
    )
    assert int(answer["Export-Lines"]) == 12 + 1 + len(SESSIONS)
    assert answer["Content-Type"] == "application/x-ndjson"


def test_what_is_exported_imports_into_another_club_and_is_exported_to_the_same_bytes():
    world = a_world()
    bring_in(world, [*SESSIONS, result_line(session="void", voided="a card fell", hands=["7C", "", "7C 2D"])])
    first = world.member.get(PATH).getvalue()
    Club.objects.create(name="Lake", slug="lake")
    other = Api(a_member(Club.objects.get(slug="lake"), "lake-scorer", Role.SCORER))
    sent = other.send(first, "/clubs/lake/imports?dry_run=false", content_type="application/x-ndjson")
    assert sent.status_code == 201
    assert other.get("/clubs/lake/deals.ndjson").getvalue() == first


def test_the_hands_of_a_deal_being_played_are_in_no_export():
    world = World()
    world.start()
    answer = world.organiser.get(PATH)
    assert (answer.getvalue(), answer["Export-Lines"]) == (b"", "0")


def test_an_export_goes_on_at_every_line_to_the_same_bytes():
    world = a_world()
    whole = world.member.get(PATH)
    lines, tag = lines_of(whole), whole["Export-Snapshot"]
    assert len(lines) == 12
    for line in range(1, 14):
        rest = world.member.get(f"{PATH}?snapshot={tag}&from_line={line}")
        assert (rest["Export-Snapshot"], rest["Export-Lines"]) == (tag, "12")
        assert lines_of(rest) == lines[line - 1 :]


def changes(world):
    """What changes a line, each in its way."""
    session = Session.objects.get(label="evening")
    about = {"caller": world.table.caller, "session": session.public_id, "now": NOW, "door": "test"}
    ana, other = Player.objects.get(name="Ana"), Player.objects.get(name="D")
    yield "a deal voided", lambda: corrections.void(**about, number=1, reason="r")
    yield "a deal undone", lambda: corrections.undo(**about, seq=Session.objects.get(pk=session.pk).seq, reason="r")
    yield "a player renamed", lambda: Player.objects.filter(pk=ana.pk).update(name="Anna")
    yield (
        "a player merged",
        lambda: people.merge(
            caller=world.table.caller, player=ana.public_id, into=other.public_id, reason="r", now=NOW, door="test"
        ),
    )
    yield "a session imported", lambda: bring_in(world, [result_line(session="later")])
    yield "a deal begun", world.start


def test_a_snapshot_is_refused_as_soon_as_anything_has_changed():
    world = a_world()
    for what, change in changes(world):
        tag = world.member.head(PATH)["Export-Snapshot"]
        again = world.member.get(f"{PATH}?snapshot={tag}&from_line=3")
        again.close()
        assert again.status_code == 200, what
        change()
        assert code_of(world.member.get(f"{PATH}?snapshot={tag}&from_line=3")) == (409, "moved_on"), what


def test_an_action_in_a_running_deal_is_no_change():
    world = a_world()
    world.start()
    tag = world.member.head(PATH)["Export-Snapshot"]
    world.step()
    assert lines_of(world.member.get(f"{PATH}?snapshot={tag}&from_line=12"))


def test_a_snapshot_is_one_of_what_was_asked_for():
    world = a_world()
    tag = world.member.head(PATH)["Export-Snapshot"]
    other = world.member.get(f"{PATH}?session=evening&snapshot={tag}&from_line=1")
    assert code_of(other) == (409, "moved_on")


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("snapshot=x", 400, "bad_parameter"),
        ("from_line=1", 400, "bad_parameter"),
        ("snapshot=x&from_line=0", 400, "bad_parameter"),
        ("snapshot=x&from_line=1", 409, "moved_on"),
        ("since=yesterday", 400, "bad_parameter"),
        ("since=2026-11-29T20:00:00", 400, "bad_parameter"),
        ("since=0001-01-01T00:00:00%2B14:00", 400, "bad_parameter"),
        ("player=nobody", 422, "bad_player"),
        ("club=river", 400, "unknown_parameter"),
    ],
)
def test_the_parameters_of_an_export_are_checked(query, status, code):
    assert code_of(World().member.get(f"{PATH}?{query}")) == (status, code)


def test_deals_are_chosen_by_session_time_and_person():
    world = a_world()
    bring_in(world, [result_line(session="other", players=["Zoë", "Бранко", "Chloé"])])

    def found(query):
        return len(lines_of(world.member.get(f"{PATH}?{query}")))

    def named(name):
        return Player.objects.get(name=name).public_id

    assert found("session=other") == 1
    assert found("session=nothing") == 0
    assert found(f"player={named('Ana')}") == 12
    assert found(f"player={named('Zoë')}") == 1
    assert found(f"player={named('Бранко')}") == 13
    assert found("since=2026-11-29T20:00:00Z") == 13
    assert found("since=2026-11-29T20:00:00.000001Z") == 0
    people.merge(caller=world.table.caller, player=named("Zoë"), into=named("D"), reason="r", now=NOW, door="test")
    assert found(f"player={named('D')}") == found(f"player={named('Zoë')}") == 1


def test_of_a_substituted_seat_each_finds_the_deals_that_were_theirs():
    world = World()
    bring_in(
        world,
        [
            result_line(number=1),
            result_line(number=2, dealer=1, players=["Ana", "Zoë", "Chloé"]),
            result_line(number=3, dealer=2),
        ],
    )
    for name, numbers in {"Ana": [1, 2, 3], "Бранко": [1, 3], "Zoë": [2]}.items():
        player = Player.objects.get(name=name).public_id
        lines = lines_of(world.member.get(f"{PATH}?player={player}"))
        assert [int(line.partition(b'"number":')[2].partition(b",")[0]) for line in lines] == numbers


def test_head_gives_the_headers_alone_and_holds_nothing():
    world = a_world()
    for _ in range(3):
        answer = world.member.head(PATH)
        assert (answer.status_code, answer.content, answer["Export-Lines"]) == (200, b"", "12")
    assert not connection.in_atomic_block


def renamed_after_the_first_line(world):
    """The lines of an export during which a player is renamed, by another connection."""
    answer = world.member.get(PATH)
    stream = iter(answer.streaming_content)
    lines = [next(stream)]

    def rename():
        Player.objects.filter(name="Ana").update(name="Anna")
        connection.close()

    thread = threading.Thread(target=rename)
    thread.start()
    thread.join()
    return [*lines, *stream]


def test_an_export_is_of_one_moment_whatever_is_written_meanwhile(small_steps):
    world = a_world()
    before = lines_of(world.member.get(PATH))
    assert renamed_after_the_first_line(world) == before
    assert b'"Anna"' in lines_of(world.member.get(PATH))[0]


def test_without_the_snapshot_it_would_be_torn(small_steps, monkeypatch):
    @contextmanager
    def whatever_is_there():
        with transaction.atomic():
            yield

    monkeypatch.setattr(exports, "one_state", whatever_is_there)
    lines = renamed_after_the_first_line(a_world())
    assert (b'"Ana"' in lines[0], b'"Anna"' in lines[-1]) == (True, True)


def asked_elsewhere(client, path):
    """The answer that another connection gets meanwhile."""
    got = []

    def ask():
        got.append(client.get(path))
        got[0].close()
        connection.close()

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    return got[0]


def test_an_account_has_one_export_at_a_time_and_the_server_only_so_many(settings):
    world = a_world()
    under_way = world.member.get(PATH)
    refused = asked_elsewhere(world.member, PATH)
    assert code_of(refused) == (503, "busy")
    assert refused["Retry-After"]
    assert asked_elsewhere(world.scorer, PATH).status_code == 200
    settings.EXPORTS_AT_ONCE = 1
    assert code_of(asked_elsewhere(world.scorer, PATH)) == (503, "busy")
    under_way.close()
    assert asked_elsewhere(world.member, PATH).status_code == 200
    assert asked_elsewhere(world.scorer, PATH).status_code == 200


def test_a_client_that_takes_too_long_is_cut_off_and_holds_nothing(settings, small_steps):
    settings.EXPORT_SECONDS = 0
    answer = a_world().member.get(PATH)
    with pytest.raises(exports.TooLong):
        next(iter(answer.streaming_content))
    assert not connection.in_atomic_block


def test_an_export_takes_the_same_few_statements_whatever_its_length():
    world, counts = a_world(5), []
    for deals in (1, 400):
        bring_in(world, evening(deals, f"of {deals}"))
        with CaptureQueriesContext(connection) as captured:
            world.member.get(PATH).getvalue()
        counts.append(len(captured))
    assert counts[0] == counts[1] <= 14
