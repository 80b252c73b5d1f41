"""Tables of an evening beyond the draw: sessions of the club that are counted too."""

from datetime import UTC, date, datetime

import pytest

from competitions.audit import audit_competition
from competitions.services import corrections, drawing, entries, rounds, setup
from competitions.services.entries import NewEntry
from games.models import Club, Player, Session
from games.services import corrections as table_corrections
from games.services import players, recording, sessions
from games.services.recording import PaperResult
from tests.competitions.builders import League, a_league
from tests.competitions.rows import refused
from tests.games.builders import NOW

pytestmark = pytest.mark.django_db


def a_session(
    league: League, seated: list[Player], label: str, *, scheme: str = "card-count", at: datetime = NOW
) -> Session:
    opened = sessions.open_session(
        caller=league.caller,
        club=league.club.slug,
        label=label,
        scheme=scheme,
        settings={"deals_planned": 1},
        players={seat: player.public_id for seat, player in enumerate(seated)},
        now=at,
        door="test",
    )
    return Session.objects.get(public_id=opened.session)


def add(league: League, session: Session, number: int = 1) -> None:
    rounds.add_table(**league.about, number=number, session=session.public_id)


def numbers(league: League, number: int = 1) -> dict[int, int]:
    return {table.session: table.number for table in league.state.round(number).tables}


def last_seq(league: League) -> int:
    return league.row.seq


def test_a_table_beyond_the_draw_counts_with_it():
    league = a_league(8)
    league.whole_round(1)
    before = league.standings
    corrections.undo(**league.about, seq=last_seq(league), reason="one more table")
    extra = a_session(league, league.people[:4], "late table")
    add(league, extra)
    league.score(extra, [0, 1, 2, 3])
    league.close(1)
    a = league.player("A").pk
    assert numbers(league)[extra.pk] == 3
    assert len(league.standings.row(a).rounds[0].results) == 2
    assert league.standings.row(a).total == before.row(a).total + 1000
    assert audit_competition(league.row) == []


def test_tables_played_before_the_draw_keep_out_of_its_numbers():
    league = a_league(8)
    early = [a_session(league, league.people[:4], "first"), a_session(league, league.people[4:], "second")]
    for session in early:
        add(league, session)
        league.score(session, [0, 1, 2, 3])
    assert numbers(league) == {early[0].pk: 1, early[1].pk: 2}
    league.open(1)
    drawn = [table.session for table in league.state.round(1).tables if table.drawn]
    assert numbers(league) == {drawn[0]: 1, drawn[1]: 2, early[0].pk: 3, early[1].pk: 4}
    assert audit_competition(league.row) == []

    opened = next(event.seq for event in league.state.events if event.kind.name == "OPENED")
    corrections.undo(**league.about, seq=opened, reason="wrong draw")
    assert numbers(league) == {early[0].pk: 1, early[1].pk: 2}
    assert audit_competition(league.row) == []


def test_a_table_that_is_taken_back_and_put_back_finds_a_number():
    league = a_league(8)
    first, second = a_session(league, league.people[:4], "first"), a_session(league, league.people[4:], "second")
    add(league, first)
    added = last_seq(league)
    corrections.undo(**league.about, seq=added, reason="not ours")
    undone = last_seq(league)
    add(league, second)
    assert numbers(league) == {second.pk: 1}
    corrections.undo(**league.about, seq=undone, reason="ours after all")
    assert numbers(league) == {first.pk: 1, second.pk: 2}
    assert audit_competition(league.row) == []


def test_a_table_is_of_one_competition_whatever_is_undone():
    league = a_league(8)
    session = a_session(league, league.people[:4], "first")
    add(league, session)
    added = last_seq(league)
    with refused("already_a_table", "first"):
        add(league, session)
    corrections.undo(**league.about, seq=added, reason="not ours")
    undone = last_seq(league)
    other = League(league.club, league.organiser, "", league.people)
    other.public_id = setup.copy(**league.about, name="Other", season="2026", entries=True).competition
    add(other, session)
    with refused("already_a_table"):
        corrections.undo(**league.about, seq=undone, reason="ours after all")


def test_a_closed_round_takes_no_table():
    league = a_league(8)
    session = a_session(league, league.people[:4], "late")
    add(league, session)
    added = last_seq(league)
    corrections.undo(**league.about, seq=added, reason="not ours")
    undone = last_seq(league)
    league.whole_round(1)
    with refused("round_closed", "Round 1 is closed"):
        add(league, session)
    with refused("round_closed", "Round 1 is closed"):
        corrections.undo(**league.about, seq=undone, reason="ours after all")


def test_a_table_of_a_size_without_points_is_refused_or_holds_up_the_round():
    league = a_league(8, points={"places": {"3": [2, 1, 0], "4": [3, 2, 1, 0], "5": [4, 3, 2, 1, 0]}})
    six = a_session(league, league.people[:6], "six")
    league.score(six, [0, 1, 2, 3, 4, 5])
    with refused("bad_points", "A table of 6 has no points"):
        add(league, six)
    # One that has not begun may still get another size.
    unplayed = a_session(league, league.people[:6], "six again")
    add(league, unplayed)
    league.score(unplayed, [0, 1, 2, 3, 4, 5])
    assert [row.total for row in league.standings.rows] == [0] * 8
    with refused("results_missing", "a table of 6 has no points here"):
        rounds.close(**league.about, number=1)
    lists = {"3": [2, 1, 0], "4": [3, 2, 1, 0], "5": [4, 3, 2, 1, 0], "6": [5, 4, 3, 2, 1, 0]}
    setup.configure(**league.about, changes={"points": {"places": lists}})
    league.close(1)
    assert league.standings.rows[0].total == 5


