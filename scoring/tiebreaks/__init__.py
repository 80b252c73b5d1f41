"""Finding tie-breaks, and reading the order in which a competition asks them.

Each module in this folder holds one tie-break and is found by being there. Installed packages add theirs through the
entry point group `fantan.tiebreaks`, each entry naming a TieBreak class. No key may be given twice.
"""

from collections.abc import Mapping
from functools import cache

from scoring.discovery import discover
from scoring.schemes.base import shown as quoted
from scoring.tiebreaks.base import OwnValue, TableSum, TieBreak, Worth
from scoring.wording import say

__all__ = ["BadTieBreak", "OwnValue", "TableSum", "TieBreak", "Worth", "available", "describe", "tie_breaks"]


class BadTieBreak(ValueError):
    """A tie-break that is not there, or an order that is none."""

    code = "bad_tie_break"


@cache
def available() -> Mapping[str, type[TieBreak]]:
    """Every tie-break by its key, in alphabetical order. Raise ValueError on a key used twice."""
    return discover(
        TieBreak,  # type: ignore[type-abstract]
        package=__name__,
        path=__path__,
        group="fantan.tiebreaks",
        names=lambda cls: (cls.key,),
    )


def describe() -> list[dict[str, str]]:
    """Every tie-break as JSON for forms and the API: key, title, description."""
    return [{"tie_break": cls.key, "title": cls.title, "description": cls.description} for cls in available().values()]


def tie_breaks(keys: object) -> tuple[TieBreak, ...]:
    """The tie-breaks of these keys, a list or tuple, in its order. Raise BadTieBreak, saying which there are."""
    if not isinstance(keys, list | tuple):
        raise BadTieBreak(
            say("Tie-breaks are a list of keys in the order they are asked, not {keys}.", keys=quoted(keys))
        )
    for key in keys:
        if not isinstance(key, str) or key not in available():
            raise BadTieBreak(
                say(
                    "There is no tie-break {key}; there are: {available}.",
                    key=quoted(key),
                    available=", ".join(available()),
                )
            )
        if keys.count(key) > 1:
            raise BadTieBreak(say("The tie-break {key} is asked twice.", key=key))
    return tuple(available()[key]() for key in keys)
