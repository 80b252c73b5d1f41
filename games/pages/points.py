"""What a session has come to, as its page shows it: places and totals, and what each deal brought."""

from dataclasses import dataclass
from fractions import Fraction

from games.models import Deal, Session
from games.selectors import is_over
from games.standing import Standing, standing
from scoring.points import shown

MOST_SHOWN = 30
"""Deals that the page lists, the latest; replays lead from one to the next."""


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """A seat of the table of points. `name`: whoever had it, several joined by commas."""

    place: int
    seat: int
    name: str
    total: str
    wins: int


@dataclass(frozen=True, slots=True)
class Cell:
    """What a deal brought a seat; "–" where nothing is known."""

    points: str
    won: bool


@dataclass(frozen=True, slots=True)
class DealLine:
    """One deal. `over`: its replay is open; `note`: void, waits (for a second person), aside (it does not count)."""

    number: int
    over: bool
    note: str
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class Points:
    """`places` best first, `deals` newest first (`left_out`: how many older ones there are), `seats` in order."""

    scheme: str
    lowest_wins: bool
    places: list[PlaceLine]
    deals: list[DealLine]
    left_out: int
    last: Deal | None

    @property
    def leaders(self) -> str:
        """Whoever is first; several joined by commas."""
        return ", ".join(line.name for line in self.places if line.place == 1)


def points_of(session: Session) -> Points:
    """Four statements (games/standing.py)."""
    found = standing(session)
    listed = found.deals[-MOST_SHOWN:][::-1]
    return Points(
        scheme=found.scheme.title,
        lowest_wins=found.scheme.lowest_wins,
        places=[
            PlaceLine(row.place, row.seat, _names(found, row.players), _shown(row.total), row.wins)
            for row in found.rows
        ],
        deals=[_deal(session, deal) for deal in listed],
        left_out=len(found.deals) - len(listed),
        last=found.deals[-1] if found.deals else None,
    )


def _names(found: Standing, shares: list[dict[str, int]]) -> str:
    players = (found.players[share["player"]].person.name for share in shares)
    return ", ".join(dict.fromkeys(players))


def _deal(session: Session, deal: Deal) -> DealLine:
    winner = deal.result["winner"] if deal.finished and deal.result else None
    points = ["–"] * (session.seats or 0) if deal.points is None else list(map(_shown, deal.points))
    note = "void" if deal.voided_by is not None else "waits" if deal.awaits else ""
    if not note and deal.finished and not deal.counted:
        note = "aside"
    cells = [Cell(text, seat == winner) for seat, text in enumerate(points)]
    return DealLine(deal.number, is_over(session, deal) and deal.ordinal != session.live_deal, note, cells)


def _shown(stored: str | int) -> str:
    value = Fraction(stored)
    return shown(value.numerator if value.denominator == 1 else value).replace("-", "−")
