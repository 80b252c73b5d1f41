"""No template has a word of English of its own: whatever people read is said in their language."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TEMPLATES = sorted(
    path for app in ("competitions", "fantan_site", "games") for path in ROOT.glob(f"{app}/templates/**/*.html")
)
IN_EACH_LANGUAGE = {"500.html"}
"""Files that hold all languages at once; the folders of texts with a file for each language are told by their names."""

NAMES = {"Fan Tan", "CSV", "XLSX", "QR"}
"""What is called the same in every language."""

ATTRIBUTE = re.compile(r"[\w-]+=\"[^\"]*\"")
"""As blocks add them to the body of a page."""

SAID = re.compile(
    r"\{% blocktrans(?:late)?\b.*?\{% endblocktrans(?:late)? %\}|\{% comment\b.*?\{% endcomment %\}|\{#.*?#\}",
    re.DOTALL,
)
SYNTAX = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
READ_ALOUD = {"title", "alt", "aria-label", "placeholder"}
WORD = re.compile(r"[^\W\d_]{2}")


class Words(HTMLParser):
    """The texts of a page and of those attributes that people read."""

    def __init__(self) -> None:
        super().__init__()
        self.silent = 0
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in ("script", "style", "code", "textarea")
        button = tag == "input" and dict(attrs).get("type") in ("submit", "button")
        self.found += [value or "" for name, value in attrs if name in READ_ALOUD or (name == "value" and button)]

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in ("script", "style", "code", "textarea")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.found.append(data)


def english(text: str) -> Iterator[str]:
    """What a template says to people outside gettext."""
    page = Words()
    page.feed(SYNTAX.sub("", SAID.sub("", text)))
    for found in page.found:
        left = re.sub("|".join(NAMES), "", ATTRIBUTE.sub("", found))
        if WORD.search(left):
            yield " ".join(found.split())


def test_what_stands_outside_gettext_is_found():
    assert list(english('<p>Deal {{ n }}</p><a title="Go {% url "x" %}">{% translate "Back" %}</a>')) == ["Deal", "Go"]
    assert list(english("<p>{% blocktranslate %}Deal {{ n }}{% endblocktranslate %} – {{ name }}</p>")) == []


def test_no_template_says_anything_outside_gettext():
    wrong = [
        f"{path.relative_to(ROOT)}: {words}"
        for path in TEMPLATES
        if path.name not in IN_EACH_LANGUAGE and not re.fullmatch(r"[a-z]{2}(-latn)?", path.stem)
        for words in english(path.read_text())
    ]
    assert wrong == []
