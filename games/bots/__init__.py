"""Finding bots: each module in this folder may hold one, and is found by being there.

Installed packages add theirs through the entry point group `fantan.bots`, each entry naming a Bot class. No key may be
given twice, and a published key never changes its play: a change is a new key.
"""

from functools import cache

from games.bots.base import Bot
from scoring.discovery import discover

__all__ = ["OUTSIDE", "Bot", "available", "plays"]

OUTSIDE = "api"
"""The strategy of a bot that somebody's program plays over the API: the server plays no card for it."""


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
    if OUTSIDE in found:
        raise ValueError(f"{found[OUTSIDE].__name__} has the key {OUTSIDE!r}, which is for bots played from outside.")
    return {key: cls() for key, cls in found.items()}


def plays(strategy: str) -> bool:
    """Whether the server plays for a player of this strategy: not for people, nor for bots played from outside."""
    return strategy not in ("", OUTSIDE)
