"""One action of a deal, hosted or recorded: the path that every card takes, kept to six statements.

A deal's last action also scores it: at most ten. The same at the first action and the hundredth.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from games import bots, eventlog, notify, receipts
from games.access import Caller
from games.engine.deal import CORRECTION, Deal
from games.engine.errors import Seat
from games.engine.session import fold
from games.engine.session_events import Kind
from games.errors import Forbidden, Refusal, Stale
from games.models import Deal as DealRow
from games.models import DealCards, Role, Session
from games.projection import Played, due_at
from games.scopes import Scope
from games.services import projecting
from games.services.keys import Key, known, remember
from games.services.transactions import durable
from games.services.writing import Receipt, lock, receipt_of
from scoring.wording import say

_DEAL_COLUMNS = ("id", "ordinal", "seq", "number", "mode", "wrongful_pass", "dealer")
# The running deal with its cards, who sits where in it, and what the key was used for. Written out, this takes a tenth
# of what the ORM needs to put it together (docs/performance.md).
_RUNNING = f"""
    SELECT {", ".join(f"deal.{column}" for column in _DEAL_COLUMNS)}, cards.deck, (
        SELECT json_agg(json_build_array(
            player.id, coalesce(person.user_id, player.user_id), player.strategy) ORDER BY seat)
        FROM (
            SELECT DISTINCT ON (seat) seat, player_id FROM games_occupancy
            WHERE session_id = deal.session_id AND from_number <= deal.number ORDER BY seat, from_number DESC
        ) occupancy
        JOIN games_player player ON player.id = player_id
        LEFT JOIN games_player person ON person.id = player.merged_into_id
    ), used_in.public_id, used.seq, used.fingerprint
    FROM games_deal deal
    JOIN games_dealcards cards ON cards.deal_id = deal.id
    LEFT JOIN games_requestkey used ON used.actor_id = %s AND used.key = %s
    LEFT JOIN games_session used_in ON used_in.id = used.session_id
    WHERE deal.session_id = %s AND deal.ordinal = %s
"""  # noqa: S608
_MOVE_ON = "UPDATE games_session SET seq = %s, live_seq = %s, to_act = %s, due_at = %s, version = %s WHERE id = %s"


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who sits in a seat now: player id, the account that may act, and the strategy of a bot."""

    player: int
    user: int | None
    strategy: str


@dataclass(frozen=True, slots=True)
class Running:
    """The running deal with its cards, who sits where (by seat), and what the request's key was used for before."""

    deal: DealRow
    occupants: list[Occupant]
    before: Receipt | None


def act(
    *,
    caller: Caller,
    session: str,
    action: int,
    expected_seq: int,
    now: datetime,
    key: Key | None = None,
    stand_in: bool = False,
) -> Receipt:
    """Do `action` (an engine byte) in the running deal, for the seat to act.

    `expected_seq` is the seq of the deal's last event that the caller saw. In hosted play the seat must be the
    caller's, or its time over where `stand_in` says that the session's stand-in plays; in recorded play the caller
    must be a scorer. Raises `no_deal`, `stale`, `not_your_turn`, `not_your_seat`, or the engine's IllegalAction.
    """
    with durable():
        row = lock(caller, session)
        running = _running(row, caller, key)
        if running is None:
            if (before := known(caller, key)) is not None:
                return receipt_of(before)
            raise Refusal("no_deal", say("No deal is being played in this session."))
        if running.before is not None:
            return running.before
        if expected_seq != row.live_seq:
            raise Stale(row.live_seq)
        seat = _acting_seat(row, action)
        _check_right(caller, row, running, seat, now=now, stand_in=stand_in)
        logged = eventlog.actions(row.pk, running.deal)
        deal = eventlog.replay_row(row, running.deal, logged)
        assert deal is not None
        deal.apply(action)
        eventlog.append(
            row, [eventlog.action_event(running.deal.ordinal, seat, action)], actor=caller.user, at=now, door=""
        )
        if deal.over:
            _finish(row, deal, running, now=now)
        else:
            _move_on(row, deal, running, now=now)
        remember(caller, key, session=row.pk, seq=row.seq)
        notify.after_commit(row, caller)
        answer = receipts.action_answer(
            row.public_id, row.seq, number=running.deal.number, seat=seat, at=now, deal=deal
        )
        return Receipt(row.public_id, row.seq, answer)


def _running(row: Session, caller: Caller, key: Key | None) -> Running | None:
    """One statement. Raises `key_reused` where the key was used for another request."""
    if row.live_deal is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(_RUNNING, [caller.user, None if key is None else key.value, row.pk, row.live_deal])
        *columns, deck, seating, used_in, used_seq, used_for = cursor.fetchone()
    deal = DealRow(**dict(zip(_DEAL_COLUMNS, columns, strict=True)), session=row)
    deal.cards = DealCards(deck=deck)
    before = None
    if key is not None and used_for is not None:
        key.check(used_for)
        before = Receipt(used_in, used_seq)
    return Running(deal, [Occupant(*occupant) for occupant in seating], before)


def _acting_seat(row: Session, action: int) -> int:
    """The seat to act; a correction belongs to the seat before it, which just passed (rules.md 4.2)."""
    assert row.to_act is not None
    assert row.seats is not None
    return (row.to_act - 1) % row.seats if action & CORRECTION else row.to_act


def _check_right(
    caller: Caller,
    row: Session,
    running: Running,
    seat: int,
    *,
    now: datetime,
    stand_in: bool,
) -> None:
    if running.deal.mode == "recorded":
        caller.require(Scope.SESSIONS_SCORE)
        if not caller.has(Role.SCORER, row.club_id):
            raise Forbidden("forbidden", say("Only a scorer enters what was played on a real table."))
        return
    caller.require(Scope.SESSIONS_PLAY)
    if running.occupants[seat].user == caller.user:
        return
    if stand_in:
        if row.due_at is None or row.due_at > now or not row.stand_in:
            raise Refusal("not_due", say("The seat to act still has time."))
        return
    if any(occupant.user == caller.user for occupant in running.occupants):
        assert row.to_act is not None
        raise Refusal("not_your_turn", say("It is the turn of seat {seat}.", seat=Seat(row.to_act)))
    raise Forbidden("not_your_seat", say("Only the player in the seat to act may play for it."))


def _move_on(row: Session, deal: Deal, running: Running, *, now: datetime) -> None:
    """The deal goes on: only where it stands has changed."""
    assert deal.to_act is not None
    row.live_seq = row.seq
    row.to_act = deal.to_act
    row.due_at = due_at(
        {"turn_seconds": row.turn_seconds, "stand_in": row.stand_in},
        mode=running.deal.mode,
        to_act=deal.to_act,
        bot=bots.plays(running.occupants[deal.to_act].strategy),
        since=now,
    )
    row.version += 1
    with connection.cursor() as cursor:
        cursor.execute(_MOVE_ON, [row.seq, row.live_seq, row.to_act, row.due_at, row.version, row.pk])


def _finish(row: Session, deal: Deal, running: Running, *, now: datetime) -> None:
    """The deal is over: score it and project the session, in the same transaction."""
    state = fold(eventlog.own_events(row.pk))
    rows = list(DealRow.objects.filter(session=row))
    deals = projecting.played(rows)
    deals[running.deal.ordinal] = Played.of(deal, last_seq=row.seq, last_at=now)
    played_here = frozenset(occupant.player for occupant in running.occupants if bots.plays(occupant.strategy))
    projecting.store(row, state, rows, deals, {}, {Kind.PLAYED}, bots=played_here)
