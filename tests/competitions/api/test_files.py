"""Files over the API: entries, results and points in, entries, results and standings out."""

import pytest

from competitions.files.reading import MEDIA_TYPES
from competitions.models import Entry
from competitions.models import Event as CompetitionEvent
from competitions.services import corrections, publishing
from games.models import Event, Player
from tests.api.clients import code_of
from tests.competitions.api.clients import Cup

pytestmark = pytest.mark.django_db

XLSX = MEDIA_TYPES["xlsx"]
RESULTS = b"round,table,deal,dealer,seat,cards_left\n1,1,1,1,1,0\n1,1,1,1,2,1\n1,1,1,1,3,2\n1,1,1,1,4,3\n"


def send(cup: Cup, what: str, body: bytes, query: str = "", *, dry_run: bool = False, client=None, **more):
    path = f"{cup.path}/imports/{what}?dry_run={str(dry_run).lower()}{query}"
    more.setdefault("content_type", "text/csv")
    return (client or cup.organiser).send(body, path, **more)


def taken(answer, status: int = 201):
    assert answer.status_code == status, answer.content
    return answer.json()


def stored() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Entry, CompetitionEvent, Event, Player))


def test_a_dry_run_says_what_the_import_then_does():
    cup = Cup(4)
    body = "name;seed\nA;\nZoë;2\n".encode()
    before = stored()
    dry = taken(send(cup, "entries", body, dry_run=True), 200)
    assert stored() == before
    assert dry["report"] == {"entered": 1, "new_players": ["Zoë"], "rows": 2, "unchanged": 1, "withdrawn": 0}
    assert any("Zoë" in sentence for sentence in dry["sentences"])
    assert dry["effects"]["standings"]
    real = taken(send(cup, "entries", body, f"&version={dry['version']}"))
    assert real["report"] == dry["report"]
    assert (real["version"], real["effects"], real["sentences"]) == (None, None, None)
    assert Entry.objects.filter(player__name="Zoë", seed=2).exists()


def test_what_was_looked_at_is_refused_once_it_has_moved_on():
    cup = Cup(4)
    dry = taken(send(cup, "entries", b"name\nZoe\n", dry_run=True), 200)
    corrections.adjust(**cup.league.about, player=cup.ids[0], points=1, reason="r")
    assert code_of(send(cup, "entries", b"name\nZoe\n", f"&version={dry['version']}")) == (409, "moved_on")


@pytest.mark.parametrize("dry_run", [True, False])
def test_every_fault_is_told_by_line_and_column(dry_run):
    cup = Cup(4)
    before = stored()
    refused = send(cup, "entries", b"name,seed\nA,x\nNew,1\n,2\n", dry_run=dry_run)
    assert code_of(refused) == (422, "import_faults")
    assert [(item["line"], item.get("column"), item["code"]) for item in refused.json()["errors"]] == [
        (2, "seed", "bad_cell"),
        (4, "name", "bad_cell"),
    ]
    assert all(item["message"] for item in refused.json()["errors"])
    refused = send(cup, "entries", b"name,sede,name\nA,1,A\n", dry_run=dry_run)
    assert code_of(refused) == (422, "bad_columns")
    assert {(item["column"], item["code"]) for item in refused.json()["errors"]} == {
        ("sede", "unknown_column"),
        ("name", "doubled_column"),
    }
    assert code_of(send(cup, "entries", b"seed\n1\n", dry_run=dry_run)) == (422, "bad_columns")
    assert code_of(send(cup, "entries", "name\nA\n".encode("utf-16"), dry_run=dry_run)) == (422, "bad_file")
    assert code_of(send(cup, "entries", b"PK\x03\x04", content_type=XLSX, dry_run=dry_run)) == (422, "bad_file")
    assert stored() == before


