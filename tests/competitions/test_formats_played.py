"""Every format from the first draw to the last result, through the services, with what comes between."""

from fractions import Fraction

import pytest

from competitions.audit import audit_competition
from competitions.facts import Kind
from competitions.services import corrections, drawing, entries, rounds, setup
from competitions.services.entries import NewEntry
from games.models import Player, Session
from games.services import players, recording
from games.services.recording import PaperResult
from tests.competitions.builders import League, a_league, by_lot
from tests.competitions.rows import refused
from tests.games.builders import NOW

pytestmark = pytest.mark.django_db

KNOCKOUT = {"format": "knockout", "best": 1}


def seated(league: League, number: int) -> list[list[str]]:
    """Names by table, as they sit."""
    return [
        [item.player.name for item in session.occupancies.order_by("seat").select_related("player")]
        for session in league.sessions(number)
    ]


def at_table_of(league: League, number: int, name: str) -> Session:
    return next(s for s in league.sessions(number) if s.occupancies.filter(player__name=name).exists())


def result(league: League, session: Session, left: dict[str, int], reason: str = "") -> dict:
    """Enter (or correct) the one deal of a table by names."""
    names = [item.player.name for item in session.occupancies.order_by("seat").select_related("player")]
    receipt = recording.record_deal(
        caller=league.caller,
        session=session.public_id,
        number=1,
        dealer=0,
        result=PaperResult([left[name] for name in names]),
        reason=reason,
        now=NOW,
        door="test",
    )
    return receipt.effects.get("competition", {})


def names(league: League, ids) -> set[str]:
    found = {player.pk: player.name for player in league.people}
    return {found[int(pk)] for pk in ids}


def test_a_swiss_draws_by_the_standings_after_each_round_and_lets_nobody_meet_twice():
    league = a_league(16, format="swiss", rounds=3, tie_breaks=["wins"], tables={"preferred": 4, "smallest": 4})
    met: set[frozenset[str]] = set()
    for number in (1, 2, 3):
        league.open(number)
        if number < 3:
            with refused("round_before_open", f"Round {number} is not closed"):
                drawing.draw(**league.about, number=number + 1)
        for table in seated(league, number):
            pairs = {frozenset((a, b)) for a in table for b in table if a != b}
            assert not pairs & met
            met |= pairs
        league.play(number)
        league.close(number)
    with refused("no_such_round"):
        drawing.draw(**league.about, number=4)
    assert audit_competition(league.row) == []


def test_in_a_swiss_somebody_late_or_gone_changes_the_drawn_round_alone_and_keeps_the_others_seats():
    league = a_league(16, format="swiss", rounds=3)
    league.whole_round(1)
    drawing.draw(**league.about, number=2)
    before = league.state.round(2).plan
    gone = league.player("P")
    receipt = entries.withdraw(**league.about, player=gone.public_id)
    after = league.state.round(2).plan
    assert gone.pk not in after.people()
    stayed = {p for old, new in zip(before.tables, after.tables, strict=True) for p in old if p in new}
    assert len(stayed) == 15
    assert {change["player"] for change in receipt.effects["draws"]} >= {gone.pk}
    assert {change["round"] for change in receipt.effects["draws"]} == {2}
    late = Player.objects.get(public_id=players.create_player(caller=league.caller, club=league.club.slug, name="Late"))
    entries.enter(**league.about, entries=[NewEntry(late.public_id)])
    assert late.pk in league.state.round(2).plan.people()
    assert audit_competition(league.row) == []


def test_a_round_robin_draws_all_its_rounds_at_once_and_everybody_meets_everybody():
    league = a_league(9, format="round-robin", tables={"preferred": 3, "smallest": 3, "largest": 3})
    drawing.draw(**league.about, number=1)
    assert {number for number, at in league.state.rounds.items() if at.plan} == {1, 2, 3, 4}
    met = set()
    for number in (1, 2, 3, 4):
        league.open(number)
        met |= {frozenset((a, b)) for table in seated(league, number) for a in table for b in table if a != b}
        league.play(number)
        league.close(number)
    assert len(met) == 36
    with refused("competition_over", "All 4 rounds"):
        drawing.draw(**league.about, number=5)
    assert audit_competition(league.row) == []


