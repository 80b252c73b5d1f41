"""What a write to a competition answers with, rebuilt from the log up to the write's last event.

An answer is a pure function of (competition, seq), so a request that is sent again under its key gets the same bytes:
nothing in it can be edited later (a name, a reason).
"""

from typing import Any

from competitions import eventlog, showing
from competitions.facts import CompetitionEvent, Kind
from competitions.models import Competition
from games.models import Player, Session

SHOWN = 200
"""Events of one write that an answer lists; entering a thousand people is one write."""


def of_write(competition: str, seq: int) -> dict[str, Any]:
    """The events of the write that ended with event `seq`: those by the same actor at the same moment, the last SHOWN;
    and its `effects` where it keeps them (see showing.effects_public), else None. Five statements.

    A request that had nothing to change appended nothing: it is answered with the change before it."""
    row = Competition.objects.get(public_id=competition)
    until = eventlog.page(row.pk, after=max(0, seq - SHOWN), limit=min(seq, SHOWN))
    last = until[-1]
    written = [event for event in until if (event.at, event.actor) == (last.at, last.actor)]
    changed = eventlog.effects(row.pk, seq)
    return {
        "competition": competition,
        "seq": seq,
        "events": public_events(row, written),
        "effects": None if changed is None else showing.effects_public(changed),
    }


def public_events(competition: Competition, events: list[CompetitionEvent]) -> list[dict[str, Any]]:
    """Events without what followed from them, people and sessions by their public ids. Two statements."""
    players = dict(Player.objects.filter(club=competition.club_id).values_list("pk", "public_id"))
    sessions = dict(Session.objects.filter(competition_table__competition=competition).values_list("pk", "public_id"))
    return [
        {
            "seq": event.seq,
            "kind": event.kind.name.lower(),
            "round": event.round,
            "player": None if event.player is None else players.get(event.player),
            "at": event.at,
            "data": _data(event, players, sessions),
        }
        for event in events
    ]


def _data(event: CompetitionEvent, players: dict[int, str], sessions: dict[int, str]) -> dict[str, Any]:
    """What an event says, without what follows from it, and with public ids."""
    data = dict(event.data)
    match event.kind:
        case Kind.CREATED:
            data.pop("seed", None)  # who knows it knows the draws to come
        case Kind.DRAWN:
            plan = data["plan"]
            return {
                "tables": [[players[player] for player in table] for table in plan["tables"]],
                "sitting_out": [players[player] for player in plan["sitting_out"]],
                "how": data["how"],
                "report": data["report"],
            }
        case Kind.SUBSTITUTED:
            data["substitute"] = players[data["substitute"]]
        case Kind.KEPT_APART:
            data["pair"] = [players[player] for player in data["pair"]]
        case Kind.OPENED:
            return {"sessions": [sessions.get(session) for session in data["sessions"]]}
        case Kind.TABLE_ADDED:
            data["session"] = sessions.get(data["session"])
        case Kind.CLOSED:
            return {}
        case Kind.DECIDED:
            return {"table": data["table"], "players": [players[player] for player in data["players"]]}
        case Kind.CORRECTED:
            return {"session": sessions.get(data["session"]), "seq": data["seq"]}
        case Kind.UNDONE:
            return {"undone": data["seq"]}
    return data
