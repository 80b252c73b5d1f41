"""Imports of big files as jobs: taken in bit by bit, checked as a whole, stored session by session, each once."""

import gzip

import pytest
from django.db import connection, transaction

from games.models import Club, ImportChunk, ImportJob, ImportNote, ImportPart, Player, Role, Session
from games.services import import_jobs, import_slices, players
from tests.api.clients import Api, World, code_of
from tests.games.builders import NOW, a_member
from tests.games.test_import_export import SESSIONS, result_line

pytestmark = pytest.mark.django_db(transaction=True)
PATH = "/clubs/river/import-jobs"
KIND = {"content_type": "application/x-ndjson"}


def send(client, body, query="dry_run=false", **more):
    return client.send(body, f"{PATH}?{query}", **KIND | more)


def work(job, most=200):
    """What workers do, until there is nothing more to do."""
    pk = ImportJob.objects.values_list("pk", flat=True).get(public_id=job)
    for _ in range(most):
        if not import_slices.go_on(pk, seconds=0):
            return
    raise AssertionError("the job does not end")


def done(client, body, query="dry_run=false", **more):
    """The job of a file, worked through."""
    taken = send(client, body, query, **more)
    assert taken.status_code == 202, taken.content
    work(taken.json()["job"])
    return client.get(f"/import-jobs/{taken.json()['job']}").json()


def report(client, job, query="limit=200"):
    return client.get(f"/import-jobs/{job['job']}/report?{query}").json()["results"]


def a_file(*sessions, deals=3, **more):
    lines = [
        result_line(session=label, number=number, dealer=(number - 1) % 3, **more)
        for label in sessions
        for number in range(1, deals + 1)
    ]
    return b"\n".join(lines) + b"\n"


def test_a_file_becomes_the_same_sessions_as_in_one_request():
    world = World()
    body = b"\n".join(SESSIONS) + b"\n"
    job = done(world.scorer, body)
    assert (job["status"], job["deals"], job["stored_deals"], job["faults"]) == (
        "done",
        len(SESSIONS),
        len(SESSIONS),
        0,
    )
    assert (job["bytes_checked"], job["lines"]) == (len(body), len(SESSIONS))
    by_job = world.member.get("/clubs/river/deals.ndjson").getvalue()
    Club.objects.create(name="Lake", slug="lake")
    other = Api(a_member(Club.objects.get(slug="lake"), "lake-scorer", Role.SCORER))
    assert other.send(body, "/clubs/lake/imports?dry_run=false", **KIND).status_code == 201
    assert other.get("/clubs/lake/deals.ndjson").getvalue() == by_job


def test_the_answer_names_the_job_and_nothing_is_done_before_a_worker_comes():
    world = World()
    taken = send(world.scorer, a_file("a"))
    assert taken["Location"] == f"/api/v1/import-jobs/{taken.json()['job']}"
    job = world.organiser.get(taken["Location"]).json()
    assert (job["status"], job["lines"], job["bytes"]) == ("checking", 0, len(a_file("a")))
    assert [one["job"] for one in world.scorer.get(PATH).json()["results"]] == [job["job"]]


def test_every_line_is_reported_with_the_session_and_deal_that_it_became():
    world = World()
    job = done(world.scorer, a_file("a", "b"))
    found = report(world.scorer, job)
    ids = dict(Session.objects.values_list("label", "public_id"))
    assert [(one["line"], one["label"], one["session"], one["deal"]) for one in found] == [
        (number, label, ids[label], (number - 1) % 3 + 1) for number, label in enumerate("aaabbb", start=1)
    ]
    assert [note["code"] for note in found[0]["notes"]] == ["new_player"] * 3
    assert [one["notes"] for one in found[1:]] == [[]] * 5


def test_the_report_comes_in_pages():
    world = World()
    job = done(world.scorer, a_file(*"abcdefg"))
    lines, path = [], f"/import-jobs/{job['job']}/report?limit=4"
    while path:
        page = world.scorer.get(path).json()
        lines += [one["line"] for one in page["results"]]
        path = page["next"] and page["next"].partition("testserver")[2]
    assert lines == list(range(1, 22))


