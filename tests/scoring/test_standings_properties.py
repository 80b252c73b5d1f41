"""What holds of any competition, whoever plays and whatever is set."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.counting import field
from scoring.entries import Adjustment, Entrant, TableResult
from scoring.points import points_rule
from scoring.standings import TOTAL, Row, Standings, standings
from scoring.tiebreaks import tie_breaks
from tests.scoring import competing
from tests.scoring.competing import Competition, competitions, finished, ranks, totals

any_competition = competitions()
with_marks = competitions(marks=True)


def total_of(competition: Competition, who: object) -> Fraction:
    """The naive model: of all ways to choose as many rounds as count, the best sum; and the adjustments."""
    settings = competition.settings
    rounds = {result.round for result in competition.results if result.kind == "played"}
    mine: dict[int, list[TableResult]] = {}
    for result in competition.results:
        if result.entrant == who:
            mine.setdefault(result.round, []).append(result)
    values = []
    for number in rounds | set(mine):
        points = [result.points for result in mine.get(number, ()) if result.points is not None]
        if points:
            values.append(Fraction(sum(points)))
        elif settings.absence is not None:
            values.append(Fraction(settings.absence))
    count = settings.best or max(1, len(rounds | set(mine)) - settings.drop)
    sums = [sum(chosen, Fraction(0)) for chosen in combinations(values, min(count, len(values)))]
    adjusted = sum(a.points for a in competition.adjustments if a.entrant == who and not a.cancelled)
    return (min(sums) if settings.lower_is_better else max(sums)) + adjusted


@given(any_competition)
def test_the_total_is_the_best_that_as_many_rounds_can_make(competition: Competition) -> None:
    for row in competition.table().rows:
        assert row.total == total_of(competition, row.entrant)
        counting = sum(line.points for line in row.rounds if line.counts and line.points is not None)
        assert row.total == counting + sum(a.points for a in row.adjustments if not a.cancelled)


@given(any_competition)
def test_what_is_dropped_is_never_better_and_of_equals_never_later(competition: Competition) -> None:
    sign = -1 if competition.settings.lower_is_better else 1
    for row in competition.table().rows:
        for one in row.rounds:
            for other in row.rounds:
                if one.why == "dropped" and other.why == "counts":
                    assert one.points is not None
                    assert other.points is not None
                    assert (sign * one.points, one.round) < (sign * other.points, other.round)


@given(with_marks)
def test_the_order_of_what_comes_in_does_not_matter(competition: Competition) -> None:
    turned = Competition(
        competition.entrants[::-1], competition.results[::-1], competition.settings, competition.adjustments[::-1]
    )
    assert turned.table() == competition.table()


@given(with_marks, st.data())
def test_other_names_change_nothing_but_names(competition: Competition, data: st.DataObject) -> None:
    ids = [entrant.id for entrant in competition.entrants]
    new = dict(zip(ids, data.draw(st.permutations(ids)), strict=True))
    renamed = Competition(
        tuple(replace(entrant, id=new[entrant.id]) for entrant in competition.entrants),
        tuple(replace(result, entrant=new[result.entrant]) for result in competition.results),
        competition.settings,
        tuple(replace(adjustment, entrant=new[adjustment.entrant]) for adjustment in competition.adjustments),
    )
    before, after = competition.table(), renamed.table()
    assert {new[who]: rank for who, rank in ranks(before).items()} == ranks(after)
    assert {new[who]: total for who, total in totals(before).items()} == totals(after)
    for row in before.rows:
        other = after.row(new[row.entrant])
        assert row.tie_breaks == other.tie_breaks
        assert {new[who] for who in row.level_with} == set(other.level_with)
        assert (row.decided and row.decided.by) == (other.decided and other.decided.by)


@given(with_marks)
def test_ranks_are_those_of_a_table(competition: Competition) -> None:
    table = competition.table()
    ranked = [row.rank for row in table.rows if row.rank is not None]
    assert len(ranked) == table.ranked
    assert ranked == [1 + sum(other < rank for other in ranked) for rank in ranked]
    assert [row.rank for row in table.rows[table.ranked :]] == [None] * (len(table.rows) - table.ranked)
    for row in table.rows:
        same = {other.entrant for other in table.rows if other.rank == row.rank and other is not row}
        assert set(row.level_with) == (same if row.rank else set())


@given(any_competition)
def test_what_is_named_differs_and_everything_before_it_is_equal(competition: Competition) -> None:
    table = competition.table()
    everyone = field(competition.entrants, competition.results, competition.adjustments, competition.settings)
    for above, below in pairwise([row for row in table.rows if row.rank is not None]):
        if above.rank == below.rank:
            assert above.total == below.total
            assert all(equal(everyone, one.key, table, above, below) for one in table.tie_breaks)
            continue
        decided = below.decided
        assert decided is not None
        assert set(decided.against) == {above.entrant, *above.level_with}
        better = below.total < above.total if not table.lower_is_better else below.total > above.total
        assert better == (decided.by == TOTAL)
        if decided.by != TOTAL:
            assert above.total == below.total
            keys = [one.key for one in table.tie_breaks]
            earlier = keys[: keys.index(decided.by)]
            assert all(equal(everyone, key, table, above, below) for key in earlier)
            assert dict(below.tie_breaks)[decided.by] == decided.own
            assert ahead(everyone, decided.by, table, above, below)


def worths(everyone, key: str, table: Standings, above: Row, below: Row):
    """What a tie-break says of two neighbours among all who are level with them when it is asked."""
    level = [row.entrant for row in table.rows if row.total == above.total and row.rank is not None]
    keys = [one.key for one in table.tie_breaks]
    for earlier in tie_breaks(keys[: keys.index(key)]):
        found = earlier.worths(level, everyone)
        if None not in found.values():
            level = [who for who in level if found[who].order == found[above.entrant].order]
    found = tie_breaks([key])[0].worths(level, everyone)
    return found, found.get(above.entrant), found.get(below.entrant)


def equal(everyone, key: str, table: Standings, above: Row, below: Row) -> bool:
    found, one, other = worths(everyone, key, table, above, below)
    return None in found.values() or one.order == other.order


def ahead(everyone, key: str, table: Standings, above: Row, below: Row) -> bool:
    found, one, other = worths(everyone, key, table, above, below)
    return None not in found.values() and one.order > other.order


@given(any_competition)
def test_a_cancelled_adjustment_is_none(competition: Competition) -> None:
    cancelled = tuple(replace(adjustment, cancelled=True) for adjustment in competition.adjustments)
    with_them = replace(competition, adjustments=cancelled).table()
    without = replace(competition, adjustments=()).table()
    assert [replace(row, adjustments=()) for row in with_them.rows] == list(without.rows)


@given(any_competition, st.sampled_from([-2, 1, Fraction(1, 3)]))
def test_an_adjustment_moves_one_total_by_itself(competition: Competition, points: Fraction) -> None:
    who = competition.entrants[0].id
    adjusted = replace(competition, adjustments=(*competition.adjustments, Adjustment("new", who, points, "a reason")))
    before = totals(competition.table())
    assert totals(adjusted.table()) == {**before, who: before[who] + points}


@given(any_competition)
def test_one_more_without_a_result_changes_nobodys_total_or_order(competition: Competition) -> None:
    with_one = replace(competition, entrants=(*competition.entrants, Entrant("new")))
    before, after = competition.table(), with_one.table()
    assert {who: total for who, total in totals(after).items() if who != "new"} == totals(before)
    # Who is level with the new one may be compared in other company; those it is not level with are not.
    level = [row.entrant for row in before.rows if row.total == after.row("new").total]
    kept = [row.entrant for row in before.rows if row.entrant not in level]
    assert [row.entrant for row in after.rows if row.entrant in kept] == kept


@given(any_competition, st.data())
def test_what_one_plays_does_not_change_the_totals_of_others(competition: Competition, data: st.DataObject) -> None:
    assume(any(result.kind == "played" for result in competition.results))
    changed = data.draw(st.sampled_from([r for r in competition.results if r.kind == "played"]))
    better = tuple(replace(r, points=7) if r is changed else r for r in competition.results)
    before, after = totals(competition.table()), totals(replace(competition, results=better).table())
    assert {who: after[who] for who in after if who != changed.entrant} == {
        who: before[who] for who in before if who != changed.entrant
    }


@given(any_competition)
def test_a_dropped_round_may_become_worse_without_any_change(competition: Competition) -> None:
    competition = replace(competition, adjustments=(), settings=replace(competition.settings, tie_breaks=("wins",)))
    table = competition.table()
    worse = 50 if competition.settings.lower_is_better else -50
    dropped = {(row.entrant, line.round) for row in table.rows for line in row.rounds if line.why == "dropped"}
    results = tuple(
        replace(r, points=worse) if (r.entrant, r.round) in dropped and r.kind == "played" else r
        for r in competition.results
    )
    after = replace(competition, results=results).table()
    assert (ranks(after), totals(after)) == (ranks(table), totals(table))


@given(any_competition)
def test_dropping_the_same_from_two_keeps_their_order(competition: Competition) -> None:
    """Without their drops two stand as before, unless what was dropped of one is worth more than of the other."""
    competition = replace(competition, settings=replace(competition.settings, best=None, drop=1))
    with_drop, without = (
        competition.table(),
        replace(competition, settings=replace(competition.settings, drop=0)).table(),
    )
    dropped = {
        row.entrant: sum(line.points for line in row.rounds if line.why == "dropped" and line.points is not None)
        for row in with_drop.rows
    }
    for one, other in combinations(dropped, 2):
        if dropped[one] == dropped[other]:
            assert totals(with_drop)[one] - totals(with_drop)[other] == totals(without)[one] - totals(without)[other]


@given(any_competition)
def test_equal_on_everything_is_equal_in_rank(competition: Competition) -> None:
    """Everyone gets a twin who did the same at the same times, at tables of twins."""
    twins = Competition(
        (*competition.entrants, *(Entrant(f"{entrant.id}'") for entrant in competition.entrants)),
        (
            *competition.results,
            *(replace(r, entrant=f"{r.entrant}'", table=r.table and f"{r.table}'") for r in competition.results),
        ),
        competition.settings,
        (
            *competition.adjustments,
            *(replace(a, id=f"{a.id}'", entrant=f"{a.entrant}'") for a in competition.adjustments),
        ),
    )
    placed = ranks(twins.table())
    assert all(placed[entrant.id] == placed[f"{entrant.id}'"] for entrant in competition.entrants)


@given(st.lists(st.permutations("abcd"), min_size=1, max_size=4), st.booleans())
def test_by_places_a_round_pays_the_same_whoever_wins(orders: list[list[str]], shared: bool) -> None:
    texts = [
        (">=" if shared else ">>")[0].join(order[:2]) + ("=" if shared else ">") + ">".join(order[2:])
        for order in orders
    ]
    rule = points_rule("neutral")
    competition = competing.entered(finished(*texts, points="neutral"))
    assert sum(totals(competition.table()).values()) == len(orders) * sum(rule.of_places(4))


def test_the_same_call_gives_the_same_answer() -> None:
    results = finished("a>b", "b>c", "c>a", points="neutral")
    ids = [Entrant(who) for who in "abc"]
    settings = competing.Settings(tie_breaks=("direct-encounter", "wins"))
    assert standings(ids, results, settings) == standings(ids, results, settings)
