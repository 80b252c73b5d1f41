"""The only reader and writer of competitions' logs."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Count, Max

from competitions.facts import CompetitionEvent, Kind
from competitions.models import Competition, Event

CONTENT = "content"
EFFECTS = "effects"
"""Keys within an event's data: of a publication's content, and of what followed from a write (competitions.effects).
Both may be large, and only the functions of these names read them."""

_HEAVY = [CONTENT, EFFECTS]
_COLUMNS = "seq, kind, round, player, actor_id, at, (data - %s::text[])::text, reason"


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be appended. `data` must be JSON."""

    kind: Kind
    round: int | None = None
    player: int | None = None
    data: dict[str, Any] = field(default_factory=dict)
    reason: str = ""


def append(
    competition: Competition, events: Sequence[NewEvent], *, after: int, actor: int, at: datetime, door: str
) -> list[CompetitionEvent]:
    """Append `events` to the log of a locked competition, whose last event is `after`. One statement.

    Sets the competition's `seq` in memory."""
    stored = []
    rows = []
    competition.seq = after
    for event in events:
        competition.seq += 1
        seen = light(event.data)
        stored.append(
            CompetitionEvent(competition.seq, event.kind, event.round, event.player, actor, at, seen, event.reason)
        )
        rows.append(
            Event(
                competition_id=competition.pk,
                seq=competition.seq,
                at=at,
                actor_id=actor,
                kind=int(event.kind),
                round=event.round,
                player=event.player,
                data=event.data,
                reason=event.reason,
                door=door,
            )
        )
    Event.objects.bulk_create(rows, batch_size=2000)
    return stored


def light(data: dict[str, Any]) -> dict[str, Any]:
    """An event's data as folds see it."""
    return {name: value for name, value in data.items() if name not in _HEAVY}


def own_events(competition_id: int) -> list[CompetitionEvent]:
    """All events of a competition, in order, in one statement: what `state.fold` takes."""
    return _read("WHERE competition_id = %s ORDER BY seq", [competition_id])


def setup_events(competition_id: int) -> list[CompetitionEvent]:
    """Those events that say what a competition is played by; none of them can be undone."""
    return _read(
        "WHERE competition_id = %s AND kind = ANY(%s) ORDER BY seq",
        [competition_id, [int(kind) for kind in (Kind.CREATED, Kind.CONFIGURED, Kind.ROUND_SET)]],
    )


def own_events_of(competition_ids: Collection[int]) -> dict[int, list[CompetitionEvent]]:
    """The same for several competitions, still in one statement."""
    found: dict[int, list[CompetitionEvent]] = {competition: [] for competition in competition_ids}
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT competition_id, {_COLUMNS} FROM competitions_event"  # noqa: S608
            " WHERE competition_id = ANY(%s) ORDER BY competition_id, seq",
            [_HEAVY, list(competition_ids)],
        )
        for competition, *columns in cursor.fetchall():
            found[competition].append(_event(*columns))
    return found


def page(competition_id: int, *, after: int, limit: int) -> list[CompetitionEvent]:
    """The `limit` events after seq `after`."""
    return _read("WHERE competition_id = %s AND seq > %s ORDER BY seq LIMIT %s", [competition_id, after, limit])


def content(competition_id: int, seq: int) -> dict[str, Any]:
    """What a publication says, by the seq of its event."""
    return dict(Event.objects.values_list("data", flat=True).get(competition_id=competition_id, seq=seq)[CONTENT])


def effects(competition_id: int, seq: int) -> dict[str, Any] | None:
    """What followed from the write whose last event is `seq`; None where it keeps nothing."""
    data = Event.objects.filter(competition_id=competition_id, seq=seq).values_list(f"data__{EFFECTS}", flat=True)
    found = data.first()
    return None if found is None else dict(found)


def doors(competition_id: int, seqs: Collection[int] | None = None) -> dict[int, str]:
    """Through which door each event came, or each of those asked for."""
    rows = Event.objects.filter(competition_id=competition_id)
    if seqs is not None:
        rows = rows.filter(seq__in=seqs)
    return dict(rows.values_list("seq", "door"))


def correction(session_id: int, seq: int) -> CompetitionEvent | None:
    """The event that says what a correction of a session changed here; `seq` is the correction's last event."""
    found = _read(
        "WHERE kind = %s AND competition_id = (SELECT competition_id FROM competitions_table WHERE session_id = %s)"
        " AND data @> %s::jsonb ORDER BY seq DESC LIMIT 1",
        [int(Kind.CORRECTED), session_id, json.dumps({"session": session_id, "seq": seq})],
    )
    return found[0] if found else None


def sequence_fault(competition: Competition) -> str | None:
    """What is wrong with the numbering of a log, which must run from 1 to `seq` without a gap."""
    seqs = Event.objects.filter(competition=competition).aggregate(n=Count("seq"), last=Max("seq"))
    if (seqs["n"], seqs["last"] or 0) == (competition.seq, competition.seq):
        return None
    return f"{seqs['n']} events, the last numbered {seqs['last']}"


def _read(where: str, parameters: list[Any]) -> list[CompetitionEvent]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_COLUMNS} FROM competitions_event {where}", [_HEAVY, *parameters])  # noqa: S608
        return [_event(*columns) for columns in cursor.fetchall()]


def _event(
    seq: int, kind: int, number: int | None, player: int | None, actor: int, at: datetime, data: str, reason: str
) -> CompetitionEvent:
    return CompetitionEvent(seq, Kind(kind), number, player, actor, at, json.loads(data), reason)
