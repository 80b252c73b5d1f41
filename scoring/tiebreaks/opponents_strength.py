"""Opponents' strength: who met the stronger ones (Buchholz, FIDE Handbook C.07 article 8, carried over to tables)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from scoring.counting import Field, Record
from scoring.entries import EntrantId
from scoring.points import shown
from scoring.result import Points
from scoring.tiebreaks.base import NOTHING, TieBreak, Worth, found
from scoring.wording import mark_n, say, say_n

# Translators: the value of a tie-break: a mean, and what sum over how many tables it is the mean of.
MEAN = mark_n("{mean} ({sum} over {n} table)", "{mean} ({sum} over {n} tables)")


class OpponentsStrength(TieBreak):
    """For each table that counts, the mean of what the others there have won in the whole competition; then the mean
    over the tables. With two at a table, times their number, this is Buchholz.

    What somebody has won are the points of tables that count: no byes, no absences, no adjustments, since none of these
    is strength. Means, because a larger table or one round more is no stronger opposition, and a bye none at all.
    """

    key = "opponents-strength"
    title = say("Opponents' strength")
    description = say(
        "Stronger opponents: the mean, over the tables that count, of the points that the others there won at tables "
        "in the whole competition. Byes and adjustments are no part of it."
    )
    texts = (MEAN,)

    def worths(self, tied: Sequence[EntrantId], field: Field) -> Mapping[EntrantId, Worth | None]:
        won = {who: _won(record) for who, record in field.records.items()}
        at_table = {key: sum(won[seat.entrant] for seat in seats) for key, seats in field.tables.items()}
        worths: dict[EntrantId, Worth | None] = {}
        for who in tied:
            total, count = Fraction(0), 0
            for result in field.records[who].counting:
                key = result.round, result.table
                if others := len(field.tables[key]) - 1:
                    total += Fraction(at_table[key] - won[who], others)
                    count += 1
            if count:
                mean = total / count
                text = say_n(*MEAN, count, mean=shown(mean), sum=shown(total))
                worths[who] = found(-mean if field.lower_is_better else mean, text)
            else:
                worths[who] = NOTHING
        return worths


def _won(record: Record) -> Points:
    return sum(result.points for result in record.counting if result.points is not None)
