"""Two players who turn out to be one person, in the middle of a competition, and who turn out to be two again."""

import pytest

from competitions.audit import audit_competition
from competitions.services import corrections, drawing, entries, rounds, setup
from competitions.services.entries import NewEntry
from games.models import Player
from games.services import people, players
from tests.competitions.builders import League, a_league
from tests.competitions.rows import refused
from tests.games.builders import NOW

pytestmark = pytest.mark.django_db


def another(league: League, name: str, *, enter: bool = False) -> Player:
    made = players.create_player(caller=league.caller, club=league.club.slug, name=name)
    player = Player.objects.get(public_id=made)
    league.people.append(player)
    if enter:
        entries.enter(**league.about, entries=[NewEntry(made)])
    return player


def merge(league: League, player: Player, into: Player) -> None:
    people.merge(
        caller=league.caller,
        player=player.public_id,
        into=into.public_id,
        reason="One person.",
        now=NOW,
        door="test",
    )


def unmerge(league: League, player: Player) -> None:
    people.unmerge(caller=league.caller, player=player.public_id, reason="Two people.", now=NOW, door="test")


def seated(league: League, number: int) -> list[int]:
    """Player ids at the tables of an opened round, as their sessions have them."""
    return [item.player_id for session in league.sessions(number) for item in session.occupancies.all()]


def test_results_of_both_count_as_those_of_one_person_and_apart_again_after_the_merge_is_taken_back():
    league = a_league(9, rounds=2, points="scheme", absence="9", unranked=[])
    a, twin = league.player("A"), another(league, "A again")
    entries.sit_out(**league.about, player=a.public_id, number=2)
    league.whole_round(1)
    entries.enter(**league.about, entries=[NewEntry(twin.public_id)])
    league.whole_round(2)
    alone = league.standings
    assert {alone.row(a.pk).total, alone.row(twin.pk).total} == {9}  # each missed what the other played

    merge(league, twin, a)
    assert league.standings.row(a.pk).total == 0
    assert [line.kind for line in league.standings.row(a.pk).rounds] == ["played", "played"]
    assert twin.pk not in [row.entrant for row in league.standings.rows]
    assert audit_competition(league.row) == []

    unmerge(league, twin)
    assert league.standings == alone
    assert audit_competition(league.row) == []


def test_who_is_entered_under_the_name_of_a_duplicate_is_drawn_and_plays_on_under_the_one_that_stays():
    league = a_league(8)
    keeper = another(league, "Anna")
    league.whole_round(1)
    merge(league, league.player("A"), keeper)

    league.open(2)
    assert keeper.pk in seated(league, 2)
    assert league.player("A").pk not in seated(league, 2)
    league.play(2)
    league.close(2)
    assert [line.round for line in league.standings.row(keeper.pk).rounds] == [1, 2]
    assert not league.standings.row(keeper.pk).unranked_for
    assert audit_competition(league.row) == []


def test_organisers_name_the_person_by_either_name():
    league = a_league(9)
    a, keeper = league.player("A"), another(league, "Anna")
    merge(league, a, keeper)
    entries.sit_out(**league.about, player=keeper.public_id, number=1)
    corrections.adjust(**league.about, player=keeper.public_id, points=5, reason="r")
    with refused("already_sits_out"):
        entries.sit_out(**league.about, player=a.public_id, number=1)
    entries.withdraw(**league.about, player=keeper.public_id)
    assert league.state.entries[a.pk].withdrawn == 1
    entries.reinstate(**league.about, player=a.public_id)
    with refused("already_entered", "Anna is entered already"):
        entries.enter(**league.about, entries=[NewEntry(keeper.public_id)])


def test_who_was_entered_twice_is_drawn_once_and_withdraws_as_one():
    league = a_league(8)
    twin = another(league, "A again", enter=True)
    a = league.player("A")
    merge(league, twin, a)
    league.whole_round(1)
    assert len(seated(league, 1)) == 8
    assert seated(league, 1).count(a.pk) == 1
    assert twin.pk not in seated(league, 1)
    assert [row.entrant for row in league.standings.rows].count(a.pk) == 1

    entries.withdraw(**league.about, player=a.public_id)
    drawing.draw(**league.about, number=2)
    assert {a.pk, twin.pk}.isdisjoint(league.state.round(2).plan.people())


def test_who_sits_out_twice_sits_out_once():
    league = a_league(10, tables={"preferred": 4, "smallest": 4, "largest": 4, "full_only": True}, bye="100")
    drawing.draw(**league.about, number=1)
    one, other = league.state.round(1).plan.sitting_out
    names = {player.pk: player for player in league.people}
    rounds.open_round(**league.about, number=1, publish=True)
    league.play(1)
    league.close(1)
    assert league.standings.row(one).total == 100
    merge(league, names[one], names[other])
    assert league.standings.row(other).total == 100
    unmerge(league, names[one])
    assert league.standings.row(one).total == 100


