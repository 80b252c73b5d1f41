"""What the tables of the database must say, computed from a session's log. Pure.

`project` is the only maker of projection rows: the services store what it returns, `manage.py audit` compares it with
what is stored.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from games.engine.deal import Deal
from games.engine.occupancy import Occupant
from games.engine.session import SessionState
from games.engine.session_events import DealFact
from scoring.result import DealResult, Points
from scoring.table import Table, session_table

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Played:
    """What a deal's own events say: where it stands, and its result and packed actions once it is finished."""

    last_seq: int
    last_at: datetime
    to_act: int | None
    result: DealResult | None
    packed: bytes | None

    @classmethod
    def of(cls, deal: Deal, *, last_seq: int, last_at: datetime) -> "Played":
        over = deal.winner is not None
        return cls(last_seq, last_at, deal.to_act, deal.result() if over else None, bytes(deal.log) if over else None)


@dataclass(frozen=True, slots=True)
class Projection:
    """The rows of one session by table: the session's own columns, and rows by their key within the session."""

    session: Row
    deals: dict[int, Row]
    occupancies: dict[tuple[int, int], Row]
    table: dict[int, Row]
    adjustments: dict[int, Row]


def exact(points: Points) -> int | str:
    """Points for storage in JSON: an integer, or a fraction as "n/d"."""
    value = Fraction(points)
    return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def result_json(result: DealResult) -> Row:
    """A result as stored with its deal. Lists by seat; null where not known (rules.md 5.6)."""
    left = result.left_cards
    return {
        "winner": result.winner,
        "cards_left": list(result.cards_left),
        "left_cards": None if left is None else [" ".join(cards) for cards in left],
        "forced_passes": None if result.forced_passes is None else list(result.forced_passes),
        "wrongful_passes": None if result.wrongful_passes is None else list(result.wrongful_passes),
        "withheld": None if result.withheld is None else [list(pair) for pair in result.withheld],
        "hand_sizes": list(result.hand_sizes),
    }


def result_from_json(stored: Row, *, dealer: int) -> DealResult:
    """The inverse of `result_json`."""
    left = stored["left_cards"]
    forced, wrongful, withheld = stored["forced_passes"], stored["wrongful_passes"], stored["withheld"]
    return DealResult(
        dealer=dealer,
        hand_sizes=tuple(stored["hand_sizes"]),
        winner=stored["winner"],
        cards_left=tuple(stored["cards_left"]),
        left_cards=None if left is None else tuple(tuple(cards.split()) for cards in left),
        forced_passes=None if forced is None else tuple(forced),
        wrongful_passes=None if wrongful is None else tuple(wrongful),
        withheld=None if withheld is None else tuple((payer, payee) for payer, payee in withheld),
    )


def project(state: SessionState, played: Mapping[int, Played], *, bots: frozenset[int]) -> Projection:
    """All rows of a session.

    `played` has an entry for every deal with cards or a result, by ordinal; of those that cannot be live only the
    result, the packed form and `last_at` matter. `bots` are the ids of players for whom the server plays.
    """
    live = state.live(ordinal for ordinal, deal in played.items() if deal.result is None)
    if state.seats is None:
        return Projection(_session(state, None, None, played, bots), {}, _occupancies(state), {}, {})
    scored = _scored(state, played)
    return Projection(
        session=_session(state, live, scored.table, played, bots),
        deals={
            fact.ordinal: _deal(
                state,
                fact,
                played.get(fact.ordinal),
                scored.counted.get(fact.ordinal),
                scored.points.get(fact.ordinal),
            )
            for fact in state.deals.values()
        },
        occupancies=_occupancies(state),
        table=_table(state, scored),
        adjustments={
            item.seq: {"seat": item.seat, "points": item.points, "cancelled_by": item.cancelled_by}
            for item in state.adjustments
        },
    )


def table_rows(state: SessionState, played: Mapping[int, Played]) -> dict[int, Row]:
    """The rows of the session's table alone, by seat; of `played` only the results matter."""
    return {} if state.seats is None else _table(state, _scored(state, played))


