"""What a session is: the pure fold of its own events (seats, deals, voids, substitutions, adjustments, closing, undos).

State is never stored. Every question about a session that does not need the cards of a deal is answered by
`fold(events)`; a preview is `fold(events + [candidate])`. The actions of deals are not read here.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from games.engine.errors import EngineError, Seat
from games.engine.occupancy import CREDITS, Entry, Occupant, SeatHistory
from games.engine.rules import MAX_SEATS, Rules
from games.engine.session_events import MODES, UNDOABLE, Adjustment, DealFact, Kind, SessionEvent
from scoring.schemes import scheme_from_json
from scoring.schemes.base import Scheme
from scoring.wording import say


class SessionError(EngineError):
    """The session does not allow this now. `code` says which rule."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(slots=True)
class SessionState:
    """The fold of a session's own events. Seats are 0-based; deals are keyed by ordinal (order of entry, from 1)."""

    label: str = ""
    rules_json: Any = "pagat"
    scheme_json: Any = "wins"
    settings: dict[str, Any] = field(default_factory=dict)
    seats: int | None = None
    seated: dict[int, int] = field(default_factory=dict)
    drawn_dealer: int | None = None
    entries: list[Entry] = field(default_factory=list)
    histories: list[SeatHistory] = field(default_factory=list)
    occupants: list[Occupant] = field(default_factory=list)
    deals: dict[int, DealFact] = field(default_factory=dict)
    adjustments: list[Adjustment] = field(default_factory=list)
    closed_by: int | None = None
    cancelled: dict[int, int] = field(default_factory=dict)
    events: list[SessionEvent] = field(default_factory=list)

    @property
    def frozen(self) -> bool:
        """Rules, scheme and seat count are fixed, since the first deal (rules.md 6)."""
        return self.seats is not None

    @property
    def rules(self) -> Rules:
        return Rules.from_json(self.rules_json)

    @property
    def scheme(self) -> Scheme:
        return scheme_from_json(self.scheme_json)

    @property
    def current(self) -> list[DealFact]:
        """The take that stands for each deal number, in order of number: the last one not undone."""
        takes: dict[int, DealFact] = {}
        for deal in self.deals.values():
            if not deal.undone and (deal.number not in takes or takes[deal.number].take < deal.take):
                takes[deal.number] = deal
        return [takes[number] for number in sorted(takes)]

    @property
    def next_ordinal(self) -> int:
        return len(self.deals) + 1

    @property
    def next_number(self) -> int:
        current = self.current
        return current[-1].number + 1 if current else 1

    @property
    def next_dealer(self) -> int | None:
        """The seat to the left of the last dealer, who deals again after a void (rules.md 2.1). None: to be drawn."""
        current = self.current
        if not current:
            return self.drawn_dealer
        last = current[-1]
        if last.voided_by is not None:
            return last.dealer
        assert self.seats is not None
        return (last.dealer + 1) % self.seats

    def next_take(self, number: int) -> int:
        return 1 + max((deal.take for deal in self.deals.values() if deal.number == number), default=0)

    def sitting(self, number: int) -> list[Occupant]:
        """By seat, who sits there in deal `number`; empty before the first deal freezes the seats."""
        at: dict[int, Occupant] = {}
        for occupant in self.occupants:
            if occupant.from_number <= number:
                at[occupant.seat] = occupant
        return [at[seat] for seat in range(self.seats or 0)]

    def players_of(self, number: int) -> list[int]:
        """Player ids by seat in deal `number`; empty before the first deal freezes the seats."""
        return [occupant.player for occupant in self.sitting(number)]

    def credit_of(self, seat: int) -> str:
        """Who gets a seat's points where its player changed."""
        return self.histories[seat].credit

    def live(self, unfinished: Iterable[int]) -> DealFact | None:
        """The deal now being played or entered: the latest number, if it is among the `unfinished` ordinals."""
        current = self.current
        if not current or self.closed_by is not None:
            return None
        last = current[-1]
        return last if last.voided_by is None and last.ordinal in set(unfinished) else None

    # -- what is allowed now ------------------------------------------------------------------------------------

    def check_open(self) -> None:
        if self.closed_by is not None:
            reason = next(event.reason for event in self.events if event.seq == self.closed_by).rstrip(".")
            raise SessionError(
                "session_closed",
                say(
                    "This session is closed ({reason}). An organiser may still correct it; "
                    "to go on, undo its closing first.",
                    reason=reason,
                )
                if reason
                else say(
                    "This session is closed. An organiser may still correct it; to go on, undo its closing first."
                ),
            )

    def check_correctable(self, *, organiser: bool) -> None:
        """What is past can be corrected by a scorer while the session is open, by an organiser always."""
        if not organiser:
            self.check_open()

    def check_configurable(self, changes: dict[str, Any]) -> None:
        self.check_open()
        if self.frozen and ("rules" in changes or "scheme" in changes):
            raise SessionError("rules_frozen", say("Rules and scheme are fixed since the first deal of this session."))

    def check_seat(self, seat: int, player: int | None = None) -> None:
        """Seats are taken and left only before the first deal; afterwards a substitution changes a seat."""
        self.check_open()
        if self.frozen:
            raise SessionError(
                "session_started", say("The session has started: substitute the player in the seat instead.")
            )
        if not 0 <= seat < MAX_SEATS:
            raise SessionError(
                "bad_seat",
                say(
                    "There is no seat {seat}: tables have seat {first} to seat {last}.",
                    seat=Seat(seat),
                    first=Seat(0),
                    last=Seat(MAX_SEATS - 1),
                ),
            )
        if player is not None and any(p == player and s != seat for s, p in self.seated.items()):
            raise SessionError("already_seated", say("This player already sits in another seat of the session."))

    def check_startable(self) -> int:
        """Returns the number of seats; raises where they are too few, too many or not next to each other."""
        seats = len(self.seated)
        if sorted(self.seated) != list(range(seats)):
            missing = next(seat for seat in range(MAX_SEATS) if seat not in self.seated)
            raise SessionError(
                "seat_empty",
                say(
                    "Seat {missing} is empty: fill the seats from seat {first} on without a gap.",
                    missing=Seat(missing),
                    first=Seat(0),
                ),
            )
        if not self.rules.min_seats <= seats <= MAX_SEATS:
            raise SessionError(
                "bad_seats",
                say(
                    "{seats} seated, but these rules need {least} to {most} players.",
                    seats=seats,
                    least=self.rules.min_seats,
                    most=MAX_SEATS,
                ),
            )
        return seats

    def check_dealable(self, live: DealFact | None) -> None:
        self.check_open()
        if live is not None:
            raise SessionError("deal_running", say("Deal {number} is still being played.", number=live.number))

    def deal_at(self, number: int) -> DealFact:
        """The standing take of deal `number`; raises `no_such_deal`."""
        for deal in self.current:
            if deal.number == number:
                return deal
        raise SessionError("no_such_deal", say("There is no deal {number} in this session.", number=number))

    def check_void(self, deal: DealFact) -> None:
        if deal.voided_by is not None:
            raise SessionError("already_voided", say("Deal {number} is already void.", number=deal.number))

    def check_amend(self, deal: DealFact, *, organiser: bool) -> None:
        self.check_correctable(organiser=organiser)
        if deal.mode == "hosted":
            raise SessionError("hosted_deal", say("A deal hosted by the server is voided, never entered again."))

    def unconfirmed(self, deal: DealFact) -> bool:
        """Whether a deal waits, once it is finished, for a second person: it was entered on paper in a session with the
        setting `confirm`, is not void, and nobody has confirmed it. Until then it does not count."""
        on_paper = deal.mode != "hosted" and deal.voided_by is None
        return on_paper and bool(self.settings.get("confirm")) and deal.confirmed_by is None

    def check_confirm(self, deal: DealFact, by: int, *, finished: bool, entered_by: Collection[int | None]) -> None:
        """Whether user `by` may confirm the deal, which the users `entered_by` have entered between them."""
        if not finished or (deal.confirmed_by is None and not self.unconfirmed(deal)):
            raise SessionError(
                "nothing_to_confirm", say("Deal {number} does not wait for a second person.", number=deal.number)
            )
        if deal.confirmed_by is not None:
            raise SessionError("already_confirmed", say("Deal {number} is already confirmed.", number=deal.number))
        if by in entered_by:
            raise SessionError(
                "same_person",
                say("You entered deal {number} yourself: another scorer confirms it.", number=deal.number),
            )

    def check_substitute(self, seat: int, player: int, from_number: int, credit: str) -> None:
        """From a deal that was played, or, while the session is open, from the next one on."""
        self.check_seat_of_table(seat, say("The session has not started: seat the player instead."))
        if credit not in CREDITS:
            raise SessionError("bad_credit", say("Credit is one of {credits}.", credits=", ".join(CREDITS)))
        if not 1 <= from_number <= self.next_number:
            raise SessionError(
                "no_such_deal",
                say("Name a deal from 1 to {number}, which is the next one.", number=self.next_number),
            )
        if from_number == self.next_number:
            self.check_open()
        if player in self.players_of(from_number):
            raise SessionError("already_seated", say("This player already sits at the table."))

    def check_reseat(
        self, seats: Mapping[int, int], from_number: int, to_number: int | None, live: DealFact | None
    ) -> None:
        """`seats` (players by seat) may be said to have sat there in deals `from_number` to `to_number`, all of them
        over; None: and in those to come. Two players of the table change places by naming both."""
        for seat in seats:
            self.check_seat_of_table(seat, say("The session has not started: seat the players instead."))
        if len(set(seats.values())) < len(seats):
            raise SessionError("already_seated", say("A player stands twice in the list: one person has one seat."))
        last = self.current[-1].number if to_number is None and self.current else to_number
        for number in (from_number, last):
            self.deal_at(number or 0)
        if last is not None and last < from_number:
            raise SessionError(
                "bad_range",
                say(
                    "Deal {last} comes before deal {first}: name the earlier one first.",
                    last=last,
                    first=from_number,
                ),
            )
        if live is not None and from_number <= live.number and (to_number is None or live.number <= to_number):
            raise SessionError(
                "deal_running", say("Deal {number} is still being played: wait until it is over.", number=live.number)
            )

    def check_adjust(self, seat: int) -> None:
        self.check_seat_of_table(seat, say("Points can be adjusted once the session has started."))

    def check_seat_of_table(self, seat: int, unstarted: str) -> None:
        """`unstarted` says what to do before the first deal."""
        if self.seats is None:
            raise SessionError("not_started", unstarted)
        if not 0 <= seat < self.seats:
            raise SessionError(
                "bad_seat",
                say("This session has seat {first} to seat {last}.", first=Seat(0), last=Seat(self.seats - 1)),
            )

    def check_undo(self, seq: int, *, organiser: bool = True) -> SessionEvent:
        """The event that `undone` would cancel; raises where there is none or it cannot be taken back."""
        target = next((event for event in self.events if event.seq == seq), None)
        if target is None or target.kind not in UNDOABLE:
            raise SessionError(
                "cannot_undo", say("Event {seq} of this session is not one that can be undone.", seq=seq)
            )
        if seq in self.cancelled:
            raise SessionError("already_undone", say("Event {seq} is already undone.", seq=seq))
        if target.seq != self.closed_by:
            self.check_correctable(organiser=organiser)
        if target.kind in (Kind.VOIDED, Kind.CLOSED) and target.data.get("final"):
            raise SessionError(
                "cannot_undo", say("The hands of a running deal were opened by this; it cannot be undone.")
            )
        return target