def test_marks_seeds_and_pairs_of_both_names_are_the_persons():
    league = a_league(12, enter=False, rounds=5)
    twin, a, b = another(league, "A again"), league.player("A"), league.player("B")
    seeds = {a: 7, twin: 1, b: 2}
    entries.enter(**league.about, entries=[NewEntry(p.public_id, seeds.get(p)) for p in league.people])
    entries.keep_apart(**league.about, players=(twin.public_id, b.public_id))
    entries.sit_out(**league.about, player=twin.public_id, number=2)
    merge(league, twin, a)
    for number in (1, 3, 4, 5):
        drawing.draw(**league.about, number=number)
        table = next(table for table in league.state.round(number).plan.tables if a.pk in table)
        assert b.pk not in table
    drawing.draw(**league.about, number=2)
    assert a.pk not in league.state.round(2).plan.people()
    with refused("already_apart"):
        entries.keep_apart(**league.about, players=(a.public_id, b.public_id))


def test_two_who_sit_at_different_tables_of_a_round_are_two_people():
    league = a_league(8)
    league.open(1)
    one, other = league.state.round(1).plan.tables[0][0], league.state.round(1).plan.tables[1][0]
    names = {player.pk: player for player in league.people}
    with refused("both_drawn", "both sit in Round 1"):
        merge(league, names[one], names[other])


def test_two_who_are_only_drawn_are_merged_once_one_of_them_is_withdrawn():
    league = a_league(9)
    drawing.draw(**league.about, number=1)
    one, other = league.state.round(1).plan.tables[0][0], league.state.round(1).plan.tables[1][0]
    names = {player.pk: player for player in league.people}
    with refused("both_drawn", "Withdraw .* there first"):
        merge(league, names[one], names[other])
    entries.withdraw(**league.about, player=names[one].public_id)
    merge(league, names[one], names[other])
    league.open(1)
    league.play(1)
    league.close(1)
    assert league.standings.row(other).unranked_for == ()
    assert audit_competition(league.row) == []


def test_a_substitute_at_another_table_of_the_round_is_not_the_player():
    league = a_league(8)
    stand_in = another(league, "Zoe")
    drawing.draw(**league.about, number=1)
    first, second = (league.state.round(1).plan.tables[table][0] for table in (0, 1))
    names = {player.pk: player for player in league.people}
    entries.substitute(**league.about, player=names[first].public_id, number=1, by=stand_in.public_id, reason="ill")
    league.open(1)
    with refused("both_drawn"):
        merge(league, stand_in, names[second])
    merge(league, stand_in, names[first])  # who then sat for nobody but himself


def test_a_substitute_who_is_merged_before_the_round_plays_and_gives_the_credit():
    league = a_league(8, points="scheme", absence="9")
    stand_in, keeper, a = another(league, "Zoe"), another(league, "Zoe Z"), league.player("A")
    drawing.draw(**league.about, number=1)
    entries.substitute(**league.about, player=a.public_id, number=1, by=stand_in.public_id, reason="ill")
    merge(league, stand_in, keeper)
    league.open(1)
    assert keeper.pk in seated(league, 1)
    league.play(1)
    league.close(1)
    assert [line.kind for line in league.standings.row(a.pk).rounds] == ["played"]
    assert keeper.pk not in [row.entrant for row in league.standings.rows]


def test_nobody_sits_for_himself_under_another_name():
    league = a_league(8)
    keeper, a = another(league, "Anna"), league.player("A")
    merge(league, a, keeper)
    with refused("substitution_cycle"):
        entries.substitute(**league.about, player=a.public_id, number=1, by=keeper.public_id, reason="ill")


def test_named_twice_under_two_names_is_named_twice():
    league = a_league(8)
    twin, a = another(league, "A again"), league.player("A")
    merge(league, twin, a)
    ids = [player.public_id for player in league.people if player != twin]
    with refused("already_seated"):
        drawing.seat_by_hand(**league.about, number=1, tables=[[*ids[:3], twin.public_id], ids[3:7]])
    drawing.seat_by_hand(**league.about, number=1, tables=[[twin.public_id, *ids[1:4]], ids[4:]])
    assert league.state.round(1).plan.sitting_out == ()


def test_drawn_when_they_were_two_they_do_not_both_sit_down():
    # A draw and a merge at the same time: the draw did not know yet.
    league = a_league(8)
    drawing.draw(**league.about, number=1)
    one, other = league.state.round(1).plan.tables[0][0], league.state.round(1).plan.tables[1][0]
    Player.objects.filter(pk=one).update(merged_into=other, active=False)
    with refused("already_seated", "are one person now"):
        rounds.open_round(**league.about, number=1, publish=True)
    drawing.draw(**league.about, number=1)
    league.open(1)
    assert len(set(seated(league, 1))) == 7


def test_a_copy_for_the_next_season_has_the_person_once():
    league = a_league(5)
    keeper, twin = another(league, "Anna"), another(league, "B again", enter=True)
    merge(league, league.player("A"), keeper)
    merge(league, twin, league.player("B"))
    made = setup.copy(**league.about, name="Cup", season="2027", entries=True)
    league.public_id = made.competition
    kept = {keeper.pk, *(league.player(name).pk for name in "BCDE")}
    assert set(league.state.entries) == kept


def test_nobody_who_was_forgotten_is_seated():
    league = a_league(8)
    drawing.draw(**league.about, number=1)
    gone = league.player("A")
    people.anonymise(caller=league.caller, player=gone.public_id, reason="Asked.", now=NOW, door="test")
    with refused("bad_player", "Player .* is forgotten"):
        rounds.open_round(**league.about, number=1, publish=True)
    entries.withdraw(**league.about, player=gone.public_id)
    league.open(1)
    assert gone.pk not in seated(league, 1)
