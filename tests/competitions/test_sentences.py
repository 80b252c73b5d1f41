"""What people read of competitions is said (scoring.wording), so that it can be said in other languages."""

import json
from collections.abc import Iterator
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from competitions.comparing import compare, sentence
from competitions.draw_json import change_sentence, draw_changes, moved_sentence
from competitions.effects import sentences
from competitions.formats import available as formats
from competitions.formats.base import as_draw
from competitions.formats.telling import how_drawn, report_lines
from competitions.seating import Moved, TableRule, draw
from scoring.explain import counted, order_of_tie_breaks
from scoring.explain import sentence as explained
from scoring.tiebreaks import available
from scoring.wording import Listed, say
from tests.competitions.test_draw_json import random_rounds
from tests.saying import left_over
from tests.scoring.competing import random_competition

seeds = st.integers(0, 2**32)


def nobody(_: object) -> str:
    """A name without a letter."""
    return "#"


def test_what_is_glued_together_is_found() -> None:
    assert left_over(say("{name} sits out.", name="#")) == []
    assert left_over(Listed((say("One."), say("Two {what}.", what=say("things"))))) == []
    assert left_over(say("{name} sits out.", name="Ann")) == ["Ann"]
    assert left_over(say("{what}.", what=f"{say('three')} things")) == ["three", "things"]


@given(seeds, seeds)
def test_every_change_of_standings_is_said_whole(one: int, two: int) -> None:
    keys = tuple(sorted(available()))
    before = random_competition(Random(one), marks=True).table(*keys)
    after = random_competition(Random(two), marks=True).table(*keys)
    for change in (*compare(before, after), *compare(None, after)):
        assert left_over(sentence(change, nobody)) == []
        kept = json.loads(json.dumps(change.to_json()))
        assert all(left_over(text) == [] for text in sentences({**NOTHING, "standings": [kept]}, nobody)["standings"])


@given(seeds)
def test_where_a_row_stands_and_why_is_said_whole(seed: int) -> None:
    table = random_competition(Random(seed), marks=True).table(*sorted(available()))
    assert left_over(order_of_tie_breaks(table)) == []
    for row in table.rows:
        assert left_over(explained(table, row, nobody)) == []
        reasons = {word for item in row.adjustments for word in left_over(item.reason)}
        assert set(left_over(counted(table, row))) <= reasons


NOTHING: dict[str, list[object]] = {"standings": [], "draws": [], "outdated": []}


@given(seeds, seeds, st.integers(1, 90))
def test_every_change_of_a_draw_is_said_whole(one: int, two: int, first: int) -> None:
    for change in draw_changes(random_rounds(one), random_rounds(two), first=first):
        assert left_over(change_sentence(change, nobody)) == []


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.sampled_from(["drawn", "open", "closed"]))
def test_a_draw_that_went_by_other_standings_is_said_whole(players: list[int], status: str) -> None:
    found = {**NOTHING, "outdated": [{"round": 3, "status": status, "players": players}]}
    (text,) = sentences(found, nobody)["outdated"]
    assert left_over(text) == []


def test_why_somebody_sits_with_others_is_said_whole() -> None:
    for why in ("fills_up", "met", "makes_room"):
        for home in ((2, 2), (2, 4)):
            moved = Moved(player=1, group=2, table=1, home=home, why=why, because=(2, 3))
            kept = {"player": 1, "group": 2, "table": 1, "home": list(home), "why": why, "because": [2, 3]}
            assert moved.sentence(nobody) == moved_sentence(kept, nobody)
            assert left_over(moved.sentence(nobody)) == []


def reports() -> Iterator[dict[str, object]]:
    for players, rounds, seed in ((16, 5, 1), (9, 4, 2), (13, 6, 3), (5, 3, 4)):
        drawn = draw(
            players=range(players),
            rounds=rounds,
            rule=TableRule(4, 3, 5),
            seed=seed,
            keep_apart=[(0, 1)],
            effort=0.02,
        )
        yield as_draw(drawn).report


def test_a_report_is_said_whole_from_the_figures_that_are_kept() -> None:
    for report in reports():
        kept = json.loads(json.dumps(report))
        assert report_lines(kept) == report_lines(report)
        assert [left_over(line) for line in report_lines(kept)] == [[] for _ in report_lines(kept)]


def test_a_report_is_told_in_the_words_of_a_club() -> None:
    assert report_lines(
        {
            "players": 16,
            "rounds": 3,
            "how": "annealing",
            "repeats": {"value": 5, "minimum": 3},
            "again": {"value": 0, "minimum": 0},
            "squares": {"value": 82, "minimum": 78, "ratio": 1.0513},
            "apart": {"value": 1, "minimum": 1},
            "met": {"0": 53, "1": 62, "2": 5},
            "sat_out": [0, 0],
            "first": [0, 1],
            "seat_gap": 1,
            "same_table": 2,
        }
    ) == [
        "Counted for 16 players over 3 rounds, with those already played.",
        "The best of very many draws that were tried.",
        "Two who are to be kept apart meet 1 time; no draw has fewer.",
        "No two meet in two rounds in a row.",
        "Two who had met meet again 5 times; no draw has fewer than 3.",
        "Meetings are spread evenly to within 6 % of what any draw could do.",
        "How often two meet: 53 pairs never, 62 pairs once, 5 pairs twice.",
        "Nobody sits out.",
        "Nobody acts first more than once.",
        "How often a player has one seat and another differs by 1 at most.",
        "Nobody sits at one table number more than twice.",
    ]


def test_an_old_report_says_what_is_kept_of_it() -> None:
    assert report_lines({}) == []
    assert report_lines({"repeats": {"value": 0, "minimum": 0}}) == ["No two meet twice."]


def test_turns_are_told_as_evenly_as_they_fell() -> None:
    assert report_lines({"sat_out": [1, 1], "first": [1, 1]}) == [
        "Everybody sits out once.",
        "Everybody acts first once.",
    ]
    assert report_lines({"sat_out": [1, 3], "first": [2, 3]}) == [
        "Everybody sits out once at least, 3 times at most.",
        "Everybody acts first twice at least, 3 times at most.",
    ]


def test_where_a_draw_comes_from_is_told_without_the_name_of_its_construction() -> None:
    for how in (
        "affine plane of order 4",
        "Kirkman system of 15 players, less 1",
        "whist design of 8 players, widened",
    ):
        assert how_drawn(how) == "Taken from a schedule that is known to suit these numbers."
    for how in ("annealing", "whist design of 8 players, then annealing", "turned rounds of 32 players, improved"):
        assert how_drawn(how) == "The best of very many draws that were tried."


def test_what_formats_are_called_is_said() -> None:
    for cls in formats().values():
        texts = [cls.title, cls.description, *(about.help for about in cls.parameters.values())]
        assert [left_over(text) for text in texts] == [[] for _ in texts]