def test_any_fault_anywhere_and_nothing_is_stored():
    world = World()
    body = a_file("a") + b"{\n" + a_file("b", result={"cards_left": [0, 0, 1]}) + a_file("c")
    before = (Session.objects.count(), Player.objects.count())
    job = done(world.scorer, body)
    assert (job["status"], job["code"], job["faults"]) == ("refused", "import_faults", 4)
    assert (Session.objects.count(), Player.objects.count()) == before
    errors = report(world.scorer, job, "level=error")
    assert [(one["line"], one["notes"][0]["code"]) for one in errors] == [
        (4, "bad_record"),
        (5, "bad_result"),
        (6, "bad_result"),
        (7, "bad_result"),
    ]


def test_a_dry_run_says_what_would_happen_and_stores_nothing():
    world = World()
    ana = players.create_player(caller=world.table.caller, club="river", name="ANA")
    before = (Session.objects.count(), Player.objects.count())
    job = done(world.scorer, a_file("a", deals=2) + result_line(session="a", number=3, dealer=0), "dry_run=true")
    assert (job["status"], job["sessions"], job["deals"], job["warnings"]) == ("checked", 1, 3, 1)
    assert (Session.objects.count(), Player.objects.count()) == before
    found = report(world.scorer, job)
    assert [note["code"] for note in found[0]["notes"]] == ["new_player", "new_player", "matched_player"]
    assert ana in found[0]["notes"][2]["message"]
    assert [note["code"] for note in found[2]["notes"]] == ["dealer_rotation"]
    assert found[2]["session"] is None


def test_names_that_several_have_are_settled_in_the_request():
    world = World()
    twins = [players.create_player(caller=world.table.caller, club="river", name=name) for name in ("Ana", "ana")]
    refused = done(world.scorer, a_file("a"))
    assert {one["notes"][0]["code"] for one in report(world.scorer, refused, "level=error")} == {"ambiguous_player"}
    job = done(world.scorer, a_file("a"), f"dry_run=false&player=Ana={twins[1]}")
    assert job["status"] == "done"
    assert Session.objects.get(label="a").occupancies.get(seat=0).player.public_id == twins[1]


def test_a_new_name_becomes_one_player_in_all_sessions():
    world = World()
    done(world.scorer, a_file("a", "b", "c"))
    assert Player.objects.filter(name="Ana").count() == 1


def test_sessions_whose_lines_are_scattered_are_refused():
    world = World()
    job = done(world.scorer, a_file("a") + a_file("b") + result_line(session="a", number=4))
    errors = report(world.scorer, job, "level=error")
    assert [(one["line"], one["notes"][0]["code"]) for one in errors] == [(7, "scattered_session")]


def test_a_session_that_the_club_has_is_refused():
    world = World()
    done(world.scorer, a_file("a"))
    again = done(world.scorer, a_file("b", "a"))
    assert again["status"] == "refused"
    assert [one["notes"][0]["code"] for one in report(world.scorer, again, "level=error")] == ["already_imported"]
    assert not Session.objects.filter(label="b").exists()


@pytest.mark.parametrize(
    "body", [a_file("a"), a_file("a").replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + a_file("a"), a_file("a")[:-1]]
)
def test_marks_and_ends_of_lines_are_no_faults(body):
    world = World()
    job = done(world.scorer, body)
    assert (job["status"], job["lines"], job["stored_deals"]) == ("done", 3, 3)


