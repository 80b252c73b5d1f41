"""Average place."""

from fractions import Fraction

from scoring.counting import Field, Record
from scoring.points import shown
from scoring.tiebreaks.base import NOTHING, OVER_TABLES, OwnValue, Worth, found
from scoring.wording import say, say_n


class AveragePlace(OwnValue):
    """The mean of the places at tables that count, as they stand ("1 2 2 4"), the lower the better. Byes and absences
    have no place; who played no table is behind."""

    key = "average-place"
    title = say("Average place")
    description = say("Lower mean of the places at tables that count.")

    def value(self, record: Record, field: Field) -> Worth:
        places = [result.place for result in record.counting]
        if not places:
            return NOTHING
        mean = Fraction(sum(places), len(places))
        return found(-mean, say_n(*OVER_TABLES, len(places), mean=shown(mean)))
