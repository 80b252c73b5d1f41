"""Competitions on pages of the table: on the first one, what they wait for comes before the sessions; and each session
leads to the round of which it is a table."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from competitions.admin.base import page_of
from competitions.admin.desk import desks
from competitions.admin.needs import needs_of
from competitions.models import Competition, Table
from games.admin import desk as first_page
from games.admin import session_page
from games.admin.scope import caller_of
from games.models import Role, Session

MOST_SHOWN = 8
"""Competitions on the first page; the running ones first, then the newest."""


def needs(request: HttpRequest) -> dict[str, Any]:
    """A card for each competition that is not finished; four statements."""
    caller = caller_of(request)
    clubs = caller.clubs(Role.SCORER)
    rows = Competition.objects.exclude(status=Competition.Status.FINISHED).select_related("club")
    mine = rows if clubs is None else rows.filter(club__in=clubs)
    found = [
        {"title": str(desk.row), "address": page_of(desk), "club": desk.row.club, "needs": needs_of(desk)[:2]}
        for desk in desks(caller, list(mine.order_by("-status", "-pk")[:MOST_SHOWN]))
    ]
    return {
        "template": "admin/competitions/cards.html",
        "cards": found,
        "may_make": caller.superuser or bool(caller.clubs(Role.ORGANISER)),
    }


def belongs(session: Session) -> tuple[str, str] | None:
    """Which table of which round a session is, with the round's page; one statement."""
    table = Table.objects.filter(session=session).select_related("competition").first()
    if table is None:
        return None
    address = reverse("admin:competitions_competition_round", args=[table.competition_id, table.round])
    return f"Table {table.number} of Round {table.round} of {table.competition}", address


first_page.before_sessions.append(needs)
session_page.belongings.append(belongs)