def test_results_come_with_seats_from_one():
    cup = Cup(4, deals=1)
    cup.league.open(1)
    (session,) = cup.league.sessions(1)
    names = [item.player.name for item in session.occupancies.order_by("seat").select_related("player")]
    wrong = "round,table,deal,seat,name,cards_left\n1,1,1,1,NAME,0\n1,1,1,2,,1\n1,1,1,3,,2\n1,1,1,4,,3\n"
    (fault,) = send(cup, "results", wrong.replace("NAME", names[1]).encode(), client=cup.scorer).json()["errors"]
    assert fault["code"] == "wrong_player"
    assert fault["message"] == f"In seat 1 of table 1 sits {names[0]}, not {names[1]}."
    (fault,) = send(cup, "results", RESULTS.replace(b"4,3", b"4,20"), client=cup.scorer).json()["errors"]
    assert (fault["line"], fault["code"]) == (2, "bad_result")
    assert fault["message"].startswith("Seat 4 cannot have 20 cards left")
    assert taken(send(cup, "results", RESULTS, client=cup.scorer))["report"]["entered"] == 1
    assert session.deals.get().result["cards_left"] == [0, 1, 2, 3]


def test_another_result_needs_a_reason_and_a_doubtful_one_is_insisted_on():
    cup = Cup(4, deals=1)
    cup.league.open(1)
    taken(send(cup, "results", RESULTS))
    other = RESULTS.replace(b"4,3", b"4,2")
    assert send(cup, "results", other).json()["errors"][0]["code"] == "reason_required"
    assert taken(send(cup, "results", other, "&reason=Misread."))["report"]["entered"] == 1
    header, *rows = RESULTS.decode().splitlines()
    passes = "\n".join([f"{header},forced_passes,wrongful_passes", *(f"{row},{3 * i},0" for i, row in enumerate(rows))])
    assert send(cup, "results", passes.encode(), "&reason=r").json()["errors"][0]["code"] == "doubtful_result"
    assert taken(send(cup, "results", passes.encode(), "&reason=r&anyway=true"))["report"]["entered"] == 1


def test_points_brought_along_become_adjustments_with_the_reason():
    cup = Cup(4)
    body = b"name,total\nA,5/2\nB,-1\n"
    assert send(cup, "points", body, "&reason=").json()["code"] == "reason_required"
    assert send(cup, "points", body).json()["code"] == "reason_required"
    assert taken(send(cup, "points", body, "&reason=Last%20season"))["report"]["adjusted"] == 2
    assert {item.reason for item in cup.league.state.adjustments} == {"Last season"}
    assert taken(send(cup, "points", body, "&reason=Last%20season"))["report"]["unchanged"] == 2


def test_a_name_that_several_have_is_settled_by_the_request():
    cup = Cup(2)
    other = Player.objects.create(club=cup.league.club, name="A")
    assert send(cup, "entries", b"name\nA\n").json()["errors"][0]["code"] == "ambiguous_player"
    taken(send(cup, "entries", b"name\nA\n", f"&player=A={other.public_id}"))
    assert Entry.objects.filter(player=other).exists()


def test_a_retry_gets_the_first_answer_and_another_file_under_its_key_is_refused():
    cup = Cup(4)
    cup.league.open(1)
    first = send(cup, "entries", b"name\nZoe\n", key="one")
    before = stored()
    again = send(cup, "entries", b"name\nZoe\n", key="one")
    assert (again.status_code, again.content) == (first.status_code, first.content) == (201, first.content)
    assert code_of(send(cup, "entries", b"name\nYan\n", key="one")) == (422, "key_reused")
    assert code_of(send(cup, "points", b"name,total\nA,1\n", "&reason=r", key="one")) == (422, "key_reused")
    assert stored() == before
    first = send(cup, "results", RESULTS, key="two")
    assert first.status_code == 201
    assert send(cup, "results", RESULTS, key="two").content == first.content


