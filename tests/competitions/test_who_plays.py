"""Entries and what becomes of them: late, withdrawn, back again, sitting out, substituted; and each taken back."""

from fractions import Fraction

import pytest

from competitions.audit import audit_competition
from competitions.facts import Kind
from competitions.services import corrections, drawing, entries, rounds, setup
from competitions.services.entries import NewEntry
from games.models import Player
from games.services import players
from tests.competitions.builders import League, a_league
from tests.competitions.rows import refused

pytestmark = pytest.mark.django_db

ROBIN = {"format": "round-robin", "rounds": 5}


def newcomer(league: League, name: str) -> Player:
    player = Player.objects.get(public_id=players.create_player(caller=league.caller, club=league.club.slug, name=name))
    league.people.append(player)
    return player


def plans(league: League) -> dict[int, frozenset[int]]:
    """By round who sits at its tables."""
    return {
        number: frozenset(player for table in at.plan.tables for player in table)
        for number, at in sorted(league.state.rounds.items())
        if at.plan is not None
    }


def tables(league: League) -> dict[int, tuple]:
    return {number: at.plan.tables for number, at in sorted(league.state.rounds.items()) if at.plan is not None}


def moved(effects) -> dict[int, set[int]]:
    """By round who sits elsewhere, as a receipt says."""
    found: dict[int, set[int]] = {}
    for change in effects["draws"]:
        found.setdefault(change["round"], set()).add(change["player"])
    return found


def differing(before, after) -> dict[int, set[int]]:
    """The same, from the draws themselves."""
    found = {}
    for number in before.keys() | after.keys():
        old, new = (
            {player: (table, seat) for table, row in enumerate(some.get(number, ())) for seat, player in enumerate(row)}
            for some in (before, after)
        )
        who = {player for player in old.keys() | new.keys() if old.get(player) != new.get(player)}
        if who:
            found[number] = who
    return found


# -- coming


def test_a_person_is_entered_once_and_all_of_a_list_or_none():
    league = a_league(4, enter=False)
    ids = [player.public_id for player in league.people]
    with refused("already_entered", "A is entered already"):
        entries.enter(**league.about, entries=[NewEntry(ids[0]), NewEntry(ids[1]), NewEntry(ids[0])])
    with refused("bad_player"):
        entries.enter(**league.about, entries=[NewEntry(ids[0]), NewEntry("nobody")])
    entries.enter(**league.about, entries=[NewEntry(ids[0])])
    with refused("already_entered"):
        entries.enter(**league.about, entries=[NewEntry(ids[0])])


def test_who_comes_late_is_drawn_from_the_next_round_on_and_only_what_must_change_does():
    league = a_league(12, **ROBIN)
    drawing.draw(**league.about, number=1)
    league.open(1)
    late, before = newcomer(league, "Late"), tables(league)
    receipt = entries.enter(**league.about, entries=[NewEntry(late.public_id)])
    assert league.state.entries[late.pk].from_round == 2
    assert {number: late.pk in seated for number, seated in plans(league).items()} == {
        1: False, 2: True, 3: True, 4: True, 5: True
    }  # fmt: skip
    assert moved(receipt.effects) == differing(before, tables(league))
    assert set(moved(receipt.effects)) == {2, 3, 4, 5}
    assert all(who == {late.pk} for who in moved(receipt.effects).values())


def test_who_comes_in_a_later_round_is_in_no_earlier_one():
    league = a_league(12, **ROBIN)
    drawing.draw(**league.about, number=1)
    before, late = tables(league), newcomer(league, "Late")
    receipt = entries.enter(**league.about, entries=[NewEntry(late.public_id, from_round=4)])
    assert [number for number, seated in plans(league).items() if late.pk in seated] == [4, 5]
    assert moved(receipt.effects) == differing(before, tables(league))
    assert set(moved(receipt.effects)) == {4, 5}
    # Drawn anew from the first round on it is the same people.
    drawing.draw(**league.about, number=1, variant=1)
    assert [number for number, seated in plans(league).items() if late.pk in seated] == [4, 5]


