"""Fewest cards left a deal."""

from fractions import Fraction

from scoring.counting import Field, Record
from scoring.points import shown
from scoring.tiebreaks.base import NOTHING, OwnValue, Worth, found
from scoring.wording import mark, say

# Translators: the value of a tie-break: a mean of cards left in a deal, how many cards, in how many deals.
A_DEAL = mark("{mean} a deal ({cards} in {deals})")


class FewestCardsLeft(OwnValue):
    """Cards left in hand at the end of a deal, on average over the deals at tables that count, the fewer the better.

    An average, because who plays fewer deals, by a bye or a short session, leaves fewer cards for no merit. Who played
    none is behind.
    """

    key = "fewest-cards-left"
    title = say("Fewest cards left")
    description = say("Fewer cards left in hand a deal, over the deals at tables that count.")
    texts = (A_DEAL,)

    def value(self, record: Record, field: Field) -> Worth | None:
        cards = deals = 0
        for result in record.counting:
            if result.cards_left is None or result.deals is None:
                return None
            cards += result.cards_left
            deals += result.deals
        if not deals:
            return NOTHING
        mean = Fraction(cards, deals)
        return found(-mean, say(A_DEAL, mean=shown(mean), cards=cards, deals=deals))
