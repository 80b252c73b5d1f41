"""Finding bots: each module in this folder may hold one, and is found by being there.

Installed packages add theirs through the entry point group `fantan.bots`, each entry naming a Bot class. No key may be
given twice, and a published key never changes its play: a change is a new key.
"""

from functools import cache

from games.bots.base import Bot
from scoring.discovery import discover

__all__ = ["Bot", "available"]


@cache
def available() -> dict[str, Bot]:
    """Every bot by its key, in alphabetical order. Raise ValueError when two have the same key."""
    found = discover(
        Bot,  # type: ignore[type-abstract]
        package=__name__,
        path=__path__,
        group="fantan.bots",
        names=lambda cls: (cls.key,),
    )
    return {key: cls() for key, cls in found.items()}
