"""What a competition waits for now, in sentences with the buttons that do it."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from competitions.admin.base import action_of, part_of
from competitions.admin.desk import Desk
from competitions.facts import Kind, RoundState
from competitions.formats.base import FormatError
from games.admin.forms.base import now
from games.admin.needs import Button, Line, Need, Urgency
from games.wording import said

TABLES_NAMED = 12
"""Tables without a result that are named one by one."""


def needs_of(desk: Desk) -> list[Need]:
    """Everything that waits, the most urgent first."""
    if desk.finished:
        return list(_publishing(desk))
    ties = _ties(desk)
    return [*_open_rounds(desk), *ties, *([] if ties else _next_round(desk)), *_publishing(desk), *_end(desk)]


def _open_rounds(desk: Desk) -> Iterator[Need]:
    for at in (desk.state.round(number) for number in desk.state.numbers):
        if at.status == "open":
            yield open_need(desk, at)


def open_need(desk: Desk, at: RoundState) -> Need:
    """What an open round waits for: results by table and name, or its closing."""
    missing, name = desk.missing(at), said(at.name)
    to_page = Button(_("The round’s tables"), part_of(desk, "round", at.number))
    if not missing:
        close = Button(_("Close {round}").format(round=name), action_of(desk, "close", round=at.number), True)
        text = _("All results of {round} are in.").format(round=name)
        return Need(Urgency.CLOSE, text, [close, to_page] if desk.organises else [to_page])
    sessions = {table.number: table.session for table in at.tables}
    lines = [_missing(desk, at, number, sessions[number]) for number in missing[:TABLES_NAMED]]
    count, left = len(missing), len(missing) - TABLES_NAMED
    text = ngettext(
        "{round}: {n} of {tables} results is missing.", "{round}: {n} of {tables} results are missing.", count
    ).format(round=name, n=count, tables=len(at.tables))
    more = None
    if left > 0:
        more = Line(ngettext("and one more", "and {n} more", left).format(n=left), to_page.address)
    return Need(Urgency.RESULTS, text, [to_page], lines, more)


def _missing(desk: Desk, at: RoundState, number: int, session: int) -> Line:
    """A table without its result, and the form for it."""
    who = desk.names(desk.sitting(at, number)) or _("an added table")
    waits = desk.awaiting.get(session)
    if waits is not None:
        text = _("Table {table}: {players}. Deal {deal} waits for a second person.")
        text = text.format(table=number, players=who, deal=waits)
        return Line(text, confirm_address(desk, at, session, waits), _("Compare and confirm"))
    text = _("Table {table}: {players}").format(table=number, players=who)
    return Line(text, result_address(desk, at, session), _("Enter the result"))


def result_address(desk: Desk, at: RoundState, session: int) -> str:
    """The form for the next result of a table, which leads back to the round."""
    return f"{reverse('admin:games_session_do', args=[session, 'result'])}?next={part_of(desk, 'round', at.number)}"


def confirm_address(desk: Desk, at: RoundState, session: int, deal: int) -> str:
    """The form for the second person, which leads back to the round."""
    address = reverse("admin:games_session_do", args=[session, "confirm"])
    return f"{address}?next={part_of(desk, 'round', at.number)}&number={deal}"


def _ties(desk: Desk) -> list[Need]:
    """Tables of the round before at which the places do not say who goes on."""
    number = desk.state.next_round
    through = None if desk.state.round(number).plan is not None else desk.through(number)
    return [] if through is None else [_tie(desk, number - 1, tie) for tie in through.ties]


def _tie(desk: Desk, number: int, tie: FormatError) -> Need:
    text = _("{round}. {problem} They are {players}.").format(
        round=said(desk.state.round(number).name), problem=said(tie.message), players=desk.names(tie.data["equal"])
    )
    address = action_of(desk, "decide", round=number, table=tie.data["table"])
    return Need(Urgency.DECIDE, text, [Button(_("Decide who goes on"), address, True)] if desk.organises else [])


def _next_round(desk: Desk) -> Iterator[Need]:
    state = desk.state
    if not desk.organises:
        return
    if not state.entries:
        yield Need(
            Urgency.DRAW, _("Nobody is entered yet."), [Button(_("Add players"), action_of(desk, "enter"), True)]
        )
        return
    number = state.next_round
    at = state.round(number)
    if at.plan is None:
        if _may_be_drawn(desk, number):
            yield _to_draw(desk, at)
    else:
        yield _to_open(desk, at)


def _may_be_drawn(desk: Desk, number: int) -> bool:
    """Whether there is such a round, and nothing before it has to be over first."""
    state = desk.state
    planned = state.settings.rounds
    if (planned is not None and number > planned) or _over(desk, number):
        return False
    before = [state.round(n) for n in range(1, number)]
    if state.settings.format.by_standing and any(item.closed_by is None for item in before):
        return False
    return state.settings.format.draws_ahead or all(item.status != "open" for item in before)


def _to_draw(desk: Desk, at: RoundState) -> Need:
    name, count = said(at.name), len(desk.taking_part(at.number))
    text = ngettext(
        "{round} is to be drawn: {n} player takes part.", "{round} is to be drawn: {n} players take part.", count
    )
    draw = Button(_("Draw {round}").format(round=name), action_of(desk, "draw", round=at.number), True)
    add = Button(_("Add players"), action_of(desk, "enter"))
    return Need(Urgency.DRAW, text.format(round=name, n=count), [draw, add])


def _to_open(desk: Desk, at: RoundState) -> Need:
    number = at.number
    opening = action_of(desk, "open", round=number)
    look = Button(_("Look at the draw"), part_of(desk, "round", number))
    out = desk.state.publication_of("draw", number, now())
    if out is not None and out.draw == at.drawn_seq:
        text = _("{round} is drawn and published.")
        buttons = [Button(_("Open the tables"), opening, True), look]
    else:
        text = (
            _("{round} is drawn; the draw is not published.")
            if out is None
            else _("{round} is drawn; the draw was changed since it was published.")
        )
        publish = Button(_("Publish the draw"), action_of(desk, "publish-draw", round=number))
        buttons = [Button(_("Publish and open the tables"), opening, True), publish, look]
    return Need(Urgency.OPEN, text.format(round=said(at.name)), buttons)


def _over(desk: Desk, number: int) -> bool:
    """Whether the format knows that there is no such round any more."""
    state = desk.state
    try:
        total = state.settings.format.total_rounds(len(state.part_of(1)), state.settings)
    except FormatError:
        return False
    return total is not None and number > total


def _publishing(desk: Desk) -> Iterator[Need]:
    """Standings that are not out."""
    state = desk.state
    closed = state.closed_rounds
    if not closed or not desk.organises:
        return
    last = closed[-1]
    published = [item for item in state.publications.values() if item.what == "standings" and not item.unpublished_by]
    at = state.round(last)
    corrected = bool(published) and published[-1].round == last and _changed_since(desk, published[-1].seq)
    if published and published[-1].round == last and not corrected:
        return
    text = (
        _("Something was corrected since the standings were published.")
        if corrected
        else _("The standings after {round} are not published.").format(round=said(at.name))
    )
    publish = Button(_("Publish the standings"), action_of(desk, "publish"))
    look = Button(_("Look at them"), part_of(desk, "standings"))
    yield Need(Urgency.CORRECTED if corrected else Urgency.PUBLISH, text, [publish, look])


def _changed_since(desk: Desk, seq: int) -> bool:
    counted = (Kind.CORRECTED, Kind.ADJUSTED, Kind.UNDONE, Kind.WITHDRAWN, Kind.REINSTATED, Kind.SAT_OUT)
    return any(event.seq > seq and event.kind in counted for event in desk.state.events)


def _end(desk: Desk) -> Iterator[Need]:
    """All is played."""
    state = desk.state
    closed = state.closed_rounds
    if not closed or not desk.organises or any(state.round(n).closed_by is None for n in state.numbers):
        return
    planned = state.settings.rounds
    if (planned is not None and len(closed) >= planned) or _over(desk, state.next_round):
        finish = Button(_("Finish the competition"), action_of(desk, "finish"))
        yield Need(Urgency.END, _("All rounds are played."), [finish])
