"""Cells that a spreadsheet would turn into something else, and how they come back unchanged.

A name such as `=HYPERLINK(…)` would run as a formula, `1/3` become a date, `007` a seven. An apostrophe before it makes
it plain text in every spreadsheet. One is put before each run of apostrophes, or none, that ends in something
dangerous, and one is taken from there; so `unguarded(guarded(text)) == text` for every text, and a name such as
`'t Hart` keeps its own apostrophe.

In XLSX a text is a text, whatever it begins with, and is written as it is. But a CSV file may be saved as XLSX, and the
other way round, so guards are taken from both; hence a text that looks like a guarded one gets a guard in XLSX too.
"""

import re

_FORMULA = r" *[=+\-@＝＋－＠]"
_NUMBER = r"[0-9][0-9.,:/\- ]*(?:[eE][+\-]?[0-9]+)?%?\Z|(?i:true|false)\Z"
_AT_START = rf"(?='*(?:{_FORMULA}|[\t\r\n]|{_NUMBER}))"
_INSIDE = rf"(?='*(?:{_FORMULA}))"
_SEPARATOR = r"(?<=[;,|\t\r\n])"
"""A spreadsheet set to another separator than the file's would begin a cell behind it."""

_PUT_INSIDE = re.compile(_SEPARATOR + _INSIDE)
_TAKE_INSIDE = re.compile(_SEPARATOR + "'" + _INSIDE)
_PUT_AT_START = re.compile(r"\A" + _AT_START)
_TAKE_AT_START = re.compile(r"\A'" + _AT_START)


def guarded(text: str) -> str:
    """The text as it is written into a cell of CSV."""
    return _PUT_AT_START.sub("'", _PUT_INSIDE.sub("'", text))


def kept(text: str) -> str:
    """The text as it is written where texts are safe: with a guard only if it would be taken for a guarded one."""
    return guarded(text) if unguarded(text) != text else text


def unguarded(cell: str) -> str:
    """The text that `guarded` or `kept` made this cell of; any other cell is its own text."""
    return _TAKE_INSIDE.sub("", _TAKE_AT_START.sub("", cell))
