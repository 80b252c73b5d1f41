"""Finding scoring schemes, and reading the text and JSON forms that ask for one.

Each module in this folder holds one scheme and is found by being there. Installed packages add theirs through the
entry point group `fantan.schemes`, each entry naming a Scheme class. No name may be given twice.

Text form: `NAME` or `NAME:parameter=value,…`, where NAME is a scheme's key or one of its presets. JSON form: the same
text, or `{"scheme": NAME, parameter: value, …}`.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from scoring.discovery import discover
from scoring.schemes.base import BadScheme, MissingPasses, Parameter, Preset, Scheme, shown
from scoring.wording import say

__all__ = [
    "BadScheme",
    "MissingPasses",
    "Parameter",
    "Preset",
    "Scheme",
    "available",
    "describe",
    "names",
    "scheme_from_json",
    "scheme_from_text",
]

CANONICAL = re.compile("0|[1-9][0-9]{0,8}")


@cache
def names() -> Mapping[str, type[Scheme]]:
    """Every name a scheme can be asked for by: each key, then its presets. Raise ValueError on a name used twice."""
    return discover(
        Scheme,  # type: ignore[type-abstract]
        package=__name__,
        path=__path__,
        group="fantan.schemes",
        names=lambda cls: (cls.key, *cls.presets),
    )


def available() -> dict[str, type[Scheme]]:
    """Every scheme by its key, in alphabetical order: this folder's and those of installed packages."""
    return {cls.key: cls for cls in names().values()}


def describe() -> list[dict[str, Any]]:
    """Every scheme as JSON for forms and the API: key, title, description, parameters, presets."""
    return [
        {
            "scheme": cls.key,
            "title": cls.title,
            "description": cls.description,
            "lowest_wins": cls.lowest_wins,
            "parameters": [
                {"name": name, "default": about.default, "minimum": about.minimum, "help": about.help}
                for name, about in cls.parameters.items()
            ],
            "presets": [
                {
                    "scheme": name,
                    "title": preset.title,
                    "description": preset.description,
                    "values": dict(preset.values),
                }
                for name, preset in cls.presets.items()
            ],
        }
        for cls in available().values()
    ]


def scheme_from_text(text: str) -> Scheme:
    """Read the text form. Raise BadScheme with a sentence that says what is allowed."""
    name, colon, rest = text.partition(":")
    cls = _named(name)
    given: dict[str, object] = {}
    for part in rest.split(",") if colon else ():
        parameter, equals, digits = part.partition("=")
        if not equals or parameter in given:
            values = {"name": name, "parameter": shown(parameter)}
            if equals:
                raise BadScheme(
                    say("{name}: {parameter} is given twice; write {name}:parameter=value,… with each once.", **values)
                )
            raise BadScheme(
                say("{name}: {parameter} has no value; write {name}:parameter=value,… with each once.", **values)
            )
        given[parameter] = int(digits) if CANONICAL.fullmatch(digits) else digits
    return cls(name, given)


def scheme_from_json(value: object) -> Scheme:
    """Read the JSON form: a text, or an object with the name under `scheme`. Raise BadScheme as `scheme_from_text`."""
    if isinstance(value, str):
        return scheme_from_text(value)
    if not isinstance(value, Mapping):
        raise BadScheme(say('A scheme is a text or an object with the key "scheme", not {value}.', value=shown(value)))
    if not isinstance(value.get("scheme"), str):
        raise BadScheme(say('An object for a scheme needs its name, a text, under "scheme".'))
    name = value["scheme"]
    return _named(name)(name, {parameter: value[parameter] for parameter in value if parameter != "scheme"})


def _named(name: str) -> type[Scheme]:
    if name not in names():
        raise BadScheme(
            say("There is no scheme {name}; there are: {names}.", name=shown(name), names=", ".join(names()))
        )
    return names()[name]
