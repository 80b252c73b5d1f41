"""A session's table of points: one pure fold over its deals (rules.md 5)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.result import DealResult, Points
from scoring.schemes.base import Scheme


@dataclass(frozen=True, slots=True)
class Table:
    """The table of a session. `totals` and `places` have one entry a seat, `counted` one a result handed in.

    - `finished`: the session is over, since the scheme says so or as many deals count as were planned.
    - `missing`: index of the first result that the scheme cannot score (rules.md 5.6), else None. The table then stands
      as it was before that deal.
    """

    totals: tuple[Points, ...]
    places: tuple[int, ...]
    counted: tuple[bool, ...]
    finished: bool
    missing: int | None = None


def session_table(
    scheme: Scheme,
    results: Sequence[DealResult | None],
    seats: int,
    adjustments: Iterable[tuple[int, Points]] = (),
    *,
    limit: int | None = None,
) -> Table:
    """Fold the deals of a session, in their order, into its table.

    A result of None (not finished, voided, or not confirmed) counts nowhere, and no deal after the deciding one counts:
    the one by which the scheme says that the session is over, or that makes `limit` deals count. Adjustments, (seat,
    points) each, are added after the fold: they change totals and places, never which deals count or whether
    the session is over.
    """
    totals: list[Points] = [0] * seats
    counted = [False] * len(results)
    deals, finished, missing = 0, False, None
    for index, result in enumerate(results):
        if result is None:
            continue
        if scheme.missing(result):
            missing = index
            break
        totals = [total + points for total, points in zip(totals, scheme.score(result), strict=True)]
        counted[index] = True
        deals += 1
        if finished := scheme.finished(totals, deals) or deals == limit:
            break
    for seat, points in adjustments:
        totals[seat] += points
    return Table(tuple(totals), places(totals, lowest_wins=scheme.lowest_wins), tuple(counted), finished, missing)


def places(totals: Sequence[Points], *, lowest_wins: bool) -> tuple[int, ...]:
    """The place of each seat, 1 the best. Equal totals share a place and use up as many as they are: 1 2 2 4."""
    if lowest_wins:
        totals = [-total for total in totals]
    return tuple(1 + sum(other > total for other in totals) for total in totals)
