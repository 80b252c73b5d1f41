"""Checking what is stored against the log: all is replayed and rescored, and each column that differs is named."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import Q

from games import clublog, eventlog
from games.bots import OUTSIDE
from games.engine.errors import EngineError
from games.engine.session import SessionState, fold
from games.models import Club, ClubEvent, Deal, Occupancy, Player, PointAdjustment, Session, TableRow
from games.projection import Played, project, result_from_json


@dataclass(frozen=True, slots=True)
class Difference:
    """A column that does not say what the log says. `log` names the log, `row` the row within its table."""

    log: str
    table: str
    row: str
    column: str
    stored: Any
    expected: Any

    def __str__(self) -> str:
        return (
            f"{self.log}: {self.table} {self.row}, {self.column}:"
            f" stored {self.stored!r}, from the log {self.expected!r}"
        )


others: list[Callable[[], Iterator[list[Difference]]]] = []
"""Audits of apps built upon this one: each gives what differs, log by log."""


def audit_session(session: Session) -> list[Difference]:
    """Replay and rescore one session from its log; what differs. A fixed number of statements, all on one state of the
    database, so that a session being played may be audited."""
    with one_state():
        session.refresh_from_db()
        return list(_differences(session))


def audit_club(club: Club) -> list[Difference]:
    """Fold a club's own log, and compare what became of its players with their rows. Three statements, as above."""
    with one_state():
        return list(_club_differences(club))


@contextmanager
def one_state() -> Iterator[None]:
    """All that is read inside is of one moment; within a transaction, of that transaction."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _club_differences(club: Club) -> Iterator[Difference]:
    def differs(table: str, row: str, column: str, stored: Any, expected: Any) -> Difference:
        return Difference(f"club {club.slug}", table, row, column, stored, expected)

    fault = clublog.sequence_fault(club.pk)
    if fault is not None:
        yield differs("club event", "log", "seq", fault, "events numbered from 1 on without a gap")
        return
    fates = clublog.fold(ClubEvent.objects.filter(club=club).order_by("seq"))
    changed = Q(pk__in=list(fates)) | Q(merged_into__isnull=False) | Q(anonymised=True)
    players = {player.pk: player for player in Player.objects.filter(changed, club=club).order_by("pk")}
    for pk in sorted(players.keys() | fates.keys()):
        fate, player = fates.get(pk, clublog.Fate()), players.get(pk)
        if player is None:
            yield differs("player", str(pk), "row", "missing", "there")
            continue
        expected: dict[str, Any] = {"merged_into_id": fate.merged_into, "anonymised": fate.anonymised is not None}
        if fate.anonymised is not None:
            expected |= {"name": fate.anonymised, "user_id": None}
        if fate.merged_into is not None or fate.anonymised is not None:
            expected["active"] = False
        for column, value in expected.items():
            found = getattr(player, column)
            if found != value:
                yield differs("player", player.public_id, column, found, value)


def _differences(session: Session) -> Iterator[Difference]:

    def differs(table: str, row: str, column: str, stored: Any, expected: Any) -> Difference:
        return Difference(f"session {session.public_id}", table, row, column, stored, expected)

    fault = eventlog.sequence_fault(session.pk, session.seq)
    if fault is not None:
        yield differs("event", "log", "seq", fault, f"{session.seq} events numbered 1 to {session.seq}")
        return
    state = fold(eventlog.own_events(session.pk))
    rows = {row.ordinal: row for row in Deal.objects.select_related("cards").filter(session=session)}
    try:
        played = _replay_all(session, state, rows)
    except (EngineError, KeyError) as error:
        yield differs("event", "log", "replay", str(error), "a log that the rules allow")
        return
    bots = Player.objects.filter(pk__in={o.player for o in state.occupants}).exclude(strategy__in=["", OUTSIDE])
    expected = project(state, played, bots=frozenset(bots.values_list("pk", flat=True)))
    tables: list[tuple[str, Mapping[Any, Any], Mapping[Any, Mapping[str, Any]]]] = [
        ("session", {"": session}, {"": expected.session}),
        ("deal", rows, expected.deals),
        (
            "occupancy",
            {(o.seat, o.from_number): o for o in Occupancy.objects.filter(session=session)},
            {at: {"player_id": row["player"], "credit": row["credit"]} for at, row in expected.occupancies.items()},
        ),
        ("table row", {row.seat: row for row in TableRow.objects.filter(session=session)}, expected.table),
        (
            "adjustment",
            {item.seq: item for item in PointAdjustment.objects.filter(session=session)},
            expected.adjustments,
        ),
    ]
    for table, stored_rows, expected_rows in tables:
        for key in sorted(stored_rows.keys() | expected_rows.keys()):
            stored, wanted = stored_rows.get(key), expected_rows.get(key)
            if stored is None or wanted is None:
                yield differs(table, str(key), "row", *("missing", "there") if stored is None else ("there", "missing"))
                continue
            for column, value in wanted.items():
                found = getattr(stored, column)
                found = bytes(found) if isinstance(found, memoryview) else found
                if found != value:
                    yield differs(table, str(key), column, found, value)


def _replay_all(session: Session, state: SessionState, rows: Mapping[int, Deal]) -> dict[int, Played]:
    logged = eventlog.all_actions(session.pk)
    at = {event.seq: event.at for event in state.events}
    played = {}
    for fact in state.deals.values():
        dealt_at = at[fact.seq]
        assert dealt_at is not None
        if fact.mode == "result":
            result = result_from_json(fact.data["result"], dealer=fact.dealer)
            played[fact.ordinal] = Played(fact.seq, dealt_at, None, result, None)
            continue
        rules = state.rules.with_wrongful_pass(fact.wrongful_pass)
        actions = logged.get(fact.ordinal, [])
        deal = eventlog.replay(rules, state.seats or 0, rows[fact.ordinal], fact.dealer, actions)
        if deal is None:
            played[fact.ordinal] = Played(fact.seq, dealt_at, None, None, None)
        else:
            played[fact.ordinal] = eventlog.played(deal, actions, seq=fact.seq, at=dealt_at)
    return played