def test_a_round_robin_drawn_anew_for_fewer_people_has_no_rounds_left_over():
    league = a_league(16, format="round-robin", tables={"preferred": 4, "smallest": 3})
    drawing.draw(**league.about, number=1)
    planned = {number for number, at in league.state.rounds.items() if at.plan}
    for name in "GHIJKLMNOP":
        entries.withdraw(**league.about, player=league.player(name).public_id)
    drawing.draw(**league.about, number=1)
    left = {number for number, at in league.state.rounds.items() if at.plan}
    assert len(left) < len(planned)
    assert left == set(range(1, len(left) + 1))
    assert audit_competition(league.row) == []


def test_a_league_night_is_of_those_who_came_and_the_best_nights_count():
    league = a_league(12, best=2, absence="0")
    ids = [player.public_id for player in league.people]
    for number, present in enumerate((ids[:8], ids[4:], ids[:8]), 1):
        drawing.draw(**league.about, number=number, present=present)
        league.open(number)
        assert sorted(name for table in seated(league, number) for name in table) == sorted(
            player.name for player in league.people if player.public_id in present
        )
        league.play(number)
        league.close(number)
    for row in league.standings.rows:
        assert len(row.rounds) == 3
        values = sorted((line.points for line in row.rounds), reverse=True)
        assert row.total == sum(values[:2])
        assert sum(line.why == "dropped" for line in row.rounds) == 1
    assert audit_competition(league.row) == []


def test_a_knockout_goes_on_from_every_table_to_one_final_and_the_further_one_came_the_higher_one_ranks():
    league = a_league(16, enter=False, **KNOCKOUT, tables={"preferred": 4, "smallest": 4, "largest": 4})
    entries.enter(
        **league.about, entries=[NewEntry(player.public_id, seed) for seed, player in enumerate(league.people, 1)]
    )
    through = set("ABCDEFGHIJKLMNOP")
    for number, people in ((1, 16), (2, 8), (3, 4)):
        league.open(number)
        assert {name for table in seated(league, number) for name in table} == through
        assert len(through) == people
        if number == 1:
            assert [set(table) & set("ABCD") for table in seated(league, 1)] == [{"A"}, {"B"}, {"C"}, {"D"}]
        league.play(number)
        through = {name for table in seated(league, number) for name in sorted(table)[:2]}
        league.close(number)
    with refused("competition_over", "The final has been played"):
        drawing.draw(**league.about, number=4)
    ranks = {next(iter(names(league, [row.entrant]))): row.rank for row in league.standings.rows}
    final = seated(league, 3)[0]
    assert [ranks[name] for name in sorted(final)] == [1, 2, 3, 4]
    assert all(rank > 4 for name, rank in ranks.items() if name not in final)
    assert audit_competition(league.row) == []