def test_rounds_missed_before_somebody_came_count_what_a_missed_round_counts():
    league = a_league(8, absence="100", rounds=2)
    league.whole_round(1)
    late = newcomer(league, "Late")
    entries.enter(**league.about, entries=[NewEntry(late.public_id)])
    assert league.standings.row(late.pk).total == 100


# -- going and coming back


def test_who_goes_from_a_later_round_on_plays_until_then():
    league = a_league(13, **ROBIN)
    drawing.draw(**league.about, number=1)
    before, gone = tables(league), league.player("C")
    receipt = entries.withdraw(**league.about, player=gone.public_id, from_round=4)
    assert [number for number, seated in plans(league).items() if gone.pk in seated] == [1, 2, 3]
    assert moved(receipt.effects) == differing(before, tables(league))
    assert set(moved(receipt.effects)) == {4, 5}
    drawing.draw(**league.about, number=1, variant=1)
    assert [number for number, seated in plans(league).items() if gone.pk in seated] == [1, 2, 3]


def test_results_of_who_goes_stay_and_who_comes_back_ranks_again():
    league = a_league(8, rounds=3)
    league.whole_round(1)
    gone = league.player("A")
    entries.withdraw(**league.about, player=gone.public_id, reason="moved away")
    row = league.standings.row(gone.pk)
    assert (row.rank, row.total, row.unranked_for) == (None, 1000, ("withdrawn",))
    with refused("already_withdrawn"):
        entries.withdraw(**league.about, player=gone.public_id)
    league.whole_round(2)
    assert gone.pk not in plans(league)[2]
    entries.reinstate(**league.about, player=gone.public_id)
    with refused("not_withdrawn"):
        entries.reinstate(**league.about, player=gone.public_id)
    league.whole_round(3)
    assert gone.pk in plans(league)[3]
    assert [line.round for line in league.standings.row(gone.pk).rounds] == [1, 3]
    assert league.standings.row(gone.pk).rank is not None


def test_nobody_goes_from_a_table_that_is_being_played_nor_by_taking_back_that_they_came_back():
    league = a_league(8)
    a = league.player("A")
    entries.withdraw(**league.about, player=a.public_id)
    entries.reinstate(**league.about, player=a.public_id)
    back = league.row.seq
    league.open(1)
    for call in (
        lambda: entries.withdraw(**league.about, player=a.public_id, from_round=1),
        lambda: corrections.undo(**league.about, seq=back, reason="r"),
        lambda: entries.sit_out(**league.about, player=a.public_id, number=1),
    ):
        with refused("round_open", "at the table|correct it there"):
            call()


def test_when_too_few_would_be_left_the_draw_is_undone_first():
    league = a_league(6, tables={"preferred": 3, "smallest": 3, "largest": 3})
    drawing.draw(**league.about, number=1)
    drawn = league.row.seq
    a = league.player("A").public_id
    with refused("no_tables", "Round 1 is drawn and would have to change. .* Undo its draw first"):
        entries.withdraw(**league.about, player=a)
    corrections.undo(**league.about, seq=drawn, reason="r")
    entries.withdraw(**league.about, player=a)


def test_an_old_draw_that_comes_back_has_nobody_who_has_gone():
    league = a_league(8)
    drawing.draw(**league.about, number=1)
    entries.withdraw(**league.about, player=league.player("A").public_id)
    amended = max(event.seq for event in league.state.events if event.kind is Kind.DRAWN)
    corrections.undo(**league.about, seq=amended, reason="rather the old one")
    assert league.player("A").pk not in plans(league)[1]
    assert len(plans(league)[1]) == 7
    league.open(1)
    assert audit_competition(league.row) == []


def test_two_evenings_drawn_ahead_each_keep_those_who_are_there():
    league = a_league(16)
    ids = [player.public_id for player in league.people]
    drawing.draw(**league.about, number=1, present=ids[:8])
    rounds_of = {player.pk: player.public_id for player in league.people}
    drawing.draw(**league.about, number=2, present=ids[6:14])
    before = plans(league)
    entries.withdraw(**league.about, player=ids[7])
    gone = league.people[7].pk
    assert plans(league) == {1: before[1] - {gone}, 2: before[2] - {gone}}
    assert {rounds_of[who] for who in plans(league)[2]} == set(ids[6:14]) - {ids[7]}


