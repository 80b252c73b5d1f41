"""What a competition waits for now, in sentences with the buttons that do it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.urls import reverse

from competitions.admin.base import action_of, part_of
from competitions.admin.desk import Desk
from competitions.facts import Kind, RoundState
from competitions.formats.base import FormatError
from games.admin.forms.base import now
from games.admin.words import counted

TABLES_NAMED = 12
"""Tables without a result that are named one by one."""


@dataclass(frozen=True, slots=True)
class Button:
    label: str
    address: str
    main: bool = False


@dataclass(frozen=True, slots=True)
class Need:
    """Something to be done. `lines`: what in particular, each with a link where there is one."""

    text: str
    buttons: list[Button] = field(default_factory=list)
    lines: list[tuple[str, str, str]] = field(default_factory=list)
    """(text, address, what the link says)"""


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
    missing = desk.missing(at)
    to_page = Button("The round’s tables", part_of(desk, "round", at.number))
    if not missing:
        buttons = (
            [Button(f"Close {at.name}", action_of(desk, "close", round=at.number), True)] if desk.organises else []
        )
        return Need(f"All results of {at.name} are in.", [*buttons, to_page])
    sessions = {table.number: table.session for table in at.tables}
    lines = [
        (
            f"Table {number}: {desk.names(desk.sitting(at, number)) or 'an added table'}",
            result_address(desk, at, sessions[number]),
            "Enter the result",
        )
        for number in missing[:TABLES_NAMED]
    ]
    count = len(missing)
    more = f" ({TABLES_NAMED} of them below)" if count > TABLES_NAMED else ""
    what = "One result is missing" if count == 1 else f"{count} results are missing"
    return Need(f"{at.name}: {what}, of {len(at.tables)}{more}.", [to_page], lines)


def result_address(desk: Desk, at: RoundState, session: int) -> str:
    """The form for the next result of a table, which leads back to the round."""
    back = part_of(desk, "round", at.number)
    return f"{reverse('admin:games_session_do', args=[session, 'result'])}?next={back}"


def _ties(desk: Desk) -> list[Need]:
    """Tables of the round before at which the places do not say who goes on."""
    number = desk.state.next_round
    through = None if desk.state.round(number).plan is not None else desk.through(number)
    return [] if through is None else [_tie(desk, number - 1, tie) for tie in through.ties]


def _tie(desk: Desk, number: int, tie: FormatError) -> Need:
    where = desk.state.round(number).name
    text = f"{where}, {tie.message[0].lower()}{tie.message[1:]} They are {desk.names(tie.data['equal'])}."
    address = action_of(desk, "decide", round=number, table=tie.data["table"])
    return Need(text, [Button("Decide who goes on", address, True)] if desk.organises else [])


def _next_round(desk: Desk) -> Iterator[Need]:
    state = desk.state
    if not desk.organises:
        return
    if not state.entries:
        yield Need("Nobody is entered yet.", [Button("Add players", action_of(desk, "enter"), True)])
        return
    number = state.next_round
    at = state.round(number)
    planned = state.settings.rounds
    if at.plan is None:
        if planned is not None and number > planned:
            return
        if _over(desk, number):
            return
        before = [state.round(n) for n in range(1, number)]
        if state.settings.format.by_standing and any(item.closed_by is None for item in before):
            return
        if any(item.status == "open" for item in before) and not state.settings.format.draws_ahead:
            return
        count = len(desk.taking_part(number))
        yield Need(
            f"{at.name} is to be drawn: {counted(count, 'player')} take{'s' if count == 1 else ''} part.",
            [
                Button(f"Draw {at.name}", action_of(desk, "draw", round=number), True),
                Button("Add players", action_of(desk, "enter")),
            ],
        )
        return
    look = Button("Look at the draw", part_of(desk, "round", number))
    out = state.publication_of("draw", number, now())
    if out is None or out.draw != at.drawn_seq:
        what = "was changed since it was published" if out is not None else "is not published"
        yield Need(
            f"{at.name} is drawn; the draw {what}.",
            [
                Button("Publish and open the tables", action_of(desk, "open", round=number), True),
                Button("Publish the draw", action_of(desk, "publish-draw", round=number)),
                look,
            ],
        )
    else:
        yield Need(
            f"{at.name} is drawn and published.",
            [Button("Open the tables", action_of(desk, "open", round=number), True), look],
        )


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
    if not published or published[-1].round != last or corrected:
        text = (
            "Something was corrected since the standings were published."
            if corrected
            else f"The standings after {at.name} are not published."
        )
        yield Need(
            text,
            [
                Button("Publish the standings", action_of(desk, "publish")),
                Button("Look at them", part_of(desk, "standings")),
            ],
        )


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
        yield Need("All rounds are played.", [Button("Finish the competition", action_of(desk, "finish"))])