def test_a_tie_across_the_cut_is_decided_by_the_organiser_and_a_correction_makes_that_void():
    league = a_league(8, **KNOCKOUT, tables={"preferred": 4, "smallest": 4, "largest": 4})
    league.open(1)
    one, other = seated(league, 1)
    first, second = league.sessions(1)
    result(league, first, dict(zip(one, (0, 2, 2, 3), strict=True)))
    result(league, second, dict(zip(other, (0, 1, 2, 3), strict=True)))
    league.close(1)
    with refused("tie_to_decide", rf"Table 1: 2 players share place 2.*{min(one[1:3])} and {max(one[1:3])}"):
        drawing.draw(**league.about, number=2)

    def decide(*chosen: str, table: int = 1):
        ids = [league.player(name).public_id for name in chosen]
        return corrections.decide_tie(**league.about, number=1, table=table, players=ids, reason="play-off")

    for code, call in (
        ("not_equal", lambda: decide(one[0], one[1])),
        ("not_equal", lambda: decide(other[0])),
        ("not_equal", lambda: decide(one[1], one[1])),
        ("tie_to_decide", lambda: decide(one[1], one[2])),
        ("no_such_table", lambda: decide(one[1], table=3)),
    ):
        with refused(code):
            call()
    decide(one[2])
    drawing.draw(**league.about, number=2)
    assert names(league, league.state.round(2).plan.people()) == {one[0], one[2], other[0], other[1]}

    # Three are equal now: what was decided between two holds no more.
    effects = result(league, first, dict(zip(one, (0, 2, 2, 2), strict=True)), reason="miscounted")
    assert effects["outdated"][0]["round"] == 2
    with refused("tie_to_decide", "3 players share place 2"):
        drawing.draw(**league.about, number=2, variant=1)
    decide(one[3])
    drawing.draw(**league.about, number=2, variant=1)
    assert one[3] in names(league, league.state.round(2).plan.people())
    # They think again before the next round is played: he takes the other's seat there, and nobody else moves.
    before = league.state.round(2).plan.tables[0]
    receipt = decide(one[1])
    swapped = {league.player(one[1]).pk, league.player(one[3]).pk}
    assert {change["player"] for change in receipt.effects["draws"]} == swapped
    after = league.state.round(2).plan.tables[0]
    assert [old == new for old, new in zip(before, after, strict=True)].count(False) == 1
    *_, decided, again = [event.seq for event in league.state.events if event.kind is Kind.DECIDED]
    corrections.undo(**league.about, seq=again, reason="as it was")
    assert league.state.round(2).plan.tables[0] == before
    with refused("tie_to_decide", "Undo its draw first"):
        corrections.undo(**league.about, seq=decided, reason="r")
    league.open(2)
    with refused("round_open", "Round 2 is open"):
        decide(one[2])
    assert audit_competition(league.row) == []


def test_a_knockout_seated_by_hand_is_of_those_who_went_on():
    league = a_league(8, **KNOCKOUT, tables={"preferred": 4, "smallest": 4, "largest": 4})
    league.whole_round(1)
    on = [name for table in seated(league, 1) for name in sorted(table)[:2]]
    out = sorted(set("ABCDEFGH") - set(on))
    ids = {player.name: player.public_id for player in league.people}
    with refused("not_entered", f"{out[0]} does not take part in Round 2"):
        drawing.seat_by_hand(**league.about, number=2, tables=[[ids[name] for name in (*on[:3], out[0])]])
    drawing.seat_by_hand(**league.about, number=2, tables=[[ids[name] for name in reversed(on)]])
    plan = league.state.round(2).plan
    assert (names(league, plan.tables[0]), plan.sitting_out) == (set(on), ())


def test_who_withdraws_from_a_knockout_makes_room_for_the_next_at_his_table():
    league = a_league(8, **KNOCKOUT, tables={"preferred": 4, "smallest": 4, "largest": 4})
    league.whole_round(1)
    drawing.draw(**league.about, number=2)
    winner, _, third, _ = sorted(seated(league, 1)[0])
    entries.withdraw(**league.about, player=league.player(winner).public_id)
    people = names(league, league.state.round(2).plan.people())
    assert winner not in people
    assert third in people