def fold(events: Sequence[SessionEvent]) -> SessionState:
    """The state after `events`, the session's own events in order of seq. Undone events have no effect."""
    cancelled: dict[int, int] = {}
    for event in reversed(events):
        if event.kind is Kind.UNDONE and event.seq not in cancelled:
            cancelled[event.data["seq"]] = event.seq
    state = SessionState(cancelled=cancelled, events=list(events))
    for event in events:
        _apply(state, event, event.seq in cancelled)
    for seat in range(state.seats or 0):
        state.histories.append(SeatHistory.of([entry for entry in state.entries if entry.seat == seat]))
        state.occupants += state.histories[-1].occupants()
    return state


def check_fold(state: SessionState) -> None:
    """What every state must satisfy after a correction: one person sits in one seat of a deal."""
    for number in {deal.number for deal in state.current} | {state.next_number}:
        players = state.players_of(number)
        if len(set(players)) != len(players):
            raise SessionError(
                "already_seated", say("In deal {number} one player would sit in two seats.", number=number)
            )


def check_running(before: SessionState, after: SessionState, live: DealFact | None) -> None:
    """A hosted deal that is being played keeps its players and goes on, whatever is corrected meanwhile: otherwise
    somebody would come to see a hand that is not theirs. Voiding it and closing the session end it for good; a closing
    that an undo brings back would open its hands, and could be undone again."""
    if live is None or live.mode != "hosted" or after.deals[live.ordinal].voided_by is not None:
        return
    if after.closed_by is not None and not any(event.seq == after.closed_by for event in before.events):
        return
    moved = after.players_of(live.number) != before.players_of(live.number)
    if after.closed_by is not None or moved or after.current[-1].ordinal != live.ordinal:
        raise SessionError(
            "deal_running", say("Deal {number} is being played, and this would change it.", number=live.number)
        )


