"""Counting cards: a point against a seat for each card left (rules.md 5.4)."""

from collections.abc import Sequence

from scoring.result import DealResult, Points
from scoring.schemes.base import Parameter, Scheme
from scoring.wording import say


class CardCount(Scheme):
    """Each loser of a deal writes one point a card left, the winner none.

    Over when after a complete deal some total is at least `target`; the lowest total wins, whoever crossed.
    """

    key = "card-count"
    title = say("Card count")
    description = say("One point for each card left in hand; when a total reaches the target, the lowest total wins.")
    parameters = {"target": Parameter(100, 1, say("Total that ends the session once any seat has reached it."))}
    lowest_wins = True

    __slots__ = ()

    def points(self, result: DealResult) -> tuple[Points, ...]:
        return result.cards_left

    def finished(self, totals: Sequence[Points], counted: int) -> bool:
        return max(totals) >= self.value("target")
