"""The race for wins: one point to the winner of each deal (rules.md 5.1)."""

from collections.abc import Sequence

from scoring.result import DealResult, Points
from scoring.schemes.base import Parameter, Scheme
from scoring.wording import say


class Wins(Scheme):
    """The winner of a deal gets 1, the others nothing; the session is over when a seat has `target` wins.

    Cards left do not matter. The winner of the last deal is alone at the top, so the first place is never shared.
    """

    key = "wins"
    title = say("Wins")
    description = say("One point for each deal won; the first seat to reach the target wins the session.")
    parameters = {"target": Parameter(3, 1, say("Wins that end the session."))}

    __slots__ = ()

    def points(self, result: DealResult) -> tuple[Points, ...]:
        return tuple(int(seat == result.winner) for seat in range(len(result.cards_left)))

    def finished(self, totals: Sequence[Points], counted: int) -> bool:
        return max(totals) >= self.value("target")
