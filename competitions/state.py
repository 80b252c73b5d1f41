"""What a competition is: the pure fold of its own events (entries, draws, rounds, tables, adjustments, publications).

State is never stored. What the tables scored is not here: `results` puts both together. Players are known by their
ids, sessions too; rounds and tables count from 1.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any

from competitions.facts import (
    FACTS,
    UNDOABLE,
    Adjustment,
    CompetitionError,
    CompetitionEvent,
    Decided,
    Entry,
    Kind,
    Publication,
    RoundState,
    SitOut,
    Substitution,
    Table,
)
from competitions.seating import Round
from competitions.settings import ADDED, Settings, read_settings
from scoring.wording import Listed, say


@dataclass(slots=True)
class CompetitionState:
    """The fold of a competition's events."""

    name: str = ""
    season: str = ""
    kind: str = "tournament"
    starts_on: date | None = None
    ends_on: date | None = None
    settings_json: dict[str, Any] = field(default_factory=dict)
    seed: str = ""
    entries: dict[int, Entry] = field(default_factory=dict)
    sit_outs: dict[tuple[int, int], SitOut] = field(default_factory=dict)
    substitutions: dict[tuple[int, int], Substitution] = field(default_factory=dict)
    apart: list[tuple[int, int]] = field(default_factory=list)
    rounds: dict[int, RoundState] = field(default_factory=dict)
    adjustments: list[Adjustment] = field(default_factory=list)
    publications: dict[int, Publication] = field(default_factory=dict)
    finished_by: int | None = None
    cancelled: dict[int, int] = field(default_factory=dict)
    events: list[CompetitionEvent] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        return _read(json.dumps(self.settings_json, sort_keys=True))

    def settings_of(self, number: int) -> Settings:
        """The settings of a round: the competition's, but for what the round sets anew."""
        overrides = self.round(number).overrides
        return self.settings.overridden(overrides) if overrides else self.settings

    def round(self, number: int) -> RoundState:
        """The round; one that nothing was said about yet is planned."""
        return self.rounds.get(number) or RoundState(number)

    @property
    def numbers(self) -> list[int]:
        """The rounds there are: planned ones and those that something was said about."""
        planned = self.settings.rounds or 0
        return list(range(1, max([planned, *self.rounds]) + 1))

    @property
    def next_round(self) -> int:
        """The first round whose draw is not opened yet; tables beyond the draw may be played in it already."""
        ahead = (n for n in self.numbers if self.round(n).opened_seq is None and self.round(n).closed_by is None)
        return next(ahead, len(self.numbers) + 1)

    @property
    def closed_rounds(self) -> list[int]:
        return [number for number in sorted(self.rounds) if self.rounds[number].closed_by is not None]

    @property
    def status(self) -> str:
        if self.finished_by is not None:
            return "finished"
        return "running" if any(item.tables for item in self.rounds.values()) else "open"

    def part_of(self, number: int) -> frozenset[int]:
        """Who is entered for a round, whether there or not."""
        return frozenset(player for player, entry in self.entries.items() if entry.takes_part(number))

    def absent(self, number: int) -> frozenset[int]:
        """Who is entered for a round, and will not sit: a substitute does instead, or nobody."""
        return frozenset(player for (at, player) in self.sit_outs if at == number)

    def substitutes(self, number: int) -> list[Substitution]:
        """The substitutions of a round."""
        return [item for (at, _), item in self.substitutions.items() if at == number]

    def sits_for(self, number: int) -> dict[int, int]:
        """Player -> who sits in his place in a round."""
        return {item.player: item.substitute for item in self.substitutes(number)}

    def publication_of(self, what: str, number: int | None, now: datetime) -> Publication | None:
        """The latest snapshot of its kind that is out; `number` None: of any round."""
        found = [p for p in self.publications.values() if p.what == what and p.is_out(now)]
        return next((p for p in reversed(found) if number is None or p.round == number), None)

    # -- what is allowed now --------------------------------------------------------------------------------------

    def check_running(self) -> None:
        if self.finished_by is not None:
            raise CompetitionError("competition_finished", say("This competition is finished. Undo its finish first."))

    def check_none_open(self) -> None:
        """A competition is finished once no round is open; raises `rounds_open`."""
        if still := [at.name for at in self.rounds.values() if at.status == "open"]:
            raise CompetitionError("rounds_open", say("Close first: {rounds}.", rounds=Listed(still, ", ")))

    def entry(self, player: int) -> Entry:
        """The entry of a player; raises `not_entered`."""
        if player not in self.entries:
            raise CompetitionError("not_entered", say("This player is not entered in the competition."))
        return self.entries[player]

    def check_round(self, number: int) -> RoundState:
        """A round there is, or the one after the last; raises `no_such_round`."""
        last = len(self.numbers) if self.settings.rounds else len(self.numbers) + 1
        if not 1 <= number <= max(last, 1):
            raise CompetitionError(
                "no_such_round",
                say("There is no round {number}: the rounds are 1 to {last}.", number=number, last=max(last, 1)),
            )
        return self.round(number)

    def check_drawable(self, number: int) -> None:
        """A round is drawn, and drawn again, until it is opened; never ahead of a round whose tables are still open."""
        self.check_running()
        at = self.check_round(number)
        if at.opened_seq is not None:
            raise CompetitionError(
                "round_open",
                say("{round} is open: its tables are being played. Undo its opening to draw it again.", round=at.name),
            )
        for before in range(1, number):
            if self.settings.format.by_standing and self.round(before).closed_by is None:
                raise CompetitionError(
                    "round_before_open",
                    say("{round} is not closed, and this draw follows its standings.", round=self.round(before).name),
                )

    def check_openable(self, number: int) -> Round:
        """The plan of a drawn round that can be opened; raises `not_drawn`, `round_open`, `round_before_open`."""
        self.check_running()
        at = self.check_round(number)
        if at.opened_seq is not None:
            raise CompetitionError("round_open", say("{round} is open already.", round=at.name))
        if at.plan is None:
            raise CompetitionError("not_drawn", say("{round} is not drawn yet. Draw it first.", round=at.name))
        return at.plan

    def check_open(self, number: int) -> RoundState:
        """A round whose tables are being played; raises `round_closed`, `round_not_open`."""
        self.check_running()
        at = self.check_round(number)
        if at.closed_by is not None:
            raise CompetitionError("round_closed", say("{round} is closed. Reopen it first.", round=at.name))
        if at.status != "open":
            raise CompetitionError("round_not_open", say("{round} is not open yet.", round=at.name))
        return at

    def check_undo(self, seq: int) -> CompetitionEvent:
        """The event to be cancelled; raises `no_such_event`, `cannot_undo`, `already_undone`."""
        target = next((event for event in self.events if event.seq == seq), None)
        if target is None:
            raise CompetitionError("no_such_event", say("This competition has no event {seq}.", seq=seq))
        if target.kind not in UNDOABLE:
            raise CompetitionError(
                "cannot_undo", say("Event {seq} of this competition is not one that can be undone.", seq=seq)
            )
        if seq in self.cancelled:
            raise CompetitionError("already_undone", say("Event {seq} is already undone.", seq=seq))
        if target.seq != self.finished_by:
            self.check_running()
        return target


