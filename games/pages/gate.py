"""What every page does: who asks, and what a refusal looks like in a browser."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.access import ANONYMOUS, Caller
from games.errors import NotFound, Refusal
from games.models import User
from games.wording import said

P = ParamSpec("P")

HIDDEN = (403, 404)
"""What another caller may be allowed to see: whoever is not logged in is asked to."""


def caller_of(request: HttpRequest) -> Caller:
    """Who is logged in, with his memberships (one statement); ANONYMOUS for nobody."""
    return Caller.of(request.user) if isinstance(request.user, User) else ANONYMOUS


def page(view: Callable[Concatenate[HttpRequest, Caller, P], HttpResponse]) -> Callable[..., HttpResponse]:
    """A page that is only looked at, kept in no cache. Whoever is refused without being logged in is asked to log in;
    who is logged in reads why, and nobody learns of what they may not see."""

    @require_safe
    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        caller = caller_of(request)
        try:
            answer = view(request, caller, *args, **kwargs)
        except Refusal as error:
            answer = refused(request, caller, error)
        answer["Cache-Control"] = "no-store"
        return answer

    return wrapped


def refused(request: HttpRequest, caller: Caller, error: Refusal) -> HttpResponse:
    """The page that says why. Raises Http404 for what there is not, or not for this caller."""
    if caller is ANONYMOUS and error.status in HIDDEN:
        return redirect_to_login(request.get_full_path())
    if isinstance(error, NotFound):
        raise Http404 from error
    context = {"title": _("Not now"), "message": said(error.message)}
    answer = render(request, "pages/refused.html", context, status=error.status)
    if (wait := error.extra.get("retry_after")) is not None:
        answer["Retry-After"] = str(wait)
    return answer
