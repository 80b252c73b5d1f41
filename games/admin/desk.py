"""What lies on the organiser's desk: one session with everything its pages show."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from games import people, selectors
from games.access import Caller
from games.admin import words
from games.engine.session import SessionState
from games.engine.session_events import DealFact, players_named
from games.models import Deal, Occupancy, Player, Role, Session, TableRow
from scoring.wording import say


@dataclass
class Desk:
    """One session as its own events tell it. Reads a fixed number of statements, whatever its length."""

    caller: Caller
    session: Session

    @cached_property
    def state(self) -> SessionState:
        return selectors.state_of(self.session)

    @cached_property
    def names(self) -> dict[int, str]:
        """Names of the players that the session's events speak of; of who is merged, that of the person."""
        players = set(self.state.seated.values()) | {item.player for item in self.state.occupants}
        return people.names_of(players.union(*(players_named(event.data) for event in self.state.events)))

    def name(self, player: int | None) -> str:
        if player is None:
            return say("nobody")
        return self.names.get(player) or say("player {number}", number=player)

    @cached_property
    def sitting(self) -> list[int]:
        """The players by seat in the next deal, or as seated before the first."""
        if self.state.frozen:
            return self.state.players_of(self.state.next_number)
        return [self.state.seated[seat] for seat in sorted(self.state.seated)]

    @cached_property
    def seat_names(self) -> dict[int, str]:
        """Who sits where now, by seat."""
        if self.state.frozen:
            return dict(enumerate(map(self.name, self.sitting)))
        return {seat: self.name(self.state.seated[seat]) for seat in sorted(self.state.seated)}

    def names_in(self, number: int) -> list[str]:
        """Who sat where in deal `number`."""
        return [self.name(player) for player in self.state.players_of(number)] or list(self.seat_names.values())

    @property
    def live(self) -> DealFact | None:
        return None if self.session.live_deal is None else self.state.deals[self.session.live_deal]

    @property
    def hosted_now(self) -> bool:
        """A hosted deal is running: its hands are hidden."""
        return self.live is not None and self.live.mode == "hosted"

    def may(self, role: Role) -> bool:
        return self.caller.has(role, self.session.club_id)

    @property
    def open(self) -> bool:
        return self.session.status != Session.Status.CLOSED


def listed(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Sessions with what a list shows of them: two more statements, whatever their number."""
    awaited = Exists(Deal.objects.filter(session=OuterRef("pk"), awaits=True))
    return (
        sessions.select_related("club")
        .annotate(awaited=awaited)
        .prefetch_related(
            Prefetch(
                "occupancies",
                Occupancy.objects.select_related("player__merged_into").order_by("seat", "from_number"),
                to_attr="seating",
            ),
            Prefetch("table_rows", TableRow.objects.filter(place=1, deals__gt=0), to_attr="leading"),
        )
    )


def sitting_now(session: Any) -> dict[int, Player]:
    """The players of a `listed` session by seat, each seat's latest."""
    return {item.seat: item.player.person for item in session.seating}


def leaders(session: Any) -> str:
    """Who leads a `listed` session; level seats are named together."""
    now = sitting_now(session)
    return ", ".join(now[row.seat].name for row in session.leading if row.seat in now)


def winner_name(deal: Deal, seating: Iterable[Occupancy]) -> str:
    """Who won a finished deal."""
    if not deal.finished or not deal.result:
        return ""
    seat = deal.result["winner"]
    names = [item.player.person.name for item in seating if item.seat == seat and item.from_number <= deal.number]
    return names[-1] if names else words.chair(seat)
