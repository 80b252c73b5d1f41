"""The organisers' first page: what needs somebody now, and the tables of this evening. Only reads."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Q, QuerySet, Value, When
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import attention
from games.admin.desk import leaders, listed, sitting_now
from games.admin.needs import Line, Need, Urgency
from games.admin.scope import caller_of, has_role
from games.attention import UNFINISHED, Few
from games.models import Role, Session
from games.selectors import visible_players

MOST_SHOWN = 24
"""Tables that are shown beside what needs somebody."""

HEADINGS = {
    "playing": gettext_lazy("Being played"),
    "waiting": gettext_lazy("Between deals"),
    "open": gettext_lazy("Not started yet"),
}


@dataclass(frozen=True, slots=True)
class Told:
    """What an app built upon this one needs somebody for, and what it shows below that: a `template` and what this
    needs."""

    needs: list[Need]
    below: dict[str, Any]


sources: list[Callable[[HttpRequest], Told]] = []
"""Those apps. They register when their admin is loaded; none is imported."""

told_elsewhere: list[Callable[[], Q]] = []
"""Sessions that they speak of themselves."""

for_organisers: list[Callable[[HttpRequest], dict[str, Any]]] = []
"""What organisers are shown at the end: each gives a `template` and what it needs."""


def home(request: HttpRequest) -> dict[str, Any]:
    """All that the page shows to scorers and organisers. The number of statements does not depend on how much it is."""
    clubs = caller_of(request).clubs(Role.SCORER)
    mine = Session.objects.all() if clubs is None else Session.objects.filter(club__in=clubs)
    own = mine
    for told in told_elsewhere:
        own = own.exclude(told())
    now = timezone.now()
    heaps = attention.heaps(own, now)
    several = clubs is None or len(clubs) > 1
    others = [source(request) for source in sources]
    needs = [*_at_tables(request, mine, now, several), *_to_close(request, own, now, heaps, several)]
    needs += [need for other in others for need in other.needs]
    groups = _groups(own, now, heaps)
    left = sum(count for (_status, old), count in heaps.items() if old)
    organises = has_role(request, Role.ORGANISER)
    fresh = not needs and not groups and not left and organises and not mine.exists()
    return {
        "needs": sorted(needs, key=lambda need: need.urgency),
        "groups": groups,
        "left": left,
        "left_address": sessions_with(UNFINISHED),
        "below": [other.below for other in others],
        "last": [part(request) for part in for_organisers] if organises else [],
        "fresh": fresh,
        "has_players": fresh and visible_players(caller_of(request)).exists(),
        "may_open": organises,
        "several_clubs": several,
    }


def sessions_with(statuses: Iterable[str]) -> str:
    """The address of the list of sessions with one of these statuses."""
    return f"{reverse('admin:games_session_changelist')}?status__in={','.join(statuses)}"


def page_of(session: Session) -> str:
    return reverse("admin:games_session_change", args=[session.pk])


def _at_tables(request: HttpRequest, mine: QuerySet[Session], now: datetime, several: bool) -> Iterator[Need]:
    """What waits at single tables, those of competitions too."""
    down = attention.overdue(mine, now)
    if down.rows:
        text = ngettext(
            "One table waits for the server: a bot’s turn or the next deal is overdue. The server’s workers seem to be"
            " down: tell whoever runs it. Play goes on by itself once they run again.",
            "{n} tables wait for the server: bots’ turns or the next deals are overdue. The server’s workers seem to be"
            " down: tell whoever runs it. Play goes on by itself once they run again.",
            down.total,
        ).format(n=down.total)
        lines = [_line(row, several, _since(row.due_at), _("Look at the table")) for row in down.rows]
        yield Need(Urgency.STOPPED, text, lines=lines, more=_more(down, sessions_with(["playing", "waiting"])))
    awaiting = attention.unconfirmed(mine)
    if awaiting.rows:
        text = ngettext("One deal waits for a second person.", "{n} deals wait for a second person.", awaiting.total)
        lines = [_to_confirm(request, deal, several) for deal in awaiting.rows]
        more = _more(awaiting, f"{reverse('admin:games_deal_changelist')}?state=awaited")
        yield Need(Urgency.CONFIRM, text.format(n=awaiting.total), lines=lines, more=more)
    stuck = attention.stalled(mine, now)
    if stuck.rows:
        text = ngettext(
            "One table is being played, but nothing happens there.",
            "{n} tables are being played, but nothing happens there.",
            stuck.total,
        ).format(n=stuck.total)
        lines = [_line(row, several, _turn(row), _("Look at the table")) for row in stuck.rows]
        yield Need(Urgency.STALLED, text, lines=lines, more=_more(stuck, sessions_with(["playing"])))


def _to_confirm(request: HttpRequest, deal: Any, several: bool) -> Line:
    caller, session = caller_of(request), deal.session
    what = _("{session}: deal {number}").format(session=_named(session, several), number=deal.number)
    if deal.entered_by == caller.user:
        said = _("{deal}. You entered it, so another scorer or organiser confirms it.").format(deal=what)
        return Line(said, page_of(session), _("Look at the table"))
    address = reverse("admin:games_session_do", args=[session.pk, "confirm"])
    return Line(what, f"{address}?number={deal.number}", _("Compare and confirm"))


def _to_close(
    request: HttpRequest, own: QuerySet[Session], now: datetime, heaps: dict[tuple[str, bool], int], several: bool
) -> Iterator[Need]:
    """Sessions of their own that are over."""
    count = heaps.get((Session.Status.FINISHED, False), 0)
    rows = attention.unfinished(own.filter(status=Session.Status.FINISHED), now).filter(left=False).order_by("-id")
    found = Few(list(listed(rows)[: attention.MOST_NAMED]), count)
    if not found.rows:
        return
    text = ngettext("One session is over and can be closed.", "{n} sessions are over and can be closed.", count)
    caller, lines = caller_of(request), []
    for row in found.rows:
        who = leaders(row)
        what = _("{session}: won by {names}").format(session=_named(row, several), names=who) if who else str(row)
        if caller.has(Role.ORGANISER, row.club_id):
            close = reverse("admin:games_session_do", args=[row.pk, "close"])
            lines.append(Line(what, close, _("Close it")))
        else:
            lines.append(Line(what, page_of(row), _("Look at the table")))
    more = _more(found, sessions_with(["finished"]))
    yield Need(Urgency.END, text.format(n=count), lines=lines, more=more)


def _line(row: Any, several: bool, what: str, label: str) -> Line:
    text = _("{session}: {what}").format(session=_named(row, several), what=what)
    return Line(text, page_of(row), label)


def _since(moment: datetime) -> str:
    return _("since {time}").format(time=_clock(moment))


def _turn(row: Any) -> str:
    """Whose turn it has been since when."""
    who = sitting_now(row).get(row.to_act)
    return _("{name} to play since {time}").format(name=who.name if who else "–", time=_clock(row.moved))


def _clock(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "TIME_FORMAT")


def _named(session: Session, several: bool) -> str:
    if not several:
        return session.label
    return _("{session} ({club})").format(session=session.label, club=session.club)


def _more(found: Few, address: str) -> Line | None:
    if not found.more:
        return None
    return Line(ngettext("and one more", "and {n} more", found.more).format(n=found.more), address)


def _groups(own: QuerySet[Session], now: datetime, heaps: dict[tuple[str, bool], int]) -> list[dict[str, Any]]:
    """This evening's tables by how they stand, with the form for the next result where one is awaited on paper."""
    rank = Case(*[When(status=status, then=Value(place)) for place, status in enumerate(HEADINGS)])
    rows = attention.unfinished(own.filter(status__in=HEADINGS), now).filter(left=False).order_by(rank, "-id")
    cards: dict[str, list[dict[str, Any]]] = {status: [] for status in HEADINGS}
    for session in listed(rows)[:MOST_SHOWN]:
        cards[session.status].append(_card(session))
    return [
        {
            "heading": heading,
            "cards": cards[status],
            "more": _more(Few(cards[status], count), sessions_with([status])),
        }
        for status, heading in HEADINGS.items()
        if (count := heaps.get((status, False), 0))
    ]


def _card(session: Any) -> dict[str, Any]:
    """What is shown of a session."""
    now = sitting_now(session)
    turn = now.get(session.to_act) if session.to_act is not None else None
    enters = session.status == Session.Status.WAITING and session.due_at is None
    return {
        "session": session,
        "players": ", ".join(player.name for player in now.values()),
        "turn": turn.name if turn else "",
        "leader": leaders(session),
        "enter": reverse("admin:games_session_do", args=[session.pk, "result"]) if enters else "",
    }
