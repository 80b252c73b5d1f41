"""Who is who: players and those merged into them, where they sat, what they won. Reads only."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.models import Deal, Occupancy, Player, Session, TableRow
from games.models.fields import search_key

MOST_SHOWN = 20
"""Sessions of a player that a page shows; the others are counted."""


@dataclass(frozen=True, slots=True)
class Result:
    """One session of a player. `total` (exact) and `place` are the seat's, None before the first deal."""

    session: Session
    seat: int
    place: int | None
    total: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """What a player and those merged into them have played: how many sessions, and the latest, newest first."""

    player: Player
    sessions: int
    first: datetime | None
    latest: list[Result]


def group_of(player: Player) -> list[Player]:
    """The player with everybody merged into it; one statement."""
    return [player, *player.duplicates.order_by("pk")]


def same_person(public_id: str) -> list[Player]:
    """Everybody who is one person with the player of that public id: whoever they are merged into first, then those
    merged into that one. Two statements; none where there is no such player."""
    found = Player.objects.select_related("merged_into").filter(public_id=public_id).first()
    return [] if found is None else group_of(found.person)


def names_of(players: Iterable[int]) -> dict[int, str]:
    """By row id the name of the person: that of the player it is merged into, if it is. One statement."""
    rows = Player.objects.filter(pk__in=set(players)).annotate(shown=Coalesce("merged_into__name", "name"))
    return dict(rows.values_list("pk", "shown"))


def public_ids(players: Iterable[int]) -> dict[int, str]:
    """By row id the public id that was always theirs, whoever they are merged into since. One statement."""
    return dict(Player.objects.filter(pk__in=set(players)).values_list("pk", "public_id"))


def searched(players: QuerySet[Player], text: str) -> QuerySet[Player]:
    """Those of `players` whose name holds `text`, whatever its case and accents: "Je" finds "Jérôme"."""
    return players.filter(search_key__contains=search_key(text))


def where_met(one: Collection[int], other: Collection[int]) -> Session | None:
    """The first session in which players of both groups have seats, in whichever deals; None if they never met."""
    sat = Session.objects.filter(occupancies__player__in=one).filter(occupancies__player__in=other)
    return sat.order_by("pk").first()


def running_with(players: Collection[int], **deal: Any) -> Occupancy | None:
    """The seat of one of `players` in a deal that is being played now, with its session; `deal` narrows the deal."""
    number = Deal.objects.filter(session=OuterRef("session"), ordinal=OuterRef("session__live_deal"), **deal)
    later = Occupancy.objects.filter(
        session=OuterRef("session"),
        seat=OuterRef("seat"),
        from_number__gt=OuterRef("from_number"),
        from_number__lte=OuterRef("number"),
    )
    sitting = Occupancy.objects.filter(player__in=players, session__live_deal__isnull=False)
    sitting = sitting.annotate(number=Subquery(number.values("number"))).filter(from_number__lte=F("number"))
    return sitting.exclude(Exists(later)).select_related("session", "player").order_by("pk").first()


def record_of(player: Player) -> Record:
    """What is on record of a player and those merged into it; six statements.

    Where they had several seats in a session, the one with most of their deals."""
    group = [member.pk for member in group_of(player)]
    sat = Session.objects.filter(Exists(Occupancy.objects.filter(session=OuterRef("pk"), player__in=group)))
    latest = list(sat.order_by("-created_at", "-pk")[:MOST_SHOWN])
    occupied = Occupancy.objects.filter(session__in=latest, player__in=group).order_by("-from_number")
    seats = dict(occupied.values_list("session", "seat"))
    rows = {(row.session_id, row.seat): row for row in TableRow.objects.filter(session__in=latest)}
    played: dict[int, int] = {}
    for (session, seat), row in rows.items():
        deals = sum(share["deals"] for share in row.players if share["player"] in group)
        if deals > played.get(session, 0):
            played[session], seats[session] = deals, seat
    return Record(
        player=player,
        sessions=sat.count(),
        first=sat.order_by("created_at").values_list("created_at", flat=True).first(),
        latest=[_result(session, seats[session.pk], rows.get((session.pk, seats[session.pk]))) for session in latest],
    )


def _result(session: Session, seat: int, row: TableRow | None) -> Result:
    return Result(session, seat, None, None) if row is None else Result(session, seat, row.place, row.total)
