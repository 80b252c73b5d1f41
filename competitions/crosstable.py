"""Who met whom, and who finished ahead: the table of everybody against everybody."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from scoring.entries import EntrantId, TableResult
from scoring.standings import Standings


@dataclass(frozen=True, slots=True)
class Met:
    """How one did against another at the tables they shared: `ahead`, `behind`, and the rest of `times` level."""

    times: int
    ahead: int
    behind: int

    @property
    def level(self) -> int:
        return self.times - self.ahead - self.behind


def crosstable(table: Standings) -> Mapping[EntrantId, Mapping[EntrantId, Met]]:
    """For everybody, by final rank, those met and how it went, by final rank too; who met nobody has an empty line.

    Every table played counts, that of a dropped round as well: that they met is a fact. Ranks are those of the
    standings given, in lines and columns alike, and not those of the round in which two met.
    """
    order = {row.entrant: index for index, row in enumerate(table.rows)}
    tables: dict[tuple[int, object], list[TableResult]] = defaultdict(list)
    for row in table.rows:
        for line in row.rounds:
            for result in line.results:
                if result.kind == "played":
                    tables[result.round, result.table].append(result)
    counts: dict[EntrantId, dict[EntrantId, list[int]]] = {who: {} for who in order}
    for seats in tables.values():
        for one, other in combinations(seats, 2):
            for own, theirs in ((one, other), (other, one)):
                count = counts[own.entrant].setdefault(theirs.entrant, [0, 0, 0])
                count[0] += 1
                count[1] += own.place < theirs.place
                count[2] += own.place > theirs.place
    return {
        who: {other: Met(*met[other]) for other in sorted(met, key=order.__getitem__)} for who, met in counts.items()
    }
