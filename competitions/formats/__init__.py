"""Finding formats, and reading the JSON that asks for one.

Each module in this folder may hold one format and is found by being there. Installed packages add theirs through the
entry point group `fantan.formats`, each entry naming a Format class. No key may be given twice.

JSON form: a format's key, or `{"format": KEY, parameter: value, …}`.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from competitions.formats.base import Ask, Draw, Format, FormatError, Parameter, TableBefore
from scoring.discovery import discover
from scoring.schemes.base import shown
from scoring.wording import say

__all__ = [
    "Ask",
    "Draw",
    "Format",
    "FormatError",
    "Parameter",
    "TableBefore",
    "available",
    "describe",
    "format_from_json",
]


@cache
def available() -> Mapping[str, type[Format]]:
    """Every format by its key, in alphabetical order. Raise ValueError on a key used twice."""
    return discover(
        Format,  # type: ignore[type-abstract]
        package=__name__,
        path=__path__,
        group="fantan.formats",
        names=lambda cls: (cls.key,),
    )


def describe() -> list[dict[str, Any]]:
    """Every format as JSON for forms and the API: key, title, description, parameters, how it draws."""
    return [
        {
            "format": cls.key,
            "title": cls.title,
            "description": cls.description,
            "draws_ahead": cls.draws_ahead,
            "by_standing": cls.by_standing,
            "parameters": [
                {
                    "name": name,
                    "default": about.default,
                    "smallest": about.smallest,
                    "largest": about.largest,
                    "help": about.help,
                }
                for name, about in cls.parameters.items()
            ],
        }
        for cls in available().values()
    ]


def format_from_json(value: object) -> Format:
    """Read the JSON form. Raise FormatError (bad_settings) with a sentence that says what is allowed."""
    if isinstance(value, str):
        return _named(value)()
    if not isinstance(value, Mapping) or not isinstance(value.get("format"), str):
        raise FormatError(
            "bad_settings",
            say('A format is its key or an object with the key under "format", not {value}.', value=shown(value)),
        )
    return _named(value["format"])({name: given for name, given in value.items() if name != "format"})


def _named(key: str) -> type[Format]:
    if key not in available():
        known = ", ".join(available())
        raise FormatError(
            "bad_settings", say("There is no format {format}; there are: {formats}.", format=shown(key), formats=known)
        )
    return available()[key]
