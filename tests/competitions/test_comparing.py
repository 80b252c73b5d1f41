"""What differs between two standings, for the organiser who is about to change one into the other."""

import json
from dataclasses import replace
from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from competitions.comparing import NAMED, RowChange, compare, sentence
from competitions.standing_json import standings_from_json, standings_json
from scoring.entries import Adjustment, Entrant, Settings, TableResult
from scoring.standings import Standings, standings
from scoring.tiebreaks import available
from tests.scoring.competing import Competition, competitions, entered, finished, random_competition

NAMES = {"a": "Ann", "b": "Bea", "c": "Cyd", "d": "Dan", "e": "Eve"}


def result(who: str, number: int, points: int | Fraction, wins: int = 0, cards: int = 0) -> TableResult:
    return TableResult(who, number, who, points, 1, 4, wins=wins, deals=1, cards_left=cards)


def table(*results: TableResult, keys: tuple[str, ...] = (), **more: object) -> Standings:
    return entered(results, **more).table(*keys) if keys else entered(results, **more).table()


def told(before: Standings | None, after: Standings) -> list[str]:
    return [sentence(change, NAMES.__getitem__) for change in compare(before, after)]


def test_who_moved_is_listed_by_rank_after_and_who_did_not_is_not() -> None:
    before = table(result("a", 1, 14), result("b", 1, 16), result("c", 1, 15), result("d", 1, 3), result("e", 1, 1))
    after = table(result("a", 1, 17), result("b", 1, 16), result("c", 1, 15), result("d", 1, 3), result("e", 1, 1))
    assert told(before, after) == [
        "Ann: 3rd → 1st, 14 → 17 points.",
        "Bea: 1st → 2nd.",
        "Cyd: 2nd → 3rd.",
        "Dan is now behind Cyd by points (3 to 15).",
    ]


def test_who_is_no_longer_level_is_told_by_what() -> None:
    before = table(result("b", 1, 3, 4), result("c", 1, 3, 4), result("d", 1, 1), keys=("wins",))
    after = table(result("b", 1, 3, 4), result("c", 1, 3, 3), result("d", 1, 1), keys=("wins",))
    assert told(before, after) == [
        "Bea and Cyd are no longer level: Wins (4 to 3).",
        "Cyd: 1st → 2nd, tie-break Wins 4 → 3, behind Bea by Wins (3 to 4).",
        "Dan is now behind Cyd by points (1 to 3).",
    ]
    assert told(after, before) == [
        "Bea is now level with Cyd.",
        "Cyd: 2nd → 1st, tie-break Wins 3 → 4, now level with Bea.",
        "Dan is now behind Bea and Cyd by points (1 to 3).",
    ]


def test_what_parts_two_with_others_between_them_is_the_first_that_differs() -> None:
    keys = ("wins", "fewest-cards-left")
    before = table(*(result(who, 1, 3, 4, 5) for who in "bcd"), keys=keys)
    after = table(result("b", 1, 3, 4, 5), result("c", 1, 3, 4, 6), result("d", 1, 3, 2, 0), keys=keys)
    bea, cyd, dan = compare(before, after)
    assert [(one.other, one.by) for one in bea.parted] == [("c", "fewest-cards-left"), ("d", "wins")]
    assert [(one.other, one.by) for one in cyd.parted] == [("b", "fewest-cards-left"), ("d", "wins")]
    assert [(one.other, one.by) for one in dan.parted] == [("b", "wins"), ("c", "wins")]


def test_a_tie_break_that_changed_is_told_even_where_it_decides_nothing() -> None:
    before = table(result("a", 1, 3, 2), result("d", 1, 1, 1), keys=("wins",))
    after = table(result("a", 1, 3, 2), result("d", 1, 1, 0), keys=("wins",))
    assert told(before, after) == ["Dan: tie-break Wins 1 → 0."]


def test_a_tie_break_that_is_not_asked_any_more_is_told_where_nothing_else_is() -> None:
    """Ann and Bea were level on points; once they are not, nobody asks who beat whom."""
    met = finished("a>b")
    before = table(*met, result("c", 1, -5), keys=("direct-encounter",))
    after = table(met[0], replace(met[1], points=-1), result("c", 1, -5), keys=("direct-encounter",))
    assert told(before, after) == [
        "Ann: tie-break Direct encounter 1 of 1 → not asked.",
        "Bea: 0 → -1 points.",
    ]


def test_points_that_read_the_same_are_written_exactly() -> None:
    before, after = table(result("a", 1, Fraction(1000, 3))), table(result("a", 1, Fraction(33333, 100)))
    assert told(before, after) == ["Ann: 1000/3 → 33333/100 points."]


def test_who_came_and_who_went_is_told() -> None:
    before, after = table(result("a", 1, 3), result("b", 1, 1)), table(result("c", 1, 4), result("a", 1, 3))
    assert told(before, after) == [
        "Cyd: new, 1st with 4 points.",
        "Ann: 1st → 2nd.",
        "Bea: no longer listed; was 2nd with 1 point.",
    ]
    assert told(None, before) == ["Ann: new, 1st with 3 points.", "Bea: new, 2nd with 1 point."]


def test_who_leaves_the_ranks_is_told_why() -> None:
    results = (result("a", 1, 3), result("b", 1, 1))
    withdrawn = (Entrant("a", frozenset({"withdrawn"})), Entrant("b"))
    assert told(table(*results), replace(entered(results), entrants=withdrawn).table()) == [
        "Bea: 2nd → 1st.",
        "Ann: 1st → not ranked (withdrawn).",
    ]


