"""Who met whom, as a page."""

from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse

from competitions.crosstable import Met, crosstable
from competitions.models import Competition
from competitions.pages.frame import chosen, show
from competitions.pages.gate import page
from competitions.pages.listing import page_asked
from competitions.showing import RowShown, standings_shown
from games.access import Caller

A_BLOCK = 30
"""People who are shown against each other: more columns nobody can read."""


@dataclass(frozen=True, slots=True)
class Line:
    """Somebody against everybody of the block in their order; None for whom he never met, and for himself."""

    row: RowShown
    cells: tuple[Met | None, ...]


@page
def met(request: HttpRequest, caller: Caller, competition: Competition) -> HttpResponse:
    """`?show=`, `?publication=` (frame.chosen); of many people `?page=` the next in the order of the standings."""
    choice = chosen(request, caller, competition)
    if choice.standings is None:
        return show(request, "crosstable", caller, competition, "crosstable", choice=choice)
    everybody = choice.standings.rows
    blocks = max(1, -(-len(everybody) // A_BLOCK))
    number = min(page_asked(request), blocks)
    part = everybody[(number - 1) * A_BLOCK : number * A_BLOCK]
    found = standings_shown(replace(choice.standings, rows=part))
    counted = crosstable(found.standings)
    order = [row.row.entrant for row in found.rows]
    lines = [Line(row, tuple(counted[row.row.entrant].get(other) for other in order)) for row in found.rows]
    return show(
        request,
        "crosstable",
        caller,
        competition,
        "crosstable",
        choice=choice,
        lines=lines,
        first=(number - 1) * A_BLOCK + 1,
        last=(number - 1) * A_BLOCK + len(part),
        people=len(everybody),
        before=number - 1,
        after=number + 1 if number < blocks else 0,
        shown_by=choice.query,
    )
