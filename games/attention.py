"""Which sessions of a club need somebody now, and which only lie there: reads, with the time handed in."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, Value, When, Window
from django.db.models.functions import Greatest

from games.models import Deal, Event, Occupancy, Session

STALLED = timedelta(minutes=10)
"""A person's turn that takes longer, with nothing to play it for them, is worth a look."""

OVERDUE = timedelta(seconds=30)
"""What the server should have done so long ago, nobody does: its workers are down."""

RECENT = timedelta(days=1)
"""Where nothing happened for longer, it is no part of this evening."""

UNFINISHED = (Session.Status.PLAYING, Session.Status.WAITING, Session.Status.OPEN, Session.Status.FINISHED)
"""Statuses of sessions that are not closed, in the order in which they are looked at."""

MOST_NAMED = 8
"""Tables of a kind that are named one by one."""


@dataclass(frozen=True, slots=True)
class Few:
    """The first rows of a kind, and how many there are of it."""

    rows: list[Any]
    total: int

    @property
    def more(self) -> int:
        return self.total - len(self.rows)


def moments(sessions: QuerySet[Session]) -> QuerySet[Any]:
    """Sessions with `moved`, when something last happened there; `began` is the time of the first event."""

    def at(seq: Any) -> Subquery:
        return Subquery(Event.objects.filter(session=OuterRef("pk"), seq=seq).values("at")[:1])

    return sessions.annotate(began=at(1), moved=at(OuterRef("seq")))


def unfinished(sessions: QuerySet[Session], now: datetime) -> QuerySet[Any]:
    """Sessions that are not closed, with `moments` and `left`: nothing happened there for a day, or all of it was
    stored at one moment with its results, as an import does."""
    hosted = Deal.objects.filter(session=OuterRef("pk"), mode="hosted")
    imported = Q(began=F("moved"), live_deal=None) & ~Q(status=Session.Status.OPEN) & ~Exists(hosted)
    rows = moments(sessions.filter(status__in=UNFINISHED)).annotate(last=Greatest("created_at", "moved"))
    return rows.annotate(left=Case(When(imported | Q(last__lt=now - RECENT), then=Value(True)), default=Value(False)))


def heaps(sessions: QuerySet[Session], now: datetime) -> dict[tuple[str, bool], int]:
    """How many there are of `unfinished` by (status, left)."""
    rows = unfinished(sessions, now).order_by().values_list("status", "left").annotate(n=Count("pk"))
    return {(status, left): n for status, left, n in rows}


def overdue(sessions: QuerySet[Session], now: datetime) -> Few:
    """Sessions where a bot should have moved, or the next deal been dealt, and nobody does it; longest first."""
    in_play = (Session.Status.PLAYING, Session.Status.WAITING)
    rows = sessions.filter(status__in=in_play, due_at__lte=now - OVERDUE).order_by("due_at")
    return _few(_seated(rows))


def stalled(sessions: QuerySet[Session], now: datetime) -> Few:
    """Sessions where it has been a person's turn for long in a deal played here, no clock runs that would end in a
    move, and which somebody has not just left lying for a day; longest first, with `moved`."""
    hosted = Deal.objects.filter(session=OuterRef("pk"), ordinal=OuterRef("live_deal"), mode="hosted")
    rows = moments(sessions.filter(Exists(hosted), status=Session.Status.PLAYING, due_at=None))
    return _few(_seated(rows.filter(moved__lte=now - STALLED, moved__gt=now - RECENT).order_by("moved")))


def unconfirmed(sessions: QuerySet[Session]) -> Few:
    """Deals that count once a second person has confirmed them, with `session` and `entered_by` (user id)."""
    entered = Event.objects.filter(session=OuterRef("session"), seq=OuterRef("seq")).values("actor")[:1]
    deals = Deal.objects.filter(awaits=True, session__in=sessions).annotate(entered_by=Subquery(entered))
    return _few(deals.select_related("session__club").order_by("session", "number"))


def _seated(sessions: QuerySet[Any]) -> QuerySet[Any]:
    """With the club, and who sits there as `seating`."""
    seats = Occupancy.objects.select_related("player__merged_into").order_by("seat", "from_number")
    return sessions.select_related("club").prefetch_related(Prefetch("occupancies", seats, to_attr="seating"))


def _few(rows: QuerySet[Any]) -> Few:
    found = list(rows.annotate(of=Window(Count("pk")))[:MOST_NAMED])
    return Few(found, found[0].of if found else 0)
