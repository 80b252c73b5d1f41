"""Last result: the last round decides, as in a sailing series (Racing Rules of Sailing, A8.2)."""

from collections.abc import Mapping, Sequence

from scoring.counting import Field
from scoring.entries import EntrantId
from scoring.points import shown
from scoring.tiebreaks.base import TieBreak, Worth
from scoring.wording import mark, say

# Translators: the value of a tie-break: points, and the number of the round.
IN_ROUND = mark("{points} in round {round}")


class LastResult(TieBreak):
    """The points of the last round in which every one of the tied has a value, dropped or not; byes and absences with
    their values.

    One round for all the tied: else who sat out the last one would be compared by another round than the rest.
    """

    key = "last-result"
    title = say("Last result")
    description = say("The better result of the last round in which all the tied have one, even if it was dropped.")
    among_tied = True
    texts = (IN_ROUND,)

    def worths(self, tied: Sequence[EntrantId], field: Field) -> Mapping[EntrantId, Worth | None]:
        common = set(field.rounds).intersection(*(field.records[who].values for who in tied))
        if not common:
            return dict.fromkeys(tied)
        last = max(common)
        sign = -1 if field.lower_is_better else 1
        points = {who: field.records[who].values[last] for who in tied}
        return {who: Worth((sign * points[who],), say(IN_ROUND, points=shown(points[who]), round=last)) for who in tied}
