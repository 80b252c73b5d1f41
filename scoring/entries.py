"""What standings are made from: who competes, the results at the tables, adjustments, and a competition's settings."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from scoring.result import Points
from scoring.wording import say

EntrantId: TypeAlias = Hashable
"""Any id. Whole numbers list in their order, others by their text; two of one competition have different texts."""

MARKS = ("excluded", "withdrawn", "bot")
"""What can be said of an entrant that may keep it out of the ranks."""


class BadStandings(ValueError):
    """Entrants, results, adjustments or settings that contradict themselves. The sentence says which."""

    code = "bad_standings"


@dataclass(frozen=True, slots=True)
class Entrant:
    """One who competes. Everybody with a result has to be here, ranked or not. `marks`: some of MARKS."""

    id: EntrantId
    marks: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if unknown := self.marks - set(MARKS):
            raise BadStandings(
                say(
                    "An entrant is marked {unknown}; the marks are {marks}.",
                    unknown=", ".join(sorted(unknown)),
                    marks=", ".join(MARKS),
                )
            )


@dataclass(frozen=True, slots=True)
class TableResult:
    """What one entrant brought home from one table, or from a round without a table.

    - `round`: the number of the round or night; the order of rounds is that of their numbers.
    - `table`: what tells tables of one round apart; None for a bye or an absence. Entrants with results of the same
      table met there.
    - `points`: exact, by the competition's PointsRule. None, only without a table: the settings' value of an absence,
      or a bye that is worth no result at all (sitting out).
    - `place` ("1 2 2 4") and `size`, the seats of the table, whoever sat there; 0 without a table.
    - `total`: the scheme's own total. `wins`: deals won. `deals`: deals that counted. `cards_left`: their sum.
      `chips`: chips won, signed. None where not known.
    - `kind`: "played" at a table; "bye", not at a table by the organiser's decision; "absent", by one's own.
    - `share`: of the seat's result, where several sat in it one after the other; `points` are this entrant's part.
    """

    entrant: EntrantId
    round: int
    table: Hashable = None
    points: Points | None = None
    place: int = 0
    size: int = 0
    total: Points | None = None
    wins: int | None = None
    deals: int | None = None
    cards_left: int | None = None
    chips: Points | None = None
    kind: Literal["played", "bye", "absent"] = "played"
    share: Points = 1

    def __post_init__(self) -> None:
        if self.kind != "played":
            if self.table is not None:
                raise BadStandings(say("Round {round}: a result without play has no table.", round=self.round))
        elif self.table is None or self.points is None:
            raise BadStandings(say("Round {round}: a played result needs its table and points.", round=self.round))
        elif not 1 <= self.place <= self.size:
            raise BadStandings(
                say(
                    "Round {round}: there is no place {place} at a table of {size}.",
                    round=self.round,
                    place=self.place,
                    size=self.size,
                )
            )


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points an organiser gives or takes, added to the total as they stand: a penalty is negative, or positive where
    fewer points are better. Never dropped. A cancelled one is listed and not added. `id` tells them apart."""

    id: Hashable
    entrant: EntrantId
    points: Points
    reason: str
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """How a competition counts. Raise BadStandings on settings that contradict themselves.

    - `best`: how many rounds count, the best; None: all. `drop`: how many do not, the worst. Not both.
    - `absence`: what a round counts that an entrant missed. None: it is no result; it adds nothing and uses up a drop.
    - `tie_breaks`: keys in the order they are asked.
    - `unranked`: the marks that keep an entrant out of the ranks.
    """

    lower_is_better: bool = False
    best: int | None = None
    drop: int = 0
    absence: Points | None = None
    tie_breaks: tuple[str, ...] = ()
    unranked: frozenset[str] = frozenset(MARKS)

    def __post_init__(self) -> None:
        if self.best is not None and self.drop:
            raise BadStandings(say("Either the best rounds count or the worst are dropped, not both."))
        if (self.best is not None and self.best < 1) or self.drop < 0:
            raise BadStandings(say("At least one round has to count, and no fewer than none can be dropped."))
        if self.lower_is_better and self.absence is None:
            raise BadStandings(
                say("Where fewer points are better a missed round needs a value, or staying away would win.")
            )
        if unknown := self.unranked - set(MARKS):
            raise BadStandings(
                say(
                    "No entrant can be marked {unknown}: the marks are {marks}.",
                    unknown=", ".join(sorted(unknown)),
                    marks=", ".join(MARKS),
                )
            )


def listing(key: Hashable) -> tuple[int, int, str]:
    """A key to sort ids by, whatever they are: whole numbers in their order, then the others by their text."""
    return (0, key, "") if isinstance(key, int) else (1, 0, str(key))