# -- sitting out


def test_sitting_out_is_worth_what_was_declared_else_what_the_settings_say():
    league = a_league(12, absence="50", bye="300", rounds=1)
    a, b, c, d = (league.player(name) for name in "ABCD")
    entries.sit_out(**league.about, player=a.public_id, number=1)
    entries.sit_out(**league.about, player=b.public_id, number=1, bye=True)
    entries.sit_out(**league.about, player=c.public_id, number=1, points="1/3", reason="ill")
    entries.sit_out(**league.about, player=d.public_id, number=1, bye=True, points=700, reason="scorer")
    with refused("already_sits_out", "A sits out in Round 1 already"):
        entries.sit_out(**league.about, player=a.public_id, number=1, bye=True)
    with refused("reason_required"):
        entries.sit_out(**league.about, player=league.player("E").public_id, number=1, points=5)
    with refused("bad_points"):
        entries.sit_out(**league.about, player=league.player("E").public_id, number=1, points=0.5, reason="r")
    league.whole_round(1)
    lines = [league.standings.row(player.pk).rounds[0] for player in (a, b, c, d)]
    assert [(line.kind, line.points) for line in lines] == [
        ("absent", 50), ("bye", 300), ("absent", Fraction(1, 3)), ("bye", 700)
    ]  # fmt: skip
    assert audit_competition(league.row) == []


def test_in_a_closed_round_it_needs_a_reason_and_nobody_who_played_sat_out():
    league = a_league(9, bye="10", tables={"preferred": 4, "smallest": 4, "largest": 4, "full_only": True})
    league.whole_round(1)
    (out,) = league.state.round(1).plan.sitting_out
    who = next(player for player in league.people if player.pk == out)
    with refused("reason_required"):
        entries.sit_out(**league.about, player=who.public_id, number=1, bye=True)
    receipt = entries.sit_out(
        **league.about, player=who.public_id, number=1, bye=True, points=700, reason="the draw was wrong"
    )
    assert league.standings.row(out).total == 700
    (change,) = [change for change in receipt.effects["standings"] if change["entrant"] == out]
    assert change["total"] == {"before": 10, "after": 700}
    with refused("round_open", "A sits at a table"):
        entries.sit_out(**league.about, player=league.player("A").public_id, number=1, reason="r")
    corrections.undo(**league.about, seq=receipt.seq, reason="it was right")
    assert league.standings.row(out).total == 10


# -- substitutes


@pytest.mark.parametrize("credit", ["player", "substitute"])
def test_a_substitute_plays_and_the_points_are_whose_it_was_declared(credit):
    league = a_league(8, points="scheme", absence="9", unranked=["excluded"])
    stand_in, a = newcomer(league, "0 stands in"), league.player("A")
    drawing.draw(**league.about, number=1)
    entries.substitute(**league.about, player=a.public_id, number=1, by=stand_in.public_id, credit=credit, reason="ill")
    substituted = league.row.seq
    league.whole_round(1)
    seated = {item.player_id for session in league.sessions(1) for item in session.occupancies.all()}
    assert stand_in.pk in seated
    assert a.pk not in seated
    if credit == "player":
        assert (league.standings.row(a.pk).total, league.standings.row(a.pk).rank) == (0, 1)
        assert stand_in.pk not in [row.entrant for row in league.standings.rows]
    else:
        row = league.standings.row(stand_in.pk)
        assert (row.total, row.rank, row.unranked_for) == (0, None, ("excluded",))
        assert league.standings.row(a.pk).total == 9
    assert audit_competition(league.row) == []
    # Whose points they are is taken back, and put back, in a closed round too.
    before = league.standings
    corrections.undo(**league.about, seq=substituted, reason="they agreed otherwise")
    assert league.standings.row(stand_in.pk).total == 0
    corrections.undo(**league.about, seq=league.row.seq, reason="after all")
    assert league.standings == before