@pytest.mark.parametrize("what", ["entries", "results", "points"])
def test_what_is_no_file_or_no_question_is_refused(what):
    cup = Cup(2)
    path = f"{cup.path}/imports/{what}"
    assert code_of(cup.organiser.send(b"name\nA\n", path, content_type="text/csv")) == (400, "bad_parameter")
    assert code_of(send(cup, what, b"")) == (400, "empty_body")
    assert code_of(send(cup, what, b"{}", content_type="application/json")) == (415, "unsupported_media_type")
    assert code_of(send(cup, what, b"x" * (5 * 1024 * 1024 + 1))) == (413, "too_large")
    assert code_of(send(cup, what, b"name\nA\n", "&playr=x")) == (400, "unknown_parameter")
    assert code_of(send(cup, what, b"name\nA\n", "&player=x")) == (400, "bad_parameter")
    for junk in (b"\x00" * 50, b"\xff\xfe\xfd", b'name\n"', b"PK\x03\x04junk", b"\xd0\xcf\x11\xe0", b"name\n=1+1\n"):
        assert send(cup, what, junk, dry_run=True).status_code in (200, 422)
        assert send(cup, what, junk, content_type=XLSX, dry_run=True).status_code in (200, 422)


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_what_is_taken_away_comes_in_again_unchanged(form):
    cup = Cup(8, deals=1)
    cup.league.whole_round(1)
    for what, query in (("entries", ""), ("results", "")):
        answer = cup.organiser.get(f"{cup.path}/{what}.{form}{query}")
        assert answer.status_code == 200
        assert answer["Content-Type"] == MEDIA_TYPES[form]
        assert answer["Content-Disposition"] == f'attachment; filename="cup-2026-{what}.{form}"'
        assert (answer["Cache-Control"], answer["X-Content-Type-Options"]) == ("private, no-cache", "nosniff")
        report = taken(send(cup, what, answer.content, content_type=MEDIA_TYPES[form]))["report"]
        assert report["unchanged"] == report.get("deals", report["rows"]) > 1
    assert cup.organiser.get(f"{cup.path}/results.{form}?round=2").status_code == 200


@pytest.mark.parametrize("accept", ["*/*", "text/csv", "application/json", XLSX])
def test_a_file_is_served_whatever_its_client_says_it_accepts(accept):
    cup = Cup(2)
    answer = cup.organiser.get(f"{cup.path}/entries.csv", HTTP_ACCEPT=accept)
    assert answer.status_code == 200
    assert code_of(cup.member.get(f"{cup.path}/results.csv", HTTP_ACCEPT=accept)) == (403, "forbidden")


def test_standings_are_those_that_the_reader_may_see():
    cup = Cup(4, deals=1, public=True)
    cup.league.whole_round(1)
    path = f"{cup.path}/standings.csv"
    assert code_of(cup.anonymous.get(path)) == (404, "not_published")
    live = cup.scorer.get(path).content
    publishing.publish(**cup.league.about, what="standings")
    corrections.adjust(**cup.league.about, player=cup.ids[3], points=1000, reason="r")
    assert cup.anonymous.get(path).content == cup.member.get(path).content == live
    assert cup.scorer.get(path).content != live
    assert cup.scorer.get(f"{path}?publication=2").content == live
    assert code_of(cup.member.get(f"{path}?after_round=1")) == (403, "forbidden")
    assert code_of(cup.member.get(f"{path}?publication=1")) == (404, "not_found"), "a draw"
    assert code_of(cup.member.get(f"{path}?publication=3")) == (404, "not_found")
    assert code_of(cup.organiser.get(f"{path}?after_round=9")) == (404, "not_found")
    publishing.unpublish(**cup.league.about, number=2, reason="r")
    assert code_of(cup.member.get(f"{path}?publication=2")) == (404, "not_found")


def test_a_dry_run_is_for_those_who_may_import():
    cup = Cup(4, deals=1)
    cup.league.open(1)
    bodies = {"entries": b"name\nNew\n", "results": RESULTS, "points": b"name,total\nA,5\n"}
    for what, body in bodies.items():
        seen = {
            role: send(
                cup, what, body, "" if what == "entries" else "&reason=r", dry_run=True, client=client
            ).status_code
            for role, client in cup.roles.items()
        }
        scorer = 200 if what == "results" else 403
        assert seen == {
            "anonymous": 401,
            "outsider": 404,
            "member": 403,
            "scorer": scorer,
            "organiser": 200,
            "superuser": 200,
            "bot": 404,
        }
