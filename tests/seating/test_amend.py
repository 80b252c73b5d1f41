"""A drawn schedule after somebody came or went."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.seating import Change, NoTables, Round, TableRule, amend, changes, draw, report
from competitions.seating.objective import sitting_out_counts
from tests.seating.draws import in_a_row

RULE = TableRule(4, 3, 5)
seeds = st.integers(0, 2**32 - 1)


def by_kind(found: list[Change], kind: str) -> list[Change]:
    return [change for change in found if change.kind == kind]


def test_nothing_changes_when_nobody_comes_or_goes() -> None:
    planned = draw(players=range(16), rounds=4, rule=RULE, seed=1).rounds
    assert amend(planned, players=range(16), rule=RULE, seed=2).rounds == planned


def test_a_late_joiner_takes_one_place_a_round_and_nobody_else_moves() -> None:
    drawn = draw(players=range(1, 17), rounds=5, rule=RULE, seed=3).rounds
    after = amend(drawn[2:], played=drawn[:2], players=range(1, 18), rule=RULE, seed=3)
    found = changes(drawn[2:], after.rounds, first=3)
    assert [(change.round, change.player, change.kind) for change in found] == [
        (3, 17, "joins"),
        (4, 17, "joins"),
        (5, 17, "joins"),
    ]
    assert after.played == drawn[:2]
    assert report(after).squares.ratio == 1.0


def test_somebody_who_takes_anothers_place_takes_his_very_seats() -> None:
    drawn = draw(players=range(1, 17), rounds=4, rule=RULE, seed=3).rounds
    after = amend(drawn, players=[*range(1, 16), 99], rule=RULE, seed=3).rounds
    expected = [[[99 if player == 16 else player for player in table] for table in each.tables] for each in drawn]
    assert [[list(table) for table in each.tables] for each in after] == expected


def test_a_withdrawal_only_closes_the_gap_where_sizes_still_fit() -> None:
    drawn = draw(players=range(1, 17), rounds=4, rule=RULE, seed=3).rounds
    found = changes(drawn, amend(drawn, players=range(1, 16), rule=RULE, seed=3).rounds)
    assert len(by_kind(found, "leaves")) == 4
    assert not by_kind(found, "table")
    assert len(by_kind(found, "seat")) <= 4


@settings(max_examples=40)
@given(
    players=st.integers(9, 24), leave=st.integers(0, 4), come=st.integers(0, 4), seed=seeds, played=st.integers(0, 2)
)
def test_as_few_as_possible_change_tables(players: int, leave: int, come: int, seed: int, played: int) -> None:
    drawn = draw(players=range(players), rounds=4, rule=RULE, seed=seed, effort=0.02).rounds
    now = range(leave, players + come)
    after = amend(drawn[played:], played=drawn[:played], players=now, rule=RULE, seed=seed)
    for old, new in zip(drawn[played:], after.rounds, strict=True):
        assert set(new.people()) == set(now)
        assert max(new.sizes) - min(new.sizes) <= 1
        assert 3 <= min(new.sizes) <= max(new.sizes) <= 5
        if len(new.tables) != len(old.tables):
            continue
        stayed = [sum(player in now for player in table) for table in old.tables]
        fitting = sorted(new.sizes, reverse=True)
        must_move = sum(max(0, there - room) for there, room in zip(sorted(stayed, reverse=True), fitting, strict=True))
        assert len(by_kind(changes([old], [new]), "table")) == must_move


@settings(max_examples=20)
@given(players=st.integers(9, 20), leave=st.integers(0, 3), come=st.integers(0, 3), seed=seeds)
def test_turns_to_sit_out_stay_even_and_who_was_to_sit_out_still_does_if_he_can(
    players: int, leave: int, come: int, seed: int
) -> None:
    rule = TableRule(4, 3, 5, full_only=True)
    drawn = draw(players=range(players), rounds=5, rule=rule, seed=seed, effort=0.02).rounds
    after = amend(drawn, players=range(leave, players + come), rule=rule, seed=seed)
    counts = sitting_out_counts(after.rounds)
    times = [counts[player] for player in range(leave, players + come)]
    assert max(times) - min(times) <= 1


def test_nobody_moves_who_has_to_meet_somebody_again_if_another_could_move_instead() -> None:
    drawn = draw(players=range(20), rounds=5, rule=RULE, seed=4).rounds
    after = amend(drawn, players=range(2, 20), rule=RULE, seed=4)
    assert report(after).squares.ratio <= 1.1
    assert in_a_row(after.rounds) <= 1


def test_two_to_be_kept_apart_are_not_brought_together_by_a_change() -> None:
    drawn = draw(players=range(16), rounds=4, rule=RULE, seed=1).rounds
    apart = [(16, other) for other in range(6)]
    after = amend(drawn, players=range(17), rule=RULE, seed=1, keep_apart=apart)
    together = [table for each in after.rounds for table in each.tables if 16 in table]
    assert all(len(set(table) & set(range(6))) <= 1 for table in together)


def test_a_change_that_leaves_too_few_for_the_tables_is_refused() -> None:
    drawn = draw(players=range(8), rounds=2, rule=TableRule(4, 4, 6), seed=1).rounds
    with pytest.raises(NoTables, match="7 players cannot sit at tables of 4 to 6"):
        amend(drawn, players=range(7), rule=TableRule(4, 4, 6), seed=1)


def test_a_table_is_given_up_when_there_are_too_few_for_it() -> None:
    drawn = draw(players=range(12), rounds=3, rule=RULE, seed=1).rounds
    after = amend(drawn, players=range(8), rule=RULE, seed=1).rounds
    assert [each.sizes for each in after] == [(4, 4)] * 3


def test_changes_are_told_in_words() -> None:
    before = [Round((("Ann", "Bob", "Cy"), ("Dan", "Eve", "Flo")), ("Gus",))]
    after = [Round((("Ann", "Cy", "Gus"), ("Dan", "Eve", "Hal")), ("Bob",))]
    assert [change.sentence() for change in changes(before, after, first=4)] == [
        "Round 4: Bob from table 1 seat 2 to sitting out.",
        "Round 4: Cy from table 1 seat 3 to table 1 seat 2.",
        "Round 4: Flo leaves (table 2 seat 3).",
        "Round 4: Gus from sitting out to table 1 seat 3.",
        "Round 4: Hal joins, table 2 seat 3.",
    ]
    assert [change.kind for change in changes(before, after)] == ["sits_out", "seat", "leaves", "plays", "joins"]


def test_the_changes_between_equal_draws_are_none() -> None:
    drawn = draw(players=range(12), rounds=3, rule=RULE, seed=1).rounds
    assert changes(drawn, drawn) == []
