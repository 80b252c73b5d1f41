"""The only reader and writer of a club's own log, and what follows from it for each player: merged, anonymised.

A player is named by row, never by name; reasons may be blanked when somebody is anonymised.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Any

from django.db.models import Count, Max, Min, Q

from games.models import Club, ClubEvent, Player, User


class ClubKind(IntEnum):
    """What may become of a player. Stored; a number never changes its meaning."""

    MERGED = 1
    UNMERGED = 2
    ANONYMISED = 3


@dataclass(frozen=True, slots=True)
class Fate:
    """What the log says of one player: whom it is merged into, and the name it was anonymised to."""

    merged_into: int | None = None
    anonymised: str | None = None


def append(
    club: Club,
    kind: ClubKind,
    player: Player,
    *,
    actor: int,
    at: datetime,
    door: str,
    reason: str,
    data: dict[str, Any] | None = None,
) -> ClubEvent:
    """Append an event to the log of a `club` whose row is locked; two statements."""
    return ClubEvent.objects.create(
        club=club,
        seq=last_seq(club.pk) + 1,
        at=at,
        actor_id=actor,
        kind=int(kind),
        player=player,
        data=data or {},
        reason=reason,
        door=door,
    )


def last_seq(club_id: int) -> int:
    """The seq of the club's last event; 0 before the first."""
    return int(ClubEvent.objects.filter(club=club_id).aggregate(last=Max("seq"))["last"] or 0)


def last_merge(player: Player) -> ClubEvent:
    """The event that merged a merged player."""
    return ClubEvent.objects.filter(player=player, kind=ClubKind.MERGED).latest("seq")


def fold(events: Iterable[ClubEvent]) -> dict[int, Fate]:
    """What becomes of each player that `events`, in order of seq, speak of; by row id."""
    fates: dict[int, Fate] = {}
    for event in events:
        before = fates.get(event.player_id, Fate())
        match ClubKind(event.kind):
            case ClubKind.MERGED:
                fates[event.player_id] = Fate(event.data["into"], before.anonymised)
            case ClubKind.UNMERGED:
                fates[event.player_id] = Fate(None, before.anonymised)
            case ClubKind.ANONYMISED:
                fates[event.player_id] = Fate(before.merged_into, event.data["name"])
    return fates


def sequence_fault(club_id: int) -> str | None:
    """What is wrong with the numbering of a club's log, which must run from 1 on without a gap."""
    seqs = ClubEvent.objects.filter(club=club_id).aggregate(n=Count("seq"), first=Min("seq"), last=Max("seq"))
    if seqs["n"] == 0 or (seqs["first"], seqs["last"]) == (1, seqs["n"]):
        return None
    return f"{seqs['n']} events numbered {seqs['first']} to {seqs['last']}"


def public_event(event: ClubEvent, players: dict[int, str]) -> dict[str, Any]:
    """An event as the club may see it, for ever the same: who did it and why are added by `history`. `players` are the
    public ids of the players that it names."""
    into = event.data.get("into")
    return {
        "seq": event.seq,
        "kind": ClubKind(event.kind).name.lower(),
        "player": players[event.player_id],
        "at": event.at,
        "data": {} if into is None else {"into": players[into]},
    }


def public_events(events: list[ClubEvent]) -> list[dict[str, Any]]:
    """The same of several; one statement."""
    named = {event.player_id for event in events} | {event.data["into"] for event in events if "into" in event.data}
    players = dict(Player.objects.filter(pk__in=named).values_list("pk", "public_id"))
    return [public_event(event, players) for event in events]


def event_at(club: str, seq: int) -> dict[str, Any]:
    """The same of the event `seq` of the club with that slug; two statements."""
    return public_events([ClubEvent.objects.get(club__slug=club, seq=seq)])[0]


def about(player: Player, *, limit: int) -> list[dict[str, Any]]:
    """The latest events that name the player, or that merge others into it, as `history` gives them."""
    rows = ClubEvent.objects.filter(Q(player=player) | Q(data__into=player.pk), club=player.club_id)
    return _told(list(rows.order_by("-seq")[:limit]))


def told(club: Club, *, after: int, limit: int) -> list[dict[str, Any]]:
    """The `limit` events after seq `after` as everybody may know them, in order. Two statements."""
    return public_events(list(ClubEvent.objects.filter(club=club, seq__gt=after).order_by("seq")[:limit]))


def history(club: Club, *, after: int, limit: int) -> list[dict[str, Any]]:
    """The `limit` events after seq `after` with `who` and `reason`, in order. Three statements."""
    return _told(list(ClubEvent.objects.filter(club=club, seq__gt=after).order_by("seq")[:limit]))


def _told(events: list[ClubEvent]) -> list[dict[str, Any]]:
    names = dict(User.objects.filter(pk__in={event.actor_id for event in events}).values_list("pk", "username"))
    return [
        # A username may be somebody's mail address, which is nobody's business here.
        {**shown, "who": names[event.actor_id].partition("@")[0], "reason": event.reason}
        for event, shown in zip(events, public_events(events), strict=True)
    ]
