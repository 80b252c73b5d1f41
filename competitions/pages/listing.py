"""The competitions that a reader may see."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from competitions import selectors
from games.access import Caller
from games.pages.gate import page


@page
def competitions(request: HttpRequest, caller: Caller) -> HttpResponse:
    """The newest first."""
    rows = selectors.visible_competitions(caller).order_by("-pk")[:50]
    return render(request, "competitions/list.html", {"competitions": rows})
