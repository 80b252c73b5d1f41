"""The check of the catalogues finds whatever a language lacks, and compiling makes what gettext reads."""

import ast
import gettext
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from devtools import catalogues

HEADER = """msgid ""
msgstr ""
"Language: ru\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"
"""
GOOD = """
msgid "{name} passes."
msgstr "{name} пасует."

msgid "One card"
msgid_plural "{n} cards"
msgstr[0] "{n} карта"
msgstr[1] "{n} карты"
msgstr[2] "{n} карт"

msgctxt "suit"
msgid "clubs"
msgstr "трефы"
"""


@pytest.fixture
def russian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalogue of three texts, all that the code says."""
    said = Catalog()
    said.add("{name} passes.")
    said.add(("One card", "{n} cards"))
    said.add("clubs", context="suit")
    monkeypatch.setattr(catalogues, "template", lambda: said)
    monkeypatch.setattr(catalogues, "LOCALE", tmp_path)
    path = tmp_path / "ru" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(HEADER + GOOD)
    return path


def test_a_whole_catalogue_has_no_fault(russian: Path) -> None:
    assert catalogues.faults() == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('msgctxt "suit"\nmsgid "clubs"\nmsgstr "трефы"\n', "", "ru: not in the catalogue: clubs"),
        ('msgctxt "suit"\n', "", "ru: not in the catalogue: clubs"),
        ("{name} пасует.", "", "ru: not translated: {name} passes."),
        ("{name} пасует.", "{who} пасует.", "ru: other places for values than in the English: {who} пасует."),
        ("{name} пасует.", "Пас.", "ru: other places for values than in the English: Пас."),
        ("{name} пасует.", "{name пасует.", "ru: other places for values than in the English: {name пасует."),
        ('msgstr[2] "{n} карт"\n', "", "ru: not translated: One card"),
        ('msgid "{name}', '#, fuzzy\nmsgid "{name}', "ru: marked as doubtful: {name} passes."),
        (GOOD[-1], '\nmsgid "spades"\nmsgstr "пики"\n', "ru: no longer said: spades"),
    ],
)
def test_each_fault_is_named(russian: Path, old: str, new: str, fault: str) -> None:
    text = russian.read_text()
    at = text.rindex(old)
    russian.write_text(text[:at] + new + text[at + len(old) :])
    assert fault in catalogues.faults()


def test_an_update_brings_what_is_new_drops_what_is_gone_and_keeps_what_is_said(russian: Path) -> None:
    russian.write_text(HEADER + GOOD.replace('msgid "clubs"', 'msgid "spades"'))
    catalogues.update()
    assert catalogues.faults() == ["ru: not translated: clubs"]
    assert "пасует" in russian.read_text()
    assert "spades" not in russian.read_text()
    before = russian.read_text()
    catalogues.update()
    assert russian.read_text() == before


def test_what_is_compiled_speaks_the_language_with_its_plurals(russian: Path) -> None:
    assert catalogues.stale() == [russian]
    catalogues.compile_all()
    assert catalogues.stale() == []
    with russian.with_suffix(".mo").open("rb") as file:
        spoken = gettext.GNUTranslations(file)
    assert spoken.gettext("{name} passes.") == "{name} пасует."
    assert [spoken.ngettext("One card", "{n} cards", n).format(n=n) for n in (1, 3, 12)] == [
        "1 карта",
        "3 карты",
        "12 карт",
    ]
    assert spoken.pgettext("suit", "clubs") == "трефы"


def test_texts_of_code_and_templates_are_found() -> None:
    found = {(message.context, catalogues._id(message.id)) for message in catalogues.template()}
    assert {(None, "Log in"), ("card", "{rank} of {suit}"), ("rank", "seven")} <= found


def test_every_text_that_is_marked_is_found() -> None:
    """Babel overlooks what stands deep within another call."""
    found = {text for message in catalogues.template() for text in _texts(message.id)}
    overlooked = [
        (str(path.relative_to(catalogues.ROOT)), call.lineno, text.value)
        for path in catalogues.sources()
        if path.suffix == ".py"
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and _name(call) in catalogues.KEYWORDS
        for text in call.args[_name(call).startswith("pgettext") :][:1]
        if isinstance(text, ast.Constant) and text.value not in found
    ]
    assert overlooked == []


def _texts(message: object) -> tuple[object, ...]:
    return tuple(message) if isinstance(message, tuple | list) else (message,)


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""
