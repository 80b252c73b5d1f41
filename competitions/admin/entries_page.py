"""Who competes, as a list that can be searched: 2,000 entries in pages."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils.translation import gettext as _

from competitions.admin.base import action_of
from competitions.admin.desk import Desk
from competitions.models import Entry
from games import people
from games.admin.needs import Button
from games.models import Player
from games.wording import said

A_PAGE = 100


def entries_sections(request: HttpRequest, desk: Desk) -> dict[str, Any]:
    """The page of entries; `q` searches, `p` pages."""
    wanted = request.GET.get("q", "").strip()[:80]
    rows = (
        Entry.objects.filter(competition=desk.row).select_related("player__merged_into").order_by("player__name", "pk")
    )
    if wanted:
        rows = rows.filter(player__in=people.searched(Player.objects.filter(club=desk.row.club_id), wanted))
    page = Paginator(rows, A_PAGE).get_page(request.GET.get("p"))
    state = desk.state
    apart: dict[int, list[str]] = {}
    for one, other in state.apart:
        apart.setdefault(one, []).append(desk.name(other))
        apart.setdefault(other, []).append(desk.name(one))
    out: dict[int, list[str]] = {}
    for (number, player), item in sorted(state.sit_outs.items()):
        text = _("{round} (bye)") if item.bye else _("{round} (absent)")
        out.setdefault(player, []).append(text.format(round=said(state.round(number).name)))
    instead: dict[int, list[str]] = {}
    for (number, player), sub in sorted(state.substitutions.items()):
        instead.setdefault(player, []).append(
            _("{round}: {players}").format(round=said(state.round(number).name), players=desk.name(sub.substitute))
        )
    lines = [
        {
            "name": row.player.person.name,
            "bot": bool(row.player.strategy),
            "seed": row.seed,
            "from_round": row.from_round if row.from_round > 1 else None,
            "withdrawn": row.withdrawn,
            "out": ", ".join(out.get(row.player_id, [])),
            "instead": ", ".join(instead.get(row.player_id, [])),
            "apart": ", ".join(apart.get(row.player_id, [])),
            "tools": _tools(desk, row),
        }
        for row in page
    ]
    buttons = []
    if desk.organises and not desk.finished:
        buttons = [
            Button(_("Add players"), action_of(desk, "enter"), True),
            Button(_("Sit out a round"), action_of(desk, "sit-out")),
            Button(_("Substitute for a round"), action_of(desk, "substitute")),
            Button(_("Keep two apart"), action_of(desk, "apart")),
        ]
    return {"page": page, "lines": lines, "wanted": wanted, "buttons": buttons, "total": len(state.entries)}


def _tools(desk: Desk, row: Entry) -> list[Button]:
    if not desk.organises or desk.finished:
        return []
    who = row.player.public_id
    if row.withdrawn is not None:
        return [Button(_("Take back in"), action_of(desk, "reinstate", player=who))]
    return [
        Button(_("Sit out"), action_of(desk, "sit-out", player=who)),
        Button(_("Substitute"), action_of(desk, "substitute", player=who)),
        Button(_("Withdraw"), action_of(desk, "withdraw", player=who)),
    ]
