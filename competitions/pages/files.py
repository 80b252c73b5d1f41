"""Downloads (docs/files.md)."""

from django.http import HttpRequest, HttpResponse

from competitions import downloads
from competitions.files.reading import MEDIA_TYPES, Form
from competitions.models import Competition
from competitions.pages.gate import check_parameters, number_asked, page, standings_asked
from games.access import Caller


@page
def entries(request: HttpRequest, caller: Caller, competition: Competition, form: Form) -> HttpResponse:
    check_parameters(request)
    return _file(competition, "entries", form, downloads.entries_sheet(caller, competition, form))


@page
def results(request: HttpRequest, caller: Caller, competition: Competition, form: Form) -> HttpResponse:
    """`?round=`: only of that round."""
    check_parameters(request, "round")
    data = downloads.results_sheet(caller, competition, form, number=number_asked(request, "round"))
    return _file(competition, "results", form, data)


@page
def standings(request: HttpRequest, caller: Caller, competition: Competition, form: Form) -> HttpResponse:
    check_parameters(request, "publication", "after")
    shown, _ = standings_asked(request, caller, competition)
    return _file(competition, "standings", form, downloads.standings_sheet(shown, form))


def _file(competition: Competition, what: str, form: Form, data: bytes) -> HttpResponse:
    return HttpResponse(data, content_type=MEDIA_TYPES[form], headers=downloads.headers(competition, what, form))
