"""Corrections of a competition: points given or taken, ties decided, and anything undone. Each is an event with a
reason. Deals, seats and results are corrected at their table, and the competition follows."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from competitions.facts import CompetitionError, CompetitionEvent, Kind
from competitions.formats.base import FormatError
from competitions.models import Event, Table
from competitions.results import before
from competitions.services.checking import checked_points, refused, why
from competitions.services.drawing import ask_for, redraw_what_must
from competitions.services.rounds import lock_sessions, lock_tables, reopen, take_back_opening
from competitions.services.writing import Draft, Receipt, write
from games.access import Caller
from games.errors import Invalid, Refusal
from games.models import Session
from games.services.keys import Key
from scoring.wording import say


def adjust(
    *,
    caller: Caller,
    competition: str,
    player: str,
    points: Any,
    reason: str,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Give (or take) points: exact, kept through any recomputation, cancelled by undoing it."""

    def decide(draft: Draft) -> None:
        draft.state.check_running()
        who = draft.entered(player)
        exact = checked_points(points)
        if exact == "0":
            raise Invalid("bad_points", say("Points other than 0, please."))
        draft.add(Kind.ADJUSTED, player=who.pk, data={"points": exact}, reason=why(Kind.ADJUSTED, reason))

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        expected_version=expected_version,
    )


def decide_tie(
    *,
    caller: Caller,
    competition: str,
    number: int,
    table: int,
    players: Sequence[str],
    reason: str,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Send `players` on among the equals at a table of a knock-out round. It holds while exactly those are equal there.

    The next round is changed as little as it must where it is drawn. Raises `no_such_table`, `not_equal`, `round_open`
    where it is being played, and `tie_to_decide` where these are too many or too few."""

    def decide(draft: Draft) -> None:
        state = draft.state
        state.check_running()
        at = state.check_round(number)
        if state.round(number + 1).opened_seq is not None:
            raise Refusal(
                "round_open", say("{round} is open: who plays it is decided.", round=state.round(number + 1).name)
            )
        found = next((item for item in before(state, draft.scores, number) if item.number == table), None)
        if found is None:
            raise Refusal(
                "no_such_table", say("There is no table {table} with a result in {round}.", table=table, round=at.name)
            )
        chosen = [draft.scores.who(draft.entered(public_id).pk) for public_id in players]
        place = dict(found.seats)
        places = {place.get(player) for player in chosen}
        if len(set(chosen)) != len(chosen) or places <= {None}:
            raise Invalid("not_equal", say("Name players of that table, each once."))
        if len(places) != 1:
            raise Invalid("not_equal", say("Those named are not equal at that table: the places decide between them."))
        among = sorted(player for player, where in found.seats if where in places)
        draft.add(
            Kind.DECIDED,
            round=number,
            data={"table": table, "players": chosen, "among": among},
            reason=why(Kind.DECIDED, reason),
        )
        _check_decides(draft, number, table)
        redraw_what_must(draft)

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        expected_version=expected_version,
    )


def _check_decides(draft: Draft, number: int, table: int) -> None:
    """Whether the table says now who goes on; other tables may still be undecided."""
    ask, _ = ask_for(draft, number + 1, here={number + 1: None})
    try:
        draft.state.settings_of(number).format.players(ask)
    except FormatError as error:
        if error.data.get("table") == table:
            raise refused(error) from error


def undo(
    *,
    caller: Caller,
    competition: str,
    seq: int,
    reason: str,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Cancel event `seq` of the competition: an entry, withdrawal, draw, opening, closing, adjustment, … or an undo.

    Undoing a closing reopens the round and its tables; undoing an opening needs tables at which nothing was played.
    Raises `no_such_event`, `cannot_undo`, `already_undone`, `tables_played`, and what would contradict the rest."""

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=lambda draft: _undo(draft, seq, reason, door),
        first=lambda _, public_id: _lock_for(public_id, seq),
        expected_version=expected_version,
    )


