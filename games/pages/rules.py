"""The page that teaches the game, one a language."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.access import Caller
from games.engine.rules import Rules
from games.pages.gate import page


@page
def rules(request: HttpRequest, caller: Caller) -> HttpResponse:
    """In the language of the page."""
    return render(request, "pages/rules.html", {"rules": Rules()})
