"""The competition's own page and that of a round: what its log says, put in sections. Only reads."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.urls import reverse

from competitions import eventlog
from competitions.admin.base import HEADINGS, action_of, part_of
from competitions.admin.desk import Desk, sitting_in
from competitions.admin.files_page import round_prints
from competitions.admin.needs import confirm_address, needs_of, open_need, result_address
from competitions.admin.telling import event_sentence, named_by
from competitions.draw_json import moved_sentence
from competitions.facts import TELLING, CompetitionError, CompetitionEvent, Kind, RoundState
from competitions.formats.telling import report_lines
from competitions.models import Entry
from competitions.results import OVER
from competitions.showing import effects_shown, people
from games.admin.forms.base import now
from games.admin.needs import Button
from games.admin.words import account, counted, points
from games.models import Deal, Session, TableRow, User
from games.wording import said
from scoring.explain import order_of_tie_breaks
from scoring.points import shown

EVENTS_A_PAGE = 50
TOP = 10

STATUS = {"planned": "Planned", "drawn": "Drawn", "open": "Being played", "closed": "Closed"}


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
        "entered": len(state.entries),
        "withdrawn": withdrawn,
        "bots": bots,
        "top": [
            {"rank": one.rank, "name": desk.name(one.entrant), "total": shown(one.total)}
            for one in table.rows[:TOP]
            if one.rank is not None
        ],
        "ranked": table.ranked,
        "order": order_of_tie_breaks(table),
        "publications": publication_lines(desk)[:5],
        "events": events,
        "event_lines": event_lines(desk, list(events)),
        "entries_page": part_of(desk, "entries"),
        "standings_page": part_of(desk, "standings"),
        "publications_page": part_of(desk, "publications"),
        "files_page": part_of(desk, "files"),
    }


def page_of_list(request: HttpRequest, name: str, rows: Any, size: int) -> Page[Any]:
    return Paginator(rows, size).get_page(request.GET.get(name))


def facts(desk: Desk) -> str:
    """What it is, in a line."""
    state, settings = desk.state, desk.state.settings
    kind = "League" if state.kind == "league" else "Tournament"
    first, last = state.starts_on, state.ends_on
    days = f"{first:%-d %b %Y} – {last:%-d %b %Y}" if first and last and first != last else ""
    if not days and (day := first or last):
        days = f"{day:%-d %b %Y}"
    closed = len(state.closed_rounds)
    total = settings.rounds or settings.format.total_rounds(len(state.part_of(1)), settings)
    rounds = f"{closed} of {total} rounds closed" if total else f"{closed} rounds closed"
    return " · ".join(part for part in (f"{kind} of {desk.row.club}", settings.format.title, days, rounds) if part)


def round_line(desk: Desk, at: RoundState) -> RoundLine:
    tables = ""
    if at.tables:
        over = len(at.tables) - len(desk.missing(at))
        tables = counted(len(at.tables), "table")
        if over < len(at.tables):
            tables = f"{over} of {counted(len(at.tables), 'result')}"
    elif at.plan is not None:
        tables = counted(len(at.plan.tables), "table")
    return RoundLine(
        at.number,
        at.name,
        at.day,
        at.status,
        STATUS[at.status],
        tables,
        draw_published(desk, at),
        part_of(desk, "round", at.number),
        round_buttons(desk, at)[:2],
    )


def draw_published(desk: Desk, at: RoundState) -> str:
    """Whether the club sees the draw."""
    if at.plan is None:
        return ""
    moment = now()
    newest = [p for p in desk.state.publications.values() if p.what == "draw" and p.round == at.number]
    live = [p for p in newest if p.unpublished_by is None]
    if not live:
        return "taken back" if newest else "not published"
    if live[-1].draw != at.drawn_seq:
        return "changed since it was published"
    return "published" if live[-1].is_out(moment) else "published with an embargo"


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
            add("draw", "Draw", main=True)
        if at.plan is not None:
            if number == state.next_round:
                add("open", "Open the tables", main=True)
            if draw_published(desk, at) != "published":
                add("publish-draw", "Publish the draw")
            add("draw", "Draw again")
            add("swap", "Swap two players")
            add("seat", "Seat by hand")
    elif at.status == "open":
        add("close", "Close", main=not desk.missing(at))
        add("add-table", "Add a table")
        if at.opened_seq is not None and all(desk.statuses.get(table.session) == "open" for table in at.tables):
            add("undo", "Undo the opening", seq=at.opened_seq)
    elif at.status == "closed":
        add("undo", "Reopen", seq=at.closed_by)
    return found


def publication_lines(desk: Desk) -> list[dict[str, Any]]:
    """Publications, the newest first."""
    state, moment = desk.state, now()
    found = []
    for item in reversed(list(state.publications.values())):
        where = state.round(item.round).name if item.round else ""
        hidden = item.unpublished_by is not None
        found.append(
            {
                "number": item.number,
                "what": f"Draw of {where}" if item.what == "draw" else f"Standings after {where}",
                "at": item.at,
                "status": "taken back" if hidden else "published" if item.is_out(moment) else "embargo",
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
        what=event_sentence(event, desk.state, desk.name),
        reason=event.reason,
        door=doors.get(event.seq, ""),
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
        else [(HEADINGS[part], getattr(shown, part)) for part in HEADINGS if getattr(shown, part)],
    }


def round_sections(desk: Desk, number: int) -> dict[str, Any]:
    """Everything a round's page shows."""
    state, at = desk.state, desk.state.round(number)
    happened = [event for event in reversed(state.events) if event.round == number][:EVENTS_A_PAGE]
    desk.people = people(_named_in_round(desk, at).union(*(named_by(event, state) for event in happened)))
    buttons = round_buttons(desk, at)
    if desk.organises and not desk.finished:
        buttons.append(Button("Title and day", action_of(desk, "round", round=number)))
        buttons.append(Button("Settings of this round", action_of(desk, "round-settings", round=number)))
    numbers = state.numbers
    return {
        "row": desk.row,
        "at": at,
        "shown": STATUS[at.status],
        "own": ", ".join(name.replace("_", "-") for name in at.overrides),
        "published": draw_published(desk, at),
        "buttons": buttons,
        "need": open_need(desk, at) if at.status == "open" else None,
        "tables": _tables(desk, at),
        "columns": max((len(table) for table in at.plan.tables), default=0) if at.plan else 0,
        "sitting_out": [] if at.plan is None else [desk.name(player) for player in at.plan.sitting_out],
        "absent": [
            {"name": desk.name(item.player), "bye": item.bye, "points": item.points}
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
        return {"status": "to be confirmed", "colour": "waiting", "buttons": [("Confirm", confirm, True)]}
    if status in OVER:
        return {"status": "result in", "colour": "finished", "buttons": []}
    if status == "playing":
        return {"status": "being played", "colour": "playing", "buttons": []}
    of = f" of {planned}" if planned and planned > 1 else ""
    said = f"{deals}{of} deal{'' if deals == 1 and not of else 's'} in" if deals else "no result yet"
    label = f"Enter deal {deals + 1}" if deals else "Enter the result"
    return {"status": said, "colour": "open", "buttons": [(label, enter, True)]}


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
