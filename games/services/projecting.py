"""Storing the projection of a session: only what differs from the rows at hand is written."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.db.models import Model

from games import eventlog
from games.bots import OUTSIDE
from games.engine.session import SessionState
from games.engine.session_events import Kind
from games.models import Deal, Occupancy, Player, PointAdjustment, Session, TableRow
from games.projection import Played, Projection, Row, project, result_from_json

_SEATING = {Kind.SEATED, Kind.UNSEATED, Kind.FROZEN, Kind.SUBSTITUTED, Kind.RESEATED, Kind.UNDONE}
_ADJUSTING = {Kind.ADJUSTED, Kind.UNDONE}
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def played(rows: Iterable[Deal]) -> dict[int, Played]:
    """What is stored of each deal that has or may yet have a result. Where a deal stands is not stored: see `head`."""
    return {
        row.ordinal: Played(
            row.seq,
            row.ended_at or _LONG_AGO,
            None,
            None if row.result is None else result_from_json(row.result, dealer=row.dealer),
            None if row.packed is None else bytes(row.packed),
        )
        for row in rows
    }


def head(session: Session, state: SessionState, rows: Iterable[Deal], ordinal: int) -> Played:
    """Where a stored, unfinished deal stands, by replaying it: two statements."""
    row = next(row for row in rows if row.ordinal == ordinal)
    logged = eventlog.actions(session.pk, row)
    deal = eventlog.replay_row(session, row, logged)
    assert deal is not None
    dealt = next(event for event in state.events if event.seq == row.seq)
    assert dealt.at is not None
    return eventlog.played(deal, logged, seq=row.seq, at=dealt.at)


def bots_among(players: Iterable[int]) -> frozenset[int]:
    """Those of the players for whom the server plays."""
    rows = Player.objects.filter(pk__in=set(players)).exclude(strategy__in=["", OUTSIDE])
    return frozenset(rows.values_list("pk", flat=True))


def store(
    session: Session,
    state: SessionState,
    rows: list[Deal],
    deals: dict[int, Played],
    decks: Mapping[int, bytes],
    kinds: set[Kind],
    bots: frozenset[int] | None = None,
) -> Projection:
    """Write the rows of `session` that follow from `state`, its seq and a new version.

    `rows` are its stored deals, `deals` what was played (of stored ones and new), `decks` the cards of new deals,
    `kinds` the kinds of event just appended, which say what may have changed.
    """
    live = state.live(ordinal for ordinal, deal in deals.items() if deal.result is None)
    if live is not None and deals[live.ordinal].to_act is None:
        deals[live.ordinal] = head(session, state, rows, live.ordinal)
    if bots is None:
        bots = bots_among(o.player for o in state.occupants)
    projection = project(state, deals, bots=bots)
    _store_deals(session, projection, rows, decks)
    if kinds & _SEATING:
        _replace(Occupancy, session, ("seat", "from_number"), projection.occupancies, {"player": "player_id"})
    if kinds & _ADJUSTING:
        _replace(PointAdjustment, session, ("seq",), {(seq,): row for seq, row in projection.adjustments.items()}, {})
    if projection.table:
        TableRow.objects.bulk_create(
            [TableRow(session=session, seat=seat, **row) for seat, row in projection.table.items()],
            update_conflicts=True,
            unique_fields=["session", "seat"],
            update_fields=["place", "total", "deals", "wins", "cards_left", "players"],
        )
    for column, value in projection.session.items():
        setattr(session, column, value)
    session.version += 1
    session.save(update_fields=[*projection.session, "seq", "version"])
    return projection


def _store_deals(session: Session, projection: Projection, rows: list[Deal], decks: Mapping[int, bytes]) -> None:
    stored = {row.ordinal: row for row in rows}
    changed: dict[str, list[Deal]] = {"gone": [], "here": []}
    columns: set[str] = set()
    for ordinal, row in stored.items():
        wanted = projection.deals[ordinal]
        differing = {column for column, value in wanted.items() if not same(getattr(row, column), value)}
        if differing:
            columns |= differing
            assign(row, wanted)
            changed["here" if row.current else "gone"].append(row)
    # Takes that no longer stand go first: two standing takes of one number are not allowed even for a moment.
    for part in changed.values():
        if part:
            Deal.objects.bulk_update(part, sorted(columns), batch_size=1000)
    new = [
        Deal(session=session, ordinal=ordinal, **row)
        for ordinal, row in projection.deals.items()
        if ordinal not in stored
    ]
    if new:
        Deal.objects.bulk_create(new, batch_size=eventlog.BATCH)
        eventlog.store_cards((deal, decks[deal.ordinal]) for deal in new if deal.ordinal in decks)


def same(stored: Any, wanted: Any) -> bool:
    """Whether a stored column has the wanted value; bytes come back from the database as a view."""
    return bool((bytes(stored) if isinstance(stored, memoryview) else stored) == wanted)


def assign(row: Model, wanted: Row) -> None:
    for column, value in wanted.items():
        setattr(row, column, value)


def _replace(
    model: type[Model],
    session: Session,
    key: tuple[str, ...],
    wanted: Mapping[Any, Row],
    columns: Mapping[str, str],
) -> None:
    """Make a session's rows of a small projection table anew."""
    model._default_manager.filter(session=session).delete()
    model._default_manager.bulk_create(
        [
            model(
                session=session,
                **dict(zip(key, at, strict=True)),
                **{columns.get(name, name): value for name, value in row.items()},
            )
            for at, row in wanted.items()
        ]
    )
