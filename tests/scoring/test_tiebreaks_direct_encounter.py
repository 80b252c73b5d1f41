"""Direct encounter against two naive models: one that knows every meeting, one that tries every missing one."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scoring import competing
from tests.scoring.competing import Competition

Pairs = dict[tuple[str, str], Fraction]
"""What the first of each pair got of the pair's point."""


def naive(tied: list[str], pairs: Pairs) -> list[list[str]]:
    """The tied in order, best first, by comparing everyone with everyone, then anew those still level."""
    score = {
        one: sum(
            (pairs[one, other] if (one, other) in pairs else 1 - pairs[other, one]) for other in tied if other != one
        )
        for one in tied
    }
    levels = [[one for one in tied if score[one] == value] for value in sorted(set(score.values()), reverse=True)]
    if len(levels) == 1:
        return levels
    return [part for level in levels for part in (naive(level, pairs) if len(level) > 1 else [level])]


def meetings(competition: Competition) -> Pairs:
    """The point of each pair that met, counted table by table."""
    shares: dict[tuple[str, str], list[Fraction]] = {}
    for one, other in product(competition.results, repeat=2):
        if (one.round, one.table) == (other.round, other.table) and str(one.entrant) < str(other.entrant):
            share = Fraction(1 if one.place < other.place else 0) if one.place != other.place else Fraction(1, 2)
            shares.setdefault((str(one.entrant), str(other.entrant)), []).append(share)
    return {pair: sum(got, Fraction(0)) / len(got) for pair, got in shares.items()}


def random_meetings(seed: int, everyone_met: bool) -> Competition:
    """Three to five players at a few tables, each finishing order as likely; nobody has a point."""
    rng = Random(seed)
    ids = list("ABCDE")[: rng.randint(3, 5)]
    orders = []
    for pair in combinations(ids, 2):
        if everyone_met or rng.random() < 0.6:
            orders.append(pair)
    orders += [tuple(rng.sample(ids, 3)) for _ in range(rng.choice([0, 0, 1, 2]))]
    texts = []
    for order in orders:
        seats = rng.sample(order, len(order))
        texts.append(seats[0] + "".join(rng.choice([">", ">", "="]) + who for who in seats[1:]))
    results = competing.finished(*texts)
    return Competition(competing.entered(results).entrants, results)


def levels(competition: Competition) -> list[list[str]]:
    ranks = competing.ranks(competition.table("direct-encounter"))
    return [sorted(str(who) for who in ranks if ranks[who] == rank) for rank in sorted(set(ranks.values()))]


@settings(max_examples=300)
@given(st.integers(0, 2**32 - 1))
def test_where_all_have_met_it_agrees_with_the_naive_model(seed: int) -> None:
    competition = random_meetings(seed, everyone_met=True)
    tied = [str(entrant.id) for entrant in competition.entrants]
    assert levels(competition) == [sorted(level) for level in naive(tied, meetings(competition))]


@settings(max_examples=300)
@given(st.integers(0, 2**32 - 1))
def test_no_meeting_still_to_come_could_turn_what_it_decides(seed: int) -> None:
    competition = random_meetings(seed, everyone_met=False)
    found, pairs = levels(competition), meetings(competition)
    tied = [who for level in found for who in level]
    missing = [pair for pair in combinations(sorted(tied), 2) if pair not in pairs]
    if len(missing) > 5:
        return
    for outcome in product([Fraction(0), Fraction(1, 2), Fraction(1)], repeat=len(missing)):
        order = naive(tied, {**pairs, **dict(zip(missing, outcome, strict=True))})
        place = {who: number for number, level in enumerate(order) for who in level}
        for number, level in enumerate(found):
            for below in [who for later in found[number + 1 :] for who in later]:
                assert all(place[above] < place[below] for above in level), (found, order)


@settings(max_examples=300)
@given(st.integers(0, 2**32 - 1))
def test_it_decides_wherever_the_sums_alone_are_certain(seed: int) -> None:
    """Alone at the top of the sums whatever the missing meetings bring: then first."""
    competition = random_meetings(seed, everyone_met=False)
    pairs, tied = meetings(competition), [str(entrant.id) for entrant in competition.entrants]
    missing = [pair for pair in combinations(sorted(tied), 2) if pair not in pairs]
    if len(missing) > 5:
        return
    first = set(tied)
    for outcome in product([Fraction(0), Fraction(1)], repeat=len(missing)):
        full = {**pairs, **dict(zip(missing, outcome, strict=True))}
        score = {
            one: sum(got for pair, got in full.items() if pair[0] == one)
            + sum(1 - got for pair, got in full.items() if pair[1] == one)
            for one in tied
        }
        first &= {one for one in tied if all(score[one] > score[other] for other in tied if other != one)}
    if first:
        assert levels(competition)[0] == list(first)


def test_only_tables_that_two_of_the_tied_shared_are_looked_at() -> None:
    results = competing.finished("A>X>B", "X>B", "B>X", "Y>A", points={"places": [3, 2, 1]})
    table = competing.entered(results).table("direct-encounter")
    assert (table.row("A").total, table.row("B").total) == (5, 6)
    extra = competing.finished("B>Z", "A>Z", first_round=9)
    assert (
        competing.value(competing.entered((*results, *extra)).table("direct-encounter"), "Z", "direct-encounter")
        is None
    )


def test_results_against_others_do_not_matter() -> None:
    level = {"places": {"2": [2, 1], "3": [3, 2, 1]}}
    results = competing.finished("A>B", "C>A", "C>B", "B>C>A", points=level)
    table = competing.entered(results).table("direct-encounter")
    assert competing.totals(table) == {"A": 4, "B": 5, "C": 6}


@pytest.mark.parametrize("times", [1, 2, 5])
def test_ahead_each_time_is_one_point_however_often(times: int) -> None:
    table = competing.entered(competing.finished(*["A>B"] * times)).table("direct-encounter")
    assert competing.value(table, "A", "direct-encounter") == "1 of 1"


def test_a_large_group_that_never_met_is_answered_at_once() -> None:
    orders = [f"p{2 * number}>p{2 * number + 1}" for number in range(1000)]
    evening = [replace(result, round=1) for result in competing.finished(*orders)]
    table = competing.entered(tuple(evening)).table("direct-encounter")
    assert {row.rank for row in table.rows} == {1}
