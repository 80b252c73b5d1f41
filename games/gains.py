"""What one deal brought: the points of each seat, and the totals of the session before it and after it."""

from dataclasses import dataclass
from fractions import Fraction

from games.models import Deal, PointAdjustment, Session
from games.selectors import deals_of


@dataclass(frozen=True, slots=True)
class Gains:
    """By seat, exact: `points` of the deal, None where it has none; the totals `before` and `after` it, both the same
    where it does not count. What was adjusted by hand is in none of them; `adjusted`: there is some. `numbers`: those
    of the session's deals."""

    points: list[Fraction] | None
    before: list[Fraction]
    after: list[Fraction]
    adjusted: bool
    numbers: list[int]


def gains(session: Session, row: Deal) -> Gains:
    """Of a deal of the session; two statements. Totals are those of the seats, whoever sat there."""
    before = [Fraction(0)] * (session.seats or 0)
    numbers = []
    for number, counted, points in deals_of(session).values_list("number", "counted", "points"):
        numbers.append(number)
        if counted and points is not None and number < row.number:
            before = _plus(before, _exact(points))
    own = None if row.points is None else _exact(row.points)
    after = _plus(before, own) if own and row.counted else before
    adjusted = PointAdjustment.objects.filter(session=session, cancelled_by=None).exists()
    return Gains(own, before, after, adjusted, numbers)


def _exact(points: list[int | str]) -> list[Fraction]:
    return [Fraction(value) for value in points]


def _plus(totals: list[Fraction], points: list[Fraction]) -> list[Fraction]:
    return [total + more for total, more in zip(totals, points, strict=True)]