def test_where_points_are_the_schemes_totals_a_table_of_another_scheme_is_refused():
    league = a_league(8, points="scheme", absence="9")
    by_wins = a_session(league, league.people[:4], "wins", scheme="wins")
    with refused("bad_points", "scored by"):
        add(league, by_wins)


@pytest.mark.parametrize(
    ("at", "inside"),
    [
        (datetime(2026, 3, 27, 22, 59, tzinfo=UTC), False),  # 23:59 on the 27th
        (datetime(2026, 3, 27, 23, 0, tzinfo=UTC), True),
        (datetime(2026, 3, 29, 21, 59, tzinfo=UTC), True),  # 23:59 on the 29th, the night that the clocks went on
        (datetime(2026, 3, 29, 22, 0, tzinfo=UTC), False),
    ],
)
def test_the_last_day_belongs_to_the_season_whole_in_the_clubs_own_zone(at, inside):
    league = a_league(4)
    Club.objects.filter(pk=league.club.pk).update(timezone="Europe/Berlin")
    setup.configure(**league.about, changes={"starts_on": date(2026, 3, 28), "ends_on": date(2026, 3, 29)})
    session = a_session(league, league.people, "night", at=at)
    if inside:
        add(league, session)
        assert session.pk in numbers(league)
    else:
        with refused("outside_days", "2026-03-28 to 2026-03-29"):
            add(league, session)


def test_who_sat_in_two_chairs_of_a_table_has_one_result_there():
    league = a_league(4, deals=2, points="scheme", absence="9")
    league.open(1)
    (session,) = league.sessions(1)
    league.score(session, [0, 1, 2, 3])
    league.score(session, [0, 1, 2, 3], number=2)
    seats = [item.player for item in session.occupancies.order_by("seat").select_related("player")]
    league.close(1)
    assert league.standings.row(seats[0].pk).total == 0
    # In the second deal the first two had changed chairs.
    table_corrections.reseat(
        caller=league.caller,
        session=session.public_id,
        seats={0: seats[1].public_id, 1: seats[0].public_id},
        from_number=2,
        to_number=2,
        reason="wrong chairs",
        now=NOW,
        door="test",
    )
    totals = {seat.pk: league.standings.row(seat.pk).total for seat in seats}
    assert list(totals.values()) == [1, 1, 4, 6]
    (result,) = league.standings.row(seats[0].pk).rounds[0].results
    assert (result.place, result.deals, result.share) == (1, 2, 1)
    assert audit_competition(league.row) == []


def test_by_place_too_the_shares_of_several_seats_are_put_together():
    league = a_league(4, deals=2, tie_breaks=["most-firsts", "direct-encounter", "average-place", "wins"])
    league.open(1)
    (session,) = league.sessions(1)
    league.score(session, [0, 1, 2, 3])
    league.score(session, [0, 1, 2, 3], number=2)
    seats = [item.player for item in session.occupancies.order_by("seat").select_related("player")]
    table_corrections.reseat(
        caller=league.caller,
        session=session.public_id,
        seats={0: seats[3].public_id, 3: seats[0].public_id},
        from_number=2,
        to_number=2,
        reason="wrong chairs",
        now=NOW,
        door="test",
    )
    league.close(1)
    totals = [league.standings.row(seat.pk).total for seat in seats]
    assert sum(totals) == 2000
    assert totals[0] == totals[3] == 500
    places = {who.pk: league.standings.row(who.pk).rounds[0].results[0].place for who in seats}
    assert [places[seat.pk] for seat in seats] == [2, 1, 4, 2]


def test_who_came_late_and_took_over_from_his_substitute_has_one_result():
    league = a_league(8, deals=2, points="scheme", absence="9")
    drawing.draw(**league.about, number=1)
    late = league.people[0]
    stand_in = league.people[-1]
    entries.withdraw(**league.about, player=stand_in.public_id)
    entries.substitute(**league.about, player=late.public_id, number=1, by=stand_in.public_id, reason="late")
    league.open(1)
    session = next(s for s in league.sessions(1) if s.occupancies.filter(player=stand_in).exists())
    for other in league.sessions(1):
        league.score(other, list(range(other.occupancies.count())))
        if other != session:
            league.score(other, list(range(other.occupancies.count())), number=2)
    seat = session.occupancies.get(player=stand_in).seat
    table_corrections.substitute(
        caller=league.caller,
        session=session.public_id,
        seat=seat,
        player=late.public_id,
        credit="deals",
        reason="there now",
        now=NOW,
        door="test",
    )
    recording.record_deal(
        caller=league.caller,
        session=session.public_id,
        number=2,
        result=PaperResult(list(range(session.occupancies.values("seat").distinct().count()))),
        now=NOW,
        door="test",
    )
    league.close(1)
    (result,) = league.standings.row(late.pk).rounds[0].results
    assert (result.points, result.deals) == (2 * seat, 2)
    assert stand_in.pk not in [r.entrant for r in league.standings.rows if r.rounds and r.rounds[0].kind == "played"]


def test_an_evening_of_which_nothing_is_played_yet_does_not_hinder_the_next_draw():
    league = a_league(8)
    add(league, a_session(league, league.people[:4], "not begun"))
    drawing.draw(**league.about, number=2)
    drawing.draw(**league.about, number=2, variant=1)
    assert len(set(league.state.round(2).plan.people())) == 8


def test_who_comes_in_to_an_evening_that_began_without_a_draw_is_drawn_in_it():
    league = a_league(8)
    add(league, a_session(league, league.people[:4], "early"))
    made = players.create_player(caller=league.caller, club=league.club.slug, name="Late")
    entries.enter(**league.about, entries=[NewEntry(made)])
    drawing.draw(**league.about, number=1)
    assert Player.objects.get(public_id=made).pk in set(league.state.round(1).plan.people())
