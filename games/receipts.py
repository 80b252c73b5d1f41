"""What a write answers with, rebuilt from the log up to the write's last event.

An answer is a pure function of (session, seq), so a request that is sent again under its key gets the same bytes,
however far the session has moved on. Nothing here tells of a hand, or can be edited later (a name, a reason).
"""

from datetime import datetime
from typing import Any

from games import eventlog
from games.engine.deal import Deal, action_text
from games.engine.session_events import MODES, Kind, SessionEvent, players_named
from games.models import Player, Session

HIDDEN = ("kept", "extra")
"""What a record brought along, which the record itself gives back."""


def of_action(session: str, seq: int) -> dict[str, Any]:
    """The action that is event `seq` of the session, and what followed from it. Two statements."""
    row, logged = eventlog.action_at(session, seq)
    deal = eventlog.replay_row(row.session, row, logged)
    assert deal is not None
    last = logged[-1]
    return action_answer(session, seq, number=row.number, seat=last.seat, at=last.at, deal=deal)


def action_answer(session: str, seq: int, *, number: int, seat: int, at: datetime, deal: Deal) -> dict[str, Any]:
    """The same of an action whose deal (number `number`, as the action left it) is at hand. No statement."""
    return {
        "session": session,
        "seq": seq,
        "deal": number,
        "seat": seat,
        "action": action_text(deal.log[-1]),
        "at": at,
        "deal_over": deal.over,
        "winner": deal.winner,
        "to_act": deal.to_act,
    }


def of_write(session: str, seq: int) -> dict[str, Any]:
    """The session's own events of the write that ended with event `seq`: those by the same actor at the same moment.

    A request that had nothing to change appended nothing: it is answered with the change before it."""
    events = eventlog.own_events(Session.objects.values_list("pk", flat=True).get(public_id=session))
    until = [event for event in events if event.seq <= seq]
    last = until[-1]
    first = len(until)
    while first and (until[first - 1].at, until[first - 1].actor) == (last.at, last.actor):
        first -= 1
    written = until[first:]
    numbers = deal_numbers(until)
    players = public_players(written)
    return {"session": session, "seq": seq, "events": [public_event(event, numbers, players) for event in written]}


def deal_numbers(events: list[SessionEvent]) -> dict[int, int]:
    """The number that players count, by the deal's ordinal in the log."""
    return {event.deal: event.data["number"] for event in events if event.kind in MODES}


def public_players(events: list[SessionEvent]) -> dict[int, str]:
    """Public ids of the players that events name by row; no statement where none is named."""
    named = set().union(*(players_named(event.data) for event in events))
    return dict(Player.objects.filter(pk__in=named).values_list("pk", "public_id")) if named else {}


def public_event(event: SessionEvent, numbers: dict[int, int], players: dict[int, str]) -> dict[str, Any]:
    """One of the session's own events as everybody may see it. `data` depends on the kind."""
    data = {name: value for name, value in event.data.items() if name not in HIDDEN}
    if "player" in data:
        data["player"] = players[data["player"]]
    if event.kind is Kind.RESEATED:
        data["seats"] = {seat: players[player] for seat, player in data["seats"].items()}
    if event.kind is Kind.UNDONE:
        data = {"undone": data["seq"]}
    return {
        "seq": event.seq,
        "kind": event.kind.name.lower(),
        "deal": numbers.get(event.deal),
        "seat": event.seat,
        "at": event.at,
        "data": data,
    }
