"""The replay of a deal that is over: its page, and the smaller one that other sites may show in a frame."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games import delays, exporting, lookups, replays, selectors
from games.access import ANONYMOUS, Caller
from games.engine.cards import card_text
from games.engine.errors import EngineError
from games.errors import Refusal
from games.gains import Gains, gains
from games.models import Deal, Player, Session
from games.pages.film import Film, Frame
from games.pages.gate import page
from games.pages.timeline import Timeline
from games.wording import said

MOST_STEPS = 1500
"""Steps that a page shows; a deal with more is there as a record only."""


SNIPPET = '<iframe src="{}" width="100%" height="640" title="{}" loading="lazy"></iframe>'
"""What shows the replay on another site."""


@dataclass(frozen=True, slots=True)
class HandLine:
    """A seat at the table as one step shows it. `cards` are (number, text, classes), None where they are hidden."""

    seat: int
    player: Player
    dealer: bool
    acting: bool
    left: int
    cards: list[tuple[int, str, str]] | None


@dataclass(frozen=True, slots=True)
class ResultLine:
    """What a deal came to for a seat: cells as shown, "–" where nothing is on record."""

    seat: int
    player: Player
    won: bool
    left: str
    forced: str
    wrongful: str
    points: str
    before: str
    after: str


@page
def replay(request: HttpRequest, caller: Caller, public_id: str, number: int) -> HttpResponse:
    """`?step=`: where to begin; `?seat=` (from 0): as that seat saw it."""
    session = selectors.visible_session(caller, public_id)
    try:
        context = _context(request, caller, session, number)
    except Refusal as error:
        if error.code != "deal_running":
            raise
        running = {"session": session, "number": number, "message": said(error.message)}
        return render(request, "pages/replay_running.html", running, status=error.status)
    context["record"] = next(exporting.record_lines(session, only=number), "")
    if session.public:
        address = request.build_absolute_uri(reverse("replay-embed", args=[public_id, number]))
        begin = f"{address}{context['query']}{context['frame'].step if context['film'] else 0}"
        context["snippet"] = format_html(SNIPPET, begin, context["title"])
    return render(request, "pages/replay.html", context)


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type] # it takes views with arguments too
def embed(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """The same for frames of other sites: shown as to nobody, whoever asks, and only of public sessions."""
    request.COOKIES = {}
    translation.activate(translation.get_language_from_request(request))
    status = 200
    try:
        session = selectors.visible_session(ANONYMOUS, public_id)
        context = _context(request, ANONYMOUS, session, number)
        context["whole"] = request.build_absolute_uri(reverse("replay", args=[public_id, number]))
    except (Refusal, Http404) as error:
        running = isinstance(error, Refusal) and error.code == "deal_running"
        message = _("This deal is still being played.") if running else _("There is no replay to be seen here.")
        context, status = {"title": _("Replay"), "message": message}, 409 if running else 404
    answer = render(request, "pages/replay_embed.html", context, status=status)
    answer["Cache-Control"] = "no-store"
    return answer


def _context(request: HttpRequest, caller: Caller, session: Session, number: int) -> dict[str, Any]:
    """What both pages show. Raises `deal_running`, NotFound, and Http404 for a seat that the table does not have."""
    delays.check_shown(caller, session, number, timezone.now())
    row = selectors.deal_of(session, number)
    players = [player.person for player in lookups.players_in(lookups.seating_of(session), number)]
    seat = _whole(request, "seat")
    if "seat" in request.GET and (seat is None or seat >= len(players)):
        raise Http404
    film = _film(session, row, players, seat)
    brought = gains(session, row)
    context: dict[str, Any] = {
        "title": _("Deal {number} – {session}").format(number=number, session=session.label),
        "session": session,
        "deal": row,
        "note": _note(session, row),
        "seat": seat,
        "results": _results(row, players, brought),
        "query": "?step=" if seat is None else f"?seat={seat}&step=",
        "gains": brought,
        "earlier": max((n for n in brought.numbers if n < number), default=None),
        "later": min((n for n in brought.numbers if n > number), default=None),
        "film": film,
    }
    if film is not None:
        frame = film.frames[min(_whole(request, "step") or 0, film.last)]
        timeline = Timeline([each.left for each in film.frames])
        context |= {
            "frame": frame,
            "back": max(0, frame.step - 1),
            "forward": min(film.last, frame.step + 1),
            "rows": film.replay.moments[frame.step].rows,
            "hands": _hands(film, frame, players),
            "picture": timeline.picture(frame.step, _("Cards left in each hand, from the first step to the last")),
        }
    return context


def _film(session: Session, row: Deal, players: Sequence[Player], seat: int | None) -> Film | None:
    """None where only a result or a record is there, and no cards that could be laid again."""
    try:
        found = replays.whole_row(session, row)
    except EngineError:
        return None
    except Refusal as error:
        if error.code != "no_cards":
            raise
        return None
    return Film(found, [player.name for player in players], seat) if len(found.steps) <= MOST_STEPS else None


def _hands(film: Film, frame: Frame, players: Sequence[Player]) -> list[HandLine]:
    return [
        HandLine(
            seat,
            player,
            dealer=film.replay.start.dealer == seat,
            acting=frame.to_act == seat,
            left=frame.left[seat],
            cards=[_held(film, frame, card) for card in film.hands[seat]] if seat in film.hands else None,
        )
        for seat, player in enumerate(players)
    ]


def _held(film: Film, frame: Frame, card: int) -> tuple[int, str, str]:
    """A card in a hand: `gone` once it is laid, `legal` where it may be played now."""
    text = card_text(card)
    gone = film.laid_at.get(text, film.last + 1) <= frame.step
    return card, text, "gone" if gone else "legal" if text in frame.legal else ""


def _results(row: Deal, players: Sequence[Player], brought: Gains) -> list[ResultLine]:
    result = row.result
    if result is None:
        return []

    def cell(name: str, seat: int) -> str:
        return "–" if result[name] is None else str(result[name][seat])

    return [
        ResultLine(
            seat,
            player,
            won=result["winner"] == seat,
            left=cell("cards_left", seat),
            forced=cell("forced_passes", seat),
            wrongful=cell("wrongful_passes", seat),
            points="–" if brought.points is None else _points(brought.points[seat]),
            before=_points(brought.before[seat]),
            after=_points(brought.after[seat]),
        )
        for seat, player in enumerate(players)
    ]


def _note(session: Session, row: Deal) -> str:
    """Why the deal does not count, or how it was entered; "" where there is nothing to say."""
    if row.voided_by is not None:
        return _("This deal is void: it counts for nobody.")
    if row.awaits:
        return _("This deal counts once a second person has confirmed it.")
    if row.finished:
        return "" if row.counted else _("This deal does not count in the totals of the session.")
    if row.mode == "recorded" and session.status != Session.Status.CLOSED:
        return _("Only a part of this deal has been entered so far.")
    return _("This deal was never finished, so it does not count.")


def _points(value: Fraction) -> str:
    rounded = round(value, 2)
    text = str(rounded.numerator) if rounded.denominator == 1 else number_format(float(rounded), decimal_pos=2)
    return text.replace("-", "−")


def _whole(request: HttpRequest, name: str) -> int | None:
    """The whole number from 0 that a parameter gives; None where it gives none."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None