def test_a_substitution_that_cannot_be_is_refused():
    league = a_league(9, rounds=2)
    a, b, c = (league.player(name).public_id for name in "ABC")
    outside = newcomer(league, "Zoe").public_id
    drawing.draw(**league.about, number=1)

    def put(player: str, by: str, **more):
        return entries.substitute(**league.about, **{"player": player, "number": 1, "by": by, "reason": "r", **more})

    for code, call in (
        ("already_seated", lambda: put(a, b)),
        ("substitution_cycle", lambda: put(a, a)),
        ("bad_credit", lambda: put(a, outside, credit="both")),
        ("not_entered", lambda: put(outside, a)),
        ("bad_player", lambda: put(a, "nobody")),
        ("reason_required", lambda: put(a, outside, reason=" ")),
        ("no_such_round", lambda: put(a, outside, number=3)),
    ):
        with refused(code):
            call()
    put(a, outside)
    with refused("already_seated", "two places"):
        put(b, outside)
    # A for B and B for A in a round that is not drawn.
    entries.substitute(**league.about, player=a, number=2, by=b, reason="r")
    with refused("substitution_cycle", "sit for another and be sat for"):
        entries.substitute(**league.about, player=b, number=2, by=a, reason="r")
    entries.sit_out(**league.about, player=c, number=2)
    with refused("already_sits_out", "C sits out in Round 2"):
        entries.substitute(**league.about, player=c, number=2, by=outside, reason="r")
    rounds.open_round(**league.about, number=1, publish=True)
    with refused("round_open", "put the substitute in at the table"):
        put(c, outside)


def test_who_sits_for_somebody_is_not_drawn_beside():
    league = a_league(9)
    a, b = league.player("A"), league.player("B")
    entries.substitute(**league.about, player=a.public_id, number=1, by=b.public_id, reason="ill")
    drawing.draw(**league.about, number=1)
    assert plans(league)[1] == {player.pk for player in league.people} - {b.pk}
    zoe = newcomer(league, "Zoe")
    c = league.player("C")
    entries.substitute(**league.about, player=c.public_id, number=1, by=zoe.public_id, reason="late")
    entries.enter(**league.about, entries=[NewEntry(zoe.public_id)])
    assert zoe.pk not in plans(league)[1]
    league.open(1)
    seated = [item.player_id for session in league.sessions(1) for item in session.occupancies.all()]
    assert sorted(seated) == sorted({player.pk for player in league.people} - {a.pk, c.pk})


# -- a draw by hand


def test_a_seat_list_with_the_same_person_twice_or_wrong_people_is_refused():
    league = a_league(9)
    ids = [player.public_id for player in league.people]
    outside = newcomer(league, "Zoe").public_id
    entries.sit_out(**league.about, player=ids[8], number=1)

    def by_hand(*tables: list[str]):
        return drawing.seat_by_hand(**league.about, number=1, tables=tables)

    for code, match, seats in (
        ("already_seated", "A is named twice", [ids[:4], [*ids[4:7], ids[0]]]),
        ("already_seated", "A is named twice", [[*ids[:3], ids[0]]]),
        ("not_entered", "Zoe does not take part in Round 1", [[*ids[:3], outside]]),
        ("already_sits_out", "I sits out in Round 1", [ids[:4], ids[5:]]),
        ("bad_player", "no such player", [[*ids[:3], "nobody"]]),
        ("no_tables", "Table 2 has 2 players; tables have 3 to 5", [ids[:4], ids[4:6]]),
        ("no_tables", "one table at least", []),
    ):
        with refused(code, match):
            by_hand(*seats)
    by_hand(ids[:4], ids[4:7])
    assert league.state.round(1).plan.sitting_out == (league.people[7].pk,)


# -- undo


