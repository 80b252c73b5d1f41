"""The standings as they are now: every row with what it comes from, in pages."""

from dataclasses import replace
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils.translation import gettext as _

from competitions import comparing, folding
from competitions.admin.base import action_of, part_of
from competitions.admin.desk import Desk
from competitions.pages.players import KINDS, WHYS
from competitions.results import standing_of
from competitions.showing import People, RowShown, entrants, people, standings_shown
from games.admin.needs import Button
from games.models.fields import bare
from games.wording import said
from scoring.counting import RoundLine
from scoring.explain import NAMED, unranked_for
from scoring.points import shown
from scoring.standings import Row, Standings

A_PAGE = 100
CHANGES_SHOWN = 100


def standings_sections(request: HttpRequest, desk: Desk) -> dict[str, Any]:
    """The page of standings. `?show=now` counts tables that are still being played; `q` searches, `p` pages."""
    provisional = request.GET.get("show") == "now"
    table = standing_of(desk.state, desk.scores, provisional=True) if provisional else desk.standings
    wanted = request.GET.get("q", "").strip()[:80]
    last = _published(desk)
    buttons = []
    if desk.organises and not desk.finished:
        buttons = [
            Button(_("Publish the standings"), action_of(desk, "publish"), True),
            Button(_("Adjust points"), action_of(desk, "adjust")),
        ]
    return {
        **table_context(desk, table, wanted, request.GET.get("p")),
        "provisional": provisional,
        "open": [said(desk.state.round(n).name) for n in desk.state.numbers if desk.state.round(n).status == "open"],
        "closed": len(desk.state.closed_rounds),
        "buttons": buttons,
        "published": last,
        "changes": changes_since(last["standings"], table) if last and not provisional else None,
        "adjust": action_of(desk, "adjust") if desk.organises and not desk.finished else "",
        "publications_page": part_of(desk, "publications"),
    }


def table_context(desk: Desk, table: Standings, wanted: str, number: Any, size: int = A_PAGE) -> dict[str, Any]:
    """A page of standings in rows for the template."""
    rows = list(table.rows)
    named: People | None = None
    if wanted:
        named = people(entrants(table))
        rows = [row for row in rows if bare(wanted) in bare(named.name(row.entrant))]
    page = Paginator(rows, size).get_page(number)
    named = named or people(*map(_named_in_row, page))
    part = standings_shown(replace(table, rows=tuple(page)), named)
    return {
        "page": page,
        "wanted": wanted,
        "rows": [_line(line, desk, named) for line in part.rows],
        "order": part.order,
        "tie_breaks": [said(one.title) for one in table.tie_breaks],
        "lower": table.lower_is_better,
        "ranked": table.ranked,
    }


def _named_in_row(row: Row) -> set[int]:
    """Whom a row's explanation names."""
    beside = [row.level_with, row.decided.against if row.decided else ()]
    others = [player for group in beside if len(group) <= NAMED for player in group]
    return {int(str(player)) for player in (row.entrant, *others)}


def _line(line: RowShown, desk: Desk, named: People) -> dict[str, Any]:
    row = line.row
    return {
        "shown": line,
        "entrant": named.public_id(int(str(row.entrant))) if row.entrant in desk.state.entries else "",
        "rounds": [
            {
                "round": one.round,
                "points": "–" if one.points is None else shown(one.points),
                "why": one.why,
                "title": _round_title(one),
            }
            for one in row.rounds
        ],
        "unranked": said(unranked_for(row.unranked_for)) if row.unranked_for else "",
    }


def _round_title(one: RoundLine) -> str:
    """What a round of a row was, and whether it counts."""
    parts = (_("Round {number}").format(number=one.round), KINDS.get(one.kind, ""), WHYS.get(one.why, ""))
    return " · ".join(str(part) for part in parts if part)


def _published(desk: Desk) -> dict[str, Any] | None:
    """The last published standings, whoever may see them by now."""
    found = [p for p in desk.state.publications.values() if p.what == "standings" and p.unpublished_by is None]
    if not found:
        return None
    last = found[-1]
    return {
        "number": last.number,
        "address": part_of(desk, "publication", last.number),
        "standings": folding.published(desk.row, last.seq),
    }


def _named_in_change(change: comparing.RowChange) -> set[Any]:
    """Whom the sentence of a change names."""
    decided = change.after.decided if change.after else None
    parted = {one.other for one in change.parted}
    return {change.entrant, *parted, *change.joined, *(decided.against if decided else ())}


def changes_since(before: Standings, after: Standings) -> dict[str, Any]:
    """What differs, in sentences."""
    changes = comparing.compare(before, after)
    named = people({int(str(player)) for change in changes[:CHANGES_SHOWN] for player in _named_in_change(change)})
    return {
        "count": len(changes),
        "lines": [said(comparing.sentence(change, named.name)) for change in changes[:CHANGES_SHOWN]],
        "more": max(0, len(changes) - CHANGES_SHOWN),
    }
