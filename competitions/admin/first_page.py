"""Competitions on pages of the table: what they wait for now stands on the first one; each session leads to the round
of which it is a table."""

from dataclasses import replace

from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from competitions.admin.base import page_of
from competitions.admin.desk import desks
from competitions.admin.needs import needs_of
from competitions.admin.page import facts
from competitions.models import Competition, Table
from games.admin import home, session_page
from games.admin.home import Told
from games.admin.needs import Line
from games.admin.scope import caller_of
from games.models import Role, Session

MOST_SHOWN = 8
"""Competitions on the first page; the running ones first, then the newest."""


def told(request: HttpRequest) -> Told:
    """What the competitions that are not finished wait for, and a list of them; five statements, and three for each of
    those whose format asks the round before."""
    caller = caller_of(request)
    clubs = caller.clubs(Role.SCORER)
    several = clubs is None or len(clubs) > 1
    rows = Competition.objects.exclude(status=Competition.Status.FINISHED).select_related("club")
    mine = rows if clubs is None else rows.filter(club__in=clubs)
    total = mine.count()
    found = desks(caller, list(mine.order_by("-status", "-pk")[:MOST_SHOWN]))
    needs = [
        replace(need, where=str(desk.row), address=page_of(desk), club=str(desk.row.club) if several else "")
        for desk in found
        for need in needs_of(desk)
    ]
    more = None
    if total > len(found):
        count = total - len(found)
        text = ngettext("and one more", "and {n} more", count).format(n=count)
        more = Line(text, reverse("admin:competitions_competition_changelist"))
    below = {
        "template": "admin/competitions/running.html",
        "competitions": [{"row": desk.row, "address": page_of(desk), "facts": facts(desk)} for desk in found],
        "more": more,
        "may_make": caller.superuser or bool(caller.clubs(Role.ORGANISER)),
    }
    return Told(needs, below)


def tables() -> Q:
    """Sessions that are tables of a competition."""
    return Q(Exists(Table.objects.filter(session=OuterRef("pk"))))


def belongs(session: Session) -> tuple[str, str] | None:
    """Which table of which round a session is, with the round's page; one statement."""
    table = Table.objects.filter(session=session).select_related("competition").first()
    if table is None:
        return None
    address = reverse("admin:competitions_competition_round", args=[table.competition_id, table.round])
    text = _("Table {table} of Round {round} of {competition}")
    return text.format(table=table.number, round=table.round, competition=table.competition), address


home.sources.append(told)
home.told_elsewhere.append(tables)
session_page.belongings.append(belongs)
