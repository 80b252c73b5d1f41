"""Deciding about people while they are seated, dealt to or decided about: row locks, and without them it goes wrong."""

import threading

import pytest
from django.db import connection, transaction

from games.audit import audit_club
from games.errors import Refusal
from games.models import ClubEvent, Occupancy, Player, Session
from games.services import people, persons, sessions, writing
from tests.api.test_races import at_once
from tests.games.builders import NOW, a_table
from tests.games.people import add, anonymise, merge, played, session_of

pytestmark = pytest.mark.django_db(transaction=True)


def of(answer):
    """What a call came to: the code it was refused with, or done."""
    if isinstance(answer, Refusal):
        return answer.code
    assert not isinstance(answer, Exception), answer
    return "done"


def seat(table, session, player):
    return lambda: sessions.seat(
        caller=table.caller, session=session, seat=1, player=player.public_id, now=NOW, door="test"
    )


def merged_while_seated(monkeypatch, decide) -> tuple[str, str, bool]:
    """Seat a player who is looked up before, and seated after, `decide` does away with it: what each came to, and
    whether the player now sits there although gone."""
    table = a_table(4)
    anna, ann = add(table, "Anna"), add(table, "Ann")
    session = session_of(table)
    real = writing.Draft.player
    looked, decided = threading.Event(), threading.Event()

    def player(draft, public_id):
        found = real(draft, public_id)
        looked.set()
        decided.wait(5)
        return found

    monkeypatch.setattr(writing.Draft, "player", player)

    def away():
        looked.wait(5)
        try:
            return decide(table, ann, anna)
        finally:
            decided.set()

    answers = at_once([seat(table, session, ann), away])
    gone = Player.objects.get(pk=ann.pk)
    sits = Occupancy.objects.filter(player=ann).exists()
    return of(answers[0]), of(answers[1]), sits and not gone.active


@pytest.mark.parametrize("decide", [merge, lambda table, ann, anna: anonymise(table, ann)])
def test_whoever_goes_while_being_seated_is_not_seated(monkeypatch, decide):
    assert merged_while_seated(monkeypatch, decide) == ("bad_player", "done", False)


def test_without_the_look_under_the_lock_the_gone_are_seated(monkeypatch):
    monkeypatch.setattr(writing, "check_seated", lambda *args: None)
    assert merged_while_seated(monkeypatch, merge) == ("done", "done", True)


def beside_themselves(monkeypatch) -> bool:
    """Merge two while one is being seated at the table where the other sits: whether one person got two seats."""
    table = a_table(4)
    anna, ann = add(table, "Anna"), add(table, "Ann")
    session = session_of(table, anna)
    seated, merging = threading.Event(), threading.Event()
    real = writing.projecting.store

    def store(*args, **more):
        seated.set()
        merging.wait(0.5)
        return real(*args, **more)

    monkeypatch.setattr(writing.projecting, "store", store)

    def later():
        seated.wait(5)
        try:
            return merge(table, ann, anna)
        finally:
            merging.set()

    answers = [of(answer) for answer in at_once([seat(table, session, ann), later])]
    return answers == ["done", "done"]


def test_a_merge_waits_for_whoever_is_being_seated_and_then_sees_the_meeting(monkeypatch):
    assert not beside_themselves(monkeypatch)


def test_without_the_locks_one_person_gets_two_seats(monkeypatch):
    def unlocked(club, players):
        return {row.pk: row for row in Player.objects.filter(pk__in=players)}

    monkeypatch.setattr(people, "lock_people", unlocked)
    assert beside_themselves(monkeypatch)


def test_of_merges_that_exclude_each_other_one_is_done():
    table = a_table(4)
    for n in range(4):
        a, b, c = (add(table, f"{name} {n}") for name in "ABC")
        answers = [of(answer) for answer in at_once([
            lambda a=a, b=b: merge(table, a, b),
            lambda b=b, c=c: merge(table, b, c),
            lambda c=c, a=a: merge(table, c, a),
        ])]  # fmt: skip
        assert answers.count("done") == 1
        assert set(answers) <= {"done", "already_merged", "keeps_others"}
        rows = Player.objects.filter(pk__in=[a.pk, b.pk, c.pk], merged_into__isnull=False).select_related("merged_into")
        assert all(row.merged_into.merged_into_id is None for row in rows)
    assert audit_club(table.club) == []


def test_events_of_one_club_at_once_are_numbered_without_a_gap():
    table = a_table(4)
    keeper = add(table, "Keeper")
    twins = [add(table, f"Twin {n}") for n in range(6)]
    answers = at_once([lambda twin=twin: merge(table, twin, keeper) for twin in twins])
    assert [of(answer) for answer in answers] == ["done"] * 6
    assert list(ClubEvent.objects.order_by("seq").values_list("seq", flat=True)) == [1, 2, 3, 4, 5, 6]


def test_a_deal_that_is_being_dealt_is_waited_for():
    table = a_table(4, people=4)
    keeper = add(table, "Keeper")
    holding, done = threading.Event(), threading.Event()

    def hold():
        with transaction.atomic():
            writing.lock(table.caller, table.session)
            holding.set()
            done.wait(10)

    def away():
        holding.wait(5)
        try:
            merge(table, table.players[0], keeper)
        finally:
            done.set()

    answers = at_once([hold, away])
    assert isinstance(answers[1], Exception)  # it waited for the session until it was told to come back
    merge(table, table.players[0], keeper)


def test_seated_between_the_look_and_the_lock_sends_the_merge_back(monkeypatch):
    table = a_table(4)
    anna, ann = add(table, "Anna"), add(table, "Ann")
    real = persons._lock_sessions

    def lock_sessions(players):
        found = real(players)
        if not Occupancy.objects.filter(player=ann).exists():

            def other():
                session_of(table, ann)
                connection.close()

            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
        return found

    monkeypatch.setattr(persons, "_lock_sessions", lock_sessions)
    assert of(at_once([lambda: merge(table, ann, anna)])[0]) == "busy"
    merge(table, ann, anna)


def test_a_merge_and_a_result_at_once_do_not_block_each_other_for_good():
    table = a_table(4)
    anna, ann = add(table, "Anna"), add(table, "Ann")
    answers = at_once([
        lambda: merge(table, ann, anna),
        lambda: played(table, *table.players),
        lambda: played(table, anna, *table.players[:3]),
    ])  # fmt: skip
    merged, *results = (of(answer) for answer in answers)
    assert results == ["done"] * 2
    if merged == "busy":  # somebody was seated between its look and its lock, and it is sent back (see above)
        merge(table, ann, anna)
    else:
        assert merged == "done"
    assert Player.objects.get(pk=ann.pk).merged_into == anna
    assert Session.objects.count() == 3
