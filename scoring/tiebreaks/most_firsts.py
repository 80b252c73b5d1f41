"""Most firsts, then most seconds, and so on: as medals are counted at the Olympic Games."""

from collections import Counter

from scoring.counting import Field, Record
from scoring.tiebreaks.base import OwnValue, Worth

ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


class MostFirsts(OwnValue):
    """Places at tables that count, compared from the first down and never weighed: one first beats any number of
    seconds. A shared place counts as that place for each who shares it."""

    key = "most-firsts"
    title = "Most firsts, then seconds"
    description = "More first places at tables that count; if as many, more second places; and so on to the last."

    def value(self, record: Record, field: Field) -> Worth:
        places = Counter(result.place for result in record.counting)
        # Up to one's own last place: a tuple that ends sooner is behind, as if it went on with zeros.
        order = tuple(places[place] for place in range(1, max(places, default=0) + 1))
        parts = [f"{count} × {_name(place)}" for place, count in sorted(places.items())]
        return Worth(order, ", ".join(parts) or "none")


def _name(place: int) -> str:
    return ORDINALS[place] if place < len(ORDINALS) else f"place {place}"
