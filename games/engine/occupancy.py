"""Who sits where in which deal: seats as taken, substitutions, and re-seats over a range of deals. Pure."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

CREDITS = ("last", "first", "deals")


@dataclass(frozen=True, slots=True)
class Occupant:
    """`player` (id) sits in `seat` from deal number `from_number` on, until a later occupant of that seat.

    `reseated`: a correction says that they sat there; the points of those deals are their own, whatever `credit` says.
    """

    seat: int
    from_number: int
    player: int
    credit: str = "last"
    reseated: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """What event `seq` says of a seat: taken from `from_number` on, or, by a re-seat, up to `to_number` (None: on)."""

    seq: int
    seat: int
    player: int
    from_number: int
    credit: str = "last"
    reseat: bool = False
    to_number: int | None = None

    def covers(self, number: int) -> bool:
        return self.from_number <= number and (self.to_number is None or number <= self.to_number)


@dataclass(frozen=True, slots=True)
class SeatHistory:
    """All that was said of one seat, in order of events. Who took it holds until somebody else takes it in a later
    deal; a re-seat holds over its deals, against all that was said before it."""

    taken: tuple[Entry, ...]
    reseats: tuple[Entry, ...]

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> "SeatHistory":
        """`entries` are of one seat, the first from deal 1 on. Of two from the same deal on the later event holds."""
        taken = {entry.from_number: entry for entry in entries if not entry.reseat}
        return cls(tuple(taken[number] for number in sorted(taken)), tuple(e for e in entries if e.reseat))

    def taken_by(self, number: int) -> Entry:
        """Whose the seat is in deal `number`, re-seats aside."""
        return self.taken[max(bisect_right(self.taken, number, key=lambda entry: entry.from_number), 1) - 1]

    def at(self, number: int) -> Entry:
        """Who sits there in deal `number`."""
        owner = self.taken_by(number)
        moved = [entry for entry in self.reseats if entry.covers(number) and entry.seq > owner.seq]
        return moved[-1] if moved else owner

    @property
    def credit(self) -> str:
        """Who gets the seat's points where its player changed: the last substitution says. A re-seat alone leaves
        everybody the points of their own deals."""
        if len(self.taken) == 1 and self.reseats:
            return "deals"
        return max(self.taken, key=lambda entry: entry.seq).credit

    def occupants(self) -> list[Occupant]:
        """The seat's players in order, one for each stretch of deals. The last one's `credit` is the seat's."""
        edges = {entry.from_number for entry in (*self.taken, *self.reseats)}
        edges |= {entry.to_number + 1 for entry in self.reseats if entry.to_number is not None}
        changes = {entry.from_number for entry in self.taken}
        found: list[Occupant] = []
        for number in sorted(edges):
            entry = self.at(number)
            same = found and (found[-1].player, found[-1].reseated) == (entry.player, entry.reseat)
            if same and number not in changes:
                continue
            credit = "deals" if entry.reseat else entry.credit
            found.append(Occupant(entry.seat, number, entry.player, credit, entry.reseat))
        last = found.pop()
        return [*found, Occupant(last.seat, last.from_number, last.player, self.credit, last.reseated)]
