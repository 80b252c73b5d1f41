"""What a place at a table is worth to a competition: exact points, a fixed sum a table, rounded only for show.

A competition says it as JSON, read by `points_rule`:

- `"scheme"`: the totals of the table's own scoring scheme (rules.md 5).
- `"neutral"`: 1000·(n − place)/(n − 1) at a table of n, so that tables of any size are worth alike: the scale of the
  European mahjong ranking.
- `{"places": [7, 5, 3, 1]}`: one list for every table, from the first place on; a table of three uses the first three.
- `{"places": {"3": [7, 4, 1], "4": [7, 5, 3, 1]}}`: a list for each table size.

Points in lists are whole numbers, or texts where they are not: "1.5", "3/2". Those who share a place share the points
of the places they use up, evenly: two seconds under 7-5-3-1 get 4 each (Racing Rules of Sailing, A7).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.result import Points
from scoring.wording import say

SIZES = range(2, 9)
"""Sizes a table can have (rules.md 2.1)."""

NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,6}|/[1-9][0-9]{0,5})?")
LARGEST = 999_999_999


class BadPoints(ValueError):
    """Points that cannot be given so: a list that is none, or a table size without a list."""

    code = "bad_points"


def exact(value: Points) -> Points:
    """The same number, as an int where it is whole."""
    return value.numerator if value.denominator == 1 else value


def shown(value: Points) -> str:
    """Points as people read them: a whole number, or two places, half to even. Nothing is compared in this form."""
    if isinstance(value, int):
        return str(value)
    rounded = round(Fraction(value), 2)
    return str(rounded.numerator) if rounded.denominator == 1 else figure(f"{float(rounded):.2f}")


def figure(text: str) -> str:
    """A number as `shown` writes it, to be said with the decimal mark of another language."""
    whole, point, hundredths = text.partition(".")
    # Translators: a number with two decimals, such as 3.50, with the decimal mark of your language.
    return say("{whole}.{hundredths}", whole=whole, hundredths=hundredths) if point else text


def quantity(value: Points) -> int:
    """A whole number that takes the same plural as `value` does.

    A fraction goes with 2 ("2,5 очка"). -1 goes with 21: by that English has a plural, and who says "21 очко" says
    "-1 очко"."""
    if value.denominator != 1:
        return 2
    return 21 if value == -1 else abs(value.numerator)


@dataclass(frozen=True, slots=True)
class PointsRule:
    """How the seats of one table get points. Made by `points_rule`; two are equal when they say the same.

    - `by`: "scheme", "neutral", "places" (one list, under size 0) or "sizes" (a list a size).
    - `lists`: (table size, points from the first place on), sizes ascending; empty without lists.
    """

    by: str
    lists: tuple[tuple[int, tuple[Points, ...]], ...] = ()

    def of_places(self, size: int) -> tuple[Points, ...]:
        """The points of the places 1 to `size` at a table of that size. Raise BadPoints when there are none."""
        if self.by == "scheme":
            raise BadPoints(say("With the scheme's own totals no place has points of its own."))
        if self.by == "neutral":
            if size < 2:
                raise BadPoints(say("The neutral scale needs a table of at least 2, not {size}.", size=size))
            return tuple(exact(Fraction(1000 * (size - place), size - 1)) for place in range(1, size + 1))
        for length, points in self.lists:
            if length == size or (self.by == "places" and size <= len(points)):
                return points[:size]
        if self.by == "places":
            raise BadPoints(
                say(
                    "A table of {size} has no points: there are points for {places} places.",
                    size=size,
                    places=len(self.lists[0][1]),
                )
            )
        raise BadPoints(
            say(
                "A table of {size} has no points: there are lists for tables of {sizes}.",
                size=size,
                sizes=", ".join(str(length) for length, _ in self.lists),
            )
        )

    def check_sizes(self, sizes: Iterable[int]) -> None:
        """Raise BadPoints, naming the first of these table sizes that has no points."""
        if self.by != "scheme":
            for size in sorted(set(sizes)):
                self.of_places(size)

    def of_table(self, totals: Sequence[Points], places: Sequence[int]) -> tuple[Points, ...]:
        """The points of each seat: of the scheme's `totals`, or of its `places` ("1 2 2 4").

        By places the sum is that of the list whatever is shared. Raise BadPoints when the size has no points, or the
        places are not those of one table.
        """
        if self.by == "scheme":
            return tuple(totals)
        worth = self.of_places(len(places))
        if any(place != 1 + sum(other < place for other in places) for place in places):
            raise BadPoints(say("The places {places} are not those of one table.", places=" ".join(map(str, places))))
        shares = {}
        for place in set(places):
            used = worth[place - 1 : place - 1 + list(places).count(place)]
            shares[place] = exact(Fraction(sum(used)) / len(used))
        return tuple(shares[place] for place in places)

    def lower_is_better(self, *, lowest_wins: bool) -> bool:
        """Whether fewer points are better: as the scheme says (`lowest_wins`), or where a list rises (1-2-3-4)."""
        if self.by == "scheme":
            return lowest_wins
        return any(points[0] < points[-1] for _, points in self.lists)

    def to_json(self) -> str | dict[str, object]:
        """The form that `points_rule` reads back to an equal rule."""
        if not self.lists:
            return self.by
        texts = {size: [p if isinstance(p, int) else str(p) for p in points] for size, points in self.lists}
        return {"places": texts[0] if self.by == "places" else {str(size): points for size, points in texts.items()}}


def points_rule(value: object) -> PointsRule:
    """Read the JSON form (see the top). Raise BadPoints with a sentence that says what is allowed."""
    if value in ("scheme", "neutral"):
        return PointsRule(str(value))
    if not isinstance(value, Mapping) or set(value) != {"places"}:
        raise BadPoints(say('Points are "scheme", "neutral" or an object with the key "places".'))
    asked = value["places"]
    if not isinstance(asked, Mapping):
        return PointsRule("places", ((0, _list(asked, say("The list of points"))),))
    if not asked:
        raise BadPoints(say('"places" needs a list for at least one table size.'))
    lists = {}
    for text, points in asked.items():
        size = int(text) if isinstance(text, str) and re.fullmatch("[0-9]", text) else 0
        if size not in SIZES:
            raise BadPoints(
                say('A table size is "{least}" to "{most}", in one plain digit.', least=SIZES[0], most=SIZES[-1])
            )
        lists[size] = _list(points, say("The list for tables of {size}", size=size))
        if len(lists[size]) != size:
            raise BadPoints(
                say("The list for tables of {size} has points for {places} places.", size=size, places=len(lists[size]))
            )
    if len({points[0] < points[-1] for points in lists.values()}) > 1:
        raise BadPoints(say("The lists must all fall from the first place on, or all rise."))
    return PointsRule("sizes", tuple(sorted(lists.items())))


def _list(value: object, name: str) -> tuple[Points, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or not 2 <= len(value) <= SIZES[-1]:
        raise BadPoints(say("{list} has 2 to {most} numbers.", list=name, most=SIZES[-1]))
    points = tuple(_number(item, name) for item in value)
    ordered = sorted(points)
    if ordered[0] == ordered[-1] or points not in (tuple(ordered), tuple(reversed(ordered))):
        raise BadPoints(
            say("{list} must fall from the first place on, or rise where fewer points are better.", list=name)
        )
    return points


def _number(value: object, name: str) -> Points:
    if type(value) is int and abs(value) <= LARGEST:  # a bool is no number here
        return value
    if isinstance(value, str) and NUMBER.fullmatch(value):
        return exact(Fraction(value))
    raise BadPoints(
        say('{list} takes whole numbers, or texts like "1.5" and "3/2", of at most nine digits.', list=name)
    )
