"""The version of a competition's numbers: made anew by every door that changes them, and by nothing else."""

from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from competitions.models import Version
from competitions.services import corrections, drawing, entries, publishing, rounds, setup
from competitions.services.entries import NewEntry
from games import bots
from games.access import Caller
from games.engine.seat_view import seat_view
from games.models import Player, Role, Session
from games.services import corrections as table_corrections
from games.services import people, play, players, recording, sessions
from games.services.recording import PaperResult
from tests.competitions.builders import League, a_league
from tests.competitions.rows import refused
from tests.games.builders import NOW, Table, a_member

pytestmark = pytest.mark.django_db


def version(league: League) -> int:
    return Version.objects.get(competition=league.row).number


def a_bot_league() -> League:
    """Four bots at one table of an open round, with a hosted deal dealt."""
    league = a_league(0, enter=False, tables={"preferred": 4, "smallest": 4, "largest": 4}, deals=2)
    for letter in "ABCD":
        made = players.create_player(caller=league.caller, club=league.club.slug, name=letter, strategy="random")
        league.people.append(Player.objects.select_related("user").get(public_id=made))
    entries.enter(**league.about, entries=[NewEntry(player.public_id) for player in league.people])
    league.open(1)
    return league


def a_hosted_table(league: League) -> Table:
    (session,) = league.sessions(1)
    return Table(league.club, league.organiser, session.public_id, league.people)


def test_every_write_to_the_competition_and_to_its_tables_makes_a_version():
    league = a_league(8, confirm=True)
    a, b = league.player("A"), league.player("B")
    about = league.about
    scorer = Caller.of(a_member(league.club, "second", Role.SCORER))

    def at_table(call, **more):
        session = league.sessions(1)[0]
        return call(caller=league.caller, session=session.public_id, reason="r", now=NOW, door="test", **more)

    def confirm() -> None:
        for session in league.sessions(1):
            recording.confirm(caller=scorer, session=session.public_id, number=1, now=NOW, door="test")

    person = {"caller": league.caller, "player": b.public_id, "reason": "r", "now": NOW, "door": "test"}
    twin = players.create_player(caller=league.caller, club=league.club.slug, name="A again")
    outsider = players.create_player(caller=league.caller, club=league.club.slug, name="Z")
    seen = version(league)
    for write in (
        lambda: setup.configure(**about, changes={"tie_breaks": ["wins"]}),
        lambda: drawing.draw(**about, number=1),
        lambda: rounds.open_round(**about, number=1, publish=True),
        lambda: league.score(league.sessions(1)[0], [0, 1, 2, 3]),
        lambda: league.score(league.sessions(1)[1], [0, 1, 2, 3]),
        confirm,
        lambda: at_table(table_corrections.adjust, seat=0, points=3),
        lambda: at_table(table_corrections.substitute, seat=0, player=outsider),
        lambda: at_table(table_corrections.void, number=1),
        lambda: at_table(table_corrections.undo, seq=league.sessions(1)[0].seq),
        lambda: at_table(sessions.close),
        lambda: rounds.close(**about, number=1),
        lambda: recording.record_deal(
            caller=league.caller,
            session=league.sessions(1)[1].public_id,
            number=1,
            result=PaperResult([3, 2, 1, 0]),
            reason="r",
            now=NOW,
            door="test",
        ),
        lambda: corrections.adjust(**about, player=b.public_id, points=3, reason="B was early"),
        lambda: entries.withdraw(**about, player=a.public_id),
        lambda: publishing.publish(**about, what="standings"),
        lambda: people.anonymise(**person),
        lambda: people.merge(**{**person, "player": twin, "into": a.public_id}),
        lambda: people.unmerge(**{**person, "player": twin}),
    ):
        write()
        now = version(league)
        assert now > seen, write
        seen = now
    assert league.standings.row(b.pk).adjustments[0].reason == ""


def test_a_refusal_and_a_write_that_changes_nothing_make_no_version():
    league = a_league(8)
    seen = version(league)
    setup.configure(**league.about, changes={"name": "Cup"})
    with refused("already_entered"):
        entries.enter(**league.about, entries=[NewEntry(league.people[0].public_id)])
    assert version(league) == seen


def test_an_action_makes_no_version_and_the_end_of_a_deal_makes_one():
    league = a_bot_league()
    table = a_hosted_table(league)
    table.deal(1)
    seen = version(league)
    table.step()
    table.step()
    assert version(league) == seen
    table.play_out()
    assert version(league) == seen + 1
    table.deal(2)
    table.play_out()
    league.close(1)
    assert sum(row.total for row in league.standings.rows) == 2000


@pytest.mark.django_db(transaction=True)
def test_an_action_at_a_competitions_table_takes_six_statements_and_ten_where_it_ends_a_deal():
    league = a_bot_league()
    table = a_hosted_table(league)
    table.deal(1)
    counts: list[tuple[int, bool]] = []
    while Session.objects.get(public_id=table.session).live_deal is not None:
        row = table.row
        caller, view = table.seat_caller(row.to_act), seat_view(table.position().deal, row.to_act)
        action = bots.available()["random"].choose(view, Random(len(counts)))
        with CaptureQueriesContext(connection) as captured:
            play.act(caller=caller, session=table.session, action=action, expected_seq=row.live_seq, now=NOW)
        over = Session.objects.get(public_id=table.session).live_deal is None
        statements = [q["sql"] for q in captured if q["sql"] not in ("BEGIN", "COMMIT")]
        counts.append((len(statements), over))
    ordinary = {count for count, over in counts if not over}
    ((ending, _),) = [item for item in counts if item[1]]
    assert len(ordinary) == 1
    assert max(ordinary) <= 6
    assert ending <= 10
