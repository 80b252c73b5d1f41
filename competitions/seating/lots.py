"""Drawing lots that can be drawn again: the same seed gives the same."""

from random import Random
from typing import TypeAlias

Seed: TypeAlias = int | str


def lots(purpose: str, seed: Seed) -> Random:
    """The random numbers for one purpose, which are others than those for another purpose with the same seed."""
    return Random(f"{purpose} {seed}")  # noqa: S311