@pytest.mark.parametrize(
    "body",
    [
        b"x" * (2 * 1024 * 1024) + b"\n" + a_file("a"),
        b"\x00\n" + a_file("a"),
        b"[" * 100_000 + b"\n" + a_file("a"),
        a_file("a") + b"\n",
        gzip.compress(a_file(*"abcdefgh")),
        b'{"sevens":1,"a":"\\ud800"}\n',
        b"null\n",
    ],
    ids=["huge line", "NUL", "deep", "blank line", "gzip", "half a character", "null"],
)
def test_hostile_files_are_refused_line_by_line(body):
    world = World()
    before = Session.objects.count()
    job = done(world.scorer, body)
    assert job["status"] == "refused"
    codes = {note["code"] for one in report(world.scorer, job, "level=error") for note in one["notes"]}
    assert codes == {"bad_record"}
    assert Session.objects.count() == before
    assert job["bytes_checked"] == len(body)


def test_a_file_full_of_faults_is_not_looked_at_to_its_end(monkeypatch):
    monkeypatch.setattr(import_slices, "MOST_FAULTS", 1000)
    world = World()
    job = done(world.scorer, b"\n" * 20_000)
    assert (job["status"], job["lines"], job["faults"]) == ("refused", 1000, 1000)


def test_a_session_too_long_for_one_piece_is_refused(monkeypatch):
    monkeypatch.setattr(import_slices, "MOST_DEALS", 2)
    world = World()
    job = done(world.scorer, a_file("a") + a_file("b", deals=2))
    errors = report(world.scorer, job, "level=error")
    assert [(one["line"], one["notes"][0]["code"]) for one in errors] == [(3, "too_many_deals")]


def test_a_file_in_small_pieces_is_read_as_one(monkeypatch):
    monkeypatch.setattr(import_jobs, "CHUNK", 100)
    monkeypatch.setattr(import_slices, "CHUNK", 100)
    world = World()
    job = done(world.scorer, b"\xef\xbb\xbf" + a_file("a", "b") + b"{}\r\n")
    assert (job["status"], job["lines"], job["deals"], job["faults"]) == ("refused", 7, 6, 1)


def test_a_file_is_gone_when_its_job_is_over_and_the_job_after_thirty_days():
    world = World()
    job = done(world.scorer, a_file("a"))
    assert ImportChunk.objects.count() == 0
    row = ImportJob.objects.get(public_id=job["job"])
    assert import_jobs.forget(now=row.finished_at + import_jobs.KEPT) == 0
    assert import_jobs.forget(now=row.finished_at + import_jobs.KEPT * 1.01) == 1
    assert (ImportJob.objects.count(), ImportPart.objects.count(), ImportNote.objects.count()) == (0, 0, 0)
    assert Session.objects.filter(label="a").exists()


def test_a_file_that_stopped_coming_is_forgotten():
    world = World()
    job = send(world.scorer, a_file("a")).json()["job"]
    ImportJob.objects.filter(public_id=job).update(status="receiving")
    row = ImportJob.objects.get()
    assert import_jobs.forget(now=row.touched_at) == 0
    assert import_jobs.forget(now=row.touched_at + import_jobs.STALLED * 1.01) == 1
    assert ImportChunk.objects.count() == 0


def test_the_same_file_under_the_same_key_is_the_same_job():
    world = World()
    first = send(world.scorer, a_file("a"), key="k")
    again = send(world.scorer, a_file("a"), key="k")
    assert (first.status_code, first.content) == (again.status_code, again.content)
    assert ImportJob.objects.count() == 1
    for body, query in ((a_file("b"), "dry_run=false"), (a_file("a"), "dry_run=true")):
        assert code_of(send(world.scorer, body, query, key="k")) == (422, "key_reused")
    assert ImportJob.objects.count() == 1


def test_a_cancelled_job_stores_nothing_more():
    world = World()
    taken = send(world.scorer, a_file("a", "b")).json()["job"]
    pk = ImportJob.objects.get().pk
    while ImportJob.objects.get().stored_sessions == 0:
        import_slices.go_on(pk, seconds=0)
    cancelled = world.organiser.delete(f"/import-jobs/{taken}", key="k")
    assert (cancelled.status_code, cancelled.json()["status"]) == (200, "cancelled")
    assert world.organiser.delete(f"/import-jobs/{taken}", key="k").content == cancelled.content
    assert import_slices.go_on(pk) is False
    assert list(Session.objects.filter(label__in="ab").values_list("label", flat=True)) == ["a"]
    assert ImportChunk.objects.count() == 0


