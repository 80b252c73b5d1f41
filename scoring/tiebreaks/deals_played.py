"""Deals played: who was there more."""

from scoring.entries import TableResult
from scoring.tiebreaks.base import TableSum
from scoring.wording import say


class DealsPlayed(TableSum):
    """The deals that counted at tables that count, the more the better."""

    key = "deals-played"
    title = say("Deals played")
    description = say("More deals played at tables that count.")

    def number(self, result: TableResult) -> int | None:
        return result.deals
