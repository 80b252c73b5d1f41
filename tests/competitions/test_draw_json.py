"""Draws that are kept, and what differs between two of them."""

import json
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from competitions.draw_json import change_sentence, draw_changes
from competitions.seating import Round, changes
from competitions.state import plan_from_json, plan_json
from tests.seating.draws import of_sizes

NAMES = {1: "Ann", 2: "Bea", 3: "Cyd", 4: "Dan", 5: "Eve", 6: "Fay", 7: "Gus"}


def random_rounds(seed: int) -> list[Round]:
    rng = Random(seed)
    rounds = []
    for _ in range(rng.randint(0, 4)):
        people = rng.sample(range(1, 30), rng.randint(3, 20))
        tables = []
        while len(people) >= 3 and rng.random() < 0.9:
            size = rng.randint(3, min(8, len(people)))
            tables.append(tuple(people[:size]))
            people = people[size:]
        rounds.append(Round(tuple(tables), tuple(people)))
    return rounds


any_rounds = st.integers(0, 2**32).map(random_rounds)


@given(any_rounds)
def test_any_draw_comes_back_equal(rounds: list[Round]) -> None:
    stored = json.loads(json.dumps([plan_json(each) for each in rounds]))
    assert [plan_from_json(item) for item in stored] == rounds


@given(any_rounds, any_rounds, st.integers(1, 90))
def test_changes_are_those_that_seating_lists(before: list[Round], after: list[Round], first: int) -> None:
    told = [change_sentence(change, str) for change in draw_changes(before, after, first=first)]
    assert told == [change.sentence() for change in changes(before, after, first=first)]


def test_a_draw_is_changed_in_words_with_names() -> None:
    before = [Round(((1, 2, 3), (4, 5, 6)))]
    after = [Round(((1, 3, 2), (7, 5, 4)), (6,))]
    found = json.loads(json.dumps(draw_changes(before, after, first=4)))
    assert found[0] == {
        "round": 4,
        "player": 2,
        "kind": "seat",
        "before": {"table": 1, "seat": 2},
        "after": {"table": 1, "seat": 3},
    }
    assert [change["kind"] for change in found] == ["seat", "seat", "seat", "sits_out", "joins"]
    assert [change_sentence(change, NAMES.__getitem__) for change in found] == [
        "Round 4: Bea from table 1 seat 2 to table 1 seat 3.",
        "Round 4: Cyd from table 1 seat 3 to table 1 seat 2.",
        "Round 4: Dan from table 2 seat 1 to table 2 seat 3.",
        "Round 4: Fay from table 2 seat 3 to sitting out.",
        "Round 4: Gus joins, table 2 seat 1.",
    ]
    back = draw_changes(after, before, first=4)
    assert change_sentence(back[-1], NAMES.__getitem__) == "Round 4: Gus leaves (table 2 seat 1)."
    assert back[-1]["after"] is None


def test_a_real_draw_comes_back_and_differs_from_itself_in_nothing() -> None:
    drawn = of_sizes(13, 3, (5, 4, 4))
    again = [plan_from_json(plan_json(each)) for each in drawn.rounds]
    assert again == list(drawn.rounds)
    assert draw_changes(drawn.rounds, again) == []
