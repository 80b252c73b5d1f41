"""An error can be read in every language: its sentence is said (scoring.wording), never only written."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from competitions.facts import CompetitionError
from competitions.files.errors import Fault, FileError
from competitions.files.table import BadValue
from competitions.services.checking import BAD
from games.api.parsing import BadRequest
from games.engine.cards import UnreadableCard
from games.engine.errors import EngineError
from games.errors import NOT_FOUND, Refusal
from games.webhooks.addresses import BadAddress
from scoring.entries import BadStandings

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("scoring", "games", "competitions", "fantan_site")


def family() -> Iterator[type[Exception]]:
    """Every error whose sentence may be shown to a person."""
    waiting = [
        Refusal,
        EngineError,
        CompetitionError,
        UnreadableCard,
        BadAddress,
        BadStandings,
        FileError,
        BadRequest,
        *BAD,
    ]
    while waiting:
        error = waiting.pop()
        yield error
        waiting += error.__subclasses__()


def written(node: ast.AST) -> bool:
    """Whether the argument is a text as it stands: several words, or made of pieces. What a call returns is another
    matter, and a code is one word."""
    if isinstance(node, ast.Call):
        return False
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and " " in node.value
    return isinstance(node, ast.JoinedStr) or any(map(written, ast.iter_child_nodes(node)))


def unsaid(tree: ast.AST, names: set[str]) -> Iterator[int]:
    """The lines on which an error of these names is made with a text that is only written, or a name for one."""
    texts = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and written(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name in names:
            calls = [call for call in ast.walk(node) if isinstance(call, ast.Call) and _name(call) == "__init__"]
        elif isinstance(node, ast.Call) and _name(node) in names:
            calls = [node]
        else:
            continue
        for call in calls:
            if any(written(one) or (isinstance(one, ast.Name) and one.id in texts) for one in call.args):
                yield call.lineno


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_error_has_a_sentence_that_is_only_written(folder: str) -> None:
    names = {error.__name__ for error in family()} | {Fault.__name__, BadValue.__name__}
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in unsaid(ast.parse(path.read_text()), names)
    ]
    assert found == []


def test_whatever_is_not_found_has_a_sentence_of_its_own() -> None:
    asked = {
        call.args[0].value
        for folder in ("games", "competitions")
        for path in (ROOT / folder).rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and _name(call) == "NotFound" and isinstance(call.args[0], ast.Constant)
    }
    assert {"session", "competition"} <= asked
    assert asked <= set(NOT_FOUND)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ('raise Refusal("code", "Two words.")', [1]),
        ('raise Refusal("code", f"{name}")', [1]),
        ('raise Refusal("code", one if two else "Two " + "words.")', [1]),
        ('raise errors.Refusal("code", say("Two words."))', []),
        ('message = say("Two words.")\nraise Refusal("code", message)', []),
        ('message = f"{two} words."\nraise Refusal("code", message)', [2]),
        ('class Refusal(E):\n    def __init__(self):\n        super().__init__("code", "Two words.")', [3]),
        ('raise ValueError("Two words.")', []),
    ],
)
def test_the_check_finds_what_is_only_written(source: str, lines: list[int]) -> None:
    assert list(unsaid(ast.parse(source), {"Refusal"})) == lines