def status(state: SessionState, played: Mapping[int, Played]) -> str:
    """The session's status alone; of `played` only the results matter."""
    live = state.live(ordinal for ordinal, deal in played.items() if deal.result is None)
    scored = state.seats is not None and live is None and state.closed_by is None
    return _status(state, live, _scored(state, played).table if scored else None)


def is_finished(state: SessionState, played: Mapping[int, Played]) -> bool:
    """Whether the session has come to its end, closed or not; of `played` only the results matter."""
    return state.seats is not None and _scored(state, played).table.finished


@dataclass(frozen=True, slots=True)
class _Scored:
    """What the deals that stand come to: the table, and by ordinal each deal's result if it may count, its points, and
    whether it counts."""

    table: Table
    results: dict[int, DealResult | None]
    points: dict[int, tuple[Points, ...] | None]
    counted: dict[int, bool]


def _scored(state: SessionState, played: Mapping[int, Played]) -> _Scored:
    current, scheme = state.current, state.scheme
    results = [_result(fact, played) for fact in current]
    counting = [None if state.unconfirmed(fact) else found for fact, found in zip(current, results, strict=True)]
    table = session_table(
        scheme,
        counting,
        state.seats or 0,
        [(item.seat, item.points) for item in state.adjustments if item.cancelled_by is None],
        limit=state.settings.get("deals_planned"),
    )
    points = [None if result is None or scheme.missing(result) else scheme.score(result) for result in results]
    ordinals = [fact.ordinal for fact in current]
    return _Scored(
        table,
        dict(zip(ordinals, counting, strict=True)),
        dict(zip(ordinals, points, strict=True)),
        dict(zip(ordinals, table.counted, strict=True)),
    )


def due_at(
    settings: Mapping[str, Any], *, mode: str, to_act: int | None, bot: bool, since: datetime
) -> datetime | None:
    """When something moves on without a person: a bot's turn at once, a person's when the clock runs out and a
    stand-in plays on, the next deal `deal_after` seconds after the last one. None: it waits for somebody."""
    if mode != "hosted":
        return None
    if to_act is None:
        after = settings.get("deal_after")
        return None if after is None else since + timedelta(seconds=after)
    if bot:
        return since
    seconds = settings.get("turn_seconds")
    return since + timedelta(seconds=seconds) if seconds and settings.get("stand_in") else None


def _result(fact: DealFact, played: Mapping[int, Played]) -> DealResult | None:
    return None if fact.voided_by is not None or fact.ordinal not in played else played[fact.ordinal].result


def _session(
    state: SessionState, live: DealFact | None, table: Table | None, played: Mapping[int, Played], bots: frozenset[int]
) -> Row:
    due = None
    if live is not None:
        head = played[live.ordinal]
        assert head.to_act is not None
        bot = state.players_of(live.number)[head.to_act] in bots
        due = due_at(state.settings, mode=live.mode, to_act=head.to_act, bot=bot, since=head.last_at)
    else:
        head = None
        if state.current and state.closed_by is None and table is not None and not table.finished:
            last = state.current[-1]
            due = due_at(state.settings, mode=last.mode, to_act=None, bot=False, since=_ended(state, last, played))
    return {
        "label": state.label,
        "rules": state.rules_json,
        "scheme": state.scheme_json,
        "public": state.settings.get("public", False),
        "deals_planned": state.settings.get("deals_planned"),
        "confirm": state.settings.get("confirm", False),
        "self_seating": state.settings.get("self_seating", False),
        "spectator_delay": state.settings.get("spectator_delay", 0),
        "deal_after": state.settings.get("deal_after"),
        "turn_seconds": state.settings.get("turn_seconds"),
        "stand_in": state.settings.get("stand_in", ""),
        "status": _status(state, live, table),
        "seats": state.seats,
        "live_deal": None if live is None else live.ordinal,
        "live_seq": None if head is None else head.last_seq,
        "to_act": None if head is None else head.to_act,
        "due_at": due,
    }


def _ended(state: SessionState, fact: DealFact, played: Mapping[int, Played]) -> datetime:
    if fact.voided_by is not None:
        at = next(event.at for event in state.events if event.seq == fact.voided_by)
        assert at is not None
        return at
    return played[fact.ordinal].last_at


