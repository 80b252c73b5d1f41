"""The page that teaches the game: one text a language, each written for itself."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation

from games.access import Caller
from games.pages.gate import page


@page
def rules(request: HttpRequest, caller: Caller, language: str = "") -> HttpResponse:
    """In the language of the page, or in the one that the address names. Raises Http404 for one that there is not."""
    code = language or request.LANGUAGE_CODE
    if code not in dict(settings.LANGUAGES):
        raise Http404
    with translation.override(code):
        answer = render(request, "pages/rules.html", {"text": f"pages/rules/{code}.html"})
        answer["Content-Language"] = code
    return answer
