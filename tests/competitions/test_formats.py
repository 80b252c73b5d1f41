"""League nights, round-robin and Swiss, in worked examples."""

from dataclasses import replace
from random import Random

import pytest

from competitions.formats import FormatError, format_from_json
from competitions.seating import NoTables, Round, TableRule, changes
from competitions.settings import read_settings
from tests.competitions.asking import LITTLE, after, ask, seeds
from tests.seating.draws import counted, in_a_row

NIGHT = format_from_json("league-night")
ROBIN = format_from_json("round-robin")
SWISS = format_from_json("swiss")
FOURS = TableRule(4, 4, 4)


def groups_at(each: Round, group: int) -> list[list[int]]:
    """For each table its players' groups, where players 1 to `group` are group 0, the next so many 1, …"""
    return [sorted((int(who) - 1) // group for who in table) for table in each.tables]


# League nights


def test_a_night_is_drawn_among_those_who_came() -> None:
    drawn = NIGHT.draw(ask(12, absent={1: frozenset({2, 5}), 2: frozenset({9})}))
    assert sorted(drawn.rounds[0].people()) == [1, 3, 4, 6, 7, 8, 9, 10, 11, 12]


def test_people_meet_whom_they_have_not_met_this_season_even_if_the_last_night_was_other_people() -> None:
    first = Round(((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16)))
    others = Round(((17, 18, 19, 20), (21, 22, 23, 24)))
    drawn = NIGHT.draw(ask(16, number=3, played=(first, others)))
    assert set(counted([first, *drawn.rounds]).values()) == {1}
    assert drawn.report["repeats"] == {"value": 0, "minimum": 0}


def test_what_had_to_repeat_is_told_beside_the_proven_minimum() -> None:
    first = NIGHT.draw(ask(12, rule=FOURS))
    second = NIGHT.draw(ask(12, rule=FOURS, number=2, played=first.rounds))
    assert second.report["again"] == {"value": 3, "minimum": 3}
    assert "Two meet in two rounds in a row 3 times; no draw has fewer." in second.lines


def test_a_whole_season_of_sixteen_meets_each_other_once_in_five_nights_drawn_one_by_one() -> None:
    played: tuple[Round, ...] = ()
    for number in range(1, 6):
        played += NIGHT.draw(ask(16, rule=FOURS, number=number, played=played)).rounds
    assert set(counted(played).values()) == {1}
    assert len(counted(played)) == 120


def test_after_the_last_planned_night_none_is_drawn() -> None:
    with pytest.raises(FormatError, match=r"All 4 planned rounds have been drawn\. Plan more of them") as refusal:
        NIGHT.draw(ask(12, number=5, rounds=4))
    assert refusal.value.code == "competition_over"
    assert NIGHT.draw(ask(12, number=5)).rounds


def test_people_to_be_kept_apart_are() -> None:
    drawn = NIGHT.draw(ask(8, apart=frozenset({(2, 1), (1, 3)})))
    (table,) = [table for table in drawn.rounds[0].tables if 1 in table]
    assert not {2, 3} & set(table)
    assert drawn.report["apart"] == {"value": 0, "minimum": 0}


# Round-robin


@pytest.mark.parametrize(("players", "rounds"), [(16, 5), (9, 3), (10, 4), (25, 8), (5, 1)])
def test_a_round_robin_has_as_few_rounds_as_would_let_everybody_meet_everybody(players: int, rounds: int) -> None:
    plain = read_settings({"format": "round-robin"})
    assert plain.format.total_rounds(players, plain) == rounds
    assert len(ROBIN.draw(ask(players, effort=LITTLE)).rounds) == rounds


def test_a_planned_number_of_rounds_is_kept() -> None:
    plain = read_settings({"format": "round-robin", "rounds": 3})
    assert plain.format.total_rounds(16, plain) == 3
    assert len(ROBIN.draw(ask(16, rounds=3)).rounds) == 3


def test_how_many_rounds_cannot_be_said_of_players_who_cannot_sit() -> None:
    plain = read_settings({"format": "round-robin"})
    assert plain.format.total_rounds(2, plain) is None


def test_sixteen_at_fours_meet_everybody_once_in_five_rounds() -> None:
    drawn = ROBIN.draw(ask(16))
    assert set(counted(drawn.rounds).values()) == {1}
    assert drawn.report["met"] == {"1": 120}
    assert drawn.report["squares"] == {"value": 120, "minimum": 120, "ratio": 1.0}


def test_absences_are_respected_in_the_rounds_they_are_for() -> None:
    drawn = ROBIN.draw(ask(16, effort=LITTLE, absent={2: frozenset({7}), 4: frozenset({7, 8}), 9: frozenset({1})}))
    assert [7 in set(each.people()) for each in drawn.rounds] == [True, False, True, False, True]
    assert [8 in set(each.people()) for each in drawn.rounds] == [True, True, True, False, True]


def test_rounds_drawn_later_follow_those_that_are_played() -> None:
    whole = ROBIN.draw(ask(16))
    rest = ROBIN.draw(ask(16, number=3, played=whole.rounds[:2]))
    assert len(rest.rounds) == 3
    assert set(counted([*whole.rounds[:2], *rest.rounds]).values()) == {1}


def test_a_late_joiner_changes_only_his_own_places() -> None:
    whole = ROBIN.draw(ask(16)).rounds
    now = ROBIN.redraw_ahead(whole[2:], ask(17, number=3, played=whole[:2]))
    found = changes(whole[2:], now.rounds, first=3)
    assert [(change.round, change.player, change.kind) for change in found] == [
        (number, 17, "joins") for number in (3, 4, 5)
    ]


def test_who_comes_in_later_than_the_next_round_is_absent_until_then() -> None:
    whole = ROBIN.draw(ask(16)).rounds
    now = ROBIN.redraw_ahead(whole[2:], ask(17, number=3, played=whole[:2], absent={3: frozenset({17})}))
    assert [17 in set(each.people()) for each in now.rounds] == [False, True, True]


def test_a_withdrawal_leaves_everybody_at_his_table() -> None:
    whole = ROBIN.draw(ask(16)).rounds
    asked = ask(16, number=2, played=whole[:1])
    now = ROBIN.redraw_ahead(whole[1:], replace(asked, players=asked.players - {5}))
    kinds = {change.kind for change in changes(whole[1:], now.rounds) if change.player != 5}
    assert kinds <= {"seat"}


def test_no_round_follows_the_last() -> None:
    with pytest.raises(FormatError, match="All 5 rounds have been drawn") as refusal:
        ROBIN.draw(ask(16, number=6))
    assert refusal.value.code == "competition_over"


# Swiss


def test_the_first_round_without_seeds_is_by_lot() -> None:
    drawn = SWISS.draw(ask(16))
    assert drawn.how != "by seeds"
    assert drawn.moved == ()


def test_the_strongest_seeds_sit_at_different_tables() -> None:
    drawn = SWISS.draw(ask(16, rule=FOURS, seeds=seeds(8)))
    assert drawn.how == "by seeds"
    assert [{who for who in table if who <= 8} for table in drawn.rounds[0].tables] == [{1, 8}, {2, 7}, {3, 6}, {4, 5}]


def test_or_they_sit_together_where_that_is_asked() -> None:
    together = format_from_json({"format": "swiss", "seeds_together": 1})
    drawn = together.draw(ask(16, rule=FOURS, seeds=seeds(8), effort=LITTLE))
    assert drawn.how == "by seeds"
    assert [set(table) for table in drawn.rounds[0].tables[:2]] == [{1, 2, 3, 4}, {5, 6, 7, 8}]


def test_later_leaders_sit_with_leaders() -> None:
    played = (Round(((1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (4, 8, 12, 16))),)
    levels = ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16))
    drawn = SWISS.draw(ask(16, rule=FOURS, number=2, played=played, levels=levels, effort=LITTLE))
    assert groups_at(drawn.rounds[0], 4) == [[0] * 4, [1] * 4, [2] * 4, [3] * 4]


def test_repeats_are_avoided_first_and_whoever_sits_elsewhere_for_it_is_named_with_the_reason() -> None:
    played = (Round(((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16))),)
    drawn = SWISS.draw(ask(16, rule=FOURS, number=2, played=played, levels=tuple(played[0].tables), effort=0.3))
    assert in_a_row([*played, *drawn.rounds]) == 0
    met = next(moved for moved in drawn.moved if moved["why"] == "met")
    home = played[0].tables[met["group"] - 1]
    assert met["player"] in home
    assert set(met["because"]) <= set(home)
    assert met["home"] == [met["group"], met["group"]]
    assert met["table"] != met["group"]


def test_absent_and_withdrawn_players_are_left_out_and_a_late_joiner_sits_at_the_last_table() -> None:
    played = (Round(((1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (4, 8, 12, 16))),)
    levels = ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16))
    asked = ask(17, rule=FOURS, number=2, played=played, levels=levels, absent={2: frozenset({6})}, effort=LITTLE)
    asked = replace(asked, rule=TableRule(4, 3, 4), players=asked.players - {1})
    tables = SWISS.draw(asked).rounds[0].tables
    assert sorted(who for table in tables for who in table) == sorted({*range(2, 18)} - {6})
    assert 17 in tables[-1]


def test_five_rounds_of_swiss_with_sit_outs_come_to_their_end() -> None:
    rng, points = Random(5), dict[int, int]()
    asked = ask(14, rule=TableRule(4, 4, 4, full_only=True), rounds=5, effort=LITTLE)
    for _ in range(5):
        asked = after(asked, SWISS.draw(asked).rounds[0], points, rng)
    out = [who for each in asked.played for who in each.sitting_out]
    assert len(out) == 10
    assert len(set(out)) == 10
    with pytest.raises(FormatError, match="All 5 planned rounds"):
        SWISS.draw(asked)


def test_nobody_to_seat_is_refused() -> None:
    with pytest.raises(NoTables, match="There is nobody to seat"):
        SWISS.draw(ask(3, absent={1: frozenset({1, 2, 3})}))