def _apply(state: SessionState, event: SessionEvent, cancelled: bool) -> None:
    data = event.data
    match event.kind:
        case Kind.DEALT | Kind.RECORDED | Kind.RESULT_ENTERED:
            assert event.seat is not None
            state.deals[event.deal] = DealFact(
                ordinal=event.deal,
                seq=event.seq,
                number=data["number"],
                take=data.get("take", 1),
                mode=MODES[event.kind],
                dealer=event.seat,
                wrongful_pass=data.get("wrongful_pass"),
                data=data,
                undone=cancelled,
                entered_by=event.actor,
            )
        case Kind.ADJUSTED:
            assert event.seat is not None
            state.adjustments.append(Adjustment(event.seq, event.seat, data["points"], state.cancelled.get(event.seq)))
        case _ if cancelled:
            return
        case Kind.OPENED | Kind.CONFIGURED:
            state.label = data.get("label", state.label)
            state.rules_json = data.get("rules", state.rules_json)
            state.scheme_json = data.get("scheme", state.scheme_json)
            state.settings = {**state.settings, **data.get("settings", {})}
        case Kind.SEATED:
            assert event.seat is not None
            state.seated[event.seat] = data["player"]
        case Kind.UNSEATED:
            assert event.seat is not None
            state.seated.pop(event.seat, None)
        case Kind.FROZEN:
            state.rules_json, state.scheme_json, state.seats = data["rules"], data["scheme"], data["seats"]
            state.entries = [Entry(event.seq, seat, state.seated[seat], 1) for seat in range(data["seats"])]
        case Kind.DEALER_DRAWN:
            state.drawn_dealer = event.seat
        case Kind.VOIDED:
            state.deals[event.deal] = replace(state.deals[event.deal], voided_by=event.seq)
        case Kind.CONFIRMED:
            state.deals[event.deal] = replace(state.deals[event.deal], confirmed_by=event.actor)
        case Kind.SUBSTITUTED:
            assert event.seat is not None
            state.entries.append(
                Entry(event.seq, event.seat, data["player"], data["from_number"], credit=data["credit"])
            )
        case Kind.RESEATED:
            over = {"from_number": data["from_number"], "to_number": data["to_number"]}
            state.entries += [
                Entry(event.seq, int(seat), player, reseat=True, **over) for seat, player in data["seats"].items()
            ]
        case Kind.CLOSED:
            state.closed_by = event.seq
