"""`python manage.py score` (docs/record-format.md)."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from tests.commands.conftest import Run
from tests.engine.records import GOOD, RESULT, finished, line

CASES = Path(__file__).parents[1] / "golden" / "cases"
LEFT = {"cards_left": [2, 3, 1, 0]}


def result(*cards_left: int, **changes: Any) -> bytes:
    """A result-only deal in which only cards left are known."""
    return line(RESULT, result={"cards_left": list(cards_left)}, **changes) + b"\n"


def test_worked_sessions_come_out_as_expected(run: Run) -> None:
    told = []
    for scheme in ("wins", "wins:target=2", "card-count:target=20", "card-count", "pool"):
        status, lines = run("score", CASES / "sessions.jsonl", f"--scheme={scheme}")
        assert status == 0
        told += lines
    assert told == [json.loads(text) for text in (CASES / "sessions.expected.jsonl").read_text().splitlines()]


def test_sessions_come_in_order_of_first_appearance_and_their_deals_by_number(run: Run) -> None:
    deals = [
        result(0, 1, 1, 1, session="b", number=3),
        result(1, 0, 1, 1, session="a", number=1),
        result(1, 0, 1, 1, session="b", number=1),
        result(0, 1, 1, 1, session="b", number=2),
        result(1, 1, 1, 0, session="b", number=4),
    ]
    _, lines = run("score", "-", "--scheme=wins:target=2", stdin=b"".join(deals))
    assert [told["session"] for told in lines] == ["b", "a"]
    assert lines[0] == {
        "session": "b", "scheme": "wins:target=2", "deals": 4, "counted": 3,
        "totals": [2, 1, 0, 0], "places": [1, 2, 3, 3], "finished": True,
    }  # fmt: skip
    assert list(lines[0]) == ["session", "scheme", "deals", "counted", "totals", "places", "finished"]


def test_deals_without_number_count_in_the_order_of_the_files(run: Run, tmp_path: Path) -> None:
    one, two = tmp_path / "1", tmp_path / "2"
    one.write_bytes(result(0, 1, 1, 1) + result(1, 0, 1, 1))
    two.write_bytes(result(1, 0, 1, 1) + result(0, 1, 1, 1) + result(0, 1, 1, 1))
    _, first = run("score", one, two, "--scheme=wins:target=2")
    _, second = run("score", two, one, "--scheme=wins:target=2")
    assert (first[0]["totals"], second[0]["totals"]) == ([1, 2, 0, 0], [2, 1, 0, 0])
    assert (first[0]["deals"], first[0]["counted"], second[0]["counted"]) == (5, 3, 3)


def test_deals_without_a_session_form_one_that_is_not_the_one_with_an_empty_name(run: Run) -> None:
    text = result(0, 1, 1, 1) + result(0, 1, 1, 1, session="") + result(0, 1, 1, 1)
    _, lines = run("score", "-", "--scheme=wins", stdin=text)
    assert [(told["session"], told["deals"]) for told in lines] == [(None, 2), ("", 1)]


def test_unfinished_and_voided_deals_are_counted_in_deals_only(run: Run) -> None:
    text = b"\n".join([line(voided="x"), line(), line(actions=finished()), line(GOOD, "actions")])
    _, lines = run("score", "-", "--scheme=wins", stdin=text)
    assert (lines[0]["deals"], lines[0]["counted"], sum(lines[0]["totals"])) == (4, 1, 1)


def test_hosted_recorded_and_result_only_deals_may_mix(run: Run) -> None:
    hosted = [line(rules={"profile": "pagat", "wrongful_pass": value}, actions="7C") for value in ("refused", "fined")]
    text = b"\n".join([*hosted, line(), line(RESULT), line(rules={"profile": "pagat", "deck": 52})])
    status, lines = run("score", "-", "--scheme=wins", stdin=text)
    assert (status, lines[0]["deals"]) == (0, 5)


def test_players_may_change_between_deals(run: Run) -> None:
    assert run("score", "-", "--scheme=wins", stdin=line() + b"\n" + line(players=["E", "F", "G", "H"]))[0] == 0


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ({}, {"rules": "pool"}),
        ({}, {"rules": "ace-low"}),
        ({}, {"rules": {"profile": "pagat", "start": "holder:7D"}}),
        ({}, {"players": ["A", "B", "C"], "dealer": 0, "result": {"cards_left": [0, 1, 1]}}),
        ({}, {"number": 1}),
        ({"number": 1}, {}),
        ({"number": 1}, {"number": 1}),
        ({"number": 1, "voided": "x"}, {"number": 1}),
        ({"number": 1}, {"number": 1, "voided": "x"}),
        ({"number": 1}, {"voided": "x"}),
    ],
)
def test_a_deal_that_does_not_fit_its_session_is_a_bad_record_on_the_later_line(
    run: Run, first: dict[str, Any], later: dict[str, Any]
) -> None:
    text = line(RESULT, session="s", **first) + b"\n" + line(RESULT, **{"session": "s", **later})
    status, lines = run("score", "-", "--scheme=wins", stdin=text)
    assert status == 1
    assert [(told["line"], told["code"]) for told in lines] == [(2, "bad_record")]
    assert run("score", "-", "--scheme=wins", stdin=text.replace(b'"s"', b'"t"', 1))[0] == 0


def test_if_any_line_is_bad_only_the_fault_lines_are_written_as_replay_writes_them(run: Run, tmp_path: Path) -> None:
    text = line() + b"\n\n" + line(actions="7C 8C") + b"\n" + line(rules="nope")
    status, lines = run("score", "-", "--scheme=wins", stdin=text)
    assert status == 1
    assert [told["code"] for told in lines] == ["bad_record", "card_not_held", "bad_rules"]
    assert lines == [told for told in run("replay", "-", stdin=text)[1] if not told["ok"]]
    one, two = tmp_path / "1", tmp_path / "2"
    one.write_bytes(text)
    two.write_bytes(line())
    assert [told["file"] for told in run("score", one, two, "--scheme=wins")[1]] == [str(one)] * 3


def test_a_session_that_lacks_passes_is_named_with_its_line_and_the_others_are_scored(run: Run, tmp_path: Path) -> None:
    text = (
        line(RESULT, session="a", number=2) + b"\n"
        + result(2, 3, 1, 0, session="b", number=2)
        + result(2, 3, 1, 0, session="b", number=1)
        + line(RESULT, session="a", number=1)
    )  # fmt: skip
    status, lines = run("score", "-", "--scheme=pool", stdin=text)
    assert status == 1
    assert lines[0]["session"] == "a"
    assert lines[0]["totals"] == [-12, -16, -8, 36]
    assert lines[1] == {"session": "b", "scheme": "pool", "ok": False, "code": "missing_passes", "line": 3}
    one, two = tmp_path / "1", tmp_path / "2"
    one.write_bytes(text)
    two.write_bytes(b"")
    assert list(run("score", one, two, "--scheme=pool")[1][1]) == ["session", "scheme", "ok", "code", "file", "line"]


def test_a_deal_after_the_deciding_one_may_lack_anything(run: Run) -> None:
    text = line(RESULT, number=1) + b"\n" + result(2, 3, 1, 0, number=2)
    assert run("score", "-", "--scheme=pool:deals=1", stdin=text)[0] == 0


@pytest.mark.parametrize("arguments", [[], ["--scheme=golf"], ["--scheme=wins", "--scheme=pool"]])
def test_one_scheme_is_needed(run: Run, arguments: list[str]) -> None:
    with pytest.raises(CommandError) as error:
        run("score", "-", *arguments, stdin=line())
    assert arguments == [] or error.value.returncode == 2
