"""The only reader and writer of the event log and of the cards as dealt."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from django.db import connection
from django.db.models import Count, Max, Min, OuterRef, Subquery

from games.engine.cards import cards_of
from games.engine.deal import CORRECTION, PASS, Deal
from games.engine.rules import Rules, WrongfulPass
from games.engine.session_events import FIRST_OWN_KIND, Kind, SessionEvent
from games.models import Deal as DealRow
from games.models import DealCards, Event, EventDetail, Session
from games.projection import Played

BATCH = 4000
"""Rows a statement: PostgreSQL takes at most 65,535 parameters, and no statement may take long."""

# Every action takes these two. Written out, each is several times as fast as through the ORM (docs/performance.md).
_APPEND = """
    INSERT INTO games_event (session_id, actor_id, at, seq, kind, deal, seat, card)
    SELECT %s, %s, %s, %s + place - 1, kind, deal, seat, card
    FROM unnest(%s::smallint[], %s::smallint[], %s::smallint[], %s::smallint[])
        WITH ORDINALITY AS event (kind, deal, seat, card, place)
"""
_ACTIONS = """
    SELECT seq, kind, seat, card, actor_id, at FROM games_event
    WHERE session_id = %s AND seq > %s AND deal = %s AND kind < %s ORDER BY seq
"""


# Deals with all that a record of one is written from, a row a deal.
_DEALS = """
    SELECT d.session_id, s.label, s.rules::text, s.scheme::text, s.seats, d.number, d.mode, d.wrongful_pass, d.dealer,
        d.ordinal, d.seq, c.deck, d.packed, begun.data::text, d.voided_by IS NOT NULL, void.reason
    FROM games_deal d
    JOIN games_session s ON s.id = d.session_id
    JOIN games_eventdetail begun ON begun.session_id = d.session_id AND begun.seq = d.seq
    LEFT JOIN games_eventdetail void ON void.session_id = d.session_id AND void.seq = d.voided_by
    LEFT JOIN games_dealcards c ON c.deal_id = d.id
"""

# A session's own events, and the last action of each deal with a result: a deal's actions follow each other, with
# nothing between them but events of the session's own. The log's end is read by the same snapshot.
_TOLD = """
    SELECT told.*, session.public_id, session.seq, session.status
    FROM games_session session LEFT JOIN LATERAL (
        SELECT event.seq, event.kind, deal.number, event.at,
            coalesce(deal.finished, false) AND (event.kind = %(entered)s OR event.kind < %(own)s)
        FROM games_event event
        LEFT JOIN games_deal deal ON deal.session_id = event.session_id AND deal.ordinal = event.deal
        WHERE event.session_id = session.id AND event.seq > %(after)s AND event.seq <= %(upto)s
        AND (event.kind >= %(own)s OR deal.finished AND deal.ordinal IS DISTINCT FROM (
            SELECT later.deal FROM games_event later
            WHERE later.session_id = event.session_id AND later.seq > event.seq AND later.kind < %(own)s
            ORDER BY later.seq LIMIT 1
        ))
    ) told ON true
    WHERE session.id = %(session)s ORDER BY told.seq
"""


@dataclass(frozen=True, slots=True)
class StoredDeal:
    """A deal with its session's terms as stored. `begun` is the data of the event that began it; `packed` None: where
    there are cards, it was left unfinished."""

    session_id: int
    label: str
    rules: str
    scheme: str
    seats: int
    number: int
    mode: str
    wrongful_pass: str
    dealer: int
    ordinal: int
    seq: int
    deck: bytes | None
    packed: bytes | None
    begun: str
    voided: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class ToldOfSession:
    """A part of a session's log as others are told of it: (seq, kind, number of the deal, time, whether the deal has
    its result by it), and where the session stands."""

    public_id: str
    seq: int
    status: str
    events: list[tuple[int, int, int | None, datetime, bool]]


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be appended. `deal` is the ordinal it is about; `data` must be JSON."""

    kind: Kind
    deal: int = 0
    seat: int | None = None
    card: int | None = None
    data: dict[str, Any] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """One action of a deal as stored: `action` is the engine's byte, `seat` whoever acted."""

    seq: int
    seat: int
    action: int
    actor: int
    at: datetime


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A row of the log as it is: `kind` a number of `Kind`, `deal` an ordinal."""

    seq: int
    kind: int
    deal: int
    seat: int | None
    card: int | None
    actor: int
    at: datetime

    @property
    def is_action(self) -> bool:
        return self.kind < FIRST_OWN_KIND

    @property
    def logged(self) -> LoggedAction:
        """An action as a deal's log has it."""
        return LoggedAction(self.seq, self.seat or 0, action_byte(self.kind, self.card), self.actor, self.at)


