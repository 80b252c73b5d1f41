"""Who goes on in a knockout, who meets whom, and what each round is worth."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from competitions.formats import Ask, FormatError, TableBefore, format_from_json
from competitions.formats.seeding import snake
from competitions.seating import NoTables, Round, TableRule
from competitions.settings import BadSettings, read_settings
from scoring.entries import Entrant, TableResult
from scoring.standings import standings
from tests.competitions.asking import LITTLE, after, ask, ended, seeds

KNOCKOUT = format_from_json("knockout")
FOURS = TableRule(4, 4, 4)
SETTINGS = {"format": "knockout", "points": "neutral", "best": 1}


def table(*places: int, number: int = 1, **decision: Any) -> TableBefore:
    """A table of players 1, 2, … with these places."""
    return TableBefore(number, tuple(enumerate(places, 1)), **decision)


def after_table(*tables: TableBefore, players: int = 8, **more: Any) -> Ask:
    return ask(players, number=2, before=(*tables, TableBefore(9, ((91, 1), (92, 2), (93, 3)))), **more)


# Settings


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"points": "scheme"}, 'its points are "neutral"'),
        ({"best": None}, "best is 1"),
        ({"best": 2}, "best is 1"),
        ({"absence": 0}, "absence is null"),
        ({"bye": 1000}, "bye is null"),
        ({"rounds": 3}, "rounds is null"),
        ({"tables": {"tables": 4}}, "fewer tables each round"),
        ({"format": {"format": "knockout", "go_on": 3}}, "3 go on from each table, and a table may have 3 players"),
    ],
)
def test_settings_that_do_not_go_with_a_knockout_are_refused(changed: dict[str, Any], sentence: str) -> None:
    assert read_settings(SETTINGS).format == KNOCKOUT
    with pytest.raises(BadSettings, match=sentence):
        read_settings({**SETTINGS, **changed})


def test_a_round_cannot_have_points_that_a_knockout_does_not_take() -> None:
    with pytest.raises(BadSettings, match='its points are "neutral"'):
        read_settings(SETTINGS).overridden({"points": {"places": [5, 4, 3, 2, 1]}})


# How many rounds


@pytest.mark.parametrize(("players", "rounds"), [(4, 1), (5, 1), (8, 2), (16, 3), (20, 4), (32, 4), (64, 5), (2, None)])
def test_the_number_of_rounds_follows_from_the_players(players: int, rounds: int | None) -> None:
    plain = read_settings(SETTINGS)
    assert plain.format.total_rounds(players, plain) == rounds


def test_a_knockout_that_would_get_stuck_is_refused_before_its_first_round() -> None:
    one = format_from_json({"format": "knockout", "go_on": 1})
    with pytest.raises(NoTables, match="Round 2 would be for 2: 2 players cannot sit at tables of 3 to 5"):
        one.draw(ask(8))


# The first round


def test_the_seeds_go_round_the_tables_as_a_snake_does() -> None:
    drawn = KNOCKOUT.draw(ask(16, rule=FOURS, seeds=seeds(10)))
    strong = [{who for who in table if who <= 10} for table in drawn.rounds[0].tables]
    assert strong == [{1, 8, 9}, {2, 7, 10}, {3, 6}, {4, 5}]


def test_the_snake_fills_the_larger_tables_up() -> None:
    assert snake((4, 4, 3)) == [0, 1, 2, 2, 1, 0, 0, 1, 2, 1, 0]


@given(sizes=st.lists(st.integers(3, 4), min_size=1, max_size=9).map(lambda sizes: sorted(sizes, reverse=True)))
def test_the_snake_fills_every_table_exactly(sizes: list[int]) -> None:
    assert [snake(sizes).count(number) for number in range(len(sizes))] == sizes


def test_those_without_a_seed_are_drawn_by_lot_and_kept_apart_where_asked() -> None:
    apart = frozenset({(16, 15), (14, 16)})
    for seed in "abcdef":
        drawn = KNOCKOUT.draw(ask(16, rule=FOURS, seeds=seeds(4), seed=seed, apart=apart))
        (own,) = [table for table in drawn.rounds[0].tables if 16 in table]
        assert not {14, 15} & set(own)
        assert drawn.report["apart"] == {"value": 0, "minimum": 0}


def test_byes_fall_to_the_strongest_and_go_on() -> None:
    rule = TableRule(4, 3, 5, full_only=True)
    asked = ask(10, rule=rule, seeds=seeds(5))
    first = KNOCKOUT.draw(asked).rounds[0]
    assert first.sitting_out == (1, 2)
    asked = after(asked, first, {}, Random(1))
    assert {1, 2} <= set(KNOCKOUT.players(asked))
    second = KNOCKOUT.draw(asked).rounds[0]
    assert len(second.sitting_out) == 2
    assert not {1, 2} & set(second.sitting_out)


# Who goes on


def test_the_first_places_of_each_table_go_on() -> None:
    assert KNOCKOUT.players(after_table(table(3, 1, 4, 2))) == (2, 4)


def test_at_a_shared_place_that_decides_nothing_all_go_on() -> None:
    assert KNOCKOUT.players(after_table(table(1, 1, 3, 4))) == (1, 2)
    assert KNOCKOUT.players(after_table(table(1, 2, 3, 3))) == (1, 2)


def test_who_is_withdrawn_or_absent_is_out_and_the_next_at_his_table_goes_on() -> None:
    asked = after_table(table(1, 2, 3, 4))
    assert KNOCKOUT.players(replace(asked, players=asked.players - {1})) == (2, 3)
    assert KNOCKOUT.players(replace(asked, absent={2: frozenset({2})})) == (1, 3)


def test_nobody_new_comes_into_a_later_round() -> None:
    asked = after_table(table(1, 2, 3, 4), players=30)
    assert KNOCKOUT.players(asked) == (1, 2)


def test_a_tie_that_decides_is_the_organisers_and_is_named_by_table_and_players() -> None:
    asked = after_table(table(1, 2, 2, 4, number=7))
    with pytest.raises(FormatError, match="Table 7: 2 players share place 2, and 1 of them goes on") as refusal:
        KNOCKOUT.draw(asked)
    assert refusal.value.code == "tie_to_decide"
    assert refusal.value.data == {"table": 7, "equal": [2, 3], "wanted": 1}


@pytest.mark.parametrize(
    ("places", "decided", "among", "through"),
    [
        ((1, 2, 2, 4), (3,), (2, 3), (1, 3)),
        ((1, 2, 2, 4), (3,), (), (1, 3)),
        ((1, 1, 1, 4), (3, 1), (1, 2, 3), (1, 3)),
        ((1, 2, 3, 4), (3,), (2, 3), (1, 2)),  # a correction settled it otherwise
    ],
)
def test_what_the_organiser_decides_among_equals_is_done(
    places: Sequence[int], decided: tuple[int, ...], among: tuple[int, ...], through: tuple[int, ...]
) -> None:
    assert KNOCKOUT.players(after_table(table(*places, decided=decided, among=among))) == through


@pytest.mark.parametrize(
    ("places", "decided", "among"),
    [
        ((1, 2, 2, 2), (3,), (2, 3)),  # one more became equal
        ((1, 2, 4, 2), (3,), (2, 3)),  # another became equal instead
        ((1, 1, 1, 4), (3,), (2, 3)),  # now two are wanted
        ((1, 2, 2, 4), (4,), ()),
        ((1, 2, 2, 4), (2, 3), (2, 3)),
    ],
)
def test_a_decision_expires_when_a_correction_changes_who_is_equal(
    places: Sequence[int], decided: tuple[int, ...], among: tuple[int, ...]
) -> None:
    with pytest.raises(FormatError) as refusal:
        KNOCKOUT.players(after_table(table(*places, decided=decided, among=among)))
    assert refusal.value.code == "tie_to_decide"


# Later rounds


def test_winners_are_kept_apart_and_so_are_those_who_sat_together() -> None:
    asked = ask(32, rule=FOURS, seeds=seeds(8))
    first = KNOCKOUT.draw(asked).rounds[0]
    asked = replace(asked, number=2, played=(first,), before=ended(first))
    second = KNOCKOUT.draw(asked)
    winners = {table[0] for table in first.tables}
    assert [len(winners & set(table)) for table in second.rounds[0].tables] == [2, 2, 2, 2]
    assert second.report["again"] == {"value": 0, "minimum": 0}
    assert second.report["apart"] is None


def test_the_organisers_wish_to_keep_apart_is_reported_without_the_winners() -> None:
    asked = ask(32, rule=FOURS)
    first = KNOCKOUT.draw(asked).rounds[0]
    one, other = first.tables[0][0], first.tables[1][0]
    asked = replace(asked, number=2, played=(first,), before=ended(first), apart=frozenset({(other, one)}))
    second = KNOCKOUT.draw(asked)
    assert second.report["apart"] == {"value": 0, "minimum": 0}
    assert not any({one, other} <= set(table) for table in second.rounds[0].tables)


def test_after_the_final_there_is_no_round() -> None:
    final = Round(((1, 2, 3, 4),))
    with pytest.raises(FormatError, match="The final has been played") as refusal:
        KNOCKOUT.draw(ask(8, number=3, played=(final,), before=ended(final)))
    assert refusal.value.code == "competition_over"


def test_a_round_for_one_is_refused() -> None:
    asked = replace(after_table(table(1, 2, 3, 4)), players=frozenset({2}))
    with pytest.raises(FormatError, match="There are not two players left") as refusal:
        KNOCKOUT.draw(asked)
    assert refusal.value.code == "too_few_players"


def test_a_withdrawal_after_the_draw_gives_the_seat_to_the_next_of_the_table() -> None:
    asked = ask(16, rule=FOURS)
    first = KNOCKOUT.draw(asked).rounds[0]
    asked = replace(asked, number=2, played=(first,), before=ended(first))
    second = KNOCKOUT.draw(asked).rounds
    gone, third = int(first.tables[0][1]), int(first.tables[0][2])
    now = KNOCKOUT.redraw_ahead(second, replace(asked, players=asked.players - {gone})).rounds[0]
    assert [tuple(third if who == gone else who for who in table) for table in second[0].tables] == list(now.tables)


# Whole knockouts


@examples(max_examples=25)
@given(players=st.integers(4, 40), go_on=st.integers(1, 2), seed=st.integers(0, 999), full=st.booleans())
def test_whoever_got_further_ranks_higher_and_the_winner_of_the_final_is_first(
    players: int, go_on: int, seed: int, full: bool
) -> None:
    plan = format_from_json({"format": "knockout", "go_on": go_on})
    rule = TableRule(4, 3, 5, full_only=full)
    rounds = read_settings({**SETTINGS, "format": plan.to_json(), "tables": {"full_only": full}})
    asked = ask(players, rule=rule, seeds=seeds(5), seed=str(seed), effort=LITTLE)
    total, rng, results, reached = rounds.format.total_rounds(players, rounds), Random(seed), [], dict[int, int]()
    if total is None:
        with pytest.raises(NoTables):
            plan.draw(asked)
        return
    for number in range(1, total + 1):
        drawn = plan.draw(asked).rounds[0]
        asked = after(asked, drawn, {}, rng)
        for each in asked.before:
            size = len(each.seats)
            worth = rounds.points.of_places(size)
            for who, place in each.seats:
                reached[who] = number
                points = worth[place - 1] + plan.offset(number)
                results.append(TableResult(who, number, each.number, points, place, size))
    with pytest.raises(FormatError):
        plan.draw(asked)
    field = standings([Entrant(who) for who in range(1, players + 1)], results, rounds.counting)
    for one, other in combinations(field.rows, 2):
        assert reached.get(one.entrant, 0) >= reached.get(other.entrant, 0)  # type: ignore[arg-type]
    winner = next(who for who, place in asked.before[0].seats if place == 1)
    assert field.rows[0].entrant == winner
    assert field.rows[0].total == 1000 * total


def test_points_of_sixteen_at_fours_as_the_page_says() -> None:
    assert KNOCKOUT.offset(1) + read_settings(SETTINGS).points.of_places(4)[2] == Fraction(1000, 3)
    assert KNOCKOUT.offset(3) == 2000
