"""The one way to change a session: lock, fold, decide, append, project, all in one transaction.

A service hands `write` a function that looks at a `Draft` and adds events to it. Nothing else writes a session, but
`play.act`, which does the same steps for one action in fewer statements.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from games import eventlog, hooks, notify
from games.access import Caller, role_needed
from games.engine.deal import CORRECTION, Deal
from games.engine.session import SessionState, check_fold, check_running, fold
from games.engine.session_events import DealFact, Kind, is_correction
from games.errors import Invalid, NotFound
from games.eventlog import NewEvent
from games.models import Club, Player, RequestKey, Role, Session
from games.models import Deal as DealRow
from games.projection import Played
from games.services import projecting
from games.services.keys import Key, known, remember
from games.services.persons import check_seated
from games.services.transactions import durable
from scoring.result import DealResult
from scoring.wording import say

# Every write begins with this one. Written out, it takes less than half of what the ORM needs.
_LOCK = "SELECT * FROM games_session WHERE public_id = %s FOR NO KEY UPDATE"

MOST_DEALS = 32_000
"""Entries of one session: ordinals are two bytes in every event."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a write to a session answers with: where its last event stands. The answer is read from there.

    - `answer`: what would be read there, where the write has it at hand.
    - `effects`: what a correction changed beyond the session, by watcher (games/hooks.py).
    - `since`: where the log stood before this write; None for an answer that was given before.
    """

    session: str
    seq: int
    answer: dict[str, Any] | None = field(default=None, compare=False)
    effects: dict[str, Any] = field(default_factory=dict, compare=False)
    since: int | None = field(default=None, compare=False)


@dataclass(slots=True)
class Draft:
    """A locked session and what is about to be appended to its log."""

    session: Session
    caller: Caller
    now: datetime
    state: SessionState
    rows: list[DealRow]
    played: dict[int, Played]
    events: list[NewEvent] = field(default_factory=list)
    decks: dict[int, bytes] = field(default_factory=dict)
    begun: int = 0  # how many deals the events begin

    @property
    def live(self) -> DealFact | None:
        return self.state.live(ordinal for ordinal, deal in self.played.items() if deal.result is None)

    def may(self, role: Role) -> bool:
        return self.caller.serves(role, self.session)

    def require(self, role: Role) -> None:
        if not self.may(role):
            raise role_needed(role)

    def add(self, kind: Kind, **columns: Any) -> int:
        """Append an event to the draft; returns the seq it will have."""
        self.events.append(NewEvent(kind, **columns))
        return self.session.seq + len(self.events)

    def add_deal(
        self, kind: Kind, *, deal: Deal, deck: bytes, data: dict[str, Any], actions: bytes = b"", reason: str = ""
    ) -> None:
        """Append a new deal: its cards, and `actions`, which are played on `deal` (fresh) through the engine.

        Raises IllegalAction with the index of the first action refused."""
        ordinal = self._take_ordinal()
        self.add(kind, deal=ordinal, seat=deal.dealer, data=data, reason=reason)
        for action in actions:
            seat = deal.correctable if action & CORRECTION else deal.to_act
            deal.apply(action)
            assert seat is not None
            self.events.append(eventlog.action_event(ordinal, seat, action))
        self.decks[ordinal] = deck
        self.played[ordinal] = Played.of(deal, last_seq=self.session.seq + len(self.events), last_at=self.now)

    def add_result(self, *, dealer: int, result: DealResult, data: dict[str, Any], reason: str = "") -> None:
        """Append a deal known by its result only (rules.md 5.6)."""
        ordinal = self._take_ordinal()
        seq = self.add(Kind.RESULT_ENTERED, deal=ordinal, seat=dealer, data=data, reason=reason)
        self.played[ordinal] = Played(seq, self.now, None, result, None)

    def add_voided(self, *, dealer: int, reason: str, data: dict[str, Any]) -> None:
        """Append a deal that was recorded void, whose cards need not be right: it is kept, never replayed."""
        ordinal = self._take_ordinal()
        seq = self.add(Kind.RECORDED, deal=ordinal, seat=dealer, data=data)
        self.add(Kind.VOIDED, deal=ordinal, reason=reason, data={"final": True})
        self.played[ordinal] = Played(seq, self.now, None, None, None)

    def _take_ordinal(self) -> int:
        ordinal = self.state.next_ordinal + self.begun
        if ordinal > MOST_DEALS:
            raise Invalid("too_many_deals", say("A session holds at most {most} deals and takes.", most=MOST_DEALS))
        self.begun += 1
        return ordinal

    def player(self, public_id: str) -> Player:
        """An active player of this session's club; raises `bad_player`."""
        player = Player.objects.filter(public_id=public_id, club=self.session.club_id).first()
        if player is not None and player.merged_into is not None:
            message = say(
                "{player} is merged into {merged_into}: take the latter.",
                player=player.name,
                merged_into=player.merged_into.name,
            )
            raise Invalid("bad_player", message)
        if player is None or not player.active:
            raise Invalid("bad_player", say("There is no such active player in this club."))
        return player


