"""Deals played: who was there more."""

from scoring.entries import TableResult
from scoring.tiebreaks.base import TableSum


class DealsPlayed(TableSum):
    """The deals that counted at tables that count, the more the better."""

    key = "deals-played"
    title = "Deals played"
    description = "More deals played at tables that count."

    def number(self, result: TableResult) -> int | None:
        return result.deals