@lru_cache(maxsize=64)
def _read(text: str) -> Settings:
    return read_settings(json.loads(text))


def fold(events: Sequence[CompetitionEvent]) -> CompetitionState:
    """The state after `events`, in order of seq. Undone events have no effect."""
    cancelled: dict[int, int] = {}
    for event in reversed(events):
        if event.kind is Kind.UNDONE and event.seq not in cancelled:
            cancelled[event.data["seq"]] = event.seq
    state = CompetitionState(cancelled=cancelled, events=list(events))
    for event in events:
        _apply(state, event, event.seq in cancelled)
    return state


def check_fold(state: CompetitionState, who: Callable[[int], int] = int) -> None:
    """What every state must satisfy, whatever was undone: nobody sits twice, and the log contradicts itself nowhere.

    `who` says of a player who he is, where he was merged into another."""
    entered = {who(player) for player in state.entries}
    for item in state.adjustments:
        if who(item.player) not in entered and item.cancelled_by is None:
            raise CompetitionError("not_entered", say("Points were given to this player: undo that first."))
    if state.finished_by is not None:
        state.check_none_open()
    for number in sorted({number for number, _ in state.substitutions}):
        _check_substitutions(state, number, who)
    for at in state.rounds.values():
        if at.opened_seq is not None and at.drawn_seq != at.opened_draw:
            raise CompetitionError("round_open", say("{round} is open: undo its opening first.", round=at.name))
        if at.closed_by is not None and not at.tables:
            raise CompetitionError("round_closed", say("{round} is closed: reopen it first.", round=at.name))
        if at.plan is not None and any(who(int(player)) not in entered for player in at.plan.people()):
            raise CompetitionError(
                "already_drawn", say("{round} is drawn with this player: withdraw them instead.", round=at.name)
            )
    for number, player in state.sit_outs:
        if who(player) not in entered:
            raise CompetitionError(
                "not_entered", say("{round}: whoever sits out must be entered.", round=state.round(number).name)
            )


def _check_substitutions(state: CompetitionState, number: int, who: Callable[[int], int]) -> None:
    """In one round nobody both sits for somebody and is sat for, and nobody sits for two; drawn or not."""
    here = {who(item.player): who(item.substitute) for item in state.substitutes(number)}
    name = state.round(number).name
    if here.keys() & set(here.values()):
        raise CompetitionError(
            "substitution_cycle",
            say(
                "{round}: somebody would sit for another and be sat for himself. Undo the earlier substitution first.",
                round=name,
            ),
        )
    if len(set(here.values())) < len(here):
        raise CompetitionError("already_seated", say("{round}: one substitute would sit in two places.", round=name))
    plan = state.round(number).plan
    if plan is not None:
        sitting = {who(int(player)) for table in plan.tables for player in table}
        if sitting & set(here.values()):
            raise CompetitionError(
                "already_seated", say("{round}: the substitute already sits at a table of the round.", round=name)
            )


