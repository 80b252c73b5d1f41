"""The competitions that a reader may see."""

from django.db.models import Case, Q, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from competitions import selectors
from competitions.models import Competition
from competitions.wording import STATUS, format_title
from games.access import Caller
from games.pages.gate import page

A_PAGE = 50
LAST_PAGE = 999


@page
def competitions(request: HttpRequest, caller: Caller) -> HttpResponse:
    """Those that are running first, then the newest; `?q=` those whose name, season or club has these words, `?page=`
    50 further on. Nothing is counted: the row after the last says that there are more."""
    wanted = " ".join(request.GET.get("q", "").replace("\0", " ").split())[:80]
    number = page_asked(request)
    rows = selectors.visible_competitions(caller)
    for word in wanted.split():
        rows = rows.filter(Q(name__icontains=word) | Q(season__icontains=word) | Q(club__name__icontains=word))
    running_first = Case(When(status=Competition.Status.RUNNING, then=0), default=1)
    found = list(rows.order_by(running_first, "-pk")[(number - 1) * A_PAGE : number * A_PAGE + 1])
    context = {
        "lines": [(row, STATUS[row.status], format_title(row.format)) for row in found[:A_PAGE]],
        "wanted": wanted,
        "number": number,
        "before": number - 1,
        "after": number + 1 if len(found) > A_PAGE else 0,
    }
    return render(request, "competitions/list.html", context)


def page_asked(request: HttpRequest) -> int:
    """`?page=`, from 1; what is no such number is the first page."""
    text = request.GET.get("page", "")
    return min(max(int(text), 1), LAST_PAGE) if text.isascii() and text.isdigit() and len(text) < 9 else 1
