"""Direct encounter: who finished ahead where the tied met (FIDE Handbook C.07, article 6, carried over to tables)."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from scoring.counting import Field
from scoring.entries import EntrantId
from scoring.points import shown
from scoring.result import Points
from scoring.tiebreaks.base import TieBreak, Worth
from scoring.wording import Listed, mark, say

# Translators: the value of a tie-break: points won against others, of how many others that were met.
MET = mark("{points} of {met}")
NOT_ALL_MET = mark("{points} of {met} ({unmet} not met)")


class DirectEncounter(TieBreak):
    """Only tables that two of the tied shared are looked at, dropped or not: that they met is a fact.

    Each pair is worth one point, shared by the part of their tables at which each finished ahead (half for a shared
    place), so that a pair that met three times weighs no more than one that met once. The tied rank by the sum. Those
    still level are compared again, by their tables among themselves alone.

    A pair that never met could give its point to either. So one part of the tied is put ahead of the rest only where
    the sums of all in it are greater than any in the rest can become, and those whose own sums are open are not
    compared again: no meeting still to come could turn what is decided here.
    """

    key = "direct-encounter"
    title = say("Direct encounter")
    description = say(
        "Among the tied alone: who finished ahead at the tables they shared. “2 of 3” means 2 points of the 3 there "
        "were to win, one from each of the tied who was met. Those still level are compared again among themselves. "
        "Where some have not met, it decides only what their meeting could not change."
    )
    among_tied = True
    texts = (MET, NOT_ALL_MET)
    # Translators: between the values of a tie-break that was asked again among fewer: 2 of 3, then 1 of 1.
    between = mark(", then ")

    def worths(self, tied: Sequence[EntrantId], field: Field) -> Mapping[EntrantId, Worth | None]:
        worths: dict[EntrantId, Worth | None] = {}
        _compare(tied, field, (), {who: [] for who in tied}, worths)
        return worths


def _compare(
    group: Sequence[EntrantId],
    field: Field,
    path: tuple[int, ...],
    texts: Mapping[EntrantId, list[str]],
    worths: dict[EntrantId, Worth | None],
) -> None:
    """Put into `worths` those of `group`, who are level after `path`: the parts they fell into, the last being -0."""
    points, unmet = _points(group, field)
    for who in group:
        texts[who].append(_text(points[who], unmet[who], len(group) - 1))
    parts = _parts(group, points, unmet)
    for number, part in enumerate(parts):
        if len(part) > 1 and len(parts) > 1 and not any(unmet[who] for who in part):
            _compare(part, field, (*path, -number), texts, worths)
        else:
            worths.update({who: Worth((*path, -number), Listed(texts[who], DirectEncounter.between)) for who in part})


def _points(group: Collection[EntrantId], field: Field) -> tuple[dict[EntrantId, Points], dict[EntrantId, int]]:
    """The points of each of the group against the others, and how many of them it never met."""
    members = set(group)
    keys = {(result.round, result.table) for who in group for result in field.records[who].played}
    ahead: dict[tuple[EntrantId, EntrantId], list[int]] = defaultdict(lambda: [0, 0])
    for key in keys:
        for one, other in combinations([seat for seat in field.tables[key] if seat.entrant in members], 2):
            # In halves; the seats of a table are listed in the order of ids, so a pair is always named in one way.
            halves = 1 + (one.place < other.place) - (one.place > other.place)
            score = ahead[one.entrant, other.entrant]
            score[0] += halves
            score[1] += 2
    points: dict[EntrantId, Points] = dict.fromkeys(group, 0)
    unmet = dict.fromkeys(group, len(members) - 1)
    for (first, second), (halves, of) in ahead.items():
        points[first] += Fraction(halves, of)
        points[second] += Fraction(of - halves, of)
        unmet[first] -= 1
        unmet[second] -= 1
    return points, unmet


def _parts(
    group: Sequence[EntrantId], points: Mapping[EntrantId, Points], unmet: Mapping[EntrantId, int]
) -> list[list[EntrantId]]:
    """The group cut wherever everyone above certainly stays above everyone below, best first."""
    order = sorted(group, key=lambda who: points[who], reverse=True)
    reach: list[Points] = [0] * len(order)  # the most that anyone from here on can come to
    for index in range(len(order) - 1, -1, -1):
        own = points[order[index]] + unmet[order[index]]
        reach[index] = own if index == len(order) - 1 else max(own, reach[index + 1])
    parts = [[order[0]]]
    for index in range(1, len(order)):
        if points[order[index - 1]] > reach[index]:
            parts.append([])
        parts[-1].append(order[index])
    return parts


def _text(points: Points, unmet: int, others: int) -> str:
    return say(NOT_ALL_MET if unmet else MET, points=shown(points), met=others - unmet, unmet=unmet)
