"""A session's own page: what its rows and its log say, put in sections. Only reads."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from games import selectors
from games.admin import words
from games.admin.desk import Desk
from games.admin.waiting import waiting
from games.engine.errors import EngineError, for_people
from games.engine.session_events import SCORERS_OWN, Kind, SessionEvent
from games.models import Deal, Role, Session, TableRow, User
from games.wording import Text, said

DEALS_A_PAGE = 50
EVENTS_A_PAGE = 100

belongings: list[Callable[[Session], tuple[str, str] | None]] = []
"""What apps built upon this one say of where a session belongs: the words of a link, and its address. They register
when their admin is loaded; none is imported."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat with its players over time."""

    seat: int
    name: str
    since: int
    before: str
    credit: Text


@dataclass(frozen=True, slots=True)
class TableLine:
    """A row of the table of points."""

    place: int
    seat: int
    players: str
    total: str
    deals: int
    wins: int
    shares: str


@dataclass(frozen=True, slots=True)
class DealLine:
    """A deal with what it came to."""

    pk: int
    number: int
    take: int
    mode: Text
    dealer: str
    state: tuple[str, Text]
    winner: str
    cells: list[dict[str, Any]]
    may_void: bool
    may_amend: bool


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event of the session's own, and whether it can be taken back now."""

    seq: int
    at: Any
    who: str
    what: str
    reason: str
    cancelled: int | None
    may_undo: bool


def sections(request: HttpRequest, desk: Desk) -> dict[str, Any]:
    """Everything the page shows, but for its buttons."""
    session, state = desk.session, desk.state
    events = _page(request, "events", list(reversed(state.events)), EVENTS_A_PAGE)
    deals = _page(request, "deals", selectors.deals_of(session).order_by("-number"), DEALS_A_PAGE)
    return {
        "session": session,
        "status": _status(desk),
        "rules": words.rules_in_words(session.rules),
        "scheme": words.scheme_in_words(session.scheme),
        "settings": _settings(desk),
        "seats": _seats(desk),
        "table": _table(desk),
        "lowest_wins": state.scheme.lowest_wins,
        "columns": _columns(desk) if state.frozen else [],
        "deals": deals,
        "deal_lines": [_deal(desk, row) for row in deals],
        "events": events,
        "event_lines": event_lines(desk, list(events)),
        "adjustments": _adjustments(desk),
        "waiting": waiting(desk),
        "belongs": [found for asked in belongings if (found := asked(session))],
    }


def _page(request: HttpRequest, name: str, rows: Any, size: int) -> Page[Any]:
    return Paginator(rows, size).get_page(request.GET.get(name))


def _status(desk: Desk) -> str:
    """Where the session stands, in a sentence."""
    session, live = desk.session, desk.live
    if live is not None:
        turn = desk.name(desk.state.players_of(live.number)[session.to_act or 0])
        if live.mode == "hosted":
            return _("Deal {number} is being played; it is {name}'s turn.").format(number=live.number, name=turn)
        return _("Deal {number} is entered in part; it is {name}'s turn.").format(number=live.number, name=turn)
    match session.status:
        case "open":
            return _readiness(desk)
        case "finished":
            if _all_played(desk):
                return _("All planned deals are played. Corrections are possible until it is closed.")
            return _("The scoring says that it is over. Corrections are possible until it is closed.")
        case "closed":
            return _(
                "Nothing more is played or entered, unless it is opened again. What is past can still be corrected."
            )
    number, dealer = desk.state.next_number, desk.state.next_dealer
    if dealer is None:
        return _("Deal {number} comes next.").format(number=number)
    return _("Deal {number} comes next; {name} deals.").format(number=number, name=desk.name(desk.sitting[dealer]))


def _all_played(desk: Desk) -> bool:
    """Whether as many deals count as were planned."""
    planned = desk.session.deals_planned
    return planned is not None and desk.session.table_rows.filter(deals__gte=planned).exists()


def _readiness(desk: Desk) -> str:
    try:
        seats = desk.state.check_startable()
    except EngineError as error:
        return _("Not started. {reason}").format(reason=said(for_people(error.message)))
    return ngettext("Ready to start with {n} player.", "Ready to start with {n} players.", seats).format(n=seats)


def _settings(desk: Desk) -> list[tuple[str, str]]:
    session = desk.session
    return [
        (_("Deals to be played"), _planned(session.deals_planned)),
        (
            _("Entered on paper"),
            _("counts once a second person has confirmed it") if session.confirm else _("counts at once"),
        ),
        (_("Who may watch"), _("everybody") if session.public else _("members of the club")),
        (_("Spectators see it"), _delay(session.spectator_delay)),
        (_("Who seats players"), _("members take free seats") if session.self_seating else _("organisers")),
        (_("Next deal"), _wait(session.deal_after)),
        (_("Time for a turn"), _clock(session.turn_seconds, session.stand_in)),
    ]


def _planned(deals: int | None) -> str:
    if deals is None:
        return _("as the scoring says")
    return ngettext("at most {n}", "at most {n}", deals).format(n=deals)


def _delay(seconds: int) -> str:
    if not seconds:
        return _("at once")
    return ngettext("{n} second later", "{n} seconds later", seconds).format(n=seconds)


def _wait(seconds: int | None) -> str:
    if seconds is None:
        return _("by hand")
    return ngettext("by itself after {n} second", "by itself after {n} seconds", seconds).format(n=seconds)


