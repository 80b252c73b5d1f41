"""What makes one draw better than another: counts compared one after the other, never added up.

A lower count higher up in `Score` wins whatever follows: no gain in seats can buy a repeat. The order:

1. `apart`: meetings of pairs to be kept apart. It stands first although it is the smallest matter, because it is the
   one thing that somebody asked for by name: it is honoured whenever it can be. A pair that has to meet counts here and
   breaks nothing.
2. `again`: pairs that meet in two rounds in a row.
3. `squares`: the sum of m² over all pairs, m the times they meet.
4. `sitting_out`: the sum of squares of the times each player sits out. (Nobody does twice before everybody has once.)
5. `company`: the sum of squares of how many opponents each player has over all rounds: small tables are shared out.
6. `first`: the sum of squares of the times each player acts first at the table, that is sits in the first seat.
7. `seats`: the sum of squares over players and seats, of the times that player sits in that seat.
8. `tables`: the sum of cubes over players and table numbers, of the times that player sits there. (The squares would be
   the same for every order of the tables of an affine plane, whose lines meet in one point each.)
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from competitions.seating.rounds import Pair, Player, Round, meetings, met_again


class Score(NamedTuple):
    """The counts of a draw, in the order in which they decide. Of two draws the smaller is the better."""

    apart: int
    again: int
    squares: int
    sitting_out: int
    company: int
    first: int
    seats: int
    tables: int


def score(rounds: Sequence[Round], *, apart: Collection[Pair] = (), first_seat: int = 1) -> Score:
    """The counts over all rounds, played and drawn."""
    met = meetings(rounds)
    company = Counter(player for pair, count in met.items() for player in pair for _ in range(count))
    seats = seat_counts(rounds)
    return Score(
        apart=sum(met[pair] for pair in apart),
        again=sum(map(len, met_again(rounds))),
        squares=_squares(met.values()),
        sitting_out=_squares(sitting_out_counts(rounds).values()),
        company=_squares(company.values()),
        first=_squares(count for (_, seat), count in seats.items() if seat == first_seat),
        seats=_squares(seats.values()),
        tables=cubes(table_counts(rounds).values()),
    )


def sitting_out_counts(rounds: Iterable[Round]) -> Counter[Player]:
    """How often each player sat out who ever did."""
    return Counter(player for each in rounds for player in each.sitting_out)


def seat_counts(rounds: Iterable[Round]) -> Counter[tuple[Player, int]]:
    """How often each player sat in each seat, from seat 1."""
    return Counter((player, seat) for each in rounds for table in each.tables for seat, player in enumerate(table, 1))


def table_counts(rounds: Iterable[Round]) -> Counter[tuple[Player, int]]:
    """How often each player sat at each table number, from table 1."""
    return Counter(
        (player, table) for each in rounds for table, people in enumerate(each.tables, 1) for player in people
    )


def _squares(counts: Iterable[int]) -> int:
    return sum(count * count for count in counts)


def cubes(counts: Iterable[int]) -> int:
    """The sum of cubes."""
    return sum(count**3 for count in counts)
