"""Standings in plain English."""

from dataclasses import replace
from fractions import Fraction

from scoring.entries import Adjustment, Entrant, TableResult
from scoring.explain import counted, order_of_tie_breaks, ordinal, sentence
from tests.scoring.competing import Competition, entered, finished

NAMES = {"a": "Ann", "b": "Bea", "c": "Cy", "d": "Dan", "e": "Eve"}


def result(who: str, number: int, points: int | Fraction, wins: int = 0) -> TableResult:
    return TableResult(who, number, who, points, 1, 4, wins=wins)


def told(competition: Competition, *keys: str) -> list[str]:
    table = competition.table(*keys)
    return [sentence(table, row, NAMES.__getitem__) for row in table.rows]


def test_every_row_says_where_it_stands_and_what_decided() -> None:
    results = (result("a", 1, 3, 2), result("b", 1, 3, 1), result("c", 1, 3, 1), result("d", 1, 1), result("e", 1, 9))
    competition = Competition(tuple(Entrant(who, frozenset({"bot"} if who == "e" else ())) for who in NAMES), results)
    assert told(competition, "wins", "chips") == [
        "1st of 4 with 3 points.",
        "2nd of 4 with 3 points, equal with Cy on everything, behind Ann by Wins (1 to 2).",
        "2nd of 4 with 3 points, equal with Bea on everything, behind Ann by Wins (1 to 2).",
        "4th of 4 with 1 point, behind Bea and Cy by points (1 to 3).",
        "Not ranked (bot), with 9 points.",
    ]


def test_three_names_are_listed() -> None:
    results = (*(result(who, 1, 3) for who in "abc"), result("d", 1, 1))
    assert told(entered(results))[-1] == "4th of 4 with 1 point, behind Ann, Bea and Cy by points (1 to 3)."


def test_a_difference_too_small_to_show_is_said_to_be_one() -> None:
    results = (result("a", 1, Fraction(1000, 3)), result("b", 1, Fraction(33333, 100)))
    assert told(entered(results))[1] == (
        "2nd of 2 with 333.33 points, behind Ann by points (333.33; they differ by less than is shown)."
    )


def test_what_counts_is_written_out() -> None:
    competition = Competition(
        (Entrant("a"), Entrant("b")),
        (
            result("a", 1, 5),
            result("a", 2, 1),
            TableResult("a", 3, points=Fraction(5, 2), kind="bye"),
            result("b", 3, 1),
            result("b", 4, 1),
        ),
        adjustments=(Adjustment(1, "a", -2, "late"), Adjustment(2, "a", 1, "a cake", cancelled=True)),
    )
    table = competition.table(best=2)
    assert counted(table, table.row("a")) == (
        "Rounds 1 and 3 count: 5 + 2.50 (bye). Round 2 is dropped: 1. No result in round 4. "
        "Adjustment -2 (late). Adjustment +1 (a cake; cancelled, not added)."
    )
    away = replace(competition, entrants=(*competition.entrants, Entrant("c"))).table(absence=0, best=1)
    assert counted(away, away.row("c")) == (
        "Round 4 counts: 0 (absent). Rounds 1, 2 and 3 are dropped: 0 (absent), 0 (absent), 0 (absent)."
    )
    nobody = replace(competition, entrants=(*competition.entrants, Entrant("c"))).table()
    assert counted(nobody, nobody.row("c")) == "No results yet."


def test_the_order_of_tie_breaks_is_printed() -> None:
    table = entered(finished("a>b")).table("direct-encounter", "wins")
    assert order_of_tie_breaks(table) == (
        "Equal totals are decided by: 1. Direct encounter; 2. Wins. Who is equal on all of it shares a place."
    )
    assert order_of_tie_breaks(entered(finished("a>b")).table()) == "Equal totals share a place."


def test_ordinals() -> None:
    assert [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111, 113)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th", "113th",
    ]  # fmt: skip