def test_what_changed_since_the_check_ends_the_job_saying_what_is_stored():
    world = World()
    taken = send(world.scorer, a_file("a", "b", "c")).json()["job"]
    pk = ImportJob.objects.get().pk
    while ImportJob.objects.get().stored_sessions == 0:
        import_slices.go_on(pk, seconds=0)
    assert world.organiser.post("/clubs/river/sessions", {"label": "b"}).status_code == 201
    work(taken)
    job = world.scorer.get(f"/import-jobs/{taken}").json()
    assert (job["status"], job["code"], job["stored_sessions"], job["faults"]) == ("failed", "import_faults", 1, 1)
    assert [one["session"] is None for one in report(world.scorer, job)] == [False] * 3 + [True] * 6
    assert report(world.scorer, job, "level=error")[0]["line"] == 4
    assert not Session.objects.filter(label="c").exists()


def test_whoever_loses_the_right_meanwhile_imports_no_more():
    world = World()
    taken = send(world.scorer, a_file("a")).json()["job"]
    world.scorer.user.memberships.update(role=Role.MEMBER)
    work(taken)
    job = world.organiser.get(f"/import-jobs/{taken}").json()
    assert (job["status"], job["code"]) == ("failed", "forbidden")


def test_a_worker_that_dies_in_the_middle_costs_nothing_and_doubles_nothing(monkeypatch):
    world = World()
    taken = send(world.scorer, a_file("a", "b")).json()["job"]
    pk = ImportJob.objects.get().pk
    real = import_slices.store

    class Died(BaseException):
        pass

    def dies(*args, **more):
        real(*args, **more)
        raise Died

    monkeypatch.setattr(import_slices, "store", dies)
    assert import_slices.go_on(pk) is True  # the checks
    with pytest.raises(Died):
        import_slices.go_on(pk)
    monkeypatch.setattr(import_slices, "store", real)
    assert not Session.objects.filter(label="a").exists()
    assert import_slices.go_on(pk) is False, "its lease still holds"
    assert import_slices.under_way() == []
    ImportJob.objects.update(lease_until=ImportJob.objects.get().created_at)
    assert import_slices.under_way() == [pk]
    work(taken)
    assert sorted(Session.objects.filter(label__in="ab").values_list("label", flat=True)) == ["a", "b"]


def test_a_worker_whose_lease_went_to_another_stores_nothing(monkeypatch):
    world = World()
    send(world.scorer, a_file("a"))
    pk = ImportJob.objects.get().pk
    import_slices.go_on(pk)
    job = import_slices._claim(pk)
    ImportJob.objects.update(lease="another's")
    with pytest.raises(import_slices._Gone), transaction.atomic():
        import_slices._mine(job)


def test_a_job_that_can_never_be_gone_on_with_ends(monkeypatch):
    world = World()
    taken = send(world.scorer, a_file("a")).json()["job"]
    monkeypatch.setattr(import_slices, "checked", lambda *args: 1 / 0)
    for _ in range(import_slices.MOST_TRIES):
        with pytest.raises(ZeroDivisionError):
            import_slices.go_on(ImportJob.objects.get().pk)
        ImportJob.objects.update(lease_until=ImportJob.objects.get().created_at)
    work(taken)
    assert world.scorer.get(f"/import-jobs/{taken}").json()["code"] == "server_error"


def test_one_file_of_a_club_is_worked_on_after_the_other():
    world = World()
    first, second = (send(world.scorer, a_file(label)).json()["job"] for label in "ab")
    pks = [ImportJob.objects.get(public_id=job).pk for job in (first, second)]
    assert import_slices.under_way() == pks[:1]
    assert import_slices.go_on(pks[1]) is False
    work(first)
    assert import_slices.under_way() == pks[1:]
    work(second)
    assert import_slices.under_way() == []


