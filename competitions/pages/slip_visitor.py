"""Who stands behind the page of a score slip: a scorer under the own name, or somebody of the table with a phone."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from competitions import selectors
from competitions.models import Table
from games.access import Caller, slip_account
from games.errors import Forbidden
from games.models import Role, Session

KEPT = 2 * 24 * 3600
"""Seconds that a phone remembers who holds it: an evening, and the morning after."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks at the page of a slip: a scorer of the club under the own name, or somebody of the table.

    `seat`: who of the table holds this phone, None before it was said; `fixed`: results were entered with it."""

    caller: Caller
    scorer: bool
    seat: int | None = None
    fixed: bool = False

    @property
    def name(self) -> str:
        """Whose entries wait on this phone, for the page's script."""
        return "scorer" if self.scorer else "" if self.seat is None else str(self.seat)

    def writes(self, session: Session) -> Caller:
        """In whose name results are entered. Raises Forbidden where nobody said who holds the phone."""
        if self.scorer:
            return self.caller
        if self.seat is None:
            raise Forbidden("forbidden", _("Say first who you are."))
        return Caller(slip_account(self.seat).pk, table=session.pk)


def visitor_of(request: HttpRequest, table: Table, caller: Caller) -> Visitor:
    """Raises Forbidden where the competition lets only scorers enter results."""
    if caller.has(Role.SCORER, table.competition.club_id):
        return Visitor(caller, scorer=True)
    if not selectors.setup(table.competition).settings.slip_entry:
        raise Forbidden("forbidden", _("In this competition a scorer enters the results: give them the slip."))
    kept = request.get_signed_cookie(_cookie(table), default="", salt=_cookie(table), max_age=KEPT) or ""
    seat = int(kept[0]) if kept[:1].isdecimal() else None
    return Visitor(caller, scorer=False, seat=seat, fixed=kept.endswith("!"))


def _cookie(table: Table) -> str:
    return f"slip-{table.session.public_id}"


def remember(answer: HttpResponse, table: Table, visitor: Visitor) -> None:
    """Let the phone know who holds it; once results came from it, that is for good."""
    if visitor.seat is None:
        answer.delete_cookie(_cookie(table), path="/r/")
        return
    answer.set_signed_cookie(
        _cookie(table),
        f"{visitor.seat}{'!' if visitor.fixed else ''}",
        salt=_cookie(table),
        max_age=KEPT,
        path="/r/",
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
