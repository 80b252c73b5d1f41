"""What differs between two draws of the same rounds: who sits elsewhere than before."""

from collections.abc import Sequence
from dataclasses import dataclass

from competitions.seating.rounds import Player, Round, in_order


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody is in a round. `table` and `seat` count from 1; None for both: he sits out."""

    table: int | None
    seat: int | None

    def __str__(self) -> str:
        return "sitting out" if self.table is None else f"table {self.table} seat {self.seat}"


@dataclass(frozen=True, slots=True)
class Change:
    """One player's change in one round. `before` or `after` is None when he is not in that round at all."""

    round: int
    player: Player
    before: Place | None
    after: Place | None

    @property
    def kind(self) -> str:
        """`joins`, `leaves`, `sits_out`, `plays`, `table` or `seat`, for what is the most that changed."""
        if self.before is None:
            return "joins"
        if self.after is None:
            return "leaves"
        if self.after.table is None:
            return "sits_out"
        if self.before.table is None:
            return "plays"
        return "table" if self.before.table != self.after.table else "seat"

    def __str__(self) -> str:
        if self.before is None:
            return f"Round {self.round}: {self.player} joins, {self.after}."
        if self.after is None:
            return f"Round {self.round}: {self.player} leaves ({self.before})."
        return f"Round {self.round}: {self.player} from {self.before} to {self.after}."


def changes(before: Sequence[Round], after: Sequence[Round], *, first: int = 1) -> list[Change]:
    """Every player's change, by round and player; `first` is the number of the first round given.

    Where one draw has more rounds than the other, everybody in them joins or leaves.
    """
    found = []
    for number in range(max(len(before), len(after))):
        old = places(before[number]) if number < len(before) else {}
        new = places(after[number]) if number < len(after) else {}
        for player in in_order(old.keys() | new.keys()):
            if old.get(player) != new.get(player):
                found.append(Change(first + number, player, old.get(player), new.get(player)))
    return found


def places(each: Round) -> dict[Player, Place]:
    """Where everybody is."""
    found = {player: Place(None, None) for player in each.sitting_out}
    for number, table in enumerate(each.tables, 1):
        found.update({player: Place(number, seat) for seat, player in enumerate(table, 1)})
    return found
