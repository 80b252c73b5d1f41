"""One competition on the organiser's desk: everything that its pages show, read once."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from competitions import eventlog, folding
from competitions.models import Competition, Table
from competitions.results import OVER, Scores
from competitions.showing import People, people
from competitions.state import CompetitionState, RoundState, fold
from games.access import Caller
from games.models import Role
from scoring.standings import Standings


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


def desks(caller: Caller, rows: Sequence[Competition]) -> list[Desk]:
    """The same for several competitions at once: three statements for all of them."""
    found = [Desk(caller, row) for row in rows]
    if not found:
        return []
    events = eventlog.own_events_of([row.pk for row in rows])
    statuses: dict[int, dict[int, str]] = {row.pk: {} for row in rows}
    for competition, session, status in Table.objects.filter(competition__in=rows).values_list(
        "competition", "session", "session__status"
    ):
        statuses[competition][session] = status
    for desk in found:
        desk.state, desk.statuses = fold(events[desk.row.pk]), statuses[desk.row.pk]
    named = people(*(named_in(desk.state) for desk in found))
    for desk in found:
        desk.people = named
    return found
