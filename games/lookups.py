"""Small reads for lists and pages: who sits where, which deal is running, whom an account plays."""

from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery

from games.access import Caller
from games.bots import OUTSIDE
from games.models import Deal, Event, Occupancy, Player, Session


def with_deal_number(sessions: QuerySet[Session]) -> QuerySet[Any]:
    """The sessions with `deal_number`, the number of the running deal or None, in the same statement."""
    running = Deal.objects.filter(session=OuterRef("pk"), ordinal=OuterRef("live_deal")).values("number")
    return sessions.annotate(deal_number=Subquery(running))


def awaiting(session: Session) -> list[Any]:
    """The deals that wait for a second person, by number, each with the username `entered_by`; no statement where the
    session needs none, else one."""
    if not session.confirm:
        return []
    entered = Event.objects.filter(session=OuterRef("session"), seq=OuterRef("seq")).values("actor__username")
    rows = Deal.objects.filter(session=session, awaits=True).annotate(entered_by=Subquery(entered))
    return list(rows.order_by("number"))


def seating_of(session: Session) -> list[Occupancy]:
    """Who sits in which seat from which deal on, with the players: one statement."""
    rows = Occupancy.objects.filter(session=session).select_related("player__merged_into")
    return list(rows.order_by("seat", "from_number"))


def players_in(seating: list[Occupancy], number: int) -> list[Player]:
    """The players of deal `number` by seat."""
    at: dict[int, Player] = {}
    for item in seating:
        if item.from_number <= number:
            at[item.seat] = item.player
    return [at[seat] for seat in sorted(at)]


def played_by(user: int) -> Q:
    """Of players: those whose seats the account plays, as themselves or as those merged into them."""
    return Q(user=user) | Q(merged_into__user=user)


def own_players(caller: Caller) -> dict[int, str]:
    """Public id of the player that the account plays in each club, by the club's row id."""
    rows = Player.objects.filter(user=caller.user, strategy__in=["", OUTSIDE], active=True)
    return dict(rows.values_list("club_id", "public_id"))
