"""`python manage.py replay` (docs/record-format.md)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.commands.conftest import Run
from tests.engine.records import GOOD, RESULT, finished, line

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "golden" / "cases"


def expected(name: str) -> list[dict[str, object]]:
    return [json.loads(text) for text in (CASES / f"{name}.expected.jsonl").read_text().splitlines()]


def test_worked_deals_come_out_as_expected(run: Run) -> None:
    schemes = ["wins", "card-count", "pool", "yellowclub-chips", "bicycle"]
    status, lines = run("replay", CASES / "deals.jsonl", *[f"--scheme={scheme}" for scheme in schemes])
    assert status == 0
    assert [told.pop("line") for told in lines] == list(range(1, len(lines) + 1))
    assert lines == expected("deals")


def test_bad_records_are_refused_with_the_expected_code(run: Run) -> None:
    status, lines = run("replay", CASES / "bad.jsonl")
    assert status == 1
    for told, wanted in zip(lines, expected("bad"), strict=True):
        assert told["ok"] is False
        assert told["code"] in str(wanted["code"]).split("|")
        assert told.get("action") == wanted["action"], told
        assert ("action" in told) == (wanted["action"] is not None)
        assert str(told["message"]).endswith(".")


def test_edges_of_the_format_come_out_as_expected(run: Run) -> None:
    status, lines = run("replay", CASES / "edges.jsonl", "--scheme=pool")
    assert status == 1
    for told, wanted in zip(lines, expected("edges"), strict=True):
        codes = str(wanted.pop("code", "")).split("|")
        assert told.get("code", "") in codes
        assert {key: told.get(key) for key in wanted} == wanted, told


def test_the_keys_of_a_line_and_their_order(run: Run) -> None:
    text = b"\n".join([line(actions=finished(), scheme="wins"), line(actions="7C 8C"), line(voided="x"), line(RESULT)])
    status, lines = run("replay", "-", stdin=text)
    assert status == 1
    numbers = ["cards_left", "forced_passes", "wrongful_passes", "actions"]
    assert list(lines[0]) == ["line", "ok", "finished", "winner", *numbers, "scores"]
    assert list(lines[1]) == ["line", "ok", "code", "action", "message"]
    assert lines[2] == {"line": 3, "ok": True, "voided": True}
    assert list(lines[3]) == ["line", "ok", "finished", "winner", *numbers]


def test_standard_input_is_read_and_an_empty_one_is_all_right(run: Run) -> None:
    assert run("replay", "-", stdin=line()) == run("replay", "-", stdin=b"\xef\xbb\xbf" + line() + b"\r\n")
    assert run("replay", "-", stdin=b"") == (0, [])


def test_with_several_files_each_line_names_its_file(run: Run, tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "два.jsonl"
    one.write_bytes(line() + b"\n" + line())
    two.write_bytes(b"{}")
    _, lines = run("replay", one, two, "-", stdin=line())
    assert [(told["file"], told["line"]) for told in lines] == [(str(one), 1), (str(one), 2), (str(two), 1), ("-", 1)]
    assert next(iter(lines[0])) == "file"
    assert "file" not in run("replay", two)[1][0]


def test_the_records_own_scheme_is_scored_and_equal_keys_are_there_once(run: Run) -> None:
    asked = line(actions=finished(), scheme={"scheme": "pool", "card_left": 2, "ante": 1})
    _, lines = run("replay", "-", "--scheme=wins", "--scheme=pool", "--scheme=wins", stdin=asked)
    assert list(lines[0]["scores"]) == ["pool:card_left=2,ante=1", "wins", "pool"]
    _, lines = run("replay", "-", "--scheme=pool", "--scheme=wins", stdin=line(actions=finished(), scheme="wins"))
    assert list(lines[0]["scores"]) == ["wins", "pool"]


def test_scores_are_absent_where_no_scheme_is_asked_for_or_nothing_is_finished(run: Run) -> None:
    assert "scores" not in run("replay", "-", stdin=line(actions=finished()))[1][0]
    for text in (line(scheme="pool"), line(GOOD, "actions"), line(voided="x", scheme="pool")):
        assert "scores" not in run("replay", "-", "--scheme=wins", stdin=text)[1][0]


def test_a_scheme_that_lacks_something_scores_null(run: Run) -> None:
    text = line(RESULT, result={"cards_left": [2, 3, 1, 0]})
    _, lines = run("replay", "-", "--scheme=pool", "--scheme=card-count", stdin=text)
    assert lines[0]["scores"] == {"pool": None, "card-count": [2, 3, 1, 0]}
    assert lines[0]["forced_passes"] is lines[0]["wrongful_passes"] is lines[0]["actions"] is None
    _, lines = run("replay", "-", "--scheme=yellowclub-chips", "--scheme=pool", stdin=line(RESULT))
    assert lines[0]["scores"] == {"yellowclub-chips": None, "pool": [-6, -8, -4, 18]}


def test_a_correction_counts_as_one_action(run: Run) -> None:
    assert run("replay", "-", stdin=line(actions="- ^7C 7D"))[1][0]["actions"] == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ["missing.jsonl"],
        ["."],
        ["-", "missing.jsonl"],
        ["-", "--scheme=golf"],
        ["-", "--scheme=wins:target=0"],
        ["\0"],
    ],
)
def test_unusable_arguments_are_refused_before_anything_is_written(run: Run, arguments: list[str]) -> None:
    with pytest.raises(CommandError) as error:
        run("replay", *arguments, stdin=line())
    assert error.value.returncode == 2
    assert str(error.value).endswith(".")


def manage(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own, without any server or setting."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, input=stdin, capture_output=True, env=kept | environment, timeout=60, check=False,
    )  # fmt: skip


def test_from_a_shell_status_and_bytes_are_as_documented_whatever_the_locale() -> None:
    text = line(scheme="golf", rules="ж")
    done = manage("replay", "-", stdin=line() + b"\n" + text, LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert done.returncode == 1
    assert done.stderr == b""
    good, bad = done.stdout.splitlines()
    assert good.startswith(b'{"line":1,"ok":true,"finished":false,"winner":null,"cards_left":[')
    assert "'ж'" in json.loads(bad)["message"]
    assert manage("replay", "-", stdin=line()).returncode == 0


def test_from_a_shell_unusable_arguments_end_with_status_2_and_one_sentence() -> None:
    for arguments in (["replay", "missing.jsonl"], ["replay", "-", "--scheme", "golf"], ["replay"]):
        done = manage(*arguments, stdin=line())
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.strip()


def test_a_reader_that_goes_away_ends_the_command_quietly() -> None:
    many = "\n".join([line().decode()] * 20_000)
    shell = f'"{sys.executable}" manage.py replay - | head -n 1'
    done = subprocess.run(["sh", "-c", shell], cwd=ROOT, input=many.encode(), capture_output=True, timeout=60)
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


def test_call_command_writes_where_it_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("replay", str(CASES / "deals.jsonl"))
    assert capsys.readouterr().out.startswith('{"line":1,"ok":true,')
