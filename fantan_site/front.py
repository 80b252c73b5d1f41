"""The front page: what this is, a game at once, what is being played, and the way to everything else."""

from django.conf import settings
from django.db.models import Case, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from competitions.models import Competition
from competitions.selectors import visible_competitions
from competitions.wording import STATUS
from games.access import Caller
from games.models import Role
from games.pages.gate import page
from games.pages.tables import tables_for

COMPETITIONS = 6
"""So many competitions are named here; their own page lists all."""


@page
def front(request: HttpRequest, caller: Caller) -> HttpResponse:
    running_first = Case(When(status=Competition.Status.RUNNING, then=Value(0)), default=Value(1))
    rows = visible_competitions(caller).order_by(running_first, "-pk")[:COMPETITIONS]
    tables = tables_for(caller, timezone.now())
    context = {
        "play_now": settings.PLAY_NOW,
        "own": tables.own,
        "live": tables.live,
        "competitions": [(row, STATUS[row.status]) for row in rows],
        "organises": caller.superuser or bool(caller.clubs(Role.SCORER)),
    }
    return render(request, "front.html", context)
