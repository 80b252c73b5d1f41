"""The rounds as pages: when they are, who sits where, and what the tables brought as far as it is in."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from competitions import selectors, showing
from competitions.models import Competition, Table
from competitions.pages.frame import show
from competitions.pages.gate import page
from competitions.pages.printing import by_name
from competitions.results import OVER
from competitions.selectors import RoundSeen
from competitions.showing import DrawShown, draw_shown
from competitions.wording import ROUND_STATUS, round_name
from games.access import Caller
from games.models import Deal, Player, Session, TableRow
from scoring.points import exact, shown

RESULT_IN, PLAYING, NOT_BEGUN = gettext_lazy("Result in"), gettext_lazy("Being played"), gettext_lazy("Not begun")


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round in the list of rounds."""

    seen: RoundSeen
    name: str
    status: Any
    tables: int


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat: who sits in it, for whom, and what it brought; of a table that has not begun `place` is None."""

    names: tuple[str, ...]
    instead_of: str = ""
    place: int | None = None
    total: str = ""


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table of a round; `session` is None where it is not open, or not for this reader. `deals`: those to replay."""

    number: int
    seats: tuple[SeatLine, ...]
    session: Session | None
    status: Any
    deals: tuple[int, ...]


@page
def rounds(request: HttpRequest, caller: Caller, competition: Competition) -> HttpResponse:
    """All rounds there are."""
    counted = Table.objects.filter(competition=competition).values_list("round").annotate(Count("pk"))
    tables: dict[int, int] = dict(counted.order_by())
    lines = [
        RoundLine(seen, round_name(seen.number, seen.title), ROUND_STATUS[seen.status], tables.get(seen.number, 0))
        for seen in selectors.bare_rounds(caller, competition, now=timezone.now())
    ]
    return show(request, "rounds", caller, competition, "rounds", lines=lines)


@page
def one(request: HttpRequest, caller: Caller, competition: Competition, number: int) -> HttpResponse:
    """A round: by table and by name as it is drawn, with the results that are in."""
    seen = selectors.round_of(caller, competition, number, now=timezone.now())
    draw = None if seen.draw is None else draw_shown(seen.number, seen.draw)
    tables = _tables(seen, draw)
    others = [other.number for other in selectors.bare_rounds(caller, competition, now=timezone.now())]
    return show(
        request,
        "round",
        caller,
        competition,
        "rounds",
        seen=seen,
        name=round_name(seen.number, seen.title),
        round_status=ROUND_STATUS[seen.status],
        draw=draw,
        tables=tables,
        by_name=by_name(draw) if draw else [],
        before=max((other for other in others if other < number), default=None),
        after=min((other for other in others if other > number), default=None),
    )


def _tables(seen: RoundSeen, draw: DrawShown | None) -> list[TableLine]:
    """Every table of the draw, and those that were added: three statements."""
    sessions = {table.number: table.session for table in seen.tables}
    visible = [session.pk for session in sessions.values() if session is not None]
    rows: dict[int, list[TableRow]] = defaultdict(list)
    for row in TableRow.objects.filter(session__in=visible).order_by("session", "seat"):
        rows[row.session_id].append(row)
    people = showing.people(share["player"] for some in rows.values() for row in some for share in row.players)
    deals: dict[int, list[int]] = defaultdict(list)
    over = Deal.objects.filter(session__in=visible, current=True, finished=True).exclude(mode="result")
    for pk, deal in over.order_by("number").values_list("session", "number"):
        deals[pk].append(deal)
    drawn = draw.tables if draw else ()
    lines = []
    for number in sorted({*range(1, len(drawn) + 1), *sessions}):
        session = sessions.get(number)
        found = rows.get(session.pk, []) if session else []
        seats = tuple(_drawn(seat) for seat in drawn[number - 1]) if number <= len(drawn) else ()
        played = any(row.deals for row in found)
        lines.append(
            TableLine(
                number,
                _played(found, seats, people) if played else seats,
                session,
                _status(session, played=played) if session else "",
                tuple(deals.get(session.pk, ())) if session else (),
            )
        )
    return lines


def _drawn(seat: showing.SeatShown) -> SeatLine:
    if seat.substitute is None:
        return SeatLine((seat.player.name,))
    return SeatLine((seat.substitute.name,), seat.player.name)


def _played(rows: Sequence[TableRow], seats: Sequence[SeatLine], people: Mapping[int, Player]) -> tuple[SeatLine, ...]:
    """The seats with their places; who sat there is what the session says, for whom what the draw says."""
    found = []
    for row in rows:
        names = tuple(people[share["player"]].name for share in row.players)
        drawn = seats[row.seat] if row.seat < len(seats) else SeatLine(())
        instead_of = drawn.instead_of if drawn.names == names else ""
        found.append(SeatLine(names, instead_of, row.place, shown(exact(Fraction(row.total)))))
    return tuple(found)


def _status(session: Session, *, played: bool) -> Any:
    if session.status in OVER:
        return RESULT_IN
    return PLAYING if played or session.status == "playing" else NOT_BEGUN