def test_only_some_files_of_a_club_are_on_their_way_at_a_time():
    world = World()
    for number in range(import_jobs.MOST_AT_ONCE):
        assert send(world.scorer, a_file(str(number))).status_code == 202
    assert code_of(send(world.scorer, a_file("x"))) == (503, "busy")
    world.scorer.delete(f"/import-jobs/{ImportJob.objects.first().public_id}")
    assert send(world.scorer, a_file("x")).status_code == 202


def test_what_is_no_file_of_records_is_refused_before_it_is_read(settings):
    world = World()
    assert code_of(send(world.scorer, a_file("a"), content_type="application/json")) == (415, "unsupported_media_type")
    compressed = send(world.scorer, a_file("a"), HTTP_CONTENT_ENCODING="gzip")
    assert code_of(compressed) == (415, "unsupported_media_type")
    assert code_of(send(world.scorer, b"")) == (400, "empty_body")
    settings.IMPORT_LARGEST_MB = 0
    assert code_of(send(world.scorer, a_file("a"))) == (413, "too_large")
    assert ImportJob.objects.count() == 0


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("", 400, "bad_parameter"),
        ("dry_run=true&player=A", 400, "bad_parameter"),
        ("dry_run=true&scheme=nothing", 422, "bad_rules"),
        ("dry_run=true&limit=1", 400, "unknown_parameter"),
    ],
)
def test_the_parameters_are_checked(query, status, code):
    assert code_of(send(World().scorer, a_file("a"), query)) == (status, code)


def test_a_job_is_its_clubs_scorers_business():
    world = World()
    job = send(world.scorer, a_file("a")).json()["job"]
    for path in (f"/import-jobs/{job}", f"/import-jobs/{job}/report"):
        assert code_of(world.anonymous.get(path)) == (401, "not_authenticated")
        assert code_of(world.outsider.get(path)) == (404, "not_found")
        assert code_of(world.member.get(path)) == (403, "forbidden")
        assert world.organiser.get(path).status_code == 200


def test_a_report_forgets_whoever_asks_to_be_forgotten():
    world = World()
    ana = players.create_player(caller=world.table.caller, club="river", name="Ana")
    job = done(world.scorer, a_file("a"), f"dry_run=false&player=Ana={ana}")
    assert "Ana" in str(report(world.scorer, job))
    forgotten = world.organiser.post(f"/players/{ana}/anonymise", {"reason": "Asked to be."})
    assert forgotten.status_code == 201
    assert "Ana" not in str(report(world.scorer, job))
    assert ImportJob.objects.get().players == {}
    assert "Chloé" in str(report(world.scorer, job))


def test_the_file_is_never_in_memory_as_a_whole():
    world = World()
    size = 3 * import_jobs.CHUNK + 7
    asked = []

    class Source:
        def read(self, n):
            asked.append(n)
            return b"x" * min(n, 50_000)

    import_jobs.create(
        caller=world.table.caller,
        club="river",
        source=Source(),
        size=size,
        players={},
        scheme=None,
        dry_run=True,
        now=NOW,
        door="test",
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT array_agg(length(data) ORDER BY number) FROM games_importchunk")
        assert cursor.fetchone()[0] == [import_jobs.CHUNK] * 3 + [7]
    assert max(asked) <= import_jobs.CHUNK


def test_half_a_file_is_no_file():
    world = World()

    class Source:
        def __init__(self):
            self.left = [b"x" * 1000, b""]

        def read(self, n):
            return self.left.pop(0)

    with pytest.raises(import_jobs.Incomplete):
        import_jobs.create(
            caller=world.table.caller,
            club="river",
            source=Source(),
            size=2000,
            players={},
            scheme=None,
            dry_run=True,
            now=NOW,
            door="test",
        )
    assert (ImportJob.objects.count(), ImportChunk.objects.count()) == (0, 0)
