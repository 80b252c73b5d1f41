"""Best single result."""

from scoring.counting import Field, Record
from scoring.points import shown
from scoring.tiebreaks.base import NOTHING, OwnValue, Worth, found
from scoring.wording import say


class BestSingleResult(OwnValue):
    """The most points (the fewest, where fewer are better) from one table that counts. The points of a bye are no
    result; who played no table is behind."""

    key = "best-single-result"
    title = say("Best single result")
    description = say("The better best result from one table that counts.")

    def value(self, record: Record, field: Field) -> Worth:
        points = [result.points for result in record.counting if result.points is not None]
        if not points:
            return NOTHING
        best = min(points) if field.lower_is_better else max(points)
        return found(-best if field.lower_is_better else best, shown(best))
