"""One competition on the organiser's desk: everything that its pages show, read once."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.db.models import OuterRef, Subquery

from competitions import eventlog, folding
from competitions.facts import RoundState
from competitions.formats.base import Format, FormatError
from competitions.models import Competition, Table
from competitions.results import OVER, Scores
from competitions.services.drawing import ask_for
from competitions.services.writing import Draft
from competitions.showing import People, people
from competitions.state import CompetitionState, fold
from games.access import Caller
from games.admin.forms.base import now
from games.models import Deal, Role
from scoring.standings import Standings

_AWAITS = Subquery(
    Deal.objects.filter(session=OuterRef("session"), awaits=True).order_by("number").values("number")[:1]
)


@dataclass(frozen=True, slots=True)
class Through:
    """Who goes on from the round before; with a tie to decide, all equals are among them."""

    players: frozenset[int]
    ties: tuple[FormatError, ...]


@dataclass
class Desk:
    """A competition as its own events tell it. Each part is read once, and only where it is asked for: a fixed number
    of statements, whatever the size of the competition."""

    caller: Caller
    row: Competition

    @cached_property
    def state(self) -> CompetitionState:
        return folding.state_of(self.row)

    @cached_property
    def scores(self) -> Scores:
        """What all tables scored. Large in a long season: pages ask for the standings instead where they can."""
        return folding.scores_of(self.row)

    @cached_property
    def standings(self) -> Standings:
        return folding.standings_now(self.row)[1]

    @cached_property
    def people(self) -> People:
        """Everybody who is entered or ever sat for somebody, by id; one statement."""
        return people(named_in(self.state))

    def name(self, player: object) -> str:
        known = isinstance(player, int) and player in self.people
        return self.people.name(player) if known else f"player {player}"

    def names(self, players: Iterable[object]) -> str:
        return ", ".join(self.name(player) for player in players)

    @cached_property
    def statuses(self) -> dict[int, str]:
        """By session of a table: how it stands; one statement."""
        rows = Table.objects.filter(competition=self.row).values_list("session", "session__status")
        return dict(rows)

    @cached_property
    def awaiting(self) -> dict[int, int]:
        """By session of a table at which a deal waits for a second person: the first such deal; one statement."""
        rows = Table.objects.filter(competition=self.row).annotate(awaits=_AWAITS).exclude(awaits=None)
        return dict(rows.values_list("session", "awaits"))

    def through(self, number: int) -> Through | None:
        """Who plays a round by what the round before says, and the ties there; None where the format leaves that open.

        Three statements more, in formats that ask the round before."""
        playing, before = self.state.settings.format, self.state.round(number - 1)
        if type(playing).players is Format.players or number == 1 or before.closed_by is None:
            return None
        ask, _ = ask_for(Draft(self.row, self.caller, now(), self.state), number, here={number: None})
        try:
            playing.check_round(ask)
        except FormatError:
            return None
        players: set[int] = set(ask.present.intersection(ask.sitting_out_before))
        ties = []
        for table in ask.before:
            try:
                players.update(playing.players(replace(ask, before=(table,), sitting_out_before=())))
            except FormatError as tie:
                if tie.code != "tie_to_decide":
                    raise
                players.update(tie.data["equal"])
                ties.append(tie)
        return Through(frozenset(players), tuple(ties))

    def taking_part(self, number: int) -> frozenset[int]:
        """Who is to be seated in a round, as far as is known before its draw."""
        through = self.through(number)
        return self.state.part_of(number) - self.state.absent(number) if through is None else through.players

    def missing(self, at: RoundState) -> list[int]:
        """The numbers of a round's tables whose result is missing."""
        return [table.number for table in at.tables if self.statuses.get(table.session) not in OVER]

    def sitting(self, at: RoundState, table: int) -> list[int]:
        """Who sits at a drawn table, substitutes in the place of whom they sit for; empty for an added table."""
        if at.plan is None or table > len(at.plan.tables):
            return []
        instead = self.state.sits_for(at.number)
        return [instead.get(player, player) for player in map(int, at.plan.tables[table - 1])]

    def counts(self) -> Counter[str]:
        return Counter(at.status for at in map(self.state.round, self.state.numbers))

    def may(self, role: Role) -> bool:
        return self.caller.has(role, self.row.club_id)

    @property
    def organises(self) -> bool:
        return self.may(Role.ORGANISER)

    @property
    def finished(self) -> bool:
        return self.state.finished_by is not None


def named_in(state: CompetitionState) -> set[int]:
    """Everybody whom a competition's pages name."""
    ids = set(state.entries)
    for event in state.events:
        if event.player is not None:
            ids.add(event.player)
        if "substitute" in event.data:
            ids.add(event.data["substitute"])
    return ids


def sitting_in(state: CompetitionState) -> set[int]:
    """Whom the first page may name: those at open tables, and those of the last round that was played."""
    at = {state.next_round - 1, *(number for number, one in state.rounds.items() if one.status == "open")}
    plans = [plan for number in at if (plan := state.round(number).plan) is not None]
    ids = {int(player) for plan in plans for player in plan.people()}
    return ids | {item.substitute for number in at for item in state.substitutes(number)}


def desks(caller: Caller, rows: Sequence[Competition]) -> list[Desk]:
    """The same for several competitions at once: three statements for all of them."""
    found = [Desk(caller, row) for row in rows]
    if not found:
        return []
    events = eventlog.own_events_of([row.pk for row in rows])
    statuses: dict[int, dict[int, str]] = {row.pk: {} for row in rows}
    awaiting: dict[int, dict[int, int]] = {row.pk: {} for row in rows}
    tables = Table.objects.filter(competition__in=rows).annotate(awaits=_AWAITS)
    for competition, session, status, deal in tables.values_list("competition", "session", "session__status", "awaits"):
        statuses[competition][session] = status
        if deal is not None:
            awaiting[competition][session] = deal
    for desk in found:
        desk.state, desk.statuses = fold(events[desk.row.pk]), statuses[desk.row.pk]
        desk.awaiting = awaiting[desk.row.pk]
    named = people(*(sitting_in(desk.state) for desk in found))
    for desk in found:
        desk.people = named
    return found