def _clock(seconds: int | None, stand_in: str) -> str:
    if seconds is None:
        return _("no limit")
    if not stand_in:
        return ngettext("{n} second; then the table waits", "{n} seconds; then the table waits", seconds).format(
            n=seconds
        )
    return ngettext("{n} second; then bot {bot} plays", "{n} seconds; then bot {bot} plays", seconds).format(
        n=seconds, bot=stand_in
    )


def _seats(desk: Desk) -> list[SeatLine]:
    state = desk.state
    if not state.frozen:
        return [SeatLine(seat, name, 1, "", "") for seat, name in desk.seat_names.items()]
    lines = []
    for seat, player in enumerate(desk.sitting):
        history = [item for item in state.occupants if item.seat == seat]
        spans = [
            _("{name} (from deal {number})").format(name=desk.name(item.player), number=item.from_number)
            for item in history[:-1]
        ]
        credit = words.CREDITS[state.credit_of(seat)] if spans else ""
        lines.append(SeatLine(seat, desk.name(player), history[-1].from_number, ", ".join(spans), credit))
    return lines


def _columns(desk: Desk) -> list[str]:
    """By seat, everybody who has sat there, in order."""
    return [
        ", ".join(dict.fromkeys(desk.name(item.player) for item in desk.state.occupants if item.seat == seat))
        for seat in range(desk.state.seats or 0)
    ]


def _table(desk: Desk) -> list[TableLine]:
    lines = []
    for row in TableRow.objects.filter(session=desk.session):
        shares = [f"{desk.name(item['player'])} {words.points(item['points'])}" for item in row.players]
        names = ", ".join(desk.name(item["player"]) for item in row.players)
        shared = ", ".join(shares) if len(shares) > 1 else ""
        lines.append(TableLine(row.place, row.seat, names, words.points(row.total), row.deals, row.wins, shared))
    return lines


def _deal(desk: Desk, row: Deal) -> DealLine:
    result, points = row.result or {}, row.points or []
    left = result.get("cards_left") or []
    names = desk.names_in(row.number)
    standing = row.voided_by is None
    return DealLine(
        pk=row.pk,
        number=row.number,
        take=row.take,
        mode=words.MODES[row.mode],
        dealer=names[row.dealer],
        state=deal_state(row),
        winner=names[result["winner"]] if result else "",
        cells=[
            {
                "left": left[seat] if left else None,
                "points": words.points(points[seat]) if points else "",
                "won": bool(result) and result["winner"] == seat,
            }
            for seat in range(len(names))
        ],
        may_void=standing and desk.may(Role.ORGANISER),
        may_amend=standing and row.mode != "hosted" and desk.may(Role.SCORER if desk.open else Role.ORGANISER),
    )


STATES: dict[str, Text] = {
    "void": pgettext_lazy("state of a deal", "void"),
    "to-be-confirmed": pgettext_lazy("state of a deal", "to be confirmed"),
    "replaced": pgettext_lazy("state of a deal", "replaced"),
    "running": pgettext_lazy("state of a deal", "running"),
    "in-part": pgettext_lazy("state of a deal", "in part"),
    "counts": pgettext_lazy("state of a deal", "counts"),
    "not-counted": pgettext_lazy("state of a deal", "not counted"),
}


def deal_state(row: Deal) -> tuple[str, Text]:
    """How a deal stands, as a badge: its class, its words."""
    key = _state(row)
    return key, STATES[key]


def _state(row: Deal) -> str:
    if row.voided_by is not None:
        return "void"
    if row.awaits:
        return "to-be-confirmed"
    if not row.current:
        return "replaced"
    if not row.finished:
        return "running" if row.mode == "hosted" else "in-part"
    return "counts" if row.counted else "not-counted"


def event_lines(desk: Desk, events: list[SessionEvent]) -> list[EventLine]:
    """Who did what, when and why; one statement."""
    actors = dict(User.objects.filter(pk__in={event.actor for event in events}).values_list("pk", "username"))
    return [_event(desk, event, actors) for event in events]


def _event(desk: Desk, event: SessionEvent, actors: dict[int, str]) -> EventLine:
    deal = desk.state.deals.get(event.deal)
    names = [] if deal is None else desk.names_in(deal.number)
    undoable = desk.may(Role.SCORER if event.kind in SCORERS_OWN else Role.ORGANISER)
    if undoable:
        try:
            desk.state.check_undo(event.seq, organiser=desk.may(Role.ORGANISER))
        except EngineError:
            undoable = False
    return EventLine(
        seq=event.seq,
        at=event.at,
        who=words.account(actors.get(event.actor or 0, ""), names),
        what=said(words.event_in_words(event, desk.state, desk.name)),
        reason=event.reason,
        cancelled=desk.state.cancelled.get(event.seq),
        may_undo=undoable,
    )


def _adjustments(desk: Desk) -> list[dict[str, Any]]:
    why = {event.seq: event.reason for event in desk.state.events if event.kind is Kind.ADJUSTED}
    return [
        {
            "what": said(words.points_for(item.points, desk.seat_names.get(item.seat, words.chair(item.seat)))),
            "reason": why[item.seq],
            "cancelled": item.cancelled_by is not None,
        }
        for item in desk.state.adjustments
    ]
