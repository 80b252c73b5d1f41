"""What the page of a score slip shows: one table, its deals in order, how each stands and who entered it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from games import people, selectors
from games.access import seat_of
from games.engine.rules import hand_sizes
from games.engine.session import SessionState
from games.models import Deal, Session, TableRow, User
from scoring.points import shown

AHEAD = 3
"""Deals that can be entered without a connection where nobody knows how many there will be."""


@dataclass(frozen=True, slots=True)
class Line:
    """What a version says of a seat; passes are None where the slip does not say them."""

    name: str
    left: int
    forced: int | None
    wrongful: int | None


@dataclass(frozen=True, slots=True)
class Version:
    """One take of a deal as it was entered. `account` did (its id): `by` is its seat, None for a scorer, `who` their
    name."""

    take: int
    account: int
    by: int | None
    who: str
    dealer: str
    lines: Sequence[Line]
    withheld: Sequence[tuple[str, str]]

    @property
    def winner(self) -> str:
        return next((line.name for line in self.lines if line.left == 0), "")


@dataclass(frozen=True, slots=True)
class DealShown:
    """A deal of the table. `state`: missing, running, void, waits (for a second person), done. `dealer`: the seat, None
    where nobody knows yet. The last of `versions` stands; `confirmed`: who said that it is right."""

    number: int
    state: str
    dealer: int | None
    take: int = 0
    versions: Sequence[Version] = ()
    confirmed: str = ""

    @property
    def version(self) -> Version | None:
        return self.versions[-1] if self.versions else None

    @property
    def earlier(self) -> Version | None:
        return self.versions[-2] if len(self.versions) > 1 else None


@dataclass(frozen=True, slots=True)
class Total:
    name: str
    points: str
    place: int


def lines_of(
    names: Sequence[str], left: Sequence[int], forced: Sequence[int] | None, wrongful: Sequence[int] | None
) -> list[Line]:
    """The lines of a version, seat by seat."""
    unknown = [None] * len(names)
    return [Line(*line) for line in zip(names, left, forced or unknown, wrongful or unknown, strict=True)]


class Sheet:
    """A table as its slip's page shows it. Reads a fixed number of statements, whatever its length."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.state: SessionState = selectors.state_of(session)
        self.seats = self.state.seats or len(self.state.seated)

    @property
    def open(self) -> bool:
        return self.state.closed_by is None

    def players_in(self, number: int) -> list[int]:
        """Who sits where in deal `number`, by row id."""
        return self.state.players_of(number) or [self.state.seated[seat] for seat in sorted(self.state.seated)]

    @cached_property
    def _names(self) -> dict[int, str]:
        sitting = {occupant.player for occupant in self.state.occupants} | set(self.state.seated.values())
        return people.names_of(sitting)

    def names_in(self, number: int) -> list[str]:
        """Who sits where in deal `number`, by name."""
        return [self._names.get(player, "") for player in self.players_in(number)]

    @property
    def names(self) -> list[str]:
        """Who sits where now."""
        return self.names_in(self.state.next_number)

    @cached_property
    def sizes(self) -> list[list[int]]:
        """Cards dealt to each seat, by dealer."""
        return [list(hand_sizes(self.state.rules.deck, self.seats, dealer)) for dealer in range(self.seats)]

    @cached_property
    def deals(self) -> list[DealShown]:
        """Every deal on record, and those still to be entered."""
        takes = list(Deal.objects.filter(session=self.session).order_by("number", "take"))
        actors = {fact.entered_by or 0 for fact in self.state.deals.values()}
        actors |= {row.confirmed_by or 0 for row in takes}
        accounts = dict(User.objects.filter(pk__in=actors).values_list("pk", "username"))
        found = [self._on_record(row, takes, accounts) for row in takes if row.current]
        return [*found, *self._missing(found)]

    def deal(self, number: int) -> DealShown | None:
        return next((deal for deal in self.deals if deal.number == number), None)

    def _on_record(self, row: Deal, takes: Sequence[Deal], accounts: dict[int, str]) -> DealShown:
        state = "void" if row.voided_by is not None else "running" if not row.finished else "done"
        state = "waits" if row.awaits else state
        versions = [
            self._version(one, accounts)
            for one in takes
            if one.number == row.number and one.finished and not self.state.deals[one.ordinal].undone
        ]
        confirmed = self._who(accounts.get(row.confirmed_by or 0), row.number) if row.confirmed_by else ""
        return DealShown(row.number, state, row.dealer, row.take, versions, confirmed)

    def _version(self, row: Deal, accounts: dict[int, str]) -> Version:
        names, result = self.names_in(row.number), row.result or {}
        account = self.state.deals[row.ordinal].entered_by or 0
        username = accounts.get(account, "")
        lines = lines_of(names, result["cards_left"], result["forced_passes"], result["wrongful_passes"])
        withheld = [(names[payer], names[payee]) for payer, payee in result["withheld"] or ()]
        who = self._who(username, row.number)
        return Version(row.take, account, seat_of(username), who, names[row.dealer], lines, withheld)

    def _who(self, username: str | None, number: int) -> str:
        """Who entered a deal, as the table knows them: a player by name, whoever runs the evening as such."""
        seat, names = seat_of(username or ""), self.names_in(number)
        return _("a scorer") if seat is None or seat >= len(names) else names[seat]

    def _missing(self, found: Sequence[DealShown]) -> list[DealShown]:
        if not self.open or self.session.status == Session.Status.FINISHED or self.session.live_deal is not None:
            return []
        planned = self.session.deals_planned
        standing = sum(deal.state != "void" for deal in found)
        count = AHEAD if planned is None else max(0, planned - standing)
        first, dealer = self.state.next_number, self.state.next_dealer
        return [
            DealShown(first + n, "missing", None if dealer is None else (dealer + n) % self.seats) for n in range(count)
        ]

    @cached_property
    def totals(self) -> list[Total]:
        """What the table stands at, by place; empty before the first deal."""
        names, rows = self.names, TableRow.objects.filter(session=self.session).order_by("place", "seat")
        return [Total(names[row.seat], shown(Fraction(row.total)), row.place) for row in rows]

    @property
    def waits(self) -> bool:
        """A deal waits for a second person."""
        return any(deal.state == "waits" for deal in self.deals)

    def limits(self) -> dict[str, Any]:
        """What the page's script checks by, just as the server does. `start`: a dealer's left-hand seat begins, so that
        turns can be counted (rules.md 5.7)."""
        forced, wrongful, withheld = self.state.scheme.needs()
        return {
            "sizes": self.sizes,
            "start": self.state.rules.tables.start is None,
            "forced": forced,
            "wrongful": wrongful,
            "withheld": withheld,
        }
