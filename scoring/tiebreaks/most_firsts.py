"""Most firsts, then most seconds, and so on: as medals are counted at the Olympic Games."""

from collections import Counter

from scoring.counting import Field, Record
from scoring.tiebreaks.base import NOTHING, OwnValue, Worth
from scoring.wording import Listed, mark, say

PLACES = (
    # Translators: how many first places somebody had, for example 2 × first; so the others.
    mark("{count} × first"),
    mark("{count} × second"),
    mark("{count} × third"),
    mark("{count} × fourth"),
    mark("{count} × fifth"),
    mark("{count} × sixth"),
    mark("{count} × seventh"),
    mark("{count} × eighth"),
)
FURTHER = mark("{count} × place {place}")


class MostFirsts(OwnValue):
    """Places at tables that count, compared from the first down and never weighed: one first beats any number of
    seconds. A shared place counts as that place for each who shares it."""

    key = "most-firsts"
    title = say("Most firsts, then seconds")
    description = say("More first places at tables that count; if as many, more second places; and so on to the last.")
    texts = (*PLACES, FURTHER)

    def value(self, record: Record, field: Field) -> Worth:
        places = Counter(result.place for result in record.counting)
        # Up to one's own last place: a tuple that ends sooner is behind, as if it went on with zeros.
        order = tuple(places[place] for place in range(1, max(places, default=0) + 1))
        parts = [say(_text(place), count=count, place=place) for place, count in sorted(places.items())]
        return Worth(order, Listed(parts, self.between)) if parts else Worth((), NOTHING.shown)


def _text(place: int) -> str:
    return PLACES[place - 1] if place <= len(PLACES) else FURTHER