def action_event(deal: int, seat: int, action: int) -> NewEvent:
    """The event of an engine action by `seat` in the deal with that ordinal."""
    if action == PASS:
        return NewEvent(Kind.PASSED, deal, seat)
    if action & CORRECTION:
        return NewEvent(Kind.CORRECTED, deal, seat, action & ~CORRECTION)
    return NewEvent(Kind.PLAYED, deal, seat, action)


def action_byte(kind: int, card: int | None) -> int:
    """The engine's byte of a stored action event."""
    if kind == Kind.PASSED:
        return PASS
    assert card is not None
    return card | CORRECTION if kind == Kind.CORRECTED else card


def append(session: Session, events: Sequence[NewEvent], *, actor: int, at: datetime, door: str) -> list[SessionEvent]:
    """Append `events` to the log of a locked `session`; advances `session.seq` in memory and returns them as stored.

    Two statements, in a long import two for each BATCH: the events, and the details of those that have any (every event
    but ordinary actions).
    """
    stored = []
    details = []
    for event in events:
        session.seq += 1
        stored.append(
            SessionEvent(session.seq, event.kind, event.deal, event.seat, actor, at, dict(event.data), event.reason)
        )
        if event.kind >= FIRST_OWN_KIND:
            details.append(
                EventDetail(session_id=session.pk, seq=session.seq, data=event.data, reason=event.reason, door=door)
            )
    with connection.cursor() as cursor:
        for place in range(0, len(events), BATCH):
            rows = [(int(event.kind), event.deal, event.seat, event.card) for event in events[place : place + BATCH]]
            columns = map(list, zip(*rows, strict=True))
            cursor.execute(_APPEND, [session.pk, actor, at, stored[place].seq, *columns])
    if details:
        EventDetail.objects.bulk_create(details, batch_size=BATCH)
    return stored


def own_events(session_id: int) -> list[SessionEvent]:
    """The session's own events, in order, in one statement: what `engine.session.fold` takes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT e.seq, e.kind, e.deal, e.seat, e.actor_id, e.at, d.data::text, d.reason FROM games_event e"
            " JOIN games_eventdetail d ON d.session_id = e.session_id AND d.seq = e.seq"
            " WHERE e.session_id = %s AND e.kind >= %s ORDER BY e.seq",
            [session_id, int(FIRST_OWN_KIND)],
        )
        return [
            SessionEvent(seq, Kind(kind), deal, seat, actor, at, json.loads(data), reason)
            for seq, kind, deal, seat, actor, at, data, reason in cursor.fetchall()
        ]


def told(session_id: int, *, after: int, upto: int) -> ToldOfSession:
    """A session's own events and ends of deals in (`after`, `upto`], in one statement."""
    values = {
        "session": session_id,
        "after": after,
        "upto": upto,
        "own": int(FIRST_OWN_KIND),
        "entered": int(Kind.RESULT_ENTERED),
    }
    with connection.cursor() as cursor:
        cursor.execute(_TOLD, values)
        rows = cursor.fetchall()
    *_, public_id, seq, status = rows[0]
    return ToldOfSession(public_id, seq, status, [row[:5] for row in rows if row[0] is not None])


def actions(session_id: int, deal: DealRow) -> list[LoggedAction]:
    """The actions of a deal, in order."""
    with connection.cursor() as cursor:
        cursor.execute(_ACTIONS, [session_id, deal.seq, deal.ordinal, int(FIRST_OWN_KIND)])
        return [
            LoggedAction(seq, seat, action_byte(kind, card), actor, at)
            for seq, kind, seat, card, actor, at in cursor.fetchall()
        ]