def test_a_round_has_points_deals_and_tie_breaks_of_its_own():
    league = a_league(8, rounds=2, tie_breaks=["wins"])
    setup.set_round(
        **league.about,
        number=2,
        overrides={"points": {"places": [10, 6, 3, 1, 0]}, "deals": 2, "tie_breaks": ["last-result"]},
    )
    league.whole_round(1)
    assert [tie_break.key for tie_break in league.standings.tie_breaks] == ["wins"]
    league.open(2)
    assert {session.deals_planned for session in league.sessions(2)} == {2}
    for number in (1, 2):
        for session in league.sessions(2):
            league.score(session, [0, 1, 2, 3], number)
    league.close(2)
    assert [tie_break.key for tie_break in league.standings.tie_breaks] == ["last-result"]
    for row in league.standings.rows:
        assert row.rounds[0].points in (1000, Fraction(2000, 3), Fraction(1000, 3), 0)
        assert row.rounds[1].points in (10, 6, 3, 1)
    with refused("reason_required"):
        setup.set_round(**league.about, number=2, overrides={})
    receipt = setup.set_round(**league.about, number=2, overrides={}, reason="like the others")
    assert receipt.effects["standings"]
    assert {row.rounds[1].points for row in league.standings.rows} <= {1000, Fraction(2000, 3), Fraction(1000, 3), 0}
    with refused("bad_tie_break"):
        setup.set_round(**league.about, number=1, overrides={"tie_breaks": ["lots"]}, reason="r")
    with refused("bad_settings"):
        setup.set_round(**league.about, number=1, overrides={"best": 3}, reason="r")
    assert audit_competition(league.row) == []


def test_settings_that_cannot_be_change_nothing():
    league = a_league(8)
    league.whole_round(1)
    for code, changes in (
        ("bad_tie_break", {"tie_breaks": ["coin"]}),
        ("bad_points", {"points": {"places": {"9": [1] * 9}}}),
        ("bad_settings", {"colour": "red"}),
        ("bad_standings", {"best": 3, "drop": 1}),
        ("no_tables", {"tables": {"preferred": 4, "smallest": 5, "largest": 3}}),
        ("bad_rules", {"scheme": "bridge"}),
        ("format_fixed", {"format": "swiss"}),
        ("reason_required", {"points": {"places": [5, 4, 3, 2, 1]}}),
        ("bad_text", {"name": ""}),
    ):
        with refused(code):
            setup.configure(**league.about, changes=changes)


def test_who_misses_every_round_and_byes_by_the_draw_are_counted_exactly():
    rule = {"preferred": 4, "smallest": 4, "largest": 4, "full_only": True}
    league = a_league(9, bye="333.5", rounds=3, tables=rule, tie_breaks=[])
    for number in (1, 2, 3):
        league.open(number)
        league.play(number, by_lot(number))
        league.close(number)
    out = [league.state.round(number).plan.sitting_out[0] for number in (1, 2, 3)]
    assert len(set(out)) == 3
    for player in out:
        (bye,) = [line for line in league.standings.row(player).rounds if line.kind == "bye"]
        assert bye.points == Fraction("333.5")
    whole = 3 * 2 * 2000 + 3 * Fraction("333.5")
    assert sum(row.total for row in league.standings.rows) == whole


def test_the_sum_of_a_table_stays_what_it_is_when_places_are_shared():
    league = a_league(8, points={"places": [7, 5, 3, 1, 0]}, tie_breaks=["wins"])
    league.open(1)
    for session in league.sessions(1):
        names_here = [item.player.name for item in session.occupancies.order_by("seat").select_related("player")]
        result(league, session, dict(zip(names_here, (0, 2, 2, 2), strict=True)))
    league.close(1)
    assert sorted(row.total for row in league.standings.rows) == [3, 3, 3, 3, 3, 3, 7, 7]
    assert [row.rank for row in league.standings.rows] == [1, 1, 3, 3, 3, 3, 3, 3]


def test_an_opened_round_is_what_was_drawn_and_events_say_through_which_door():
    league = a_league(8)
    drawing.draw(**league.about, number=1)
    plan = league.state.round(1).plan
    rounds.open_round(**league.about, number=1, publish=True)
    assert [names(league, table) for table in plan.tables] == [set(table) for table in seated(league, 1)]
    kinds = [event.kind for event in league.state.events][-3:]
    assert kinds == [Kind.DRAWN, Kind.PUBLISHED, Kind.OPENED]
    assert {event.actor for event in league.state.events} == {league.organiser.pk}
