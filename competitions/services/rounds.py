"""Rounds on the night: opening their tables, adding tables of an evening, closing and reopening."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from competitions import days
from competitions.facts import Kind, RoundState
from competitions.models import Competition, Table
from competitions.results import has_points, missing
from competitions.seating import Round
from competitions.services.checking import refused
from competitions.services.publishing import publish_draw
from competitions.services.writing import Draft, Receipt, write
from competitions.state import CompetitionState
from games.access import Caller
from games.engine.session_events import Kind as SessionKind
from games.errors import Invalid, NotFound, Refusal
from games.models import Deal, Occupancy, Player, Session
from games.services import writing as tables
from games.services.dealing import Shuffler, deal_next
from games.services.keys import Key
from scoring.points import BadPoints
from scoring.schemes import scheme_from_json
from scoring.wording import Listed, say, say_n

TABLES_TOLD = 10
"""Tables without a result that a refusal names; the others are counted."""


def open_round(
    *,
    caller: Caller,
    competition: str,
    number: int,
    publish: bool = False,
    deal: Shuffler | None = None,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Open the tables of a drawn round: a session each, its players in their seats. From then on the club sees them, so
    the draw has to be out: `publish` publishes it in the same step. `deal` deals the first deal at every table.

    Raises `not_drawn`, `round_open`, `draw_not_published`, and with `deal` what dealing raises."""

    def decide(draft: Draft) -> None:
        state = draft.state
        plan = state.check_openable(number)
        at = state.round(number)
        out = state.publication_of("draw", number, now)
        if out is None or out.draw != at.drawn_seq:
            if not publish:
                raise Refusal(
                    "draw_not_published",
                    say(
                        "The draw of {round} is not published, or not yet, or was changed since: open tables would "
                        "show it. Publish it first, or with the opening.",
                        round=at.name,
                    ),
                )
            publish_draw(draft, number, None)
        _check_known(draft, at, plan)
        sessions = [_open_table(draft, at, table, plan, door, deal) for table in range(1, len(plan.tables) + 1)]
        _check_people(draft, at, sessions)
        draft.add(Kind.OPENED, round=number, data={"sessions": sessions, "draw": at.drawn_seq})

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        expected_version=expected_version,
        # Whoever sits out has that from now on.
        tell=lambda state: "all" if state.absent(number) or _sits_out(state, number) else "nothing",
    )


def _sits_out(state: CompetitionState, number: int) -> bool:
    plan = state.round(number).plan
    return plan is not None and bool(plan.sitting_out)


def add_table(
    *,
    caller: Caller,
    competition: str,
    number: int,
    session: str,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Count a session of the club, played on one of the competition's days, as one more table of a round.

    Raises `already_a_table`, `outside_days`, `round_closed`."""

    def decide(draft: Draft) -> None:
        state = draft.state
        state.check_running()
        at = state.check_round(number)
        if at.closed_by is not None:
            state.check_open(number)
        row = Session.objects.filter(public_id=session, club=draft.competition.club_id).first()
        if row is None:
            raise NotFound("session")
        if Table.objects.filter(session=row).exists():
            raise Refusal(
                "already_a_table", say("The session “{label}” is a table of a competition already.", label=row.label)
            )
        _check_countable(draft, at, row)
        zone = draft.competition.club.timezone
        if not days.is_within(row.created_at, zone, state.starts_on, state.ends_on):
            day = days.day_of(row.created_at, zone)
            raise Invalid(
                "outside_days",
                say(
                    "The session “{label}” is of {day}, which is not a day of this competition ({days}).",
                    label=row.label,
                    day=day,
                    days=days.span(state.starts_on, state.ends_on),
                ),
            )
        used = [table.number for table in at.tables]
        planned = 0 if at.plan is None else len(at.plan.tables)
        draft.add(Kind.TABLE_ADDED, round=number, data={"table": max([planned, *used]) + 1, "session": row.pk})

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        expected_version=expected_version,
        first=lambda *_: lock_sessions(Session.objects.filter(public_id=session)),
    )


def close(
    *,
    caller: Caller,
    competition: str,
    number: int,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Close a round, and with it the sessions of its tables: no more results come in. Raises `results_missing`, which
    says at which tables and whose."""

    def decide(draft: Draft) -> None:
        state = draft.state
        at = state.check_open(number)
        if open_tables := missing(state, draft.scores, number):
            raise _missing(draft, at, [table.session for table in open_tables])
        reason = f"{at.name} was closed"
        closed = {}
        for table in at.tables:
            with_closing = session_write(draft, table.session, door, lambda one: _close_one(one, reason))
            if with_closing:
                closed[str(table.session)] = with_closing
        draft.add(Kind.CLOSED, round=number, data={"closed": closed})

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        expected_version=expected_version,
        first=lock_tables(number),
    )


