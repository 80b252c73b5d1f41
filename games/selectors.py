"""The reads: what a caller may see of sessions and deals. Hands leave the server through here and nowhere else."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce

from games import bots, eventlog
from games.access import Caller
from games.engine.deal import Deal
from games.engine.seat_view import SeatView, SpectatorView, seat_view, spectator_view
from games.engine.session import SessionState, fold
from games.errors import Forbidden, NotFound, Refusal
from games.eventlog import LoggedAction
from games.models import Club, Occupancy, Player, Session, Token
from games.models import Deal as DealRow
from scoring.wording import say


def visible_clubs(caller: Caller) -> QuerySet[Club]:
    """The clubs the caller is a member of."""
    clubs = caller.clubs()
    return Club.objects.all() if clubs is None else Club.objects.filter(pk__in=clubs)


def visible_players(caller: Caller) -> QuerySet[Player]:
    """The players of the caller's clubs."""
    clubs = caller.clubs()
    rows = Player.objects.select_related("club", "user", "merged_into")
    return rows if clubs is None else rows.filter(club__in=clubs)


def own_tokens(caller: Caller) -> QuerySet[Token]:
    """The tokens of the caller's account."""
    return Token.objects.filter(user=caller.user).select_related("made_with").defer("digest")


def club_bots(club: Club) -> QuerySet[Player]:
    """The club's bots that are played over the API, each with `user.tokens`."""
    rows = Player.objects.filter(club=club, strategy=bots.OUTSIDE).select_related("club", "user")
    newest = Token.objects.select_related("made_with").defer("digest").order_by("-pk")
    return rows.prefetch_related(Prefetch("user__tokens", queryset=newest))


def visible_sessions(caller: Caller) -> QuerySet[Session]:
    """The sessions of the caller's clubs, and all public ones."""
    clubs = caller.clubs()
    seen = Q() if clubs is None else Q(club__in=clubs) | Q(public=True)
    return Session.objects.select_related("club").filter(seen)


def visible_session(caller: Caller, public_id: str) -> Session:
    """One of `visible_sessions`; raises NotFound."""
    session = visible_sessions(caller).filter(public_id=public_id).first()
    if session is None:
        raise NotFound("session")
    return session


def deals_of(session: Session) -> QuerySet[DealRow]:
    """The standing take of each deal, by number."""
    return DealRow.objects.filter(session=session, current=True).order_by("number")


def deal_of(session: Session, number: int) -> DealRow:
    """The standing take of deal `number`, with its cards; raises NotFound."""
    row = deals_of(session).select_related("cards").filter(number=number).first()
    if row is None:
        raise NotFound("deal")
    return row


def is_over(session: Session, row: DealRow) -> bool:
    """Whether the deal is open to whoever may see the session: it is finished or void, its session is closed, or it
    was never hidden (recorded play)."""
    return row.finished or row.voided_by is not None or session.status == "closed" or row.mode != "hosted"


@dataclass(frozen=True, slots=True)
class Position:
    """A deal where it stands: the engine's state, its log, and the seq that an action must name."""

    row: DealRow
    deal: Deal
    logged: list[LoggedAction]

    @property
    def seq(self) -> int:
        return self.logged[-1].seq if self.logged else self.row.seq


def position(session: Session, row: DealRow) -> Position | None:
    """The deal replayed from its log; None where no cards are on record. Never handed to a door as it is: see below."""
    logged = eventlog.actions(session.pk, row)
    deal = eventlog.replay_row(session, row, logged)
    return None if deal is None else Position(row, deal, logged)


@dataclass(frozen=True, slots=True)
class TableView:
    """What a spectator or a seat sees of a session's running or latest deal; `view` is None before the first.

    `status`: the session's, where this is not how it stands now."""

    session: Session
    row: DealRow | None
    seq: int | None
    view: SpectatorView | SeatView | None
    status: str = ""


def spectate(session: Session) -> TableView:
    """The spectator's view of the running deal, else of the latest, of a session that the caller may see."""
    row = _shown_deal(session)
    found = None if row is None else position(session, row)
    if found is None:
        return TableView(session, row, None, None)
    return TableView(session, row, found.seq, spectator_view(found.deal))


