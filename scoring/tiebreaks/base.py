"""What every tie-break is: a name, and what each of those level is worth, the more the further ahead."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from scoring.counting import Field, Record
from scoring.entries import EntrantId, TableResult
from scoring.hearing import Marked, heard
from scoring.points import exact, shown
from scoring.result import Points
from scoring.wording import Listed, Said, mark, mark_n, say


@dataclass(frozen=True, slots=True)
class Worth:
    """What a tie-break says of one entrant: a greater `order` is ahead, an equal one stays level.

    `shown` is what the order comes from, for people: "7.50 over 4 tables".
    """

    order: tuple[Points, ...]
    shown: str


class TieBreak(ABC):
    """One tie-break, without state. A published `key` never changes its meaning: a change is a new key.

    `among_tied`: what one is worth depends on who else is level. Else it is the same in any company, and is listed for
    everybody.

    `title` and `description` are said (scoring.wording), and so are values, by `texts`, several with `between` between
    them.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    among_tied: ClassVar[bool] = False
    texts: ClassVar[tuple[Marked, ...]] = ()
    between: ClassVar[str] = mark(", ")

    @classmethod
    def heard(cls, shown: str) -> str:
        """A value for people that was kept as plain text, so that it can be said in other languages again."""
        return shown if isinstance(shown, Said | Listed) else _heard(cls, shown)

    @abstractmethod
    def worths(self, tied: Sequence[EntrantId], field: Field) -> Mapping[EntrantId, Worth | None]:
        """What each of `tied`, who are level so far, is worth. None: it cannot be known, and then the tie-break decides
        nothing among these; no guess may put one ahead."""


@lru_cache(maxsize=4096)
def _heard(tie_break: type[TieBreak], shown: str) -> str:
    return heard(shown, (NONE, OVER_TABLES, *tie_break.texts), tie_break.between)


class OwnValue(TieBreak):
    """A tie-break that looks at one entrant at a time."""

    def worths(self, tied: Sequence[EntrantId], field: Field) -> Mapping[EntrantId, Worth | None]:
        return {who: self.value(field.records[who], field) for who in tied}

    @abstractmethod
    def value(self, record: Record, field: Field) -> Worth | None:
        """What the entrant of this record is worth, whoever else is level."""


class TableSum(OwnValue):
    """The sum of one number over the tables that count, the more the better; not known where one of them is not."""

    def value(self, record: Record, field: Field) -> Worth | None:
        total: Points = 0
        for result in record.counting:
            number = self.number(result)
            if number is None:
                return None
            total += number
        return Worth((total,), shown(total))

    @abstractmethod
    def number(self, result: TableResult) -> Points | None:
        """The number that one table adds."""


# Translators: the value of a tie-break of somebody who has none.
NONE = mark("none")
NOTHING = Worth((0,), say(NONE))
"""Behind everyone with a value: for who has played no table that counts."""


def found(order: Points, text: str) -> Worth:
    """A worth ahead of NOTHING, however low its number is."""
    return Worth((1, exact(order)), text)


# Translators: the value of a tie-break: a mean, and over how many tables it is.
OVER_TABLES = mark_n("{mean} over {n} table", "{mean} over {n} tables")