def reopen(draft: Draft, number: int, closing: int, reason: str, door: str) -> None:
    """Take back the closing (event `closing`) of a round, in a draft whose sessions are locked."""
    event = next(event for event in draft.state.events if event.seq == closing)
    for session, seq in event.data["closed"].items():

        def undo(one: tables.Draft, seq: int = seq) -> None:
            if one.state.closed_by == seq:
                one.add(SessionKind.UNDONE, reason=reason, data={"seq": seq})

        session_write(draft, int(session), door, undo)


def take_back_opening(draft: Draft, number: int, reason: str, door: str) -> None:
    """Close the empty sessions of a round to be drawn or opened anew. Raises `round_closed`, `tables_played`."""
    draft.state.check_open(number)
    sessions = [table.session for table in draft.state.round(number).tables if table.drawn]
    if Deal.objects.filter(session__in=sessions).exists():
        name = draft.state.round(number).name
        raise Refusal("tables_played", say("{round} is being played: deals are on record.", round=name))
    for session in sessions:
        session_write(draft, session, door, lambda one: _close_one(one, reason))


def lock_tables(number: int | None) -> Callable[[Caller, str], None]:
    """Locks the sessions of a round (None: of all), before their competition."""

    def lock(caller: Caller, competition: str) -> None:
        rows = Table.objects.filter(competition__public_id=competition)
        if number is not None:
            rows = rows.filter(round=number)
        lock_sessions(Session.objects.filter(pk__in=rows.values("session")))

    return lock


def lock_sessions(rows: QuerySet[Session]) -> None:
    """Locks sessions in the one order in which sessions are locked, that of their ids."""
    list(rows.order_by("pk").select_for_update(no_key=True, of=("self",)).values_list("pk"))


def _open_table(draft: Draft, at: RoundState, table: int, plan: Round, door: str, deal: Shuffler | None) -> int:
    """Make the session of a table; returns its id."""
    state = draft.state
    settings = state.settings_of(at.number)
    stands_in = state.sits_for(at.number)
    label = _label(draft.competition, state.name, state.season, at.number, table)
    made: list[Session] = []

    def fresh(one: tables.Draft) -> None:
        made.append(one.session)
        one.add(
            SessionKind.OPENED,
            data={
                "label": label,
                "rules": settings.rules.hosted().to_json(),
                "scheme": settings.scheme.to_json(),
                "settings": {
                    "public": settings.public,
                    "deal_after": settings.deal_after,
                    "turn_seconds": settings.turn_seconds,
                    "stand_in": settings.stand_in,
                    "deals_planned": settings.deals,
                    "confirm": settings.confirm,
                },
            },
        )
        for seat, player in enumerate(plan.tables[table - 1]):
            sitting = draft.scores.who(stands_in.get(int(player), int(player)))
            one.add(SessionKind.SEATED, seat=seat, data={"player": sitting})

    tables.create(caller=draft.caller, club=draft.competition.club, now=draft.now, door=door, key=None, draft=fresh)
    session = made[0].pk
    if deal is not None:
        session_write(draft, session, door, lambda one: deal_next(one, deal))
    return session


def _check_known(draft: Draft, at: RoundState, plan: Round) -> None:
    """Nobody is called to a table who was forgotten meanwhile."""
    stands_in = draft.state.sits_for(at.number)
    seated = {stands_in.get(player, player) for table in plan.tables for player in map(int, table)}
    gone = Player.objects.filter(pk__in=seated, anonymised=True).first()
    if gone is not None:
        raise Invalid(
            "bad_player",
            say("{name} is forgotten: withdraw them, or draw {round} without them.", name=gone.name, round=at.name),
        )


