"""The competition's own page and that of a round: what its log says, put in sections. Only reads."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from competitions import eventlog
from competitions.admin.base import HEADINGS, action_of, part_of
from competitions.admin.desk import Desk, sitting_in
from competitions.admin.files_page import round_prints
from competitions.admin.needs import confirm_address, needs_of, open_need, result_address
from competitions.admin.telling import event_sentence, named_by, settings_named
from competitions.draw_json import moved_sentence
from competitions.facts import TELLING, CompetitionError, CompetitionEvent, Kind, RoundState, SitOut
from competitions.formats.telling import report_lines
from competitions.models import Entry
from competitions.results import OVER
from competitions.showing import effects_shown, people
from competitions.wording import ROUND_STATUS, days_in_words
from games.admin.forms.base import now
from games.admin.needs import Button
from games.admin.words import account, points
from games.models import Deal, Session, TableRow, User
from games.wording import Text, said
from scoring.explain import order_of_tie_breaks
from scoring.points import shown

EVENTS_A_PAGE = 50
TOP = 10

DOORS: dict[str, Text] = {"admin": pgettext_lazy("door", "admin"), "api": pgettext_lazy("door", "API")}
"""Through which door something was done, in the language of the page."""

DRAWS: dict[str, Text] = {
    "": "",
    "taken back": pgettext_lazy("draw", "taken back"),
    "not published": pgettext_lazy("draw", "not published"),
    "changed": pgettext_lazy("draw", "changed since it was published"),
    "published": pgettext_lazy("draw", "published"),
    "embargo": pgettext_lazy("draw", "published with an embargo"),
}
"""Whether the club sees a round's draw."""

PUBLICATIONS: dict[str, Text] = {
    "taken-back": pgettext_lazy("publication", "taken back"),
    "published": pgettext_lazy("publication", "published"),
    "embargo": pgettext_lazy("publication", "embargo"),
}

DRAWS_OUT: dict[str, Text] = {
    "": "",
    "taken back": gettext_lazy("The draw is taken back."),
    "not published": gettext_lazy("The draw is not published."),
    "changed": gettext_lazy("The draw was changed since it was published."),
    "published": gettext_lazy("The draw is published."),
    "embargo": gettext_lazy("The draw is published with an embargo."),
}
"""The same in sentences."""


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round in the list of rounds."""

    number: int
    name: str
    day: Any
    status: str
    shown: str
    tables: str
    published: str
    address: str
    buttons: list[Button]


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event of the log, and where it can be taken back."""

    seq: int
    at: Any
    who: str
    what: str
    reason: str
    door: str
    cancelled: int | None
    undo: str
    address: str


def sections(request: HttpRequest, desk: Desk) -> dict[str, Any]:
    """Everything the competition's page shows, but for its buttons."""
    state, row = desk.state, desk.row
    events = page_of_list(request, "events", list(reversed(state.events)), EVENTS_A_PAGE)
    table = desk.standings
    named = {int(str(row.entrant)) for row in table.rows[:TOP]} | sitting_in(state)
    desk.people = people(named.union(*(named_by(event, state) for event in events)))
    withdrawn = sum(entry.withdrawn is not None for entry in state.entries.values())
    bots = Entry.objects.filter(competition=row).exclude(player__strategy="").count()
    return {
        "row": row,
        "state": state,
        "facts": facts(desk),
        "needs": needs_of(desk),
        "rounds": [round_line(desk, state.round(number)) for number in state.numbers],
        "who": " ".join(_who_competes(len(state.entries), withdrawn, bots)),
        "top": [
            {"rank": one.rank, "name": desk.name(one.entrant), "total": shown(one.total)}
            for one in table.rows[:TOP]
            if one.rank is not None
        ],
        "ranked": table.ranked,
        "order": said(order_of_tie_breaks(table)),
        "publications": publication_lines(desk)[:5],
        "events": events,
        "event_lines": event_lines(desk, list(events)),
        "entries_page": part_of(desk, "entries"),
        "standings_page": part_of(desk, "standings"),
        "publications_page": part_of(desk, "publications"),
        "files_page": part_of(desk, "files"),
    }


