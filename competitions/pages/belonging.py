"""The page of a session leads to the round of which it is a table."""

from django.urls import reverse
from django.utils.translation import gettext as _

from competitions import selectors
from competitions.models import Table
from games.access import Caller
from games.models import Session
from games.pages.table import belongings


def belongs(caller: Caller, session: Session) -> tuple[str, str] | None:
    """Which table of which round a session is, with the round's page, where the caller may see the competition; one
    statement."""
    seen = selectors.visible_competitions(caller)
    table = Table.objects.filter(session=session, competition__in=seen).select_related("competition").first()
    if table is None:
        return None
    address = reverse("competition-round", args=[table.competition.public_id, table.round])
    text = _("Table {table} of Round {round} of {competition}")
    return text.format(table=table.number, round=table.round, competition=table.competition), address


belongings.append(belongs)
