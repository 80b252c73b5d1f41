"""From what sessions scored to the standings of a competition. Pure: the one way, for whoever shows, seats, publishes,
previews or audits by them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from competitions.facts import Decided, RoundState, SitOut, Table
from competitions.formats.base import TableBefore
from competitions.seating import Round
from competitions.settings import Settings
from competitions.state import CompetitionState
from scoring.entries import Adjustment as PointsAdded
from scoring.entries import Entrant, TableResult
from scoring.points import BadPoints, exact
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
    """A session as far as competitions look at it. `chips`: its totals are chips (rules.md 5.2). `waits`: a result of
    it waits for a second person."""

    session: int
    status: str
    chips: bool
    seats: tuple[SeatScore, ...]
    waits: bool = False

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
    before: int | None = None,
) -> Standings:
    """The standings after round `upto` (None: all).

    - `before`: leave out points that were given at this event or later.
    - `provisional`: tables still being played count as they stand; otherwise only those that are over.
    - `all_ranked`: nobody is kept out of the ranks, as draws by standing need it.
    """
    last = max([*state.rounds, 0]) if upto is None else upto
    # A round that is only planned says nothing yet of how the standings are read.
    latest = max((number for number, at in state.rounds.items() if number <= last and at.tables), default=0)
    settings = state.settings_of(latest) if latest else state.settings
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
    entrants = _entrants(state, scores, results)
    listed = {entrant.id for entrant in entrants}
    added = [
        PointsAdded(item.seq, who, exact(item.points), item.reason, item.cancelled_by is not None)
        for item in state.adjustments
        # One that was cancelled may be of somebody whose entry is taken back since.
        if ((who := scores.who(item.player)) in listed or item.cancelled_by is None)
        and (before is None or item.seq < before)
    ]
    return standings(
        entrants,
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


def drawn_people(state: CompetitionState, scores: Scores, number: int) -> set[int]:
    """Everybody who sat, or is to sit, at a table of a round's draw. Nobody can sit at two of these."""
    at = state.round(number)
    stands_in = state.sits_for(number)
    plan = at.plan or Round(())
    drawn = {table.number: scores.tables.get(table.session) for table in at.tables if table.drawn}
    people: set[int] = set()
    for table, players in enumerate(plan.tables, 1):
        score = drawn.get(table)
        if score is not None and score.seats:
            people.update(share.player for seat in score.seats for share in seat.shares)
        else:
            people.update(stands_in.get(player, player) for player in map(int, players))
    return people


def before(state: CompetitionState, scores: Scores, number: int) -> tuple[TableBefore, ...]:
    """The tables of a round as a knock-out looks at them: who came in where, and whom the organiser sent on."""
    at = state.round(number)
    found = []
    for table in at.tables:
        score = scores.tables.get(table.session)
        if score is None or not score.seats:
            continue
        stands_in = {scores.who(substitute): player for player, substitute in state.sits_for(number).items()}
        seats = []
        for seat in score.seats:
            # Of those who shared a seat its place is whose most of it is, of equals the last one's.
            player = scores.who(max(reversed(seat.shares), key=lambda share: share.share).player)
            seats.append((scores.who(stands_in.get(player, player)), seat.place))
        decided = at.decided.get(table.number, Decided((), ()))
        players, among = (tuple(map(scores.who, some)) for some in (decided.players, decided.among))
        found.append(TableBefore(table.number, tuple(seats), players, among))
    return tuple(found)


def missing(state: CompetitionState, scores: Scores, number: int) -> list[Table]:
    """The tables of a round whose result is missing: still open, being played, waiting for a second person, or of a
    size that has no points."""
    settings = state.settings_of(number)
    return [
        table
        for table in state.round(number).tables
        if (score := scores.tables.get(table.session)) is None
        or score.status not in OVER
        or score.waits
        or not has_points(settings, score)
    ]


def has_points(settings: Settings, score: TableScore) -> bool:
    """Whether the settings say what places at a table of this size are worth; an unplayed one is of any size."""
    try:
        settings.points.check_sizes([len(score.seats)] if score.seats else [])
    except BadPoints:
        return False
    return True


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
        if not has_points(settings, score):
            continue  # its round cannot be closed
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
                declared.add(who)
                yield TableResult(who, at.number, points=_points(_worth(settings)), kind="bye")


def _table_results(
    state: CompetitionState, at: RoundState, settings: Settings, scores: Scores, score: TableScore
) -> Iterable[TableResult]:
    """Everybody's result at one table; whoever had several seats of it, or shares of them, has one."""
    seats = score.seats
    points = settings.points.of_table([seat.total for seat in seats], [seat.place for seat in seats])
    offset = settings.format.offset(at.number)
    played_for = {
        scores.who(item.substitute): item.player for item in state.substitutes(at.number) if item.credit == "player"
    }
    found: dict[int, list[TableResult]] = {}
    for seat, worth in zip(seats, points, strict=True):
        for share in seat.shares:
            if not share.share:
                continue
            whole = share.share == 1
            own = share.points if settings.points.by == "scheme" else Fraction(worth) * share.share
            player = scores.who(share.player)
            who = scores.who(played_for.get(player, player))
            found.setdefault(who, []).append(
                TableResult(
                    entrant=who,
                    round=at.number,
                    table=score.session,
                    points=exact(Fraction(own)),
                    place=seat.place,
                    size=len(seats),
                    total=seat.total if whole else share.points,
                    wins=seat.wins if whole else None,
                    deals=seat.deals if whole else share.deals,
                    cards_left=seat.cards_left if whole else None,
                    chips=(seat.total if whole else share.points) if score.chips else None,
                    share=share.share,
                )
            )
    results = [_together(parts) for parts in found.values()]
    if any(len(parts) > 1 for parts in found.values()) and all(result.share == 1 for result in results):
        results = _placed(results, lower_is_better=settings.counting.lower_is_better)
    for result in results:
        yield replace(result, points=exact(Fraction(result.points or 0) + offset))


def _together(parts: Sequence[TableResult]) -> TableResult:
    """What one had of several seats of a table, as one result, with the place of the seat he had most of."""
    if len(parts) == 1:
        return parts[0]
    most = max(parts, key=lambda part: part.share)
    return replace(
        most,
        points=exact(sum((Fraction(part.points or 0) for part in parts), Fraction(0))),
        total=exact(sum((Fraction(part.total or 0) for part in parts), Fraction(0))),
        wins=None,
        deals=sum(part.deals or 0 for part in parts),
        cards_left=None,
        chips=None if most.chips is None else exact(sum((Fraction(part.chips or 0) for part in parts), Fraction(0))),
        share=exact(sum((Fraction(part.share) for part in parts), Fraction(0))),
    )


def _placed(results: Sequence[TableResult], *, lower_is_better: bool) -> list[TableResult]:
    """The results of a table with the places that their points give them: where people changed seats while it was
    played, the places of the seats are nobody's."""
    sign = -1 if lower_is_better else 1
    worth = [sign * (result.points or 0) for result in results]
    return [
        replace(result, place=1 + sum(other > own for other in worth))
        for result, own in zip(results, worth, strict=True)
    ]


def _worth(settings: Settings) -> Points | None:
    """What sitting out by the draw is worth; where fewer points are better it has to be worth something."""
    if settings.bye is None and settings.counting.lower_is_better:
        return settings.counting.absence
    return settings.bye


def _points(value: Points | None) -> Points | None:
    return None if value is None else exact(Fraction(value))