def _check_people(draft: Draft, at: RoundState, sessions: list[int]) -> None:
    """Nobody sits at two tables, under whichever names. Those seated cannot be merged until this is stored; before it
    they could."""
    seated = Occupancy.objects.filter(session__in=sessions).order_by("session", "seat")
    people: dict[int, str] = {}
    for name, player, keeper in seated.values_list("player__name", "player", "player__merged_into"):
        who = keeper or player
        if who in people:
            raise Refusal(
                "already_seated",
                say(
                    "{name} and {other} are one person now. Draw {round} again, then open it.",
                    name=people[who],
                    other=name,
                    round=at.name,
                ),
            )
        people[who] = name


def _label(competition: Competition, name: str, season: str, number: int, table: int) -> str:
    """A label that no session of the club has."""
    whole = f"{name} {season}".strip()
    base = f"{whole[:80]} · round {number}, table {table}"
    taken = set(
        Session.objects.filter(club=competition.club_id, label__startswith=base).values_list("label", flat=True)
    )
    return next(label for n in range(1, len(taken) + 2) if (label := base if n == 1 else f"{base} ({n})") not in taken)


def session_write(draft: Draft, session: int, door: str, decide: Callable[[tables.Draft], None]) -> int | None:
    """Let `decide` add events to a locked session; returns the seq of the last one, None where there is none."""
    # Locked before the competition (`lock_tables`), or made just now. A table that came in between is not waited for:
    # its turn would be before the competition's.
    row = Session.objects.select_for_update(no_key=True, nowait=True, of=("self",)).get(pk=session)
    one = tables.load(row, caller=draft.caller, now=draft.now)
    decide(one)
    if not one.events:
        return None
    tables.finish(one, door=door, key=None, watched=False)
    return row.seq


def _check_countable(draft: Draft, at: RoundState, row: Session) -> None:
    """Whether the points of the round can count this table; raises `bad_points`."""
    settings = draft.state.settings_of(at.number)
    scheme = scheme_from_json(row.scheme)
    if settings.points.by == "scheme" and scheme.key != settings.scheme.key:
        raise Invalid(
            "bad_points",
            say(
                "The session “{label}” is scored by {scheme}, and here the points are the totals of {other}.",
                label=row.label,
                scheme=scheme.title,
                other=settings.scheme.title,
            ),
        )
    try:
        settings.points.check_sizes([] if row.seats is None else [row.seats])
    except BadPoints as error:
        raise refused(error) from error


def _close_one(one: tables.Draft, reason: str) -> None:
    if one.state.closed_by is None:
        live = one.live
        data: dict[str, Any] = {"final": True} if live is not None and live.mode == "hosted" else {}
        one.add(SessionKind.CLOSED, reason=reason, data=data)


def _missing(draft: Draft, at: RoundState, sessions: list[int]) -> Refusal:
    """Names the tables without a result, and who sits there."""
    names: dict[int, list[str]] = {session: [] for session in sessions}
    seated = Occupancy.objects.filter(session__in=sessions).order_by("seat", "from_number")
    for session, name in seated.values_list("session", "player__name"):
        names[session].append(name)
    numbers = {table.session: table.number for table in at.tables}
    told = [_wanting(draft, at, session, numbers[session], names[session]) for session in sessions[:TABLES_TOLD]]
    tables = Listed(told, "; ")
    if len(sessions) > TABLES_TOLD:
        sentence: str = say_n(
            "{round} cannot be closed: results are missing at {tables} and {n} more.",
            "{round} cannot be closed: results are missing at {tables} and {n} more.",
            len(sessions) - TABLES_TOLD,
            round=at.name,
            tables=tables,
        )
    else:
        sentence = say("{round} cannot be closed: results are missing at {tables}.", round=at.name, tables=tables)
    return Refusal("results_missing", sentence, tables=[numbers[session] for session in sessions])


def _wanting(draft: Draft, at: RoundState, session: int, table: int, names: list[str]) -> str:
    """A table without a result: who sits there, and what is wanting where it seems to have one."""
    score = draft.scores.tables[session]
    who = Listed(names, ", ") if names else say("nobody seated")
    if score.waits:
        return say("table {table} ({names}; a second person has yet to confirm)", table=table, names=who)
    if not has_points(draft.state.settings_of(at.number), score):
        return say(
            "table {table} ({names}; a table of {size} has no points here)",
            table=table,
            names=who,
            size=len(score.seats),
        )
    return say("table {table} ({names})", table=table, names=who)
