"""What every draw has to hold."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.seating import BadDraw, NoTables, Player, Round, TableRule, draw, report, split
from competitions.seating.objective import seat_counts, sitting_out_counts
from tests.seating.draws import as_groups, counted, fewest_in_a_row, in_a_row, of_sizes, pairs_of, sum_of_squares

LITTLE = 0.02
"""Of the usual effort: what a draw has to hold does not hang on it."""

seeds = st.integers(0, 2**32 - 1)
rules = st.sampled_from(
    [
        TableRule(5, 3, 8),
        TableRule(4, 3, 5),
        TableRule(3, 3, 4),
        TableRule(4, 3, 6, tables=2),
        TableRule(4, 3, 5, full_only=True),
        TableRule(5, 4, 6, full_only=True),
    ]
)


@settings(max_examples=40)
@given(players=st.integers(6, 26), rounds=st.integers(1, 6), rule=rules, seed=seeds)
def test_everybody_sits_once_in_each_round_at_tables_of_the_sizes_asked_for(
    players: int, rounds: int, rule: TableRule, seed: int
) -> None:
    drawn = draw(players=range(players), rounds=rounds, rule=rule, seed=seed, effort=LITTLE)
    sizes = split(players, rule)
    assert len(drawn.rounds) == rounds
    for each in drawn.rounds:
        assert sorted(each.people(), key=str) == sorted(range(players), key=str)
        assert each.sizes == sizes.sizes
        assert len(each.sitting_out) == sizes.sitting_out


@settings(max_examples=20)
@given(players=st.integers(6, 20), rounds=st.integers(1, 4), rule=rules, seed=seeds, data=st.data())
def test_a_draw_depends_on_the_seed_and_not_on_the_order_of_the_players(
    players: int, rounds: int, rule: TableRule, seed: int, data: st.DataObject
) -> None:
    names = [f"player {number}" for number in range(players)]
    apart = [(names[0], names[3]), (names[1], names[2])]
    other = data.draw(st.permutations(names))
    one, again = (
        draw(players=each, rounds=rounds, rule=rule, seed=seed, keep_apart=pairs, effort=LITTLE)
        for each, pairs in ((names, apart), (other, [pair[::-1] for pair in reversed(apart)]))
    )
    assert one == again


def test_another_seed_gives_another_draw() -> None:
    assert of_sizes(16, 2, (4,) * 4, seed=1).rounds != of_sizes(16, 2, (4,) * 4, seed=2).rounds


@settings(max_examples=15)
@given(players=st.integers(3, 9), rounds=st.integers(2, 4), preferred=st.integers(3, 5), seed=seeds)
def test_up_to_nine_players_repeat_nothing_in_a_row_that_could_be_avoided(
    players: int, rounds: int, preferred: int, seed: int
) -> None:
    drawn = draw(players=range(players), rounds=rounds, rule=TableRule(preferred, 3, 9), seed=seed, effort=LITTLE)
    for before, after in pairwise(drawn.rounds):
        repeats = len(pairs_of(before) & pairs_of(after))
        assert repeats == fewest_in_a_row(before, range(players), after.sizes)


@settings(max_examples=15)
@given(players=st.integers(6, 9), rounds=st.integers(2, 3), seed=seeds)
def test_up_to_nine_players_never_meet_more_often_than_they_must(players: int, rounds: int, seed: int) -> None:
    drawn = draw(players=range(players), rounds=rounds, rule=TableRule(4, 3, 5), seed=seed, effort=LITTLE)
    found = report(drawn)
    assert (found.again.value, found.squares.value) == (found.again.minimum, found.squares.minimum)


@settings(max_examples=15)
@given(seed=seeds, players=st.integers(6, 9))
def test_the_next_round_of_few_players_is_the_best_there_is_whatever_was_played(seed: int, players: int) -> None:
    rng, rule = Random(seed), TableRule(4, 3, 5)
    played = []
    for _ in range(3):
        people = iter(rng.sample(range(players), players))
        played.append(Round(tuple(tuple(next(people) for _ in range(size)) for size in split(players, rule).sizes)))
    drawn = draw(players=range(players), rounds=1, rule=rule, seed=seed, played=played, effort=LITTLE)
    last = played[-1]
    assert in_a_row([last, *drawn.rounds]) == fewest_in_a_row(last, range(players), drawn.rounds[0].sizes)
    found = report(drawn)
    assert (found.again.value, found.squares.value) == (found.again.minimum, found.squares.minimum)


@settings(max_examples=25)
@given(
    players=st.integers(6, 18),
    rounds=st.integers(1, 4),
    rule=rules,
    seed=seeds,
    pairs=st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] != pair[1]), max_size=15
    ),
)
def test_keeping_people_apart_never_makes_a_draw_impossible(
    players: int, rounds: int, rule: TableRule, seed: int, pairs: list[tuple[int, int]]
) -> None:
    drawn = draw(players=range(players), rounds=rounds, rule=rule, seed=seed, keep_apart=pairs, effort=LITTLE)
    assert len(drawn.rounds) == rounds
    assert all(len(set(each.people())) == players for each in drawn.rounds)
    found = report(drawn)
    assert found.squares.value >= found.squares.minimum
    assert found.apart is None or found.apart.value >= found.apart.minimum


@pytest.mark.parametrize(("players", "rounds", "sizes"), [(16, 5, (4,) * 4), (12, 5, (4,) * 3), (20, 5, (4,) * 5)])
def test_whoever_is_to_be_kept_apart_is_even_if_others_then_meet_more_often(
    players: int, rounds: int, sizes: tuple[int, ...]
) -> None:
    apart = [(1, 2), (3, 4), (1, 5)]
    drawn = of_sizes(players, rounds, sizes, keep_apart=apart, effort=0.3)
    assert not any(counted(drawn.rounds)[frozenset(pair)] for pair in apart)
    assert in_a_row(drawn.rounds) == drawn.bounds.again


def test_people_who_cannot_all_be_kept_apart_meet_as_seldom_as_they_can() -> None:
    apart = [(one, other) for one in range(1, 6) for other in range(1, one)]
    found = report(of_sizes(12, 3, (4, 4, 4), keep_apart=apart, effort=0.1)).apart
    assert found is not None
    assert (found.value, found.minimum) == (6, 6)


@settings(max_examples=25)
@given(players=st.integers(7, 16), rounds=st.integers(1, 12), size=st.integers(3, 5), seed=seeds)
def test_nobody_sits_out_twice_before_everybody_has_once(players: int, rounds: int, size: int, seed: int) -> None:
    rule = TableRule(size, 3, 8, full_only=True)
    drawn = draw(players=range(players), rounds=rounds, rule=rule, seed=seed, effort=LITTLE)
    for number in range(1, rounds + 1):
        counts = sitting_out_counts(drawn.rounds[:number])
        times = [counts[player] for player in range(players)]
        assert max(times) - min(times) <= 1


def test_nobody_sits_out_twice_in_a_row_where_that_can_be_avoided() -> None:
    drawn = of_sizes(14, 10, (4, 4, 4), effort=0.2)
    assert not any(set(one.sitting_out) & set(other.sitting_out) for one, other in pairwise(drawn.rounds))


def test_turns_to_sit_out_go_on_from_the_rounds_played() -> None:
    rule = TableRule(4, 3, 5, full_only=True)
    played: list[Round] = []
    for _ in range(9):
        played += draw(players=range(9), rounds=1, rule=rule, seed=5, played=played, effort=LITTLE).rounds
    assert Counter(player for each in played for player in each.sitting_out) == Counter(range(9))


def test_who_comes_late_does_not_make_up_for_what_others_sat_out() -> None:
    rule = TableRule(4, 3, 5, full_only=True)
    played = draw(players=range(9), rounds=9, rule=rule, seed=5, effort=LITTLE).rounds
    later = draw(players=range(10), rounds=5, rule=rule, seed=5, played=played, effort=LITTLE).rounds
    counts = sitting_out_counts(later)
    assert {counts[player] for player in range(10)} == {1}


@settings(max_examples=25)
@given(players=st.integers(6, 30), rounds=st.integers(1, 9), size=st.integers(3, 6), seed=seeds)
def test_at_tables_of_one_size_each_player_has_each_seat_equally_often(
    players: int, rounds: int, size: int, seed: int
) -> None:
    players -= players % size
    drawn = draw(players=range(players), rounds=rounds, rule=TableRule(size, size, size), seed=seed, effort=LITTLE)
    counts = seat_counts(drawn.rounds)
    for player in range(players):
        times = [counts[player, seat] for seat in range(1, size + 1)]
        assert max(times) - min(times) <= 1


@pytest.mark.parametrize("first_seat", [1, 2, 4])
def test_acting_first_goes_round_evenly_whichever_seat_does(first_seat: int) -> None:
    found = report(of_sizes(23, 7, (6, 6, 6, 5), first_seat=first_seat, effort=LITTLE))
    assert found.first[1] - found.first[0] <= 1


def test_nobody_sits_at_one_table_all_day() -> None:
    assert report(of_sizes(20, 5, (4,) * 5)).same_table == 1
    assert report(of_sizes(16, 5, (4,) * 4)).same_table <= 3


def test_small_tables_are_shared_out() -> None:
    drawn = of_sizes(31, 4, (4,) * 7 + (3,), effort=0.1)
    times = Counter(player for each in drawn.rounds for player in each.tables[-1])
    assert max(times.values()) == 1


@settings(max_examples=10)
@given(players=st.integers(8, 20), seed=seeds, drawn_before=st.integers(1, 3))
def test_rounds_played_stay_as_they_are(players: int, seed: int, drawn_before: int) -> None:
    rule = TableRule(4, 3, 5)
    first = draw(players=range(players), rounds=drawn_before, rule=rule, seed=seed, effort=LITTLE)
    then = draw(players=range(players), rounds=2, rule=rule, seed=seed + 1, played=first.rounds, effort=LITTLE)
    assert then.played == first.rounds
    assert then.bounds.squares <= sum_of_squares([*first.rounds, *then.rounds])


@pytest.mark.parametrize(("players", "rounds", "sizes"), [(16, 5, (4,) * 4), (15, 7, (3,) * 5), (24, 6, (4,) * 6)])
def test_rounds_drawn_one_by_one_with_one_seed_are_as_good_as_all_at_once(
    players: int, rounds: int, sizes: tuple[int, ...]
) -> None:
    played: list[Round] = []
    for _ in range(rounds):
        played += of_sizes(players, 1, sizes, seed=9, played=played).rounds
    assert as_groups(played) == as_groups(of_sizes(players, rounds, sizes, seed=9).rounds)
    assert set(counted(played).values()) == {1}


def test_who_is_absent_in_a_round_is_not_in_it_and_does_not_sit_out() -> None:
    drawn = draw(players=range(12), rounds=3, rule=TableRule(4, 3, 5), seed=1, absent={2: [3, 7]}, effort=LITTLE)
    assert [len(list(each.people())) for each in drawn.rounds] == [12, 10, 12]
    assert drawn.rounds[1].sizes == (4, 3, 3)
    assert {3, 7}.isdisjoint(drawn.rounds[1].people())


def test_a_great_many_players_are_drawn_a_few_rounds_at_a_time() -> None:
    drawn = draw(players=range(1201), rounds=4, rule=TableRule(5, 4, 6), seed=1, effort=0.3)
    assert len(drawn.rounds) == 4
    assert report(drawn).repeats.value == 0


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"players": [1, 2, 3, 3, 4, 5]}, "3 is named 2 times"),
        ({"rounds": 0}, "0 rounds to draw"),
        ({"keep_apart": [(1, 1)]}, "two people"),
        ({"keep_apart": [(1, 2, 3)]}, "two people"),
        ({"absent": {3: [1]}}, "absent in round 3"),
        ({"absent": {1: [77]}}, "77 is absent in round 1, but does not take part"),
        ({"first_seat": 0}, "counted from 1"),
        ({"played": [Round(((1, 2, 3), (3, 4, 5)))]}, "Played round 1: 3 has 2 places"),
        ({"played": [Round(((1, 2, 3), ()))]}, "table 2 is empty"),
    ],
)
def test_a_request_that_contradicts_itself_is_refused_with_the_reason(asked: dict[str, object], reason: str) -> None:
    usual: dict[str, object] = {"players": range(8), "rounds": 2, "rule": TableRule(4, 3, 5), "seed": 1}
    with pytest.raises(BadDraw, match=reason) as refusal:
        draw(**(usual | asked))  # type: ignore[arg-type]
    assert refusal.value.code == "bad_draw"


def test_too_few_players_are_refused_before_anything_is_drawn() -> None:
    with pytest.raises(NoTables, match="7 players cannot sit at tables of 4 to 6"):
        draw(players=range(7), rounds=3, rule=TableRule(5, 4, 6), seed=1)


def test_too_few_players_in_one_round_are_refused_with_its_number() -> None:
    with pytest.raises(NoTables, match="Round 2: 7 players cannot sit at tables of 4 to 6"):
        draw(players=range(8), rounds=3, rule=TableRule(5, 4, 6), seed=1, absent={2: [5]})


@pytest.mark.parametrize("names", [["Zoë", "ana", "Ben", "李", "Čap", "Ola"], [10, 9, 100, 1, 2, 3]])
def test_players_are_numbers_or_texts(names: list[Player]) -> None:
    drawn = draw(players=names, rounds=2, rule=TableRule(3, 3, 3), seed="spring")
    assert set(drawn.rounds[0].people()) == set(names)