def test_a_round_that_changed_without_the_total_is_told() -> None:
    competition = entered((result("a", 1, 2), result("a", 2, 3)))
    changed = entered((result("a", 1, 3), result("a", 2, 1)))
    assert told(competition.table(best=1), changed.table(best=1)) == [
        "Ann: round 1 2 (dropped) → 3, round 2 3 → 1 (dropped)."
    ]


def test_adjustments_that_make_up_for_each_other_are_told() -> None:
    one = Adjustment(1, "a", 1, "a cake")
    before = table(result("a", 1, 2), adjustments=(one,))
    after = table(result("a", 1, 2), adjustments=(replace(one, cancelled=True), Adjustment(2, "a", 1, "two cakes")))
    assert told(before, after) == ["Ann: other adjustments."]


def test_a_change_is_json_of_what_changed_and_of_nothing_else() -> None:
    before = table(result("b", 1, 3, 4), result("c", 1, Fraction(7, 2), 4), keys=("wins",))
    after = table(result("b", 1, 3, 4), result("c", 1, 3, 3), keys=("wins",))
    bea, cyd = (change.to_json() for change in compare(before, after))
    assert bea == {
        "entrant": "b",
        "change": "changed",
        "rank": {"before": 2, "after": 1},
        "total": {"before": 3, "after": 3},
        "decided": {
            "before": {"by": "total", "against": ["c"], "against_count": 1, "own": 3, "theirs": "7/2"},
            "after": None,
        },
    }
    assert cyd == {
        "entrant": "c",
        "change": "changed",
        "rank": {"before": 1, "after": 2},
        "total": {"before": "7/2", "after": 3},
        "tie_breaks": {"wins": {"before": "4", "after": "3"}},
        "decided": {
            "before": None,
            "after": {"by": "wins", "against": ["b"], "against_count": 1, "own": "3", "theirs": "4"},
        },
        "rounds": [
            {
                "round": 1,
                "before": {"kind": "played", "points": "7/2", "why": "counts"},
                "after": {"kind": "played", "points": 3, "why": "counts"},
            }
        ],
    }


def test_after_the_first_night_of_many_the_changes_stay_short() -> None:
    """Everybody was level with everybody, and one night parts them."""
    everybody = [Entrant(number) for number in range(400)]
    results = [TableResult(n, 1, n // 4, 3 - n % 4, 1 + n % 4, 4) for n in range(400)]
    changes = compare(standings(everybody, (), Settings()), standings(everybody, results, Settings()))
    assert [change.parted_count for change in changes] == [300] * 400
    assert all(len(change.parted) == NAMED for change in changes)
    assert len(json.dumps([change.to_json() for change in changes])) < 400 * 1200
    assert sentence(changes[0], str) == "0: 0 → 3 points."
    assert sentence(changes[399], str) == "399: 1st → 301st, round 1 none → 0."
    late = standings([*everybody, Entrant(400)], (), Settings())
    assert sentence(compare(late, standings(everybody, (), Settings()))[0], str) == "0: level with 400 → 399 others."


def test_many_who_are_level_no_more_are_counted() -> None:
    many = [result(str(n), 1, 3) for n in range(9)]
    before, after = table(*many), table(*many[:1], *(replace(one, points=2) for one in many[1:]))
    assert sentence(compare(before, after)[0], str) == "0 is no longer level with 8 others."
    assert sentence(compare(after, before)[0], str) == "0 is now level with 8 others."


@given(competitions(marks=True))
def test_nothing_changes_between_a_table_and_itself_kept(competition: Competition) -> None:
    before = competition.table()
    assert compare(before, standings_from_json(standings_json(before))) == ()


@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_the_changes_are_those_of_a_plain_look_at_both(one: int, two: int) -> None:
    keys = tuple(sorted(available()))
    before = random_competition(Random(one), marks=True).table(*keys)
    after = random_competition(Random(two), marks=True).table(*keys)
    old, new = ({row.entrant: row for row in each.rows} for each in (before, after))
    changes = {change.entrant: change for change in compare(before, after)}
    for who in old.keys() | new.keys():
        a, b = old.get(who), new.get(who)
        same = (
            a and b and (a.rank, a.total, a.tie_breaks, a.level_with) == (b.rank, b.total, b.tie_breaks, b.level_with)
        )
        if not same:
            assert who in changes
    for change in changes.values():
        assert sentence(change, str).endswith(".")
        assert json.loads(json.dumps(change.to_json())) == change.to_json()
        check_parted(change, old, new)
    order = [change.entrant for change in changes.values()]
    assert order == [w for w in [*new, *(w for w in old if w not in new)] if w in changes]


def check_parted(change: RowChange, old: dict, new: dict) -> None:
    if not (change.before and change.after and change.before.rank and change.after.rank):
        assert not change.parted
        return
    gone = [
        who for who in change.before.level_with if who in new and new[who].rank and who not in change.after.level_with
    ]
    assert [one.other for one in change.parted] == gone[:NAMED]
    assert change.parted_count == len(gone)
    assert change.joined_count == len(set(change.after.level_with) - set(change.before.level_with))
    for one in change.parted:
        own, theirs = change.after, new[one.other]
        if one.by == "total":
            assert own.total != theirs.total
        else:
            assert own.total == theirs.total
            assert (dict(own.tie_breaks)[one.by], dict(theirs.tie_breaks)[one.by]) == (one.own, one.theirs)
            neighbours = abs(own.rank - theirs.rank) == 1 + len((own if own.rank < theirs.rank else theirs).level_with)
            below = own if own.rank > theirs.rank else theirs
            assert not neighbours or below.decided.by == one.by
