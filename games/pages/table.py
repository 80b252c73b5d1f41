"""The live table: what lies there, who is to act, the own hand to play from, and what the session has come to.

The page works as it is sent: its forms play, and it is read again to see what others did. Its script (table.js) watches
the session's stream and sends what is played without leaving the page (docs/decisions/0017)."""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import IntegrityError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_http_methods

from games import delays, limits, lookups, selectors
from games.access import ANONYMOUS, Caller
from games.api.parsing import is_key
from games.engine.actions import parse_action
from games.engine.cards import UnreadableCard
from games.engine.errors import EngineError, for_people
from games.engine.rules import Rules
from games.engine.seat_view import SeatView
from games.errors import NotFound, Refusal, refusal_of
from games.models import Occupancy, Role, Session
from games.pages import board
from games.pages.gate import caller_of, page
from games.pages.points import Points, points_of
from games.selectors import AtTable
from games.services import dealing, guests, play, sessions
from games.services.keys import Key
from games.wording import said

DOOR = "page"
belongings: list[Callable[[Caller, Session], tuple[str, str] | None]] = []
"""What apps built upon this one say of where a session belongs, to whom may see that: the words of a link, and its
address. They register when their pages are loaded; none is imported."""
STATUS = {
    "open": pgettext_lazy("session", "Not begun"),
    "playing": pgettext_lazy("session", "Being played"),
    "waiting": pgettext_lazy("session", "Between deals"),
    "finished": pgettext_lazy("session", "Finished"),
    "closed": pgettext_lazy("session", "Closed"),
}


@page
def table(request: HttpRequest, caller: Caller, public_id: str) -> HttpResponse:
    session = selectors.visible_session(caller, public_id)
    seating = lookups.seating_of(session)
    points = points_of(session)
    with timezone.override(ZoneInfo(session.club.timezone)):
        context = _context(caller, session, seating, points, now=timezone.now())
        return render(request, "pages/table.html", context)


def _context(
    caller: Caller, session: Session, seating: list[Occupancy], points: Points, *, now: datetime
) -> dict[str, Any]:
    found = selectors.at_table(caller, session, seating)
    later = not found.own and delays.is_later(caller, session)
    until = delays.until(caller, session, now) if later else session.seq
    shown = delays.spectate(session, until) if later else found.table
    view, deal = shown.view, shown.row
    mine = [seat.seat for seat in found.own] or _own_seats(caller, seating)
    lines = board.seat_lines(seating, 1 if deal is None else deal.number, view, mine)
    names = [line.name for line in lines]
    acting = view is not None and view.to_act is not None
    status = shown.status or session.status
    due = session.due_at if session.due_at and session.due_at > now and not later else None
    own = found.own if deal is not None and deal.mode == "hosted" else ()  # what is written down is played elsewhere
    number = 1 if points.last is None else points.last.number + 1
    rules, rows, words = board.layout_said(view, Rules.from_json(session.rules))
    state = board.state_of(
        session, view, own, names,
        status=status, at=until, seq=shown.seq, deal=None if deal is None else deal.number, now=board.milliseconds(now),
        since=None if later else board.milliseconds(found.since), due=board.milliseconds(due),
    )  # fmt: skip
    return {
        "title": session.label,
        "session": session,
        "status": STATUS[status],
        "belongs": [line for asked in belongings if (line := asked(caller, session))],
        "turn": _turn(session, status, own, view, names, points),
        "deal": deal,
        "without_cards": deal is not None and deal.mode == "result",
        "seats": lines,
        "rules": rules,
        "rows": rows,
        "layout_words": words,
        "last": "" if view is None else board.last_card(view),
        "log": [] if view is None else board.last_said(view, names),
        "hands": [board.hand_shown(seat, names[seat.seat]) for seat in own if not seat.over],
        "seq": shown.seq,
        "since": None if later or not acting else found.since,
        "due": due,
        "points": points,
        "later": later,
        "may_join": _may_join(caller, session, seating),
        "may_deal": session.status in ("open", "waiting") and _may_deal(caller, session, mine, found),
        "number": number,
        "key": secrets.token_urlsafe(12),
        "state": state,
        "streams": _streams(session, mine),
        "words": board.words_for_script(),
        "play_again": settings.PLAY_NOW
        and session.club.slug == guests.CLUB
        and session.status in ("finished", "closed")
        and bool(mine),
    }


