"""Several people at once, on real connections: row locks decide, always in the order session, competition, version."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from typing import Any

import pgtrigger
import pytest
from django.db import connection
from django.db.models import Model

from competitions import folding
from competitions.audit import audit_competition
from competitions.facts import Kind
from competitions.models import Competition, Folded, TableScored, Version
from competitions.services import corrections, drawing, entries, results, rounds, setup, writing
from competitions.services.entries import NewEntry
from games.access import Caller
from games.audit import audit_session
from games.errors import refusal_of
from games.models import Role, Session
from games.services import corrections as table_corrections
from games.services import recording, sessions
from games.services import writing as tables
from games.services.recording import PaperResult
from tests.api.test_races import at_once
from tests.competitions.builders import League, a_league
from tests.competitions.test_importing import a_deal, results_of
from tests.games.builders import NOW, a_member

pytestmark = pytest.mark.django_db(transaction=True)


def code(answer: Any) -> str:
    """What came of a call: "done", or the code of its refusal."""
    if not isinstance(answer, Exception):
        return "done"
    known = refusal_of(answer)
    return getattr(known or answer, "code", repr(answer))


def codes(calls: list[Callable[[], Any]]) -> list[str]:
    return [code(answer) for answer in at_once(calls)]


def record(league: League, session: Session, left: list[int], *, number: int = 1, reason: str = "", caller=None):
    return recording.record_deal(
        caller=caller or league.caller,
        session=session.public_id,
        number=number,
        dealer=0,
        result=PaperResult(left),
        reason=reason,
        now=NOW,
        door="test",
    )


def version(league: League) -> int:
    return Version.objects.get(competition=league.row).number


def last(league: League, kind: Kind) -> int:
    return max(event.seq for event in league.state.events if event.kind is kind)


def all_is_well(league: League) -> bool:
    """Every log adds up, and what is kept of the standings is what they are."""
    league.standings  # noqa: B018 - folds and keeps them
    sound = all(not audit_session(session) for session in Session.objects.all())
    return sound and audit_competition(league.row) == []


# -- results


def one_of_two(league: League, table: int = 1) -> bool:
    session = league.sessions(1)[table - 1]
    answers = codes([lambda left=left: record(league, session, left) for left in ([0, 1, 2, 3], [3, 2, 1, 0])])
    return sorted(answers) == ["done", "reason_required"] and all_is_well(league)


def test_of_two_results_for_one_table_at_once_one_is_entered_and_the_other_is_told():
    league = a_league(16)
    league.open(1)
    assert one_of_two(league)


def test_without_the_sessions_lock_two_results_for_one_table_collide(monkeypatch):
    monkeypatch.setattr(tables, "lock", lambda caller, public_id: Session.objects.get(public_id=public_id))
    league = a_league(16)
    league.open(1)
    assert not all(one_of_two(league, table) for table in (1, 2, 3, 4))


def test_results_of_different_tables_at_once_all_count_and_each_makes_a_version():
    league = a_league(24)
    league.open(1)
    here = league.sessions(1)
    before = version(league)
    answers = codes([lambda session=session: record(league, session, [0, 1, 2, 3]) for session in here])
    assert answers == ["done"] * 6
    assert version(league) == before + 6
    assert sum(row.total for row in league.standings.rows) == 6 * 2000
    assert all_is_well(league)


def ignore(*models: type[Model]) -> None:
    """From now on the database does without the triggers of these models."""
    names = [trigger.get_pgid(model) for model, trigger in pgtrigger.registered() if model in models]
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('pgtrigger.ignore', %s, false)", [f"{{{','.join(names)}}}"])


def test_without_the_trigger_a_result_would_leave_the_standings_as_they_were():
    league = a_league(8)
    league.open(1)
    assert {row.total for row in league.standings.rows} == {0}
    ignore(TableScored)
    league.play(1)
    ignore()
    assert {row.total for row in league.standings.rows} == {0}


# -- closing


@pytest.mark.parametrize("turn", range(4))
def test_a_round_is_never_closed_without_the_result_that_comes_at_the_same_time(turn):
    league = a_league(8)
    league.open(1)
    first, second = league.sessions(1)
    record(league, first, [0, 1, 2, 3])
    result, closing = codes([lambda: record(league, second, [0, 1, 2, 3]), lambda: league.close(1)])
    assert (result, closing) in [("done", "done"), ("done", "results_missing")]
    assert (league.state.round(1).status == "closed") == (closing == "done")
    assert all_is_well(league)


def after_the_closing(league: League) -> list[str]:
    """A scorer corrects while the organiser closes, twice over."""
    league.open(1)
    league.play(1)
    scorer = Caller.of(a_member(league.club, "scorer", Role.SCORER))
    calls = [
        lambda session=session: record(league, session, [3, 2, 1, 0], reason="r", caller=scorer)
        for session in league.sessions(1)
    ]
    return codes([lambda: league.close(1), *calls])


def test_a_correction_comes_before_the_closing_or_is_told_that_the_round_is_closed():
    league = a_league(16)
    closing, *results = after_the_closing(league)
    assert closing == "done"
    assert set(results) <= {"done", "session_closed"}
    assert all_is_well(league)


def test_corrections_of_closed_tables_and_closings_never_wait_for_each_other_in_a_ring():
    league = a_league(16)
    league.open(1)
    league.play(1)
    league.close(1)
    for turn in range(3):
        here = league.sessions(1)
        answers = codes(
            [
                lambda: corrections.undo(**league.about, seq=last(league, Kind.CLOSED), reason="r"),
                *[lambda s=session, t=turn: record(league, s, [3 + t, 2, 1, 0], reason="r") for session in here],
            ]
        )
        assert answers == ["done"] * len(answers)
        assert league.state.round(1).status == "open"
        answers = codes(
            [
                lambda: league.close(1),
                *[lambda s=session: record(league, s, [0, 5, 6, 7], reason="r") for session in here],
                lambda: corrections.adjust(**league.about, player=league.player("A").public_id, points=1, reason="r"),
            ]
        )
        assert answers == ["done"] * len(answers)
        assert all_is_well(league)


def test_a_reopening_and_a_result_at_once_end_in_one_order_or_the_other():
    league = a_league(8, deals=2, scheme={"scheme": "card-count", "target": 1})
    league.whole_round(1)
    scorer = Caller.of(a_member(league.club, "scorer", Role.SCORER))
    session = league.sessions(1)[0]
    reopened, result = codes(
        [
            lambda: corrections.undo(**league.about, seq=last(league, Kind.CLOSED), reason="r"),
            lambda: record(league, session, [3, 2, 1, 0], reason="r", caller=scorer),
        ]
    )
    assert reopened == "done"
    assert result in ("done", "session_closed")
    assert all_is_well(league)


# -- draws and entries


def draws_at_once(league: League) -> list[str]:
    seen = version(league)
    return codes(
        [
            lambda variant=variant: drawing.draw(
                **league.about, number=1, variant=variant, effort=0.02, expected_version=seen
            )
            for variant in (1, 2, 3)
        ]
    )


def test_of_draws_at_once_by_people_who_saw_the_same_one_is_made():
    league = a_league(16)
    assert sorted(draws_at_once(league)) == ["done", "moved_on", "moved_on"]
    assert all_is_well(league)


def without_lock(caller: Caller, public_id: str) -> Competition:
    return Competition.objects.get(public_id=public_id)


def test_without_the_competitions_lock_draws_collide(monkeypatch):
    league = a_league(16)
    monkeypatch.setattr(writing, "lock", without_lock)
    assert sorted(draws_at_once(league)) != ["done", "moved_on", "moved_on"]


def entered_at_once(league: League) -> list[str]:
    return codes(
        [
            lambda: entries.enter(**league.about, entries=[NewEntry(player.public_id) for player in league.people])
            for _ in range(3)
        ]
    )


def test_a_person_entered_by_three_at_once_is_entered_once():
    league = a_league(8, enter=False)
    assert sorted(entered_at_once(league)) == ["already_entered", "already_entered", "done"]
    assert len(league.state.entries) == 8
    assert all_is_well(league)


def test_without_the_competitions_lock_entries_collide(monkeypatch):
    league = a_league(8, enter=False)
    monkeypatch.setattr(writing, "lock", without_lock)
    assert sorted(entered_at_once(league)) != ["already_entered", "already_entered", "done"]


def test_a_name_is_given_once():
    league = a_league(4)
    about = {"caller": league.caller, "club": league.club.slug, "now": NOW, "door": "test"}
    calls = [lambda: setup.create_competition(**about, name="Spring", settings={}) for _ in range(3)]
    assert sorted(codes(calls)) == ["done", "name_taken", "name_taken"]


# -- a table added while its result comes in


@contextmanager
def held_before_commit(monkeypatch) -> Iterator[tuple[threading.Event, threading.Event]]:
    """Let the next write to a session wait, all written and nothing committed: (it is there, let it go)."""
    there, go = threading.Event(), threading.Event()
    usual = tables.notify.after_commit

    def wait(*args: Any) -> None:
        monkeypatch.setattr(tables.notify, "after_commit", usual)
        there.set()
        assert go.wait(20)
        usual(*args)

    monkeypatch.setattr(tables.notify, "after_commit", wait)
    try:
        yield there, go
    finally:
        go.set()


WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def waits_or_ends(thread: threading.Thread) -> None:
    """Until the thread waits for a lock, or is done."""
    while thread.is_alive():
        with connection.cursor() as cursor:
            cursor.execute(WAITING)  # in this database: other tests have theirs
            if cursor.fetchone()[0]:
                return
        thread.join(0.01)


def in_thread(call: Callable[[], Any], answers: list[str]) -> threading.Thread:
    def run() -> None:
        try:
            answers.append(code(call()))
        except Exception as error:
            answers.append(code(error))
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def total_after_table_is_added_while_its_result_comes(league: League, monkeypatch) -> Fraction | int:
    opened = sessions.open_session(
        caller=league.caller,
        club=league.club.slug,
        label="late table",
        scheme="card-count",
        settings={"deals_planned": 1},
        players={seat: player.public_id for seat, player in enumerate(league.people)},
        now=NOW,
        door="test",
    )
    session = Session.objects.get(public_id=opened.session)
    with held_before_commit(monkeypatch) as (there, go):
        answers: list[str] = []
        entering = in_thread(lambda: record(league, session, [0, 1, 2, 3]), answers)
        assert there.wait(20)
        adding = in_thread(lambda: rounds.add_table(**league.about, number=1, session=opened.session), answers)
        waits_or_ends(adding)
        assert league.standings  # somebody looks, and what is folded is kept
        go.set()
        entering.join()
        adding.join()
    assert answers == ["done", "done"]
    return sum(row.total for row in league.standings.rows)


def test_a_table_that_is_added_while_its_result_comes_in_counts_with_it(monkeypatch):
    league = a_league(4)
    assert total_after_table_is_added_while_its_result_comes(league, monkeypatch) == 2000
    assert all_is_well(league)


def test_without_the_sessions_lock_an_added_tables_result_is_overlooked(monkeypatch):
    league = a_league(4)
    monkeypatch.setattr(rounds, "lock_sessions", lambda rows: None)
    assert total_after_table_is_added_while_its_result_comes(league, monkeypatch) == 0


# -- a file of results


def file_and_adjustment_at_once(league: League, monkeypatch) -> list[str]:
    """A file with a new result, then a correction; between them somebody gives points."""
    league.open(1)
    _, second = league.sessions(1)
    record(league, second, [0, 1, 2, 3])
    deals = [a_deal(1, [0, 1, 2, 3]), a_deal(2, [3, 2, 1, 0])]
    answers: list[str] = []
    with held_before_commit(monkeypatch) as (there, go):
        bringing = in_thread(lambda: results_of(league, deals, reason="r"), answers)
        assert there.wait(20)
        about = {**league.about, "player": league.player("A").public_id}
        giving = in_thread(lambda: corrections.adjust(**about, points=1, reason="r"), answers)
        waits_or_ends(giving)
        go.set()
        bringing.join()
        giving.join()
    return answers


def test_a_file_of_results_and_a_correction_of_the_competition_wait_in_one_order(monkeypatch):
    league = a_league(8)
    assert file_and_adjustment_at_once(league, monkeypatch) == ["done", "done"]
    assert all_is_well(league)


def test_without_the_competitions_lock_first_they_wait_for_each_other_in_a_ring(monkeypatch):
    league = a_league(8)
    monkeypatch.setattr(results, "lock_row", lambda pk: Competition.objects.get(pk=pk))
    assert "busy" in file_and_adjustment_at_once(league, monkeypatch)


# -- reading meanwhile


def read_while_written(league: League, tables_of_round: int) -> bool:
    """Whether readers see whole tables only: what every finished table is worth, and one answer for one version."""
    done = threading.Event()
    seen: list[tuple[int, Any]] = []
    row = league.row

    def read() -> None:
        try:
            while not done.is_set():
                folding._kept.clear()  # as another process would, which has nothing at hand
                seen.append(folding.standings_now(row))
        finally:
            connection.close()

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for session in league.sessions(1):
        record(league, session, [0, 1, 2, 3])
    for session in league.sessions(1):
        table_corrections.void(
            caller=league.caller, session=session.public_id, number=1, reason="r", now=NOW, door="test"
        )
    done.set()
    for reader in readers:
        reader.join()
    whole = {2000 * count for count in range(tables_of_round + 1)}
    by_version: dict[int, list[Any]] = {}
    for at, table in seen:
        by_version.setdefault(at, []).append(table)
    return (
        {sum(row.total for row in table.rows) for _, table in seen} <= whole
        and all(table == some[0] for some in by_version.values() for table in some)
        and len(by_version) > 1
    )


def test_a_reader_never_sees_a_torn_table():
    league = a_league(24)
    league.open(1)
    assert read_while_written(league, 6)
    assert all_is_well(league)


def kept_while_a_result_came(league: League, monkeypatch) -> tuple[int, int]:
    """The version that was read when a result came in between, and how much stands in the table kept for it."""
    usual = folding.state_of

    def slow(competition: Competition) -> Any:
        state = usual(competition)
        monkeypatch.setattr(folding, "state_of", usual)
        in_thread(lambda: record(league, league.sessions(1)[0], [0, 1, 2, 3]), []).join()
        return state

    folding._kept.clear()
    monkeypatch.setattr(folding, "state_of", slow)
    at, table = folding.fold_now(league.row)
    return at, sum(row.total for row in table.rows)


def test_what_is_kept_for_a_version_is_of_that_version(monkeypatch):
    league = a_league(8)
    league.open(1)
    before = version(league)
    assert kept_while_a_result_came(league, monkeypatch) == (before, 0)
    assert version(league) == before + 1
    assert sum(row.total for row in league.standings.rows) == 2000


def test_read_at_several_moments_it_would_not_be(monkeypatch):
    league = a_league(8)
    league.open(1)
    monkeypatch.setattr(folding, "one_state", nullcontext)
    assert kept_while_a_result_came(league, monkeypatch) == (version(league) - 1, 2000)


def test_standings_are_folded_once_for_a_version():
    league = a_league(16)
    league.open(1)
    league.play(1)
    row = league.row
    folding._kept.clear()
    folded: list[int] = []
    usual = folding.standing_of

    def counted(*args: Any, **more: Any) -> Any:
        folded.append(1)
        return usual(*args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folding, "standing_of", counted)
        first = folding.standings_now(row)
        folding._kept.clear()
        assert folding.standings_now(row) == first
        assert folding.standings_now(row) == first
        assert len(folded) == 1
        table_corrections.void(
            caller=league.caller, session=league.sessions(1)[0].public_id, number=1, reason="r", now=NOW, door="test"
        )
        assert folding.standings_now(row) != first
        assert len(folded) == 2
    assert Folded.objects.get(competition=row).version == version(league)
