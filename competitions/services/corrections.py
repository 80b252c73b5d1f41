"""Corrections of a competition: points given or taken, ties decided, and anything undone. Each is an event with a
reason. Deals, seats and results are corrected at their table, and the competition follows."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from competitions.results import before
from competitions.services.checking import checked_points, why
from competitions.services.drawing import redraw_what_must
from competitions.services.rounds import lock_tables, reopen, take_back_opening
from competitions.services.writing import Draft, Receipt, write
from competitions.state import Kind
from games.access import Caller
from games.errors import Invalid, Refusal
from games.services.keys import Key


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
        who = draft.entered(player)
        exact = checked_points(points)
        if exact == "0":
            raise Invalid("bad_points", "Points other than 0, please.")
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

    Raises `no_such_table`, `not_equal`."""

    def decide(draft: Draft) -> None:
        state = draft.state
        at = state.check_round(number)
        found = next((item for item in before(state, draft.scores, number) if item.number == table), None)
        if found is None:
            raise Refusal("no_such_table", f"There is no table {table} with a result in {at.name}.")
        chosen = [draft.entered(public_id).pk for public_id in players]
        place = dict(found.seats)
        places = {place.get(player) for player in chosen}
        if len(set(chosen)) != len(chosen) or places <= {None}:
            raise Invalid("not_equal", "Name players of that table, each once.")
        if len(places) != 1:
            raise Invalid("not_equal", "Those named are not equal at that table: the places decide between them.")
        among = sorted(player for player, where in found.seats if where in places)
        draft.add(
            Kind.DECIDED,
            round=number,
            data={"table": table, "players": chosen, "among": among},
            reason=why(Kind.DECIDED, reason),
        )

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        expected_version=expected_version,
    )


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

    def decide(draft: Draft) -> None:
        target = draft.state.check_undo(seq)
        said = why(Kind.UNDONE, reason)
        if target.kind is Kind.UNDONE:
            undone = next(event for event in draft.state.events if event.seq == target.data["seq"])
            if undone.kind in (Kind.OPENED, Kind.CLOSED):
                raise Refusal("cannot_undo", "Open or close the round again instead.")
        if target.kind is Kind.CLOSED:
            assert target.round is not None
            reopen(draft, target.round, seq, said, door)
        if target.kind is Kind.OPENED:
            assert target.round is not None
            take_back_opening(draft, target.round, said, door)
        draft.add(Kind.UNDONE, round=target.round, player=target.player, data={"seq": seq}, reason=said)
        if target.kind in (Kind.ENTERED, Kind.WITHDRAWN, Kind.REINSTATED, Kind.SAT_OUT, Kind.UNDONE):
            redraw_what_must(draft)

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        first=lock_tables(None),
        expected_version=expected_version,
    )
