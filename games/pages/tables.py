"""Tables as a list of links: one's own, where it is one's turn first, and those that may be watched."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, Exists, OuterRef, Prefetch, Q, Subquery, Value, When

from games import delays, selectors
from games.access import Caller
from games.lookups import played_by
from games.models import Event, Occupancy, Player, Session
from games.pages.table import STATUS

MOST_SHOWN = 20
LIVELY = timedelta(hours=12)
"""A table where nothing has happened for longer is not live any more."""

_RANK = Case(When(status="playing", then=Value(0)), When(status="waiting", then=Value(1)), default=Value(2))


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table: who sits there, how it stands, whether the reader has a seat or the turn, or could take a seat."""

    session: Session
    names: str
    status: str
    turn: str
    seated: bool
    yours: bool
    free: bool


@dataclass(frozen=True, slots=True)
class Tables:
    """`own`: unfinished, the reader's turns first; `live`: others, being played first, then by the last action."""

    own: list[TableLine]
    live: list[TableLine]


def tables_for(caller: Caller, now: datetime) -> Tables:
    """Four statements, two for nobody, however many tables there are."""
    latest = Event.objects.filter(session=OuterRef("pk"), seq=OuterRef("seq")).values("at")
    seen = selectors.visible_sessions(caller).annotate(latest=Subquery(latest))
    unfinished = seen.filter(status__in=["playing", "waiting", "open"])
    own: list[TableLine] = []
    if caller.user:
        mine = Player.objects.filter(played_by(caller.user))
        sat = Occupancy.objects.filter(session=OuterRef("pk"), player__in=mine)
        own = [_line(row, caller) for row in _listed(unfinished.filter(Exists(sat)))]
        own = [line for line in own if line.seated]
    live = unfinished.filter(Q(status__in=["playing", "waiting"]) | Q(self_seating=True), latest__gte=now - LIVELY)
    seated = {line.session.pk for line in own}
    return Tables(
        sorted(own, key=lambda line: not line.yours),
        [_line(row, caller) for row in _listed(live) if row.pk not in seated],
    )


def _listed(rows: Any) -> list[Any]:
    seating = Occupancy.objects.select_related("player__merged_into").order_by("seat", "from_number")
    found = rows.prefetch_related(Prefetch("occupancies", seating, to_attr="seating"))
    return list(found.order_by(_RANK, "-latest")[:MOST_SHOWN])


def _line(row: Any, caller: Caller) -> TableLine:
    sitting: dict[int, Player] = {item.seat: item.player for item in row.seating}
    accounts = {seat: (one.merged_into and one.merged_into.user_id) or one.user_id for seat, one in sitting.items()}
    seated = bool(caller.user) and caller.user in accounts.values()
    acting = sitting.get(row.to_act) if seated or not delays.is_later(caller, row) else None
    return TableLine(
        session=row,
        names=", ".join(one.person.name for one in sitting.values()),
        status=str(STATUS[row.status]),
        turn=acting.person.name if acting is not None else "",
        seated=seated,
        yours=acting is not None and seated and accounts[row.to_act] == caller.user,
        free=row.status == "open" and row.self_seating,
    )
