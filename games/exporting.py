"""Sessions as recorded deals (docs/record-format.md): what is exported imports again to the same bytes."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import connection

from games import eventlog
from games.engine.deal import deal_out
from games.engine.record import GivenResult, Record, parse, write
from games.engine.rules import Rules
from games.eventlog import StoredDeal
from games.models import Deal as DealRow
from games.models import Occupancy, Session
from games.projection import result_from_json
from scoring.schemes import Scheme, scheme_from_json

FETCH = 500
"""Deals in memory at a time, and those of whom the players are looked up in one statement."""

_OVER = "d.current AND (d.finished OR d.voided_by IS NOT NULL OR s.status = 'closed' OR d.mode <> 'hosted')"
"""As `selectors.is_over` says of one deal."""

_COUNT = "SELECT count(*) FROM games_deal d JOIN games_session s ON s.id = d.session_id "


@dataclass(frozen=True, slots=True)
class Deals:
    """Which deals: a condition in SQL on their session `s` and themselves `d`, with its values."""

    condition: str
    values: tuple[Any, ...] = ()

    def but(self, condition: str, *values: Any) -> "Deals":
        """Those for which another condition holds too."""
        return Deals(f"({self.condition}) AND {condition}", (*self.values, *values))


def of_session(session: Session) -> Deals:
    """The deals of one session."""
    return Deals("s.id = %s", (session.pk,))


def record_lines(session: Session, *, only: int | None = None, shown: Deals | None = None) -> Iterator[str]:
    """The deals of a session that are over, one canonical line each, in order of number. A running hosted deal is left
    out: its hands are hidden. `only` picks one number, `shown` is which of them. Two statements, and one for each deal
    left unfinished."""
    deals = shown or of_session(session)
    with connection.cursor() as cursor:
        yield from _lines(cursor, deals if only is None else deals.but("d.number = %s", only), skip=0)


def count(deals: Deals) -> int:
    """How many lines `stream` makes of them."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT + _where(deals), deals.values)
        return int(cursor.fetchone()[0])


def stream(deals: Deals, *, skip: int = 0) -> Iterator[str]:
    """The same lines of deals of many sessions, by session and number, all but the first `skip`. Inside a transaction;
    no more than FETCH deals are in memory, and two statements are made for as many."""
    with connection.chunked_cursor() as cursor:
        yield from _lines(cursor, deals, skip=skip)


def _where(deals: Deals) -> str:
    return f"WHERE {_OVER} AND ({deals.condition})"


def _lines(cursor: Any, deals: Deals, *, skip: int) -> Iterator[str]:
    where = f"{_where(deals)} ORDER BY d.session_id, d.number OFFSET %s"
    for rows in eventlog.stored_deals(cursor, where, (*deals.values, skip), fetch=FETCH):
        seating = Seating({row.session_id for row in rows}, ["player__name"])
        for row in rows:
            players = tuple([name for (name,) in seating.of(row.session_id, row.number)])
            yield _line(row, players)


class Seating:
    """Who sits where in some sessions; of each player the `columns` asked for. One statement."""

    def __init__(self, sessions: Collection[int], columns: Sequence[Any]) -> None:
        rows = Occupancy.objects.filter(session__in=set(sessions)).order_by("session", "from_number")
        self.taken: dict[int, list[tuple[int, int, tuple[Any, ...]]]] = {}
        for session, first, seat, *player in rows.values_list("session", "from_number", "seat", *columns):
            self.taken.setdefault(session, []).append((first, seat, tuple(player)))

    def of(self, session: int, number: int) -> list[tuple[Any, ...]]:
        """By seat, whoever sits there in deal `number`."""
        at = {seat: player for first, seat, player in self.taken[session] if first <= number}
        return [at[seat] for seat in sorted(at)]


def _line(row: StoredDeal, players: Sequence[str]) -> str:
    begun = json.loads(row.begun)
    record = _record(row, begun)
    return write(
        record._replace(
            players=tuple(players),
            scheme=_scheme(row.scheme),
            session=row.label,
            number=row.number,
            extra=tuple([(key, text) for key, text in begun.get("extra", ())]),
        )
    )


def _record(row: StoredDeal, begun: dict[str, Any]) -> Record:
    """One deal as a record, but for names, label, number and other keys."""
    rules = _rules(row.rules, row.wrongful_pass or None)
    reason = (row.reason or "voided") if row.voided else None
    if "kept" in begun:
        return parse(begun["kept"].encode())
    if row.mode == "result":
        result = result_from_json(begun["result"], dealer=row.dealer)
        given = GivenResult(result.cards_left, result.forced_passes, result.wrongful_passes, result.withheld)
        return Record(rules, (), row.dealer, result=given, voided=reason)
    assert row.deck is not None
    hands = deal_out(row.seats, row.dealer, bytes(row.deck))
    if row.packed is not None:
        actions = bytes(row.packed)
    else:
        begins = DealRow(ordinal=row.ordinal, seq=row.seq)
        actions = eventlog.action_bytes(eventlog.actions(row.session_id, begins))
    return Record(rules, (), row.dealer, hands=tuple(hands), actions=actions, voided=reason)


@lru_cache(maxsize=256)
def _rules(stored: str, wrongful_pass: Any) -> Rules:
    return Rules.from_json(json.loads(stored)).with_wrongful_pass(wrongful_pass)


@lru_cache(maxsize=256)
def _scheme(stored: str) -> Scheme:
    return scheme_from_json(json.loads(stored))
