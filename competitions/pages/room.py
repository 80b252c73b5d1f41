"""The display on the wall of the room: the draw of the round that is on, and the standings, one after the other."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from competitions import selectors
from competitions.models import Competition
from competitions.pages.frame import show
from competitions.pages.gate import BadParameter, page
from competitions.pages.printing import by_name
from competitions.selectors import NotPublished
from competitions.showing import draw_shown, people
from competitions.wording import round_name
from games.access import Caller
from scoring.points import shown
from scoring.wording import listed, say

BOARDS = ("tables", "names", "standings")
SECONDS, FEWEST, MOST = 15, 3, 600
"""How long each screenful stays."""

MOST_ROWS = 120
"""Rows of standings that are shown: nobody waits for more to come by."""


@page
def room(request: HttpRequest, caller: Caller, competition: Competition) -> HttpResponse:
    """What is published, whoever is logged in. `?show=tables,names,standings` what of it, `?seconds=` how long. Raises
    BadParameter."""
    boards, seconds, now = _boards(request), _seconds(request), timezone.now()
    context: dict[str, Any] = {"seconds": seconds}
    drawn = selectors.current_draw(competition, now=now) if {"tables", "names"} & set(boards) else None
    if drawn is not None:
        draw = draw_shown(drawn.row.round or 0, drawn.content)
        context |= {"name": round_name(draw.number, draw.title), "sitting_out": draw.sitting_out}
        context |= {"tables": draw.tables if "tables" in boards else ()}
        context |= {"by_name": by_name(draw) if "names" in boards else ()}
    if "standings" in boards:
        context |= _standings(competition)
    context |= {"news": selectors.latest_numbers(competition, now=now)}
    return show(request, "room", caller, competition, "room", **context)


def _standings(competition: Competition) -> dict[str, Any]:
    try:
        found = selectors.latest(competition, "standings", now=timezone.now())
    except NotPublished:
        return {}
    assert found.standings is not None
    rows = found.standings.rows[:MOST_ROWS]
    named = people(int(str(row.entrant)) for row in rows)
    return {
        "after": found.row.round,
        "rows": [(row.rank, named.name(row.entrant), shown(row.total)) for row in rows],
        "more": len(found.standings.rows) - len(rows),
    }


def _boards(request: HttpRequest) -> tuple[str, ...]:
    text = request.GET.get("show", "")
    asked = tuple(text.split(",")) if text else BOARDS
    if set(asked) - set(BOARDS):
        raise BadParameter(
            "bad_parameter", say("“show” takes some of {known}, with commas between.", known=listed(BOARDS))
        )
    return asked


def _seconds(request: HttpRequest) -> int:
    text = request.GET.get("seconds", str(SECONDS))
    if not (text.isascii() and text.isdigit() and len(text) < 6 and FEWEST <= int(text) <= MOST):
        words = say("“seconds” is a whole number from {least} to {most}.", least=FEWEST, most=MOST)
        raise BadParameter("bad_parameter", words)
    return int(text)
