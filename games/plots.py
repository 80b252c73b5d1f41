"""Lines of numbers as points of a drawing. Pure; the drawings themselves are made by templates."""

from collections.abc import Sequence
from itertools import groupby

Point = tuple[float, float]


def points(
    values: Sequence[float | None],
    *,
    left: float,
    right: float,
    top: float,
    bottom: float,
    at_top: float,
    at_bottom: float,
) -> list[Point | None]:
    """Where each value lies in a drawing: evenly from `left` to `right`, the value `at_top` at the height `top` and
    `at_bottom` at `bottom`, whichever is greater; None where there is no value. One alone lies in the middle."""
    step = (right - left) / (len(values) - 1) if len(values) > 1 else 0.0
    first = left if len(values) > 1 else (left + right) / 2
    scale = (bottom - top) / (at_bottom - at_top or 1)

    def point(at: int, value: float) -> Point:
        return round(first + at * step, 1), round(top + scale * (value - at_top), 1)

    return [None if value is None else point(at, value) for at, value in enumerate(values)]


def polylines(found: Sequence[Point | None]) -> list[str]:
    """The `points` attributes of the lines through these, one for each stretch without a gap."""
    stretches = (list(some) for there, some in groupby(found, key=lambda point: point is not None) if there)
    return [" ".join(f"{point[0]:g},{point[1]:g}" for point in some if point is not None) for some in stretches]


def marks(last: int, most: int) -> list[int]:
    """Which numbers from 1 to `last` are named at an axis: 1 and then every so many, at most `most` of them."""
    return list(range(1, last + 1, -(-(last - 1) // (most - 1)) or 1))
