"""Texts that were kept in English, heard again: which sentence it was, and with which numbers (scoring.wording)."""

import re
from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

from scoring.points import figure
from scoring.wording import Listed, Said

Marked: TypeAlias = str | tuple[str, str]
"""A template by `mark`, or one and its plural by `mark_n`."""

NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
PLACE = re.compile(r"\\{(\w+)\\}")


def heard(text: str, marked: Iterable[Marked], between: str) -> str:
    """The text as one of these templates says it, or as several of them with `between` between them.

    Every value is a number. A text that none of them says stays what it is.
    """
    templates = tuple(marked)
    parts = [_one(part, templates) for part in text.split(between)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return text
    return known[0] if len(known) == 1 else Listed(known, between)


def _one(text: str, marked: tuple[Marked, ...]) -> str | None:
    if NUMBER.fullmatch(text):
        return figure(text)
    for template in marked:
        one, many = (template, None) if isinstance(template, str) else template
        for pattern in (one, many):
            if pattern is not None and (found := _pattern(pattern).fullmatch(text)):
                said = Said(one, {name: _value(name, number) for name, number in found.groupdict().items()}, many)
                return said if said == text else None
    return None


def _value(name: str, number: str) -> int | str:
    return int(number) if name == "n" else figure(number)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(PLACE.sub(lambda place: f"(?P<{place[1]}>{NUMBER.pattern})", re.escape(template)))