def own_seat(caller: Caller, session: Session, seat: int) -> TableView:
    """The view of a seat, for the account that plays it and nobody else; raises `not_your_seat`."""
    row = _shown_deal(session)
    number = 1 if row is None else row.number
    taken = (
        Occupancy.objects.filter(session=session, seat=seat, from_number__lte=number)
        .order_by("-from_number")
        .values_list(Coalesce("player__merged_into__user_id", "player__user_id"), flat=True)
        .first()
    )
    if taken is None or taken != caller.user:
        raise Forbidden("not_your_seat", say("Only the player of a seat sees its hand."))
    found = None if row is None else position(session, row)
    if found is None or not 0 <= seat < found.deal.seats:
        return TableView(session, row, None, None)
    return TableView(session, row, found.seq, seat_view(found.deal, seat))


@dataclass(frozen=True, slots=True)
class AtTable:
    """What an account sees of the running deal, else the latest: `table` as everybody does, `own` the views of the
    seats that it plays, `since` when the last action was done."""

    table: TableView
    own: tuple[SeatView, ...]
    since: datetime | None


def at_table(caller: Caller, session: Session, seating: list[Occupancy]) -> AtTable:
    """The whole table at once, for a session that the caller may see: two statements, however many seats it has.
    `seating` as lookups.seating_of gives it."""
    row = _shown_deal(session)
    accounts: dict[int, int | None] = {}
    for item in seating:
        if item.from_number <= (1 if row is None else row.number):
            person = item.player.merged_into
            accounts[item.seat] = (person and person.user_id) or item.player.user_id
    found = None if row is None else position(session, row)
    if found is None:
        return AtTable(TableView(session, row, None, None), (), None)
    mine = [seat for seat in range(found.deal.seats) if caller.user and accounts.get(seat) == caller.user]
    view = TableView(session, row, found.seq, spectator_view(found.deal))
    since = found.logged[-1].at if found.logged else None
    return AtTable(view, tuple(seat_view(found.deal, seat) for seat in mine), since)


def replay_of(session: Session, number: int) -> Position:
    """A deal that is over, open to all who may see the session; raises `deal_running`, `no_cards`, NotFound."""
    return replay_row(session, deal_of(session, number))


def replay_row(session: Session, row: DealRow) -> Position:
    """`replay_of` for a session the caller may see and any take of a deal in it (with its cards)."""
    if not is_over(session, row):
        raise Refusal("deal_running", say("The deal is being played: it opens to all when it is over."))
    found = position(session, row)
    if found is None:
        raise Refusal("no_cards", say("Only the result of this deal is on record, so there is nothing to replay."))
    return found


def state_of(session: Session) -> SessionState:
    """The fold of the session's own events."""
    return fold(eventlog.own_events(session.pk))


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat that is due and played by the server: a bot's, or one whose time is over."""

    session: str
    strategy: str
    account: int | None
    seq: int
    view: SeatView


def due_turn(session_id: int, now: datetime) -> Turn | None:
    """The turn to be played by the server now, if there is one."""
    session = Session.objects.filter(pk=session_id, due_at__lte=now, live_deal__isnull=False).first()
    if session is None or session.to_act is None or session.live_deal is None:
        return None
    row = DealRow.objects.select_related("cards").get(session=session, ordinal=session.live_deal)
    occupant = (
        Occupancy.objects.select_related("player")
        .filter(session=session, seat=session.to_act, from_number__lte=row.number)
        .latest("from_number")
    )
    found = position(session, row)
    # Read without a lock: whoever moved on meanwhile makes the action stale, and this turn is dropped.
    if found is None or found.deal.to_act is None or found.deal.to_act != session.to_act:
        return None
    player = occupant.player
    own = bots.plays(player.strategy)
    strategy = player.strategy if own else session.stand_in
    account = player.user_id if own else None
    return Turn(session.public_id, strategy, account, found.seq, seat_view(found.deal, session.to_act))


def due_deal(session_id: int, now: datetime) -> tuple[str, int] | None:
    """The session and the number of the deal that the server should deal now, if there is one."""
    session = Session.objects.filter(pk=session_id, due_at__lte=now, status=Session.Status.WAITING).first()
    return None if session is None else (session.public_id, state_of(session).next_number)


def due_sessions(now: datetime) -> list[int]:
    """Ids of the sessions where something is due."""
    in_play = [Session.Status.PLAYING, Session.Status.WAITING]
    return list(
        Session.objects.filter(status__in=in_play, due_at__lte=now).order_by("due_at").values_list("pk", flat=True)
    )


def _shown_deal(session: Session) -> DealRow | None:
    rows = DealRow.objects.select_related("cards").filter(session=session, current=True)
    if session.live_deal is not None:
        rows = rows.filter(ordinal=session.live_deal)
    return rows.order_by("-number").first()
