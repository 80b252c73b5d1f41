"""What every page of one competition does: which it is, in the hours of its club, and which standings are asked for."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from competitions import selectors
from competitions.models import Competition
from competitions.showing import StandingsShown, standings_shown
from games.access import Caller
from games.errors import NotFound, Refusal
from games.pages import gate
from scoring.standings import Standings
from scoring.wording import listed, say

P = ParamSpec("P")


class BadParameter(Refusal):
    """The address has a parameter that means nothing here, or a value that cannot be."""

    status = 400


def page(
    view: Callable[Concatenate[HttpRequest, Caller, Competition, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """A page (games.pages.gate.page) of a competition that the caller may see, with the times of its club's zone."""

    @gate.page
    def wrapped(
        request: HttpRequest, caller: Caller, public_id: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        competition = selectors.visible_competition(caller, public_id)
        with timezone.override(competition.club.timezone):
            return view(request, caller, competition, *args, **kwargs)

    return wrapped


def standings_asked(request: HttpRequest, caller: Caller, competition: Competition) -> tuple[StandingsShown, str]:
    """The standings that a caller gets, and what is to be said of them: `?publication=` names a published one; else the
    latest that is out, for scorers and organisers those of now, `?after=` a round. Raises NotFound, NotPublished."""
    number, after = number_asked(request, "publication"), number_asked(request, "after")
    found = selectors.standings_for(caller, competition, number=number, after_round=after, now=timezone.now())
    if found.published is None:
        return standings_shown(found.standings), _of_now(competition, found.standings, after)
    note = _("Publication {number}") if found.published.out else _("Publication {number}; not published")
    return standings_shown(found.standings), note.format(number=found.published.row.number)


def _of_now(competition: Competition, standings: Standings, after: int | None) -> str:
    """What is to be said of standings of now: which publication is out, and whether it says the same."""
    if after is not None:
        return _("As they are now, up to round {round}").format(round=after)
    try:
        out = selectors.latest(competition, "standings", now=timezone.now())
    except selectors.NotPublished:
        return _("As they are now; none are published")
    number = out.row.number
    address = f"{reverse('print-standings', args=[competition.public_id])}?publication={number}"
    if out.standings == standings:
        words = _('As they are now; <a href="{address}">publication {number}</a> says the same')
    else:
        words = _('As they are now; <a href="{address}">publication {number}</a> says otherwise')
    return format_html(words, address=address, number=number)


def check_parameters(request: HttpRequest, *known: str) -> None:
    """Raises BadParameter for one that is not `known`: what a file quietly ignored would be believed."""
    for name in request.GET:
        if name in known:
            continue
        if known:
            words = say("This address takes no “{name}”. It takes {known}.", name=name[:40], known=listed(known))
        else:
            words = say("This address takes no “{name}”.", name=name[:40])
        raise BadParameter("unknown_parameter", words)


def number_asked(request: HttpRequest, name: str) -> int | None:
    """The number that a parameter gives, None without one. Raises NotFound where it is none."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise NotFound("event" if name == "after" else name)
    return int(text)
