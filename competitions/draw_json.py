"""What is shown of a draw, and what differs between two of them, as JSON and in sentences with names."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from competitions.seating import Change, Moved, Place, Round, changes
from competitions.state import CompetitionState, plan_json

Json: TypeAlias = dict[str, Any]
Name = Callable[[Any], str]


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
    return Moved(**{**moved, "home": tuple(moved["home"]), "because": tuple(moved["because"])}).sentence(name)


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
    places = (None if at is None else Place(at["table"], at["seat"]) for at in (change["before"], change["after"]))
    return Change(change["round"], change["player"], *places).sentence(name)


def _place_json(place: Place | None) -> Json | None:
    return None if place is None else {"table": place.table, "seat": place.seat}
