"""Wins: deals won."""

from scoring.entries import TableResult
from scoring.tiebreaks.base import TableSum


class Wins(TableSum):
    """The deals won at tables that count (rules.md 5.1); byes win none."""

    key = "wins"
    title = "Wins"
    description = "More deals won at tables that count."

    def number(self, result: TableResult) -> int | None:
        return result.wins
