"""Draws as JSON, and what differs between two of them, as JSON and in sentences with names.

A round is `{"round": 3, "tables": [[5, 2, 9, 4], [8, 1, 7]], "sitting_out": [6]}`: players by id, table 1 first and at
each its seat 1 first.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from competitions.seating import BadDraw, Moved, Place, Player, Round, changes
from competitions.seating.rounds import check_rounds
from competitions.state import CompetitionState, plan_json

Json: TypeAlias = dict[str, Any]
Name = Callable[[Any], str]


def draw_json(rounds: Sequence[Round], *, first: int = 1) -> list[Json]:
    """The rounds as JSON; `first` is the number of the first one given."""
    return [
        {"round": number, "tables": [list(table) for table in each.tables], "sitting_out": list(each.sitting_out)}
        for number, each in enumerate(rounds, first)
    ]


def draw_from_json(stored: object) -> tuple[Round, ...]:
    """The rounds that were written. Raise BadDraw where they are none, are not numbered one after the other, or seat
    somebody twice: a draw may have been edited by hand."""
    if not isinstance(stored, list):
        raise BadDraw("A draw is a list of rounds.")
    rounds = []
    for index, item in enumerate(stored):
        if not isinstance(item, dict) or set(item) != {"round", "tables", "sitting_out"}:
            raise BadDraw('A round of a draw has "round", "tables" and "sitting_out", and nothing else.')
        number, tables = item["round"], item["tables"]
        if type(number) is not int or number < 1 or number != stored[0]["round"] + index:
            raise BadDraw("The rounds of a draw are numbered one after the other.")
        if not isinstance(tables, list):
            raise BadDraw(f"Round {number}: tables are a list of lists of players.")
        rounds.append(Round(tuple(_people(one, number) for one in tables), _people(item["sitting_out"], number)))
    check_rounds(rounds, first=stored[0]["round"] if stored else 1)
    return tuple(rounds)


def content_of(state: CompetitionState, number: int) -> Json:
    """All that is shown of a drawn round, as its publication keeps it; players by id.

    `{"plan", "substitutes", "title", "day", "how", "report", "lines", "moved"}`."""
    at = state.round(number)
    assert at.plan is not None
    return {
        "plan": plan_json(at.plan),
        "substitutes": {str(player): by for player, by in state.sits_for(number).items()},
        "title": at.title,
        "day": None if at.day is None else at.day.isoformat(),
        "how": at.draw["how"],
        "report": at.draw["report"],
        "lines": at.draw["lines"],
        "moved": at.draw["moved"],
    }


def moved_sentence(moved: Mapping[str, Any], name: Name) -> str:
    """Why somebody sits with another group than his own, for people."""
    because = tuple(map(name, moved["because"]))
    return str(Moved(**{**moved, "player": name(moved["player"]), "home": tuple(moved["home"]), "because": because}))


def draw_changes(before: Sequence[Round], after: Sequence[Round], *, first: int = 1) -> list[Json]:
    """Every player's change from one draw of these rounds to another, by round and player; `first` is the number of the
    first round given.

    Each is `{"round", "player", "kind", "before", "after"}`. The kind is `joins`, `leaves`, `sits_out`, `plays`,
    `table` or `seat`. A place is `{"table", "seat"}`, counted from 1, both null for who sits out; or null for who is
    not in the round.
    """
    return [
        {
            "round": change.round,
            "player": change.player,
            "kind": change.kind,
            "before": _place_json(change.before),
            "after": _place_json(change.after),
        }
        for change in changes(before, after, first=first)
    ]


def change_sentence(change: Mapping[str, Any], name: Name) -> str:
    """One of `draw_changes` for people: "Round 3: Ann from table 2 seat 1 to table 4 seat 3."."""
    start, before, after = f"Round {change['round']}: {name(change['player'])}", change["before"], change["after"]
    if before is None:
        return f"{start} joins, {_told(after)}."
    if after is None:
        return f"{start} leaves ({_told(before)})."
    return f"{start} from {_told(before)} to {_told(after)}."


def _people(value: object, number: int) -> tuple[Player, ...]:
    if not isinstance(value, list) or not all(type(player) in (int, str) for player in value):
        raise BadDraw(f"Round {number}: the players of a table, and those who sit out, are a list of ids.")
    return tuple(value)


def _place_json(place: Place | None) -> Json | None:
    return None if place is None else {"table": place.table, "seat": place.seat}


def _told(place: Mapping[str, Any]) -> str:
    return str(Place(place["table"], place["seat"]))
