"""What every page does: who asks, for which competition, and what a refusal looks like in a browser."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from competitions import selectors
from competitions.models import Competition
from competitions.showing import StandingsShown, standings_shown
from games.access import ANONYMOUS, Caller
from games.errors import NotFound, Refusal
from games.models import User
from scoring.standings import Standings

P = ParamSpec("P")


class UnknownParameter(Refusal):
    """The address has a parameter that means nothing here."""

    status = 400


def page(
    view: Callable[Concatenate[HttpRequest, Caller, Competition, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """A view of a competition that the caller may see, kept in no cache. Whoever is refused without being logged in is
    asked to log in; who is logged in reads why, and nobody learns of what they may not see."""

    @require_safe
    @wraps(view)
    def wrapped(request: HttpRequest, public_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        caller = Caller.of(request.user) if isinstance(request.user, User) else ANONYMOUS
        try:
            competition = selectors.visible_competition(caller, public_id)
            answer = view(request, caller, competition, *args, **kwargs)
        except Refusal as error:
            if caller is ANONYMOUS:
                return redirect_to_login(request.get_full_path())
            if isinstance(error, NotFound):
                raise Http404 from error
            context = {"title": "Not now", "message": error.message}
            answer = render(request, "competitions/refused.html", context, status=error.status)
        answer["Cache-Control"] = "no-store"
        return answer

    return wrapped


def standings_asked(request: HttpRequest, caller: Caller, competition: Competition) -> tuple[StandingsShown, str]:
    """The standings that a caller gets, and what is to be said of them: `?publication=` names a published one; else the
    latest that is out, for scorers and organisers those of now, `?after=` a round. Raises NotFound, NotPublished."""
    number, after = number_asked(request, "publication"), number_asked(request, "after")
    found = selectors.standings_for(caller, competition, number=number, after_round=after, now=timezone.now())
    if found.published is None:
        return standings_shown(found.standings), _of_now(competition, found.standings, after)
    kept_back = "" if found.published.out else "; not published"
    return standings_shown(found.standings), f"Publication {found.published.row.number}{kept_back}"


def _of_now(competition: Competition, standings: Standings, after: int | None) -> str:
    """What is to be said of standings of now: which publication is out, and whether it says the same."""
    if after is not None:
        return f"As they are now, up to round {after}"
    try:
        out = selectors.latest(competition, "standings", now=timezone.now())
    except selectors.NotPublished:
        return "As they are now; none are published"
    number = out.row.number
    says = "says the same" if out.standings == standings else "says otherwise"
    address = f"{reverse('print-standings', args=[competition.public_id])}?publication={number}"
    return format_html('As they are now; <a href="{}">publication {}</a> {}', address, number, says)


def check_parameters(request: HttpRequest, *known: str) -> None:
    """Raises UnknownParameter for one that is not `known`: what a file quietly ignored would be believed."""
    for name in request.GET:
        if name not in known:
            may = f" It takes {' and '.join(known)}." if known else ""
            raise UnknownParameter("unknown_parameter", f"This address takes no “{name[:40]}”.{may}")


def number_asked(request: HttpRequest, name: str) -> int | None:
    """The number that a parameter gives, None without one. Raises NotFound where it is none."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise NotFound(name)
    return int(text)
