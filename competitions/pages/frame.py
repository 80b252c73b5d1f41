"""What the public pages of a competition have around their content, and which standings they are about."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from competitions import selectors
from competitions.models import Competition
from competitions.pages.gate import number_asked
from competitions.selectors import Live, NotPublished, Published
from competitions.wording import STATUS, format_title
from games.access import Caller
from games.lookups import own_players
from scoring.standings import Standings


@dataclass(frozen=True, slots=True)
class Choice:
    """The standings that a page is about.

    - `show`: "published", or what scorers and organisers may ask for: "now", and "provisional" with the tables that are
      still being played.
    - `standings`: None where nothing is published. `published`: what they were read from. `live`: those of now.
    - `earlier`: an earlier publication was asked for.
    """

    show: str
    standings: Standings | None
    published: Published | None = None
    live: Live | None = None
    earlier: bool = False

    @property
    def query(self) -> str:
        """What links to other pages of the same standings have at their end, without the question mark."""
        if self.show != "published":
            return f"show={self.show}"
        return f"publication={self.published.row.number}" if self.earlier and self.published else ""


def chosen(request: HttpRequest, caller: Caller, competition: Competition) -> Choice:
    """By `?show=` and `?publication=`; else the latest that are published, which are the same for everybody. Raises
    NotFound, Forbidden."""
    show = request.GET.get("show", "")
    if show in ("now", "provisional"):
        live = selectors.live(caller, competition, provisional=show == "provisional")
        return Choice(show, live.standings, live=live)
    now, number = timezone.now(), number_asked(request, "publication")
    if number is not None:
        found = selectors.standings_for(caller, competition, number=number, after_round=None, now=now)
        return Choice("published", found.standings, found.published, earlier=True)
    try:
        latest = selectors.latest(competition, "standings", now=now)
    except NotPublished:
        return Choice("published", None)
    return Choice("published", latest.standings, latest)


def own_player(caller: Caller, competition: Competition) -> str:
    """The public id of the player that the caller plays in the competition's club; empty where there is none."""
    return own_players(caller).get(competition.club_id, "") if caller.user else ""


def show(
    request: HttpRequest, template: str, caller: Caller, competition: Competition, here: str, **context: Any
) -> HttpResponse:
    """The page in the competition's frame; `here` names the part of it that this is."""
    around = {
        "competition": competition,
        "status": STATUS[competition.status],
        "format": format_title(competition.format),
        "whole": selectors.sees_whole(caller, competition),
        "here": here,
    }
    return render(request, f"competitions/{template}.html", {**around, **context})