def _who_competes(entered: int, withdrawn: int, bots: int) -> Iterator[str]:
    """How many compete, in sentences."""
    yield ngettext("{n} player is entered.", "{n} players are entered.", entered).format(n=entered)
    if withdrawn:
        yield ngettext("{n} of them has withdrawn.", "{n} of them have withdrawn.", withdrawn).format(n=withdrawn)
    if bots:
        yield ngettext("{n} of them is a bot.", "{n} of them are bots.", bots).format(n=bots)


def page_of_list(request: HttpRequest, name: str, rows: Any, size: int) -> Page[Any]:
    return Paginator(rows, size).get_page(request.GET.get(name))


def facts(desk: Desk) -> str:
    """What it is, in a line."""
    state, settings = desk.state, desk.state.settings
    kind = _("League of {club}") if state.kind == "league" else _("Tournament of {club}")
    days = days_in_words(state.starts_on, state.ends_on)
    closed = len(state.closed_rounds)
    total = settings.rounds or settings.format.total_rounds(len(state.part_of(1)), settings)
    rounds = (
        ngettext("{closed} of {n} round closed", "{closed} of {n} rounds closed", total).format(closed=closed, n=total)
        if total
        else ngettext("{n} round closed", "{n} rounds closed", closed).format(n=closed)
    )
    format_title = said(settings.format.title)
    return " · ".join(part for part in (kind.format(club=desk.row.club), format_title, days, rounds) if part)


def round_line(desk: Desk, at: RoundState) -> RoundLine:
    tables = ""
    if at.tables:
        over = len(at.tables) - len(desk.missing(at))
        tables = _tables_counted(len(at.tables))
        if over < len(at.tables):
            text = ngettext("{over} of {n} result", "{over} of {n} results", len(at.tables))
            tables = text.format(over=over, n=len(at.tables))
    elif at.plan is not None:
        tables = _tables_counted(len(at.plan.tables))
    return RoundLine(
        at.number,
        said(at.name),
        at.day,
        at.status,
        str(ROUND_STATUS[at.status]),
        tables,
        str(DRAWS[draw_published(desk, at)]),
        part_of(desk, "round", at.number),
        round_buttons(desk, at)[:2],
    )


def _tables_counted(count: int) -> str:
    return ngettext("{n} table", "{n} tables", count).format(n=count)


def draw_published(desk: Desk, at: RoundState) -> str:
    """Whether the club sees the draw: a key of DRAWS."""
    if at.plan is None:
        return ""
    moment = now()
    newest = [p for p in desk.state.publications.values() if p.what == "draw" and p.round == at.number]
    live = [p for p in newest if p.unpublished_by is None]
    if not live:
        return "taken back" if newest else "not published"
    if live[-1].draw != at.drawn_seq:
        return "changed"
    return "published" if live[-1].is_out(moment) else "embargo"


def round_buttons(desk: Desk, at: RoundState) -> list[Button]:
    """What an organiser can do with a round now, the next step first."""
    state, number = desk.state, at.number
    if not desk.organises or desk.finished:
        return []
    found = []

    def add(slug: str, label: str, *, main: bool = False, **more: Any) -> None:
        found.append(Button(label, action_of(desk, slug, **{"round": number, **more}), main))

    if at.status in ("planned", "drawn"):
        try:
            state.check_drawable(number)
        except CompetitionError:
            return []
        ahead = number == state.next_round or at.plan is not None
        if at.plan is None and ahead:
            add("draw", _("Draw"), main=True)
        if at.plan is not None:
            if number == state.next_round:
                add("open", _("Open the tables"), main=True)
            if draw_published(desk, at) != "published":
                add("publish-draw", _("Publish the draw"))
            add("draw", _("Draw again"))
            add("swap", _("Swap two players"))
            add("seat", _("Seat by hand"))
    elif at.status == "open":
        add("close", _("Close"), main=not desk.missing(at))
        add("add-table", _("Add a table"))
        if at.opened_seq is not None and all(desk.statuses.get(table.session) == "open" for table in at.tables):
            add("undo", _("Undo the opening"), seq=at.opened_seq)
    elif at.status == "closed":
        add("undo", _("Reopen"), seq=at.closed_by)
    return found


