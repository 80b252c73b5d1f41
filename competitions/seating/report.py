"""What a draw achieved, beside what has been proven that no draw can do better."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from competitions.seating.draw import Drawn
from competitions.seating.objective import Score, score, seat_counts, sitting_out_counts, table_counts
from competitions.seating.rounds import Player, Round, meetings


@dataclass(frozen=True, slots=True)
class Reached:
    """A count of a draw, and its proven minimum."""

    value: int
    minimum: int

    @property
    def ratio(self) -> float:
        """How often the minimum goes into it; 1.0 is perfect."""
        if not self.minimum:
            return 1.0 if not self.value else float("inf")
        return self.value / self.minimum


@dataclass(frozen=True, slots=True)
class Report:
    """The counts of all rounds, the played ones included.

    - `apart`: meetings of pairs to be kept apart. `again`: pairs that meet in two rounds in a row.
    - `repeats`: meetings of two who have met before. `squares`: the sum of m² over all pairs, m the times they meet.
    - `met`: how many pairs met 0, 1, 2, … times, of those who take part in the rounds drawn.
    - `sat_out`, `first`: the fewest and the most times that anybody sat out, and acted first.
    - `seat_gap`: the most by which one player's counts of two seats differ that every table has.
    - `same_table`: the most times that anybody sits at one table number.
    """

    players: int
    rounds: int
    played: int
    how: str
    score: Score
    apart: Reached | None
    again: Reached
    repeats: Reached
    squares: Reached
    met: dict[int, int]
    sat_out: tuple[int, int]
    first: tuple[int, int]
    seat_gap: int
    same_table: int


def report(drawn: Drawn) -> Report:
    """Count what the draw achieved."""
    rounds = [*drawn.played, *drawn.rounds]
    players = {player for each in drawn.rounds for player in each.people()}
    reached = score(rounds, apart=drawn.apart, first_seat=drawn.first_seat)
    met = meetings(rounds)
    here = Counter(count for (one, other), count in met.items() if one in players and other in players)
    here[0] = len(players) * (len(players) - 1) // 2 - here.total()
    seats = seat_counts(rounds)
    out = sitting_out_counts(rounds)
    return Report(
        players=len(players),
        rounds=len(rounds),
        played=len(drawn.played),
        how=drawn.how,
        score=reached,
        apart=Reached(reached.apart, drawn.bounds.apart) if drawn.apart else None,
        again=Reached(reached.again, drawn.bounds.again),
        repeats=Reached(met.total() - len(met), drawn.bounds.repeats),
        squares=Reached(reached.squares, drawn.bounds.squares),
        met={times: here[times] for times in sorted(here) if here[times]},
        sat_out=_extremes(out[player] for player in players),
        first=_extremes(seats[player, drawn.first_seat] for player in players),
        seat_gap=max(_gap(rounds, player, seats) for player in players),
        same_table=max(table_counts(rounds).values(), default=0),
    )


def _gap(rounds: Sequence[Round], player: Player, seats: Counter[tuple[Player, int]]) -> int:
    """The most by which the player's counts of two seats differ, of the seats that all his tables had."""
    common = min((len(table) for each in rounds for table in each.tables if player in table), default=0)
    least, most = _extremes(seats[player, seat] for seat in range(1, common + 1))
    return most - least


def _extremes(counts: Iterable[int]) -> tuple[int, int]:
    found = list(counts)
    return min(found, default=0), max(found, default=0)
