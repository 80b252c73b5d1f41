"""Published snapshots: the list, each as it was published, and what changed from one to the next."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from competitions import eventlog, folding
from competitions.admin.base import action_of, part_of
from competitions.admin.desk import Desk
from competitions.admin.page import publication_lines
from competitions.admin.standings_page import changes_since, table_context
from competitions.draw_json import change_sentence, draw_changes
from competitions.facts import Publication
from competitions.showing import draw_shown, people
from competitions.state import plan_from_json
from games.admin.forms.base import now
from games.admin.needs import Button
from games.wording import said

CHANGES_SHOWN = 200


def publications_sections(request: HttpRequest, desk: Desk) -> dict[str, Any]:
    buttons = []
    if desk.organises and desk.state.closed_rounds:
        buttons.append(Button(_("Publish the standings"), action_of(desk, "publish"), True))
    return {
        "lines": [{**line, **_standing(desk, line["number"])} for line in publication_lines(desk)],
        "buttons": buttons,
    }


def publication_sections(request: HttpRequest, desk: Desk, number: int) -> dict[str, Any]:
    """One snapshot as it stands in the log, and the differences to the one of its kind before it."""
    item = desk.state.publications[number]
    line = next(line for line in publication_lines(desk) if line["number"] == number)
    before = _before(desk, item)
    context: dict[str, Any] = {
        "item": item,
        "line": {**line, **_standing(desk, number)},
        "all": part_of(desk, "publications"),
        "before": before and {"number": before.number, "address": part_of(desk, "publication", before.number)},
        "buttons": [Button(_("Take it back"), line["take_back"])] if line["take_back"] else [],
    }
    if item.what == "standings":
        table = folding.published(desk.row, item.seq)
        wanted = request.GET.get("q", "").strip()[:80]
        context |= table_context(desk, table, wanted, request.GET.get("p"))
        if before is not None:
            context["changes"] = changes_since(folding.published(desk.row, before.seq), table)
        return context
    content = eventlog.content(desk.row.pk, item.seq)
    context["draw"] = draw_shown(item.round or 1, content)
    if before is not None:
        earlier = eventlog.content(desk.row.pk, before.seq)
        plans = [plan_from_json(one["plan"]) for one in (earlier, content)]
        changes = draw_changes(plans[:1], plans[1:], first=item.round or 1)
        named = people(map(int, plans[0].people()), map(int, plans[1].people()))
        context["changes"] = {
            "count": len(changes),
            "lines": [said(change_sentence(change, named.name)) for change in changes[:CHANGES_SHOWN]],
            "more": max(0, len(changes) - CHANGES_SHOWN),
        }
    return context


def _standing(desk: Desk, number: int) -> dict[str, Any]:
    """Whether a snapshot is what is to be seen of its kind now (`current`), or which one has replaced it."""
    item = desk.state.publications[number]
    out = desk.state.publication_of(item.what, None if item.what == "standings" else item.round, now())
    later = None
    if out is not None and out.number > number and item.unpublished_by is None:
        later = {"number": out.number, "address": part_of(desk, "publication", out.number)}
    return {"current": out is item, "replaced_by": later}


def _before(desk: Desk, item: Publication) -> Publication | None:
    """The snapshot that this one follows: of the same kind, and for a draw of the same round."""
    found = [
        p
        for p in desk.state.publications.values()
        if p.what == item.what and p.number < item.number and (item.what == "standings" or p.round == item.round)
    ]
    return found[-1] if found else None
