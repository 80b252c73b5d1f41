"""Play now: from the front page to a table with bots, without an account."""

import secrets

from django.conf import settings
from django.contrib.auth import login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games import limits
from games.errors import Refusal
from games.models import User
from games.pages.gate import caller_of, refused
from games.services import guests

BACKEND = "django.contrib.auth.backends.ModelBackend"


class Throttled(Refusal):
    """Too many tables from one address."""

    status = 429

    def __init__(self, seconds: int) -> None:
        super().__init__("throttled", _("Too many games were begun from here. Wait for a while."), retry_after=seconds)


@csrf_exempt  # who only reads gets no cookie, so the form has no token: its origin is looked at instead
@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest) -> HttpResponse:
    """A table of one's own; a guest is logged in on this browser, and known here as long as that lasts."""
    if not settings.PLAY_NOW:
        raise Http404
    if request.method != "POST":
        return redirect("front")
    here = f"{request.scheme}://{request.get_host()}"
    if request.headers.get("Origin", here) != here:
        raise PermissionDenied
    user = request.user if isinstance(request.user, User) else None
    try:
        count = limits.take("play-now", limits.client_address(request))
        if count is not None and count.over:
            raise Throttled(count.reset)
        game = guests.play_now(user=user, rng=secrets.SystemRandom(), now=timezone.now(), door="page")
    except Refusal as error:
        return refused(request, caller_of(request), error)
    if user is None:
        login(request, game.user, backend=BACKEND)
    return redirect("session-page", game.session)
