"""From what sessions scored to the standings of a competition. Pure: the one way, for whoever shows, seats, publishes,
previews or audits by them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from competitions.formats.base import TableBefore
from competitions.seating import Round
from competitions.settings import Settings
from competitions.state import CompetitionState, Decided, RoundState, SitOut, Table
from scoring.entries import Adjustment as PointsAdded
from scoring.entries import Entrant, TableResult
from scoring.points import exact
from scoring.result import Points
from scoring.standings import Standings, standings

OVER = ("finished", "closed")
"""States of a session in which its table counts."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one player had of a seat: deals, points by the scheme, and the part of the seat's place that is his."""

    player: int
    deals: int
    points: Points
    share: Points


@dataclass(frozen=True, slots=True)
class SeatScore:
    """One seat of a session's table; `shares` has everybody who sat in it, in their order."""

    seat: int
    place: int
    total: Points
    deals: int
    wins: int
    cards_left: int
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class TableScore:
    """A session as far as competitions look at it. `chips`: its totals are chips (rules.md 5.2)."""

    session: int
    status: str
    chips: bool
    seats: tuple[SeatScore, ...]

    @property
    def played(self) -> bool:
        """Whether anything of it counts."""
        return any(seat.deals for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Scores:
    """All that standings are made from, besides the competition's own events.

    - `tables`: by session. `keepers`: for a player who was merged, who he is. `bots`: which players are.
    """

    tables: Mapping[int, TableScore] = field(default_factory=dict)
    keepers: Mapping[int, int] = field(default_factory=dict)
    bots: frozenset[int] = frozenset()

    def who(self, player: int) -> int:
        return self.keepers.get(player, player)


def standing_of(
    state: CompetitionState,
    scores: Scores,
    *,
    upto: int | None = None,
    provisional: bool = False,
    all_ranked: bool = False,
) -> Standings:
    """The standings after round `upto` (None: all).

    - `provisional`: tables still being played count as they stand; otherwise only those that are over.
    - `all_ranked`: nobody is kept out of the ranks, as draws by standing need it.
    """
    last = max([*state.rounds, 0]) if upto is None else upto
    settings = state.settings_of(last) if last in state.rounds else state.settings
    counting = replace(settings.counting, unranked=frozenset()) if all_ranked else settings.counting
    sitting_out: dict[int, list[SitOut]] = {}
    for (number, _), item in state.sit_outs.items():
        sitting_out.setdefault(number, []).append(item)
    results = [
        result
        for number, at in sorted(state.rounds.items())
        if number <= last
        for result in _round_results(state, at, sitting_out.get(number, []), scores, provisional=provisional)
    ]
    added = [
        PointsAdded(item.seq, scores.who(item.player), exact(item.points), item.reason, item.cancelled_by is not None)
        for item in state.adjustments
    ]
    return standings(
        _entrants(state, scores, results),
        results,
        counting,
        adjustments=added,
        held=[number for number in state.closed_rounds if number <= last],
    )


def levels(table: Standings) -> tuple[tuple[int, ...], ...]:
    """Everybody in the standings, best first, equals together: what draws by standing go by."""
    groups: dict[object, list[int]] = {}
    for row in table.rows:
        assert isinstance(row.entrant, int)
        groups.setdefault(row.rank if row.rank is not None else ("unranked", row.total), []).append(row.entrant)
    return tuple(tuple(group) for group in groups.values())


def sat(state: CompetitionState, scores: Scores, number: int) -> Round:
    """Who sat where in an opened round, for draws to come: by the sessions where they are played, else by the plan.

    Of those who shared a seat the last; tables beyond the draw come after it."""
    at = state.round(number)
    stands_in = state.sits_for(number)
    plan = at.plan or Round(())
    seated: set[int] = set()
    tables = []
    for table in at.tables:
        score = scores.tables.get(table.session)
        if score is not None and score.seats:
            people = [scores.who(seat.shares[-1].player) for seat in score.seats]
        elif table.drawn:
            people = [scores.who(stands_in.get(player, player)) for player in map(int, plan.tables[table.number - 1])]
        else:
            people = []
        # In an evening of many tables one may sit at several: for meetings the first one counts.
        people = [player for player in people if player not in seated]
        seated.update(people)
        tables.append(tuple(people))
    if not at.tables:
        tables = [tuple(scores.who(int(player)) for player in table) for table in plan.tables]
        seated = {player for table in tables for player in table}
    out = tuple(who for player in plan.sitting_out if (who := scores.who(int(player))) not in seated)
    return Round(tuple(table for table in tables if table), out)


def before(state: CompetitionState, scores: Scores, number: int) -> tuple[TableBefore, ...]:
    """The tables of a round as a knock-out looks at them: who came in where, and whom the organiser sent on."""
    at = state.round(number)
    found = []
    for table in at.tables:
        score = scores.tables.get(table.session)
        if score is None or not score.seats:
            continue
        stands_in = {substitute: player for player, substitute in state.sits_for(number).items()}
        seats = []
        for seat in score.seats:
            player = seat.shares[-1].player
            seats.append((scores.who(stands_in.get(player, player)), seat.place))
        decided = at.decided.get(table.number, Decided((), ()))
        found.append(TableBefore(table.number, tuple(seats), decided.players, decided.among))
    return tuple(found)


def missing(state: CompetitionState, scores: Scores, number: int) -> list[Table]:
    """The tables of a round whose result is missing: still open, or being played."""
    return [
        table
        for table in state.round(number).tables
        if table.session not in scores.tables or scores.tables[table.session].status not in OVER
    ]


def _entrants(state: CompetitionState, scores: Scores, results: Iterable[TableResult]) -> list[Entrant]:
    """Everybody entered, and everybody else with a result, who is out of the ranks: a substitute in his own name."""
    playing = {scores.who(player) for player, entry in state.entries.items() if entry.withdrawn is None}
    entered = {scores.who(player) for player in state.entries}
    found = []
    for who in entered.union(result.entrant for result in results):
        marks = {"bot"} if who in scores.bots else set()
        if who not in playing:
            marks.add("withdrawn" if who in entered else "excluded")
        found.append(Entrant(who, frozenset(marks)))
    return found


def _round_results(
    state: CompetitionState, at: RoundState, sitting_out: Iterable[SitOut], scores: Scores, *, provisional: bool
) -> Iterable[TableResult]:
    """Everybody's results of one round: at tables, then sitting out, by declaration and by the draw."""
    settings = state.settings_of(at.number)
    played: set[int] = set()
    for table in at.tables:
        score = scores.tables.get(table.session)
        if score is None or not score.played or not (provisional or score.status in OVER):
            continue
        for result in _table_results(state, at, settings, scores, score):
            assert isinstance(result.entrant, int)
            played.add(result.entrant)
            yield result
    declared: set[int] = set()
    for item in sitting_out if at.tables else ():  # nothing is missed before it begins
        who = scores.who(item.player)
        if who in played or who in declared:
            continue
        declared.add(who)
        points = item.points if item.points is not None else _worth(settings) if item.bye else None
        yield TableResult(who, at.number, points=_points(points), kind="bye" if item.bye else "absent")
    if at.opened_seq is not None and at.plan is not None:
        for player in map(int, at.plan.sitting_out):
            who = scores.who(player)
            if who not in played | declared:
                yield TableResult(who, at.number, points=_points(_worth(settings)), kind="bye")


def _table_results(
    state: CompetitionState, at: RoundState, settings: Settings, scores: Scores, score: TableScore
) -> Iterable[TableResult]:
    seats = score.seats
    points = settings.points.of_table([seat.total for seat in seats], [seat.place for seat in seats])
    offset = settings.format.offset(at.number)
    played_for = {item.substitute: item.player for item in state.substitutes(at.number) if item.credit == "player"}
    for seat, worth in zip(seats, points, strict=True):
        for share in seat.shares:
            if not share.share:
                continue
            whole = share.share == 1
            own = share.points if settings.points.by == "scheme" else Fraction(worth) * share.share
            yield TableResult(
                entrant=scores.who(played_for.get(share.player, share.player)),
                round=at.number,
                table=score.session,
                points=exact(Fraction(own) + offset),
                place=seat.place,
                size=len(seats),
                total=seat.total if whole else share.points,
                wins=seat.wins if whole else None,
                deals=seat.deals if whole else share.deals,
                cards_left=seat.cards_left if whole else None,
                chips=(seat.total if whole else share.points) if score.chips else None,
                share=share.share,
            )


def _worth(settings: Settings) -> Points | None:
    """What sitting out by the draw is worth; where fewer points are better it has to be worth something."""
    if settings.bye is None and settings.counting.lower_is_better:
        return settings.counting.absence
    return settings.bye


def _points(value: Points | None) -> Points | None:
    return None if value is None else exact(Fraction(value))
