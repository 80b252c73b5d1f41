"""The standings as a page: who stands where and why."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone

from competitions import selectors
from competitions.models import Competition, Publication
from competitions.pages.frame import Choice, chosen, own_player, show
from competitions.pages.gate import page
from competitions.pages.listing import page_asked
from competitions.showing import RowShown, StandingsShown, standings_shown
from games.access import Caller
from games.models.fields import bare

A_PAGE = 100


@dataclass(frozen=True, slots=True)
class Own:
    """The row of whoever is logged in, and the page of the list that it is on."""

    row: RowShown
    page: int


@page
def standings(request: HttpRequest, caller: Caller, competition: Competition) -> HttpResponse:
    """`?show=`, `?publication=` (frame.chosen); `?q=` only those with this in their name; `?page=` 100 rows further."""
    choice = chosen(request, caller, competition)
    news = _news(caller, competition)
    if choice.standings is None:
        return show(request, "standings", caller, competition, "standings", choice=choice, news=news)
    found = standings_shown(choice.standings)
    wanted = " ".join(request.GET.get("q", "").replace("\0", " ").split())[:80]
    rows = [row for row in found.rows if not wanted or bare(wanted) in bare(row.player.name)]
    number = min(page_asked(request), max(1, -(-len(rows) // A_PAGE)))
    public_id = own_player(caller, competition)
    return show(
        request,
        "standings",
        caller,
        competition,
        "standings",
        choice=choice,
        news=news,
        rows=rows[(number - 1) * A_PAGE : number * A_PAGE],
        titles=[one.title for one in choice.standings.tie_breaks],
        order=found.order,
        people=len(found.rows),
        findable=len(found.rows) > 10,
        wanted=wanted,
        own=None if wanted else _own(found, public_id),
        own_id=public_id,
        before=number - 1,
        after=number + 1 if len(rows) > number * A_PAGE else 0,
        shown_by=choice.query,
        publications=_others(caller, competition, choice),
    )


def _own(found: StandingsShown, public_id: str) -> Own | None:
    for at, row in enumerate(found.rows):
        if public_id and row.player.public_id == public_id:
            return Own(row, 1 + at // A_PAGE)
    return None


def _others(caller: Caller, competition: Competition, choice: Choice) -> list[Publication]:
    """The other standings that are published, the newest first."""
    rows = selectors.publications(caller, competition, now=timezone.now()).filter(
        what=Publication.What.STANDINGS, unpublished_by=None
    )
    if choice.published:
        rows = rows.exclude(number=choice.published.row.number)
    return list(rows.order_by("-number")[:20])


@page
def news(request: HttpRequest, caller: Caller, competition: Competition) -> HttpResponse:
    """For the script of an open page: which publications are the latest; of live standings which version they are of.
    What has another value than the page was made with is new."""
    return JsonResponse(_news(caller, competition))


def _news(caller: Caller, competition: Competition) -> dict[str, int | None]:
    latest = selectors.latest_numbers(competition, now=timezone.now())
    return {**latest, "version": selectors.version(caller, competition)}
