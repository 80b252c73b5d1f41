"""Wins: deals won."""

from scoring.entries import TableResult
from scoring.tiebreaks.base import TableSum
from scoring.wording import say


class Wins(TableSum):
    """The deals won at tables that count (rules.md 5.1); byes win none."""

    key = "wins"
    title = say("Wins")
    description = say("More deals won at tables that count.")

    def number(self, result: TableResult) -> int | None:
        return result.wins