def between(session_id: int, after: int, until: int) -> list[StoredEvent]:
    """The events after seq `after` up to `until`, actions and the session's own, in order; one statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT seq, kind, deal, seat, card, actor_id, at FROM games_event"
            " WHERE session_id = %s AND seq > %s AND seq <= %s ORDER BY seq",
            [session_id, after, until],
        )
        return [StoredEvent(*row) for row in cursor.fetchall()]


def first_after(session_id: int, moment: datetime, *, since: int = 0) -> tuple[int, datetime] | None:
    """The first event after event `since` that happened after `moment`, by seq, and when that was; one statement."""
    rows = Event.objects.filter(session_id=session_id, seq__gt=since, at__gt=moment).order_by("seq")
    return rows.values_list("seq", "at").first()


def action_at(public_id: str, seq: int) -> tuple[DealRow, list[LoggedAction]]:
    """The deal, with session and cards, that event `seq` of the session is an action of, and its actions up to it."""
    deal = Event.objects.filter(session=OuterRef("session"), seq=seq).values("deal")
    row = DealRow.objects.select_related("session", "cards").get(session__public_id=public_id, ordinal=Subquery(deal))
    return row, [item for item in actions(row.session_id, row) if item.seq <= seq]


def stored_deals(cursor: Any, where: str, values: Sequence[Any], *, fetch: int) -> Iterator[list[StoredDeal]]:
    """The deals for which the SQL condition `where` (of session `s` and deal `d`, then order and offset) holds, `fetch`
    at a time. With a server-side cursor no more of them is ever in memory."""
    cursor.execute(_DEALS + where, values)
    while rows := cursor.fetchmany(fetch):
        yield [StoredDeal(*row) for row in rows]


def all_actions(session_id: int) -> dict[int, list[LoggedAction]]:
    """The actions of every deal of a session, by the deal's ordinal, in one statement."""
    rows = Event.objects.filter(session_id=session_id, kind__lt=int(FIRST_OWN_KIND)).order_by("seq")
    found: dict[int, list[LoggedAction]] = {}
    for deal, seq, kind, seat, card, actor, at in rows.values_list(
        "deal", "seq", "kind", "seat", "card", "actor_id", "at"
    ):
        found.setdefault(deal, []).append(LoggedAction(seq, seat or 0, action_byte(kind, card), actor, at))
    return found


def last_actions(session_id: int, *, after: int = 0) -> dict[int, int]:
    """The seq of the last action of each deal that has any after event `after`, by the deal's ordinal, in one
    statement."""
    rows = Event.objects.filter(session_id=session_id, kind__lt=int(FIRST_OWN_KIND), seq__gt=after).values("deal")
    return {row["deal"]: row["last"] for row in rows.annotate(last=Max("seq"))}


def sequence_fault(session_id: int, seq: int) -> str | None:
    """What is wrong with the numbering of a session's log, which must run from 1 to `seq` without a gap."""
    seqs = Event.objects.filter(session_id=session_id).aggregate(n=Count("seq"), first=Min("seq"), last=Max("seq"))
    if (seqs["n"], seqs["first"] or 1, seqs["last"] or 0) == (seq, 1, seq):
        return None
    return f"{seqs['n']} events numbered {seqs['first']} to {seqs['last']}"


def action_bytes(logged: Iterable[LoggedAction]) -> bytes:
    return bytes(item.action for item in logged)


def store_cards(pairs: Iterable[tuple[DealRow, bytes]]) -> None:
    """Keep the decks of new deals, in dealing order."""
    DealCards.objects.bulk_create([DealCards(deal=deal, deck=deck) for deal, deck in pairs], batch_size=BATCH)


def deck_of(deal: DealRow) -> bytes:
    """The deck of a deal with cards, in dealing order."""
    return bytes(deal.cards.deck)


def replay(rules: Rules, seats: int, row: DealRow, dealer: int, logged: Sequence[LoggedAction]) -> Deal | None:
    """A deal under `rules` after its logged actions; None where no cards are on record.

    `row.cards` is best selected with the row. Raises BadDeal or IllegalAction for a log that the rules do not allow.
    """
    cards = getattr(row, "cards", None)
    if cards is None:
        return None
    deal = Deal.from_deck(rules, dealer, bytes(cards.deck), seats)
    deal.apply_all(item.action for item in logged)
    return deal


def replay_row(session: Session, row: DealRow, logged: Sequence[LoggedAction]) -> Deal | None:
    """`replay` of a stored deal by what its row and its session's say."""
    rules = Rules.from_json(session.rules).with_wrongful_pass(cast(WrongfulPass | None, row.wrongful_pass or None))
    return replay(rules, session.seats or 0, row, row.dealer, logged)


def dealing_order(hands: Sequence[int], dealer: int) -> bytes:
    """A deck that deals these hands (masks): from the dealer's left, each hand's cards in order (rules.md 2.2)."""
    queues = [iter(cards_of(hand)) for hand in hands]
    seats = len(hands)
    return bytes(next(queues[(dealer + 1 + i) % seats]) for i in range(sum(hand.bit_count() for hand in hands)))


def played(deal: Deal, logged: Sequence[LoggedAction], *, seq: int, at: datetime) -> Played:
    """Where a replayed deal stands. `seq` and `at` are those of the event that dealt it."""
    last = logged[-1] if logged else None
    return Played.of(deal, last_seq=last.seq if last else seq, last_at=last.at if last else at)
