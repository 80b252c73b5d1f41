"""The catalogues of what people read: what is to be in them, whether all of it is, and the form that programs read.

    .venv/bin/python -m devtools.catalogues update    put into every catalogue what the code says, keep what is said
    .venv/bin/python -m devtools.catalogues compile   write the .mo files
    .venv/bin/python -m devtools.catalogues check     say what is missing or wrong (dev.py check does)

English is the text in the code. `say` and `say_n` (scoring.wording) are found like gettext's functions.
"""

import io
import re
import string
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "fantan_site" / "locale"
FOLDERS = ("fantan_site", "competitions", "games", "scoring")
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "say": None,
    "say_n": (1, 2),
    "mark": None,
    "mark_n": (1, 2),
}
PERCENT = re.compile(r"%\((\w+)\)[sd]|%[sd]")


def sources() -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".html", ".txt") and "migrations" not in path.parts:
                yield path


def template() -> "Catalog":
    """All that the code says, as a catalogue without translations."""
    from babel.messages.catalog import Catalog
    from babel.messages.extract import extract

    _configure()
    from django.utils.translation.template import templatize

    found = Catalog(charset="utf-8", header_comment="")
    for path in sources():
        text = path.read_text()
        if path.suffix != ".py":
            # What is left of a page would be taken for indented blocks.
            text = re.sub(r"(?m)^[ \t]+", "", templatize(text))
        for line, message, comments, context in extract(
            "python", io.BytesIO(text.encode()), KEYWORDS, ["Translators:"], {"encoding": "utf-8"}
        ):
            if message and (not isinstance(message, tuple) or message[0]):
                found.add(message, None, [(str(path.relative_to(ROOT)), line)], auto_comments=comments, context=context)
    return found


def files() -> list[Path]:
    return sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))


def read(path: Path) -> "Catalog":
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], abort_invalid=True)


def update() -> None:
    from babel.messages.pofile import write_po

    wanted = template()
    for path in files():
        header = path.read_text().split("\n\n")[0]
        catalogue = read(path)
        catalogue.update(wanted, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        made = io.BytesIO()
        # Without line numbers, which would change with every edit of the code; sorted, so that merges are easy.
        write_po(made, catalogue, width=120, sort_output=True, no_location=True, omit_header=True)
        path.write_text(f"{header}\n\n{made.getvalue().decode()}".rstrip() + "\n")


def stale() -> list[Path]:
    """The catalogues whose .mo is missing or older than they are."""
    return [
        path
        for path in files()
        if not (made := path.with_suffix(".mo")).exists() or made.stat().st_mtime < path.stat().st_mtime
    ]


def compile_all() -> None:
    """Write what is stale anew."""
    from babel.messages.mofile import write_mo

    for path in stale():
        made = io.BytesIO()
        write_mo(made, read(path))
        half = path.with_suffix(".mo.new")
        half.write_bytes(made.getvalue())
        half.replace(path.with_suffix(".mo"))


def faults() -> list[str]:
    """What is missing, left over, or says something else than the English: its places for values differ."""
    wanted = {(m.context, _id(m.id)): m for m in template() if m.id}
    found = []
    for path in files():
        name = path.parts[-3]
        catalogue = read(path)
        have = {(m.context, _id(m.id)): m for m in catalogue if m.id}
        found += [f"{name}: not in the catalogue: {key[1]}" for key in wanted if key not in have]
        found += [f"{name}: no longer said: {key[1]}" for key in have if key not in wanted]
        for (_, key), message in have.items():
            texts = list(message.string) if isinstance(message.string, (tuple, list)) else [str(message.string or "")]
            if not all(texts) or (message.pluralizable and len(texts) != catalogue.num_plurals):
                found.append(f"{name}: not translated: {key}")
            elif message.fuzzy:
                found.append(f"{name}: marked as doubtful: {key}")
            else:
                asked = [places(text) for text in (message.id if isinstance(message.id, (tuple, list)) else [key])]
                least = set.intersection(*asked) - {"n"}
                found += [
                    f"{name}: other places for values than in the English: {text}"
                    for text in texts
                    if not least <= places(text) <= set.union(*asked)
                ]
    return found


def places(text: str) -> set[str]:
    """The places for values in a text, of `str.format` and of `%`."""
    percent = {match[1] or match[0] for match in PERCENT.finditer(text)}
    try:
        return percent | {name for _, name, _, _ in string.Formatter().parse(text) if name and name.isidentifier()}
    except ValueError:
        return percent | {"?"}


def _id(message_id: object) -> str:
    return str(message_id[0] if isinstance(message_id, (tuple, list)) else message_id)


def _configure() -> None:
    """Templates are read by Django's own rules, which ask for settings."""
    from django.conf import settings

    if not settings.configured:
        settings.configure(USE_I18N=True)


def main(arguments: list[str]) -> int:
    match arguments:
        case ["update"]:
            update()
        case ["compile"]:
            compile_all()
        case ["check"]:
            found = faults()
            print("\n".join(found))
            return 1 if found else 0
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