def publication_lines(desk: Desk) -> list[dict[str, Any]]:
    """Publications, the newest first."""
    state, moment = desk.state, now()
    found = []
    for item in reversed(list(state.publications.values())):
        where = said(state.round(item.round).name) if item.round else ""
        what = _("Draw of {round}") if item.what == "draw" else _("Standings after {round}")
        hidden = item.unpublished_by is not None
        found.append(
            {
                "number": item.number,
                "what": what.format(round=where),
                "at": item.at,
                "status": (status := "taken-back" if hidden else "published" if item.is_out(moment) else "embargo"),
                "shown": PUBLICATIONS[status],
                "not_before": item.not_before,
                "address": part_of(desk, "publication", item.number),
                "take_back": "" if hidden or not desk.organises else action_of(desk, "unpublish", number=item.number),
            }
        )
    return found


def event_lines(desk: Desk, events: list[CompetitionEvent]) -> list[EventLine]:
    """Who did what, when, why and through which door; two statements."""
    actors = dict(User.objects.filter(pk__in={event.actor for event in events}).values_list("pk", "username"))
    doors = eventlog.doors(desk.row.pk)
    return [_event(desk, event, actors, doors) for event in events]


def _event(desk: Desk, event: CompetitionEvent, actors: dict[int, str], doors: dict[int, str]) -> EventLine:
    undo = ""
    if desk.organises:
        try:
            desk.state.check_undo(event.seq)
            undo = action_of(desk, "undo", seq=event.seq)
        except CompetitionError:
            undo = ""
    return EventLine(
        seq=event.seq,
        at=event.at,
        who=account(actors.get(event.actor or 0, "")),
        what=said(event_sentence(event, desk.state, desk.name)),
        reason=event.reason,
        door=str(DOORS.get(door := doors.get(event.seq, ""), door)),
        cancelled=desk.state.cancelled.get(event.seq),
        undo=undo,
        address=part_of(desk, "event", event.seq) if event.kind in TELLING | {Kind.CORRECTED} else "",
    )


def event_sections(desk: Desk, event: CompetitionEvent) -> dict[str, Any]:
    """An event with what followed from it, as it was kept with it."""
    kept = eventlog.effects(desk.row.pk, event.seq)
    shown = None if kept is None else effects_shown(kept)
    return {
        "lines": event_lines(desk, [event]),
        "kept": kept is not None,
        "changes": []
        if shown is None
        else [(HEADINGS[part], list(map(said, lines))) for part in HEADINGS if (lines := getattr(shown, part))],
    }


def round_sections(desk: Desk, number: int) -> dict[str, Any]:
    """Everything a round's page shows."""
    state, at = desk.state, desk.state.round(number)
    happened = [event for event in reversed(state.events) if event.round == number][:EVENTS_A_PAGE]
    desk.people = people(_named_in_round(desk, at).union(*(named_by(event, state) for event in happened)))
    buttons = round_buttons(desk, at)
    if desk.organises and not desk.finished:
        buttons.append(Button(_("Title and day"), action_of(desk, "round", round=number)))
        buttons.append(Button(_("Settings of this round"), action_of(desk, "round-settings", round=number)))
    numbers = state.numbers
    return {
        "row": desk.row,
        "at": at,
        "name": said(at.name),
        "shown": ROUND_STATUS[at.status],
        "own": said(settings_named(at.overrides)),
        "published": DRAWS_OUT[draw_published(desk, at)],
        "buttons": buttons,
        "need": open_need(desk, at) if at.status == "open" else None,
        "tables": _tables(desk, at),
        "columns": max((len(table) for table in at.plan.tables), default=0) if at.plan else 0,
        "sitting_out": [] if at.plan is None else [desk.name(player) for player in at.plan.sitting_out],
        "absent": [
            {"name": desk.name(item.player), "how": _absence(item)}
            for (n, _), item in sorted(state.sit_outs.items())
            if n == number
        ],
        "lines": [said(line) for line in report_lines(at.draw.get("report", {}))],
        "how": at.draw.get("how", ""),
        "moved": [said(moved_sentence(item, desk.name)) for item in at.draw.get("moved", [])],
        "prints": round_prints(desk, number),
        "previous": part_of(desk, "round", number - 1) if number - 1 in numbers else "",
        "following": part_of(desk, "round", number + 1) if number + 1 in numbers else "",
        "events": event_lines(desk, happened),
    }


