"""One person has one seat, also under two names: what holds of whoever is seated, under a lock that merges wait for.

Locks are taken in one order: the club, its sessions, its players. Whoever is being merged or anonymised cannot be
seated meanwhile.
"""

from collections.abc import Collection, Iterable

from django.db import connection

from games.access import Caller, role_needed
from games.engine.session import SessionState
from games.engine.session_events import Kind, players_named
from games.errors import Busy, Invalid, NotFound, Refusal
from games.eventlog import NewEvent
from games.models import Club, Occupancy, Player, Role, Session
from scoring.wording import say

SEATING = {Kind.SEATED, Kind.SUBSTITUTED, Kind.RESEATED, Kind.UNDONE}
"""The kinds of event by which a player comes, or comes back, to a table."""

# Lighter than what a merge takes, so that seatings of one player at several tables do not wait for each other.
_SEATED = """
    SELECT id, name, coalesce(merged_into_id, id), merged_into_id IS NOT NULL OR anonymised FROM games_player
    WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE
"""


# Also of whoever became inactive or was merged just before the lock was given: the row is then looked at anew.
_HELD = "SELECT * FROM games_player WHERE club_id = %s AND public_id = ANY(%s) AND active ORDER BY id FOR KEY SHARE"


def held(club_id: int, public_ids: Collection[str]) -> dict[str, Player]:
    """The active players of a club among those, by public id, held until the end of the transaction: none of them is
    merged or anonymised meanwhile. One statement. For whatever takes people up elsewhere than at a table."""
    return {player.public_id: player for player in Player.objects.raw(_HELD, [club_id, list(public_ids)])}


def check_seated(before: SessionState, state: SessionState, events: Iterable[NewEvent]) -> None:
    """Whoever the new `events` seat is neither merged nor anonymised, unless they sat at the table `before`; and nobody
    of the session is one person with somebody else of it. Raises `bad_player`, `already_seated`. One statement, none
    where nobody came."""
    events = list(events)
    if not any(event.kind in SEATING for event in events):
        return
    come = set().union(*(players_named(event.data) for event in events)) - {item.player for item in before.occupants}
    players = {occupant.player for occupant in state.occupants} if state.frozen else set(state.seated.values())
    with connection.cursor() as cursor:
        cursor.execute(_SEATED, [sorted(players | come)])
        rows = cursor.fetchall()
    seen: dict[int, str] = {}
    for player, name, person, gone in rows:
        if gone and player in come:
            raise Invalid("bad_player", say("There is no such active player in this club."))
        if player not in players:
            continue
        if person in seen:
            message = say(
                "{person} and {name} are one person, who has one seat at a table.", person=seen[person], name=name
            )
            raise Refusal("already_seated", message)
        seen[person] = name


def lock_club(caller: Caller, player: str) -> tuple[Club, int]:
    """The club of the player with that public id, its row locked, so that one thing at a time becomes of its people;
    and the player's row id. Raises NotFound to those outside the club, Forbidden to all but organisers."""
    row = Player.objects.filter(public_id=player).values("pk", "club").first()
    if row is None or not caller.has(Role.MEMBER, row["club"]):
        raise NotFound("player")
    if not caller.has(Role.ORGANISER, row["club"]):
        raise role_needed(Role.ORGANISER)
    return Club.objects.select_for_update(no_key=True).get(pk=row["club"]), row["pk"]


def lock_people(club: Club, players: Collection[int]) -> dict[int, Player]:
    """The rows of `players` by id, locked against being seated, after the open sessions in which they sit.

    Call with the club's row locked. Raises Busy where one of them was seated in between."""
    locked = _lock_sessions(players)
    rows = Player.objects.filter(club=club, pk__in=players).order_by("pk").select_for_update(of=("self",))
    found = {row.pk: row for row in rows}
    if _open_sessions(players) - locked:
        raise Busy
    return found


def _lock_sessions(players: Collection[int]) -> set[int]:
    rows = Session.objects.filter(pk__in=_open_sessions(players)).order_by("pk").select_for_update(no_key=True)
    return {row.pk for row in rows}


def _open_sessions(players: Collection[int]) -> set[int]:
    sitting = Occupancy.objects.filter(player__in=players).exclude(session__status=Session.Status.CLOSED)
    return set(sitting.values_list("session_id", flat=True))
