"""Sheets to print, or to keep as PDF from the print dialogue: draws by table and by name, score slips, standings."""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.conf import settings as site
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from competitions import selectors
from competitions.models import Competition
from competitions.pages.gate import page, standings_asked
from competitions.qr import qr_svg
from competitions.selectors import NotPublished, RoundSeen
from competitions.settings import Settings
from competitions.showing import DrawShown, SeatShown, draw_shown
from competitions.slips import code_of
from competitions.wording import round_name
from games.access import Caller
from games.errors import Refusal
from games.models import Session
from games.models.fields import search_key
from scoring.wording import say

MOST_DEALS = 12
"""Deals that a slip has columns for; with more it says so."""
USUAL_DEALS = 6
"""Columns where the number of deals is not planned."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A score slip of one table. `code`: the QR code of `address`, the page where its results are entered, which
    `typed` says as somebody types it."""

    table: int
    names: tuple[str, ...]
    address: str
    typed: str
    code: SafeString


@dataclass(frozen=True, slots=True)
class ByName:
    """A line of the draw by name."""

    name: str
    place: str


@page
def draw(request: HttpRequest, caller: Caller, competition: Competition, number: int) -> HttpResponse:
    """A round's draw twice: by table for the tables, by name for the wall (people look for their name)."""
    seen = selectors.round_of(caller, competition, number, now=timezone.now())
    shown = _drawn(seen)
    context = {
        "competition": competition,
        "draw": shown,
        "name": round_name(number, shown.title),
        "by_name": by_name(shown),
        "note": "" if seen.draw_is_out else _("Not published"),
    }
    return render(request, "competitions/print/draw.html", context)


@page
def slips(request: HttpRequest, caller: Caller, competition: Competition, number: int) -> HttpResponse:
    """A slip for each table of an opened round."""
    selectors.check_whole(caller, competition)
    seen = selectors.round_of(caller, competition, number, now=timezone.now())
    shown = _drawn(seen)
    settings = selectors.setup(competition).settings_of(number)
    found = [
        _slip(request, competition, number, table.number, seats, table.session)
        for table, seats in zip(seen.tables, shown.tables, strict=False)
        if table.session is not None
    ]
    if not found:
        raise Refusal(
            "round_not_open", say("This round is not open yet: its tables have no pages to enter results on.")
        )
    deals = settings.deals or USUAL_DEALS
    context = {
        "competition": competition,
        "draw": shown,
        "name": round_name(number, shown.title),
        "slips": found,
        "deals": range(1, min(deals, MOST_DEALS) + 1),
        "more": deals > MOST_DEALS,
        "passes": needs_passes(settings),
        "second": settings.confirm,
        "unreachable": split_domain_port(request.get_host())[0] in site.LOCAL_HOSTS,
        "day": shown.day or timezone.localdate(timezone=ZoneInfo(competition.club.timezone)),
    }
    return render(request, "competitions/print/slips.html", context)


@page
def standings(request: HttpRequest, caller: Caller, competition: Competition) -> HttpResponse:
    """The standings, with the order of the tie-breaks under them (T22)."""
    shown, note = standings_asked(request, caller, competition)
    context = {
        "competition": competition,
        "shown": shown,
        "titles": [one.title for one in shown.standings.tie_breaks],
        "note": note,
        "explained": "explained" in request.GET,
    }
    return render(request, "competitions/print/standings.html", context)


def by_name(shown: DrawShown) -> list[ByName]:
    """Everybody of a draw in the order of names, accents and case aside: at which table, for whom, or sitting out."""
    lines = [_line(seat, table) for table, seats in enumerate(shown.tables, 1) for seat in seats] + [
        ByName(player.name, _("sits out")) for player in shown.sitting_out
    ]
    replaced = [
        ByName(seat.player.name, _("absent, {name} plays").format(name=seat.substitute.name))
        for seats in shown.tables
        for seat in seats
        if seat.substitute is not None
    ]
    return sorted(lines + replaced, key=lambda line: (search_key(line.name), line.name, line.place))


def needs_passes(settings: Settings) -> bool:
    """Whether the scheme needs the passes of each seat (rules.md 5.6)."""
    forced, wrongful, _ = settings.scheme.needs()
    return forced or wrongful


def _drawn(seen: RoundSeen) -> DrawShown:
    if seen.draw is None:
        raise NotPublished("draw", seen.number)
    return draw_shown(seen.number, seen.draw)


def _line(seat: SeatShown, table: int) -> ByName:
    if seat.substitute is None:
        return ByName(seat.player.name, _("Table {number}").format(number=table))
    place = _("Table {number}, for {name}").format(number=table, name=seat.player.name)
    return ByName(seat.substitute.name, place)


def _slip(
    request: HttpRequest,
    competition: Competition,
    number: int,
    table: int,
    seats: tuple[SeatShown, ...],
    session: Session,
) -> Slip:
    address = request.build_absolute_uri(reverse("slip", args=[code_of(session.public_id)]))
    title = _("{competition}, round {round}, table {table}: enter results").format(
        competition=competition, round=number, table=table
    )
    names = tuple((seat.substitute or seat.player).name for seat in seats)
    # The SVG is made of our own address and an escaped title.
    typed = address.partition("://")[2].rstrip("/")
    return Slip(table, names, address, typed, mark_safe(qr_svg(address, title=title, side=3)))  # noqa: S308