def _turn(session: Session, status: str, own: Sequence[SeatView], view: Any, names: list[str], points: Points) -> str:
    """The sentence above the table: whose turn it is, or what the table waits for."""
    if status == "playing" and view is not None and view.to_act is not None:
        return board.turn_said(view, own, names)
    if status == "open":
        if session.self_seating:
            return _("The game has not begun: whoever sits here can deal.")
        return _("The game has not begun.")
    if status == "finished":
        return _("The game is over. First place: {names}.").format(names=points.leaders)
    if status == "closed":
        return _("This session is closed.")
    if view is not None and view.winner is not None:
        return _("The deal is over: {name} has won it.").format(name=names[view.winner])
    return _("The deal is over.")


def _own_seats(caller: Caller, seating: list[Occupancy]) -> list[int]:
    """The seats that the account plays, where no deal shows them."""
    last = {item.seat: item.player.person for item in seating}
    return [seat for seat, player in sorted(last.items()) if caller.user and player.user_id == caller.user]


def _may_join(caller: Caller, session: Session, seating: list[Occupancy]) -> bool:
    if not (session.self_seating and session.status == "open" and caller.has(Role.MEMBER, session.club_id)):
        return False
    own = lookups.own_players(caller).get(session.club_id)
    return own is not None and all(own != item.player.public_id for item in seating)


def _may_deal(caller: Caller, session: Session, mine: list[int], found: AtTable) -> bool:
    """Whether the page offers the next deal: those who play here, and who watches over a table that the server deals
    for. What `dealing` says to it is told then."""
    row = found.table.row
    hosted = row is not None and row.mode == "hosted"
    if caller.has(Role.SCORER if session.seats else Role.ORGANISER, session.club_id):
        return hosted or bool(mine)
    return bool(mine) and (session.seats is not None or session.self_seating)


def _streams(session: Session, mine: list[int]) -> list[str]:
    """What the script watches: the own seats, else what everybody sees."""
    if not mine or session.seats is None:
        return [reverse("page-stream", args=[session.public_id])]
    return [reverse("page-seat-stream", args=[session.public_id, seat]) for seat in mine]


@require_http_methods(["GET", "HEAD", "POST"])
def do(request: HttpRequest, public_id: str) -> HttpResponse:
    """What the page's forms send where no script does: `do` is play, deal or join. Whoever only looks, at what a form
    was refused with before, is led to the table."""
    if request.method != "POST":
        return redirect("session-page", public_id)
    caller = caller_of(request)
    if caller is ANONYMOUS:
        return redirect_to_login(reverse("session-page", args=[public_id]))
    doing: dict[str, Callable[[HttpRequest, Caller, str], object]] = {"play": _play, "deal": _deal, "join": _join}
    run = doing.get(request.POST.get("do", "play"))
    if run is None:
        raise Http404
    try:
        count = limits.take("writes", caller.counted_as)
        if count is not None and count.over:
            raise Refusal("throttled", _("Too many requests. Wait a moment."))
        run(request, caller, public_id)
    except NotFound as error:
        raise Http404 from error
    except (Refusal, EngineError) as error:
        messages.error(request, said(for_people(error.message)))
    except (IntegrityError, OperationalError) as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        messages.error(request, said(refusal.message))
    return redirect("session-page", public_id)


def _play(request: HttpRequest, caller: Caller, public_id: str) -> None:
    try:
        action = parse_action(request.POST.get("action", ""))
    except UnreadableCard as error:
        raise Http404 from error
    seq, text = _whole(request, "expected_seq"), request.POST.get("key", "")
    key = Key.of(text, f"page {public_id}", [action, seq]) if is_key(text) else None
    play.act(caller=caller, session=public_id, action=action, expected_seq=seq, now=timezone.now(), key=key)


def _deal(request: HttpRequest, caller: Caller, public_id: str) -> None:
    dealing.deal(
        caller=caller, session=public_id, number=_whole(request, "number"), rng=secrets.SystemRandom(),
        now=timezone.now(), door=DOOR,
    )  # fmt: skip


def _join(request: HttpRequest, caller: Caller, public_id: str) -> None:
    sessions.join(caller=caller, session=public_id, now=timezone.now(), door=DOOR)


def _whole(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Http404
    return int(text)