def reopen_round(
    *,
    caller: Caller,
    competition: str,
    number: int,
    reason: str,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Undo the closing of a round: its tables are open for results and corrections. Raises `round_not_closed`."""

    def decide(draft: Draft) -> None:
        at = draft.state.check_round(number)
        if at.closed_by is None:
            raise Refusal("round_not_closed", say("{round} is not closed.", round=at.name))
        _undo(draft, at.closed_by, reason, door)

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        first=lock_tables(number),
        expected_version=expected_version,
    )


def _undo(draft: Draft, seq: int, reason: str, door: str) -> None:
    target = draft.state.check_undo(seq)
    root = _root(draft, target)
    said = why(Kind.UNDONE, reason)
    if target.kind is Kind.CLOSED:
        assert target.round is not None
        reopen(draft, target.round, seq, said, door)
    if target.kind is Kind.OPENED:
        assert target.round is not None
        take_back_opening(draft, target.round, said, door)
    before = _misplaced(draft)
    draft.add(Kind.UNDONE, round=target.round, player=target.player, data={"seq": seq}, reason=said)
    if target.kind is Kind.UNDONE:
        _check_again(draft, root)
    if target.kind is Kind.ENTERED:
        _check_no_results(draft, target)
    if new := _misplaced(draft) - before:
        number, _ = min(new)
        raise CompetitionError(
            "round_open",
            say(
                "A player of {round}, which is open, would not take part in it: correct it at the table.",
                round=draft.state.round(number).name,
            ),
        )
    redraw_what_must(draft)


def _lock_for(competition: str, seq: int) -> None:
    """Locks the sessions that undoing an event will write, or count again, before their competition."""
    log = Event.objects.filter(competition__public_id=competition)
    found = log.filter(seq=seq).values("kind", "round", "data__seq", "data__session").first()
    if found is not None and found["kind"] in (Kind.OPENED, Kind.CLOSED):
        tables = Table.objects.filter(competition__public_id=competition, round=found["round"] or 0)
        lock_sessions(Session.objects.filter(pk__in=tables.values("session")))
    while found is not None and found["kind"] == Kind.UNDONE:
        found = log.filter(seq=found["data__seq"]).values("kind", "round", "data__seq", "data__session").first()
    if found is not None and found["kind"] == Kind.TABLE_ADDED:
        lock_sessions(Session.objects.filter(pk=found["data__session"]))


def _root(draft: Draft, target: CompetitionEvent) -> CompetitionEvent:
    """What an undo, or the undo of an undo, was about in the first place."""
    by_seq = {event.seq: event for event in draft.state.events}
    while target.kind is Kind.UNDONE:
        target = by_seq[target.data["seq"]]
    return target


def _check_again(draft: Draft, root: CompetitionEvent) -> None:
    """Whether what was undone may stand again, or be undone again."""
    if root.kind in (Kind.OPENED, Kind.CLOSED):
        raise Refusal("cannot_undo", say("Open or close the round again instead."))
    if root.kind is Kind.TABLE_ADDED and root.seq not in draft.state.cancelled:
        assert root.round is not None
        draft.state.check_open(root.round)
        if Table.objects.filter(session=root.data["session"]).exists():
            raise Refusal("already_a_table", say("That session is a table of a competition already."))


def _check_no_results(draft: Draft, entered: CompetitionEvent) -> None:
    """Nobody who sat at a table is made not to have entered."""
    assert entered.player is not None
    who = draft.scores.who(entered.player)
    sat = {share.player for table in draft.scores.tables.values() for seat in table.seats for share in seat.shares}
    if who in set(map(draft.scores.who, sat)) and not draft.entries_of(who):
        raise CompetitionError("already_drawn", say("This player has results here: withdraw them instead."))


def _misplaced(draft: Draft) -> set[tuple[int, int]]:
    """Who sits in an opened round, by its draw, and does not take part in it: (round, player)."""
    state, who = draft.state, draft.scores.who
    found = set()
    for number, at in state.rounds.items():
        if at.opened_seq is None or at.plan is None:
            continue
        part = set(map(who, state.part_of(number))) - set(map(who, state.absent(number)))
        stood_in = state.sits_for(number)
        seated = {int(player) for table in at.plan.tables for player in table}
        found |= {(number, who(player)) for player in seated if player not in stood_in and who(player) not in part}
    return found
