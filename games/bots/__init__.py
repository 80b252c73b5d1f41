"""Finding bots: each module in this folder may hold one, and is found by being there.

Installed packages add theirs through the entry point group `fantan.bots`, each entry naming a Bot class. No key may be
given twice, and a published key never changes its play: a change is a new key.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from inspect import isabstract
from pkgutil import iter_modules

from games.bots.base import Bot

__all__ = ["Bot", "available"]

GROUP = "fantan.bots"


@cache
def available() -> dict[str, Bot]:
    """Every bot by its key, in alphabetical order. Raise ValueError when two have the same key."""
    found: dict[str, Bot] = {}
    for cls in sorted({*_own(), *_installed()}, key=lambda cls: (cls.key, cls.__module__)):
        if cls.key in found:
            raise ValueError(f"Two bots are named {cls.key}: {type(found[cls.key]).__module__} and {cls.__module__}.")
        found[cls.key] = cls()
    return found


def _own() -> Iterator[type[Bot]]:
    for found in iter_modules(__path__):
        module = import_module(f"{__name__}.{found.name}")
        classes = [item for item in vars(module).values() if isinstance(item, type) and issubclass(item, Bot)]
        yield from (cls for cls in classes if cls.__module__ == module.__name__ and not isabstract(cls))


def _installed() -> Iterator[type[Bot]]:
    for entry in entry_points(group=GROUP):
        yield entry.load()
