"""What differs between two draws of the same rounds: who sits elsewhere than before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from competitions.seating.rounds import Player, Round, in_order
from scoring.wording import say


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody is in a round. `table` and `seat` count from 1; None for both: he sits out."""

    table: int | None
    seat: int | None


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

    def sentence(self, name: Callable[[Player], str] = str) -> str:
        """The change for people: "Round 3: Ann from table 2 seat 1 to table 4 seat 3."."""
        about: dict[str, Any] = {"round": self.round, "name": name(self.player)}
        before, after = self.before, self.after
        if before is None:
            assert after is not None
            if after.table is None:
                return say("Round {round}: {name} joins, sitting out.", **about)
            return say("Round {round}: {name} joins, table {table} seat {seat}.", **about, **_at(after))
        if after is None:
            if before.table is None:
                return say("Round {round}: {name} leaves (sitting out).", **about)
            return say("Round {round}: {name} leaves (table {table} seat {seat}).", **about, **_at(before))
        if after.table is None:
            return say("Round {round}: {name} from table {table} seat {seat} to sitting out.", **about, **_at(before))
        if before.table is None:
            return say("Round {round}: {name} from sitting out to table {table} seat {seat}.", **about, **_at(after))
        return say(
            "Round {round}: {name} from table {table} seat {seat} to table {new_table} seat {new_seat}.",
            **about,
            **_at(before),
            new_table=after.table,
            new_seat=after.seat,
        )


def _at(place: Place) -> dict[str, Any]:
    return {"table": place.table, "seat": place.seat}


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