def write(
    *,
    caller: Caller,
    session: str,
    now: datetime,
    door: str,
    key: Key | None,
    decide: Callable[[Draft], None],
    check: Callable[[Session], None] | None = None,
) -> Receipt:
    """Lock the session, let `decide` add events, store them with everything that follows from them.

    `check` raises where the locked row is not what the caller means to change. Raises NotFound for a session the caller
    may not see, and whatever `decide` refuses with; then nothing is stored. A key that was used before answers as it
    did then.
    """
    with durable():
        row = lock(caller, session)
        if (before := known(caller, key)) is not None:
            return receipt_of(before)
        if check is not None:
            check(row)
        since, draft = row.seq, load(row, caller=caller, now=now)
        decide(draft)
        effects = finish(draft, door=door, key=key)
        return Receipt(row.public_id, row.seq, effects=effects, since=since)


def create(
    *, caller: Caller, club: Club, now: datetime, door: str, key: Key | None, draft: Callable[[Draft], None]
) -> Receipt:
    """Make a new session of `club` whose first events `draft` adds. Call inside a transaction."""
    row = Session(club=club, rules="pagat", scheme="wins", created_at=now)
    row.label = row.public_id
    row.save(force_insert=True)
    fresh = Draft(row, caller, now, fold([]), [], {})
    draft(fresh)
    finish(fresh, door=door, key=key)
    return Receipt(row.public_id, row.seq)


def lock(caller: Caller, public_id: str) -> Session:
    """The session's row, locked alone. Actions, deals and corrections of one session wait here for each other."""
    row = next(iter(Session.objects.raw(_LOCK, [public_id])), None)
    if row is None or not caller.sees(row):
        raise NotFound("session")
    return row


def load(row: Session, *, caller: Caller, now: datetime) -> Draft:
    rows = list(DealRow.objects.filter(session=row))
    state = fold(eventlog.own_events(row.pk))
    return Draft(row, caller, now, state, rows, projecting.played(rows))


def finish(draft: Draft, *, door: str, key: Key | None, watched: bool = True) -> dict[str, Any]:
    """Append the draft's events and store what follows from them. A draft without events changes nothing.

    Returns what a correction changed beyond the session, as its watchers say. A watcher that writes itself, as part of
    what it does, is not told (`watched`)."""
    row = draft.session
    if not draft.events:
        remember(draft.caller, key, session=row.pk, seq=row.seq)
        return {}
    # Whatever is written to a closed session changes what is past: the confirmation of a late correction too.
    past = draft.state.closed_by is not None
    correction = watched and (past or any(is_correction(event.kind, event.data) for event in draft.events))
    looked = hooks.look(row) if correction else {}
    stored = eventlog.append(row, draft.events, actor=draft.caller.user, at=draft.now, door=door)
    state = fold(draft.state.events + [event for event in stored if event.kind >= Kind.OPENED])
    check_fold(state)
    check_running(draft.state, state, draft.state.deals.get(row.live_deal or 0))
    check_seated(draft.state, state, draft.events)
    projecting.store(row, state, draft.rows, draft.played, draft.decks, {event.kind for event in stored})
    effects = hooks.corrected(row, looked, events=stored, caller=draft.caller, now=draft.now, door=door)
    remember(draft.caller, key, session=row.pk, seq=row.seq)
    notify.after_commit(row, draft.caller)
    return effects


def receipt_of(before: RequestKey) -> Receipt:
    """The receipt that a request with this key got before; raises `key_reused` where it was no write to a session."""
    if before.session is None or before.seq is None:
        raise Invalid("key_reused", say("This Idempotency-Key was used with a different request."))
    return Receipt(before.session.public_id, before.seq)
