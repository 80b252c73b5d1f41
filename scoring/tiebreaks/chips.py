"""Chips won, where tables are played for chips but ranked by something else (rules.md 5.2)."""

from scoring.entries import TableResult
from scoring.result import Points
from scoring.tiebreaks.base import TableSum
from scoring.wording import say


class Chips(TableSum):
    """The chips won, less those lost, at tables that count. Decides nothing while one of the tied has a table whose
    chips are not known (rules.md 5.6)."""

    key = "chips"
    title = say("Chips")
    description = say("More chips won, less those lost, at tables that count.")

    def number(self, result: TableResult) -> Points | None:
        return result.chips