def _apply(state: CompetitionState, event: CompetitionEvent, cancelled: bool) -> None:
    data, number, player = event.data, event.round, event.player
    match event.kind:
        case Kind.ADJUSTED:
            assert player is not None
            state.adjustments.append(
                Adjustment(event.seq, player, Fraction(data["points"]), event.reason, state.cancelled.get(event.seq))
            )
        case Kind.PUBLISHED:
            until = data.get("not_before")
            state.publications[data["number"]] = Publication(
                number=data["number"],
                seq=event.seq,
                what=data["what"],
                round=number,
                not_before=None if until is None else datetime.fromisoformat(until),
                at=event.at,
                draw=data.get("draw"),
            )
        case Kind.UNPUBLISHED:
            before = state.publications[data["number"]]
            state.publications[data["number"]] = replace(before, unpublished_by=event.seq)
        case _ if cancelled:
            return
        case Kind.CREATED | Kind.CONFIGURED:
            for fact in FACTS:
                if fact in data:
                    day = fact.endswith("_on") and data[fact] is not None
                    setattr(state, fact, date.fromisoformat(data[fact]) if day else data[fact])
            state.settings_json = {**ADDED, **state.settings_json, **data.get("settings", {})}
            state.seed = data.get("seed", state.seed)
        case Kind.ENTERED:
            assert player is not None
            state.entries[player] = Entry(player, event.seq, data.get("from_round", 1), data.get("seed"))
        case Kind.WITHDRAWN:
            assert player is not None
            if player in state.entries:
                state.entries[player] = replace(state.entries[player], withdrawn=number)
        case Kind.REINSTATED:
            assert player is not None
            if player in state.entries:
                state.entries[player] = replace(state.entries[player], withdrawn=None)
        case Kind.SAT_OUT:
            assert player is not None
            assert number is not None
            points = data.get("points")
            worth = None if points is None else Fraction(points)
            state.sit_outs[number, player] = SitOut(event.seq, number, player, data.get("bye", False), worth)
        case Kind.SUBSTITUTED:
            assert player is not None
            assert number is not None
            found = Substitution(event.seq, number, player, data["substitute"], data["credit"])
            state.substitutions[number, player] = found
        case Kind.KEPT_APART:
            one, other = data["pair"]
            state.apart.append((one, other))
        case Kind.FINISHED:
            state.finished_by = event.seq
        case _ if number is not None:
            state.rounds[number] = _round(state.round(number), event)


def _round(at: RoundState, event: CompetitionEvent) -> RoundState:
    data = event.data
    match event.kind:
        case Kind.ROUND_SET:
            day = data.get("day", at.day)
            return replace(
                at,
                title=data.get("title", at.title),
                day=date.fromisoformat(day) if isinstance(day, str) else day,
                overrides=data.get("overrides", at.overrides),
            )
        case Kind.DRAWN:
            return replace(at, plan=plan_from_json(data["plan"]), drawn_seq=event.seq, draw=data)
        case Kind.OPENED:
            tables = [Table(n, session, event.seq, True) for n, session in enumerate(data["sessions"], 1)]
            for extra in at.tables:
                tables.append(_numbered(extra, tables, at.tables))
            return replace(at, opened_seq=event.seq, opened_draw=data["draw"], tables=tuple(tables))
        case Kind.TABLE_ADDED:
            table = Table(data["table"], data["session"], event.seq, False)
            return replace(at, tables=(*at.tables, _numbered(table, at.tables)))
        case Kind.CLOSED:
            return replace(at, closed_by=event.seq)
        case Kind.DECIDED:
            found = Decided(tuple(data["players"]), tuple(data["among"]))
            return replace(at, decided={**at.decided, data["table"]: found})
    return at


def _numbered(table: Table, *others: Sequence[Table]) -> Table:
    """A table beyond the draw, with the next free number where its own is taken: by a draw that came later, or since
    it was taken back and is there again."""
    taken = {other.number for some in others for other in some if other.session != table.session}
    return table if table.number not in taken else replace(table, number=max(taken) + 1)


def plan_json(plan: Round) -> dict[str, Any]:
    """A plan as it stands in events: players by table and seat, and who sits out."""
    return {"tables": [list(table) for table in plan.tables], "sitting_out": list(plan.sitting_out)}


def plan_from_json(stored: Mapping[str, Any]) -> Round:
    """The inverse of `plan_json`."""
    return Round(tuple(map(tuple, stored["tables"])), tuple(stored["sitting_out"]))