def _status(state: SessionState, live: DealFact | None, table: Table | None) -> str:
    if state.closed_by is not None:
        return "closed"
    if live is not None:
        return "playing"
    if table is None:
        return "open"
    return "finished" if table.finished else "waiting"


def _deal(
    state: SessionState,
    fact: DealFact,
    deal: Played | None,
    counted: bool | None,
    points: tuple[Points, ...] | None,
) -> Row:
    result = None if deal is None else deal.result
    return {
        "seq": fact.seq,
        "number": fact.number,
        "take": fact.take,
        "mode": fact.mode,
        "wrongful_pass": fact.wrongful_pass or "",
        "dealer": fact.dealer,
        "current": counted is not None,
        "voided_by": fact.voided_by,
        "confirmed_by": fact.confirmed_by,
        "awaits": counted is not None and result is not None and state.unconfirmed(fact),
        "finished": result is not None,
        "counted": bool(counted),
        "result": None if result is None else result_json(result),
        "points": None if points is None else [exact(value) for value in points],
        "packed": None if deal is None else deal.packed,
        "ended_at": None if deal is None or result is None else deal.last_at,
    }


def _occupancies(state: SessionState) -> dict[tuple[int, int], Row]:
    if state.seats is None:
        return {(seat, 1): {"player": player, "credit": "last"} for seat, player in state.seated.items()}
    return {(o.seat, o.from_number): {"player": o.player, "credit": o.credit} for o in state.occupants}


def _table(state: SessionState, scored: _Scored) -> dict[int, Row]:
    sitting = {fact.number: state.sitting(fact.number) for fact in state.current}
    facts = [fact for fact in state.current if scored.counted[fact.ordinal]]
    ended = [result for fact in facts if (result := scored.results[fact.ordinal])]
    table = scored.table
    rows = {}
    for seat, (total, place) in enumerate(zip(table.totals, table.places, strict=True)):
        earned: list[tuple[Occupant, Points]] = []
        for fact in facts:
            points = scored.points[fact.ordinal]
            assert points is not None
            earned.append((sitting[fact.number][seat], points[seat]))
        shares = _shares(state, seat, [at[seat].player for at in sitting.values()], earned, total)
        rows[seat] = {
            "place": place,
            "total": str(exact(total)),
            "deals": len(facts),
            "wins": sum(result.winner == seat for result in ended),
            "cards_left": sum(result.cards_left[seat] for result in ended),
            "players": [
                {"player": player, "deals": deals, "points": exact(points), "share": exact(share)}
                for player, (deals, points, share) in shares.items()
            ],
        }
    return rows


def _shares(
    state: SessionState, seat: int, sat: list[int], earned: list[tuple[Occupant, Points]], total: Points
) -> dict[int, list[Any]]:
    """Deals, points and share of each player of a seat, in the order in which they `sat` there; who takes it over with
    the next deal comes last. `earned` has whoever sat there and the points, for each deal that counts.

    By deals each has their own, as always after a re-seat; else all is the last or first player's. What was adjusted
    goes with the last player, or the first where that one gets all.

    Shares of a seat are of what its place is worth to a competition, and sum to 1."""
    credit, history = state.credit_of(seat), state.histories[seat]
    coming = history.taken_by(state.next_number)
    if not sat or coming.from_number > state.current[-1].number:
        sat = [*sat, coming.player]
    shares: dict[int, list[Any]] = {player: [0, 0, 0] for player in sat}
    heir = history.taken[0].player if credit == "first" else coming.player
    for occupant, points in earned:
        shares[occupant.player][0] += 1
        own = credit == "deals" or occupant.reseated
        share = shares.setdefault(occupant.player if own else heir, [0, 0, 0])
        share[1] += points
        share[2] += Fraction(1, len(earned))
    rest = shares[heir if credit == "first" and heir in shares else sat[-1]]
    rest[1] += total - sum(points for _, points in earned)
    if not earned:
        rest[2] = 1
    return shares
