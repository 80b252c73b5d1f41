"""What is exported in bulk, and to whom: the deals of a club. Each begins an `exports.Export`."""

from datetime import datetime

from django.utils import timezone

from games import delays, exporting, exports
from games.access import Caller, club_for
from games.errors import Invalid
from games.exporting import Deals
from games.exports import Export, Point
from games.models import Player, Role
from scoring.wording import say

_SINCE = """coalesce(d.ended_at, (
    SELECT e.at FROM games_event e WHERE e.session_id = d.session_id AND e.seq = d.seq
)) >= %s"""
_SAT = """EXISTS (
    SELECT FROM games_occupancy o WHERE o.session_id = d.session_id AND o.player_id = ANY(%s)
    AND o.from_number <= d.number AND NOT EXISTS (
        SELECT FROM games_occupancy later WHERE later.session_id = o.session_id AND later.seat = o.seat
        AND later.from_number > o.from_number AND later.from_number <= d.number
    )
)"""


def club_deals(
    caller: Caller,
    club: str,
    *,
    label: str | None = None,
    since: datetime | None = None,
    player: str | None = None,
    at: Point | None = None,
) -> Export:
    """The deals of the club's sessions that are over, as record text; for its members.

    - `label`: only of the session with this label. The others: see `filtered`.

    Raises NotFound, `bad_player`, Busy, `moved_on`."""
    owner = club_for(caller, club, Role.MEMBER)
    every = Deals("s.club_id = %s", (owner.pk,))
    whole = delays.undelayed(caller, owner.pk, every, timezone.now())
    deals = filtered(whole, owner.pk, since=since, player=player)
    if label is not None:
        deals = deals.but("s.label = %s", label)
    return exports.begin(
        caller,
        about=("deals", owner.pk, label, since, player),
        # A deal of which spectators see the end by now is in no log.
        state=lambda: (*exports.state_of_sessions(every, owner.pk), exporting.count(whole)),
        count=lambda: exporting.count(deals),
        lines=lambda skip: exporting.stream(deals, skip=skip),
        at=at,
    )


def filtered(deals: Deals, club: int, *, since: datetime | None, player: str | None) -> Deals:
    """Those of a club's deals that ended (without an end: began) at or after `since`, and in which the person `player`
    (a public id) had a seat. Raises `bad_player`."""
    if since is not None:
        deals = deals.but(_SINCE, since)
    if player is not None:
        row = Player.objects.select_related("merged_into").filter(club=club, public_id=player).first()
        if row is None:
            raise Invalid("bad_player", say("There is no such player in this club."))
        group = Player.objects.filter(pk=row.person.pk) | Player.objects.filter(merged_into=row.person)
        deals = deals.but(_SAT, list(group.values_list("pk", flat=True)))
    return deals
