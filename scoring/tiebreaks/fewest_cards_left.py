"""Fewest cards left a deal."""

from fractions import Fraction

from scoring.counting import Field, Record
from scoring.points import shown
from scoring.tiebreaks.base import NOTHING, OwnValue, Worth, found


class FewestCardsLeft(OwnValue):
    """Cards left in hand at the end of a deal, on average over the deals at tables that count, the fewer the better.

    An average, because who plays fewer deals, by a bye or a short session, leaves fewer cards for no merit. Who played
    none is behind.
    """

    key = "fewest-cards-left"
    title = "Fewest cards left"
    description = "Fewer cards left in hand a deal, over the deals at tables that count."

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
        return found(-mean, f"{shown(mean)} a deal ({cards} in {deals})")
