"""A session as it stood at any point of its log, and the walk through it from there on, event by event.

What a stream says of an event, and what a delayed spectator sees, is read here: a function of the log alone, so that
it is the same whenever it is asked.
"""

from collections.abc import Iterator

from games import eventlog
from games.engine.deal import Deal
from games.engine.seat_view import SeatView, SpectatorView, seat_view, spectator_view
from games.engine.session import SessionState, fold
from games.engine.session_events import SessionEvent
from games.eventlog import LoggedAction, StoredEvent
from games.models import Deal as DealRow
from games.models import Session
from games.projection import Played, status
from games.selectors import TableView
from games.services import projecting


class Past:
    """A session after event `at` of its log; `events()` walks on to `until`, its last event unless told otherwise.

    Three statements for the actions of a deal, one where it `goes_on` with it. Where the session's own events are asked
    about, three more. What is read later than the session's row may hold later things, and is told as of `at` all the
    same: the log is only added to.
    """

    def __init__(self, session: Session, at: int, *, until: int | None = None) -> None:
        self.session = session
        self.start = self.at = at
        self.until = session.seq if until is None else until
        self._deals: dict[int, Deal | None] = {}
        self._last: dict[int, int] = {}
        self._rows: dict[int, DealRow] | None = None
        self._some: dict[int, DealRow] = {}
        self._own: list[SessionEvent] | None = None
        self._ends: dict[int, int] | None = None

    def events(self) -> Iterator[StoredEvent]:
        """Each event after `at`, in order; at each step this object is the session right after that event."""
        for event in eventlog.between(self.session.pk, self.at, self.until):
            deal = self.deal(event.deal) if event.is_action else None
            self.at = event.seq
            if deal is not None:
                deal.apply(event.logged.action)
                self._last[event.deal] = event.seq
            yield event

    def goes_on(self, session: Session, until: int) -> None:
        """From here on to a later event `until`, with the session's row as it is now. What is known of the deal that is
        being played is kept."""
        playing = {ordinal: deal for ordinal, deal in self._deals.items() if deal is not None and not deal.over}
        self._some = {ordinal: self.row(ordinal) for ordinal in playing}
        self._deals = {**playing}
        self.session, self.until, self.start = session, until, self.at
        self._rows = self._own = self._ends = None

    def row(self, ordinal: int) -> DealRow:
        """A deal's row with its cards."""
        if self._rows is not None:
            return self._rows[ordinal]
        if ordinal not in self._some:
            rows = DealRow.objects.select_related("cards")
            self._some[ordinal] = rows.get(session=self.session, ordinal=ordinal)
        return self._some[ordinal]

    def deal(self, ordinal: int) -> Deal | None:
        """A deal as it stands here; None where no cards are on record. It moves on with the walk."""
        if ordinal not in self._deals:
            row = self.row(ordinal)
            logged: list[LoggedAction] = [
                item for item in eventlog.actions(self.session.pk, row) if item.seq <= self.at
            ]
            self._deals[ordinal] = eventlog.replay_row(self.session, row, logged)
            self._last[ordinal] = logged[-1].seq if logged else row.seq
        return self._deals[ordinal]

    @property
    def own(self) -> list[SessionEvent]:
        """The session's own events, later ones too."""
        if self._own is None:
            self._own = eventlog.own_events(self.session.pk)
        return self._own

    @property
    def state(self) -> SessionState:
        return fold([event for event in self.own if event.seq <= self.at])

    def table(self, seat: int | None = None) -> TableView:
        """What a spectator sees here, or a seat: as `selectors.spectate` and `own_seat` say of now."""
        state = self.state
        shown = state.current[-1] if state.current else None
        found = status(state, self._played(state))
        if shown is None:
            return TableView(self.session, None, None, None, found)
        row, deal = self.all_rows[shown.ordinal], self.deal(shown.ordinal)
        view = None if deal is None else view_of(deal, seat)
        return TableView(self.session, row, None if deal is None else self._last[shown.ordinal], view, found)

    @property
    def all_rows(self) -> dict[int, DealRow]:
        if self._rows is None:
            rows = DealRow.objects.select_related("cards").filter(session=self.session)
            self._rows = {row.ordinal: row for row in rows}
        return self._rows

    def _played(self, state: SessionState) -> dict[int, Played]:
        """The results that were known here."""
        played = projecting.played(row for ordinal, row in self.all_rows.items() if ordinal in state.deals)
        if self._ends is None:  # after the rows: a result that is in them has its last action here
            self._ends = eventlog.last_actions(self.session.pk, after=self.start)
        return {
            ordinal: Played(deal.last_seq, deal.last_at, None, None, None)
            if self._ends.get(ordinal, 0) > self.at
            else deal
            for ordinal, deal in played.items()
        }


def view_of(deal: Deal, seat: int | None) -> SpectatorView | SeatView | None:
    """The deal as a spectator or a seat sees it; None for a seat that the table does not have."""
    if seat is None:
        return spectator_view(deal)
    return seat_view(deal, seat) if 0 <= seat < deal.seats else None
