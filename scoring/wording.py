"""Sentences that remember how they were made, so that they can be said in another language.

A `Said` is an English text like any other; whoever shows it to a person may say it again by the catalogue of that
person's language (`in_language`). The pure packages know no catalogue and no framework: they only say.

`str()` of a Said, and of an exception whose one argument it is, is the Said itself; whatever else makes a text of it
(`+`, `join`, an f-string with more in it) makes plain English. Braces that stand in a sentence are doubled.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

One = Callable[[str], str]
Many = Callable[[str, str, int], str]


class Said(str):
    """An English sentence with the `template` and `values` that it was made from; `many` is its plural, for `n`."""

    __slots__ = ("many", "template", "values")
    template: str
    many: str | None
    values: Mapping[str, Any]

    def __new__(cls, template: str, values: Mapping[str, Any], many: str | None = None) -> "Said":
        pattern = template if many is None or values["n"] == 1 else many
        text = str.__new__(cls, pattern.format(**values))
        text.template, text.many, text.values = template, many, values
        return text

    def __str__(self) -> str:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Said, (self.template, dict(self.values), self.many)


class Listed(str):
    """English texts one after the other, each of which may be said again: joined by `by`, the last two by `last`."""

    __slots__ = ("by", "last", "parts")
    parts: tuple[str, ...]
    by: str
    last: str

    def __new__(cls, parts: Iterable[str], by: str = " ", last: str | None = None) -> "Listed":
        parts = tuple(parts)
        last = by if last is None else last
        text = str.__new__(cls, _joined(parts, by, last))
        text.parts, text.by, text.last = parts, by, last
        return text

    def __str__(self) -> str:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Listed, (self.parts, self.by, self.last)


def say(template: str, /, **values: Any) -> Said:
    """The sentence with its values: `say("{name} has no seat.", name=name)`. A value may itself be said."""
    return Said(template, values)


def say_n(one: str, many: str, n: int, /, **values: Any) -> Said:
    """The sentence for `n` of something: `say_n("{n} card", "{n} cards", 3)`."""
    return Said(one, {"n": n, **values}, many)


def mark(template: str) -> str:
    """The text as it is; it goes into the catalogues, for whoever says it later."""
    return template


def mark_n(one: str, many: str) -> tuple[str, str]:
    """The same for two texts, of one thing and of several: `say_n(*MARKED, 3)`."""
    return one, many


def listed(parts: Iterable[str]) -> Listed:
    """Names or things in a row: "Ann, Ben and Cy"."""
    return Listed(parts, mark(", "), mark(" and "))


def in_language(text: Any, one: One, many: Many) -> Any:
    """The text by a catalogue (gettext's functions). What was never said, such as a name, stays as it is."""
    if isinstance(text, Said):
        values = {name: in_language(value, one, many) for name, value in text.values.items()}
        pattern = one(text.template) if text.many is None else many(text.template, text.many, text.values["n"])
        return pattern.format(**values)
    if isinstance(text, Listed):
        return _joined([in_language(part, one, many) for part in text.parts], one(text.by), one(text.last))
    return text


def with_values(text: Any, change: Callable[[Any], Any]) -> Any:
    """The same sentence with each of its values as `change` returns it, those of sentences within it too."""
    if isinstance(text, Said):
        return Said(text.template, {name: with_values(value, change) for name, value in text.values.items()}, text.many)
    if isinstance(text, Listed):
        return Listed([with_values(part, change) for part in text.parts], text.by, text.last)
    return change(text)


def _joined(parts: Iterable[str], by: str, last: str) -> str:
    if by == last:
        return by.join(parts)
    *before, end = list(parts) or [""]
    return last.join([by.join(before), end] if before else [end])