def test_whatever_is_undoable_is_undone_and_the_undo_too():
    league = a_league(9, rounds=3, bye="100")
    zoe = newcomer(league, "Zoe")
    a, b = league.player("A"), league.player("B")
    league.whole_round(1)

    def numbers():
        state = league.state
        return (
            league.standings,
            state.entries.keys(),
            {who: entry.withdrawn for who, entry in state.entries.items()},
            state.sit_outs.keys(),
            {key: item.substitute for key, item in state.substitutions.items()},
            state.apart,
            plans(league),
        )

    about = league.about
    for write in (
        lambda: entries.enter(**about, entries=[NewEntry(zoe.public_id)]),
        lambda: entries.withdraw(**about, player=b.public_id),
        lambda: entries.reinstate(**about, player=b.public_id),
        lambda: entries.sit_out(**about, player=a.public_id, number=2, bye=True),
        lambda: entries.keep_apart(**about, players=(a.public_id, b.public_id)),
        lambda: corrections.adjust(**about, player=a.public_id, points="-5/2", reason="late"),
        lambda: drawing.draw(**about, number=2),
        lambda: entries.substitute(**about, player=b.public_id, number=2, by=zoe.public_id, reason="ill"),
    ):
        before = numbers()
        done = write()
        after = numbers()
        undone = corrections.undo(**about, seq=done.seq, reason="taken back")
        if done.effects["standings"] or done.effects["draws"]:
            assert numbers()[1:] == before[1:]
        with refused("already_undone"):
            corrections.undo(**about, seq=done.seq, reason="again")
        assert {row.entrant: row.total for row in numbers()[0].rows} == {
            row.entrant: row.total for row in before[0].rows
        }
        corrections.undo(**about, seq=undone.seq, reason="put back")
        assert numbers()[1:] == after[1:]
        assert audit_competition(league.row) == []
        if after[1] != before[1] or after[4] != before[4]:
            corrections.undo(**about, seq=league.row.seq, reason="so that Zoe may stand in")

    for kind in (Kind.CREATED, Kind.PUBLISHED):
        seq = next(event.seq for event in league.state.events if event.kind is kind)
        with refused("cannot_undo"):
            corrections.undo(**about, seq=seq, reason="r")
    with refused("no_such_event"):
        corrections.undo(**about, seq=10_000, reason="r")
    with refused("reason_required"):
        corrections.undo(**about, seq=league.row.seq, reason=" ")


def test_an_entry_with_results_or_points_is_not_undone():
    league = a_league(8)
    entered = {event.player: event.seq for event in league.state.events if event.kind is Kind.ENTERED}
    b = league.player("B")
    corrections.adjust(**league.about, player=b.public_id, points=5, reason="r")
    given = league.row.seq
    with refused("not_entered", "undo that first"):
        corrections.undo(**league.about, seq=entered[b.pk], reason="r")
    corrections.undo(**league.about, seq=given, reason="r")
    corrections.undo(**league.about, seq=entered[b.pk], reason="r")
    league.whole_round(1)
    with refused("already_drawn"):
        corrections.undo(**league.about, seq=entered[league.player("A").pk], reason="r")


# -- seasons


def test_the_set_up_is_copied_into_the_next_season_and_nothing_that_was_played():
    league = a_league(9, rounds=3, bye="100", tie_breaks=["wins"])
    a, b, c = (league.player(name) for name in "ABC")
    setup.set_round(**league.about, number=2, title="Doubles", overrides={"deals": 7})
    entries.keep_apart(**league.about, players=(a.public_id, b.public_id))
    league.whole_round(1)
    entries.withdraw(**league.about, player=c.public_id)
    before = league.state
    made = setup.copy(**league.about, name="Cup", season="2027", entries=True)
    again = League(league.club, league.organiser, made.competition, league.people)
    assert again.state.settings == before.settings
    assert (again.state.round(2).title, dict(again.state.round(2).overrides)) == ("Doubles", {"deals": 7})
    assert again.state.entries.keys() == before.entries.keys() - {c.pk}
    assert again.state.apart == before.apart
    assert again.state.seed != before.seed
    assert again.state.status == "open"
    assert audit_competition(again.row) == []
    with refused("name_taken", "2027"):
        setup.copy(**league.about, name="Cup", season="2027")
    empty = setup.copy(**league.about, name="Cup", season="2028")
    assert League(league.club, league.organiser, empty.competition, []).state.entries == {}