def _absence(item: SitOut) -> str:
    """How somebody does not play a round."""
    if item.points is None:
        return _("bye") if item.bye else _("absent")
    text = _("bye, {points} points") if item.bye else _("absent, {points} points")
    return text.format(points=points(item.points))


def _named_in_round(desk: Desk, at: RoundState) -> set[int]:
    """Everybody whom a round's page names, but for its events."""
    seated = set() if at.plan is None else {int(player) for player in at.plan.people()}
    moved = {player for item in at.draw.get("moved", []) for player in (item["player"], *item["because"])}
    instead = {item.substitute for item in desk.state.substitutes(at.number)}
    return seated | moved | instead | desk.state.absent(at.number)


def _tables(desk: Desk, at: RoundState) -> list[dict[str, Any]]:
    """The tables of a round: who sits there, and how it stands; three statements."""
    by_number = {table.number: table for table in at.tables}
    drawn = 0 if at.plan is None else len(at.plan.tables)
    sessions = [table.session for table in at.tables]
    rows = {row.pk: row for row in Session.objects.filter(pk__in=sessions)}
    waiting = dict(Deal.objects.filter(session__in=sessions, awaits=True).values_list("session", "number"))
    results = _results(sessions)
    for_whom = {sub: player for player, sub in desk.state.sits_for(at.number).items()}
    found = []
    for number in sorted({*range(1, drawn + 1), *by_number}):
        table = by_number.get(number)
        session = rows.get(table.session) if table else None
        entered, deals = results.get(table.session, ([], 0)) if table else ([], 0)
        seats = [{"name": name, "place": place, "total": total} for name, place, total in entered] or [
            {"name": desk.name(player), "instead": desk.name(for_whom[player]) if player in for_whom else ""}
            for player in desk.sitting(at, number)
        ]
        status = session.status if session else ""
        found.append(
            {
                "number": number,
                "seats": seats,
                "extra": table is not None and not table.drawn,
                "session": "" if session is None else reverse("admin:games_session_change", args=[session.pk]),
                "label": "" if session is None else session.label,
                "over": status in OVER,
                **_standing(desk, at, session, deals, waiting.get(session.pk) if session else None),
            }
        )
    return found


def _standing(desk: Desk, at: RoundState, session: Session | None, deals: int, waiting: int | None) -> dict[str, Any]:
    """How a table stands, and what can be done there now: (label, address, whether it is the next step)."""
    if session is None:
        return {"status": "", "colour": "", "buttons": []}
    status, planned = session.status, session.deals_planned
    enter = result_address(desk, at, session.pk)
    if waiting is not None:
        confirm = confirm_address(desk, at, session.pk, waiting)
        return {"status": _("to be confirmed"), "colour": "waiting", "buttons": [(_("Confirm"), confirm, True)]}
    if status in OVER:
        return {"status": _("result in"), "colour": "finished", "buttons": []}
    if status == "playing":
        return {"status": _("being played"), "colour": "playing", "buttons": []}
    label = _("Enter deal {number}").format(number=deals + 1) if deals else _("Enter the result")
    return {"status": _deals_in(deals, planned), "colour": "open", "buttons": [(label, enter, True)]}


def _deals_in(deals: int, planned: int | None) -> str:
    if not deals:
        return _("no result yet")
    if planned and planned > 1:
        return ngettext("{deals} of {n} deal in", "{deals} of {n} deals in", planned).format(deals=deals, n=planned)
    return ngettext("{n} deal in", "{n} deals in", deals).format(n=deals)


def _results(sessions: list[int]) -> dict[int, tuple[list[tuple[str, int, str]], int]]:
    """By session who came in where, best first: (names, place, total); and how many deals count."""
    rows = list(TableRow.objects.filter(session__in=sessions, deals__gt=0).order_by("session", "place", "seat"))
    named = people({item["player"] for row in rows for item in row.players})
    found: dict[int, tuple[list[tuple[str, int, str]], int]] = {}
    for row in rows:
        names = ", ".join(named.name(item["player"]) for item in row.players)
        lines, deals = found.get(row.session_id, ([], 0))
        found[row.session_id] = ([*lines, (names, row.place, points(row.total))], max(deals, row.deals))
    return found
