"""What an operation changed: places, totals, tie-breaks, draws, and the draws that were made from older standings.

A preview and the record of a correction are the same comparison of two looks, one before and one after. Pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from competitions.comparing import NAMED, Name, compare, told
from competitions.draw_json import change_sentence
from competitions.results import Scores, levels, standing_of
from competitions.seating import Round, changes
from competitions.state import CompetitionState
from scoring.standings import Standings
from scoring.wording import Listed, say_n

Levels = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Look:
    """A competition at one moment: its standings, and its draws; of those by standing what they were drawn by.

    `standings`: None where only the draws are looked at."""

    state: CompetitionState
    scores: Scores
    standings: Standings | None
    plans: Mapping[int, Round]
    status: Mapping[int, str]
    drawn_by: Mapping[int, Levels]


def look(state: CompetitionState, scores: Scores, *, standings: bool = True) -> Look:
    """What there is to compare, now; without `standings` the draws alone."""
    plans = {number: at.plan for number, at in sorted(state.rounds.items()) if at.plan is not None}
    drawn_by = {
        number: tuple(map(tuple, state.round(number).draw["levels"]))
        for number in plans
        if state.round(number).draw.get("levels")
    }
    return Look(
        state=state,
        scores=scores,
        standings=standing_of(state, scores) if standings else None,
        plans=plans,
        status={number: state.round(number).status for number in plans},
        drawn_by=drawn_by,
    )


def levels_before(state: CompetitionState, scores: Scores, number: int, *, as_drawn: bool = False) -> Levels:
    """The standings that a draw of a round goes by: after the rounds before it, everybody ranked.

    `as_drawn`: without points that were given after the standing draw, which they were not meant for."""
    drawn = state.round(number).drawn_seq if as_drawn else None
    return levels(standing_of(state, scores, upto=number - 1, all_ranked=True, before=drawn))


def effects(before: Look, after: Look) -> dict[str, Any]:
    """What changed, as JSON with the ids of players; empty lists where nothing did.

    - `standings`: a competitions.comparing.RowChange each.
    - `draws`: who sits elsewhere, by round: {"round", "player", "before", "after"}, places as [table, seat] from 1,
      null for sitting out; who was not or is no longer in the round has "joins" or "leaves" in place of a place.
    - `outdated`: rounds whose draw went by standings that are no longer what they were, with the players who would
      come to another level: {"round", "status", "players"}.
    """
    return {
        "standings": []
        if after.standings is None
        else [change.to_json() for change in compare(before.standings, after.standings)],
        "draws": [
            change
            for number in sorted(before.plans.keys() | after.plans.keys())
            for change in draw_differences(number, before.plans.get(number), after.plans.get(number))
        ],
        "outdated": [] if after.standings is None else list(_outdated_draws(before, after)),
    }


def _outdated_draws(before: Look, after: Look) -> Iterator[dict[str, Any]]:
    first = _first_changed(before, after)
    for number, drawn_by in sorted(after.drawn_by.items()):
        if first is None or number <= first:
            continue  # what it went by is what it was
        levels = levels_before(after.state, after.scores, number, as_drawn=True)
        then = drawn_by
        if number in before.drawn_by:
            then = levels_before(before.state, before.scores, number, as_drawn=True)
        if levels != drawn_by and (moved := _moved(then, levels)):
            yield {"round": number, "status": after.status[number], "players": moved}


def _first_changed(before: Look, after: Look) -> int | None:
    """The first round of which anything that standings are made from has changed; 0 where that is of no round."""

    def whole(one: Look) -> object:
        return (one.state.entries, one.state.adjustments, one.state.settings_json, one.scores.keepers)

    def of_round(one: Look, number: int) -> object:
        at, state = one.state.round(number), one.state
        return (
            [(table, one.scores.tables.get(table.session)) for table in at.tables],
            (at.closed_by is None, at.overrides, at.plan if at.opened_seq is not None else None),
            [item for (n, _), item in state.sit_outs.items() if n == number],
            state.substitutes(number),
        )

    if whole(before) != whole(after):
        return 0
    numbers = sorted(before.state.rounds.keys() | after.state.rounds.keys())
    return next((number for number in numbers if of_round(before, number) != of_round(after, number)), None)


def nothing(found: Mapping[str, Sequence[Any]]) -> bool:
    """Whether effects say that nothing changed."""
    return not any(found.values())


def sentences(found: Mapping[str, Any], name: Name) -> dict[str, list[str]]:
    """The same for people, under the same keys."""
    return {
        "standings": [told(change, name) for change in found["standings"]],
        "draws": [_draw_sentence(change, name) for change in found["draws"]],
        "outdated": [_outdated(one, name) for one in found["outdated"]],
    }


def _draw_sentence(change: Mapping[str, Any], name: Name) -> str:
    def place(value: Any, none: str) -> dict[str, Any] | None:
        table, seat = value if isinstance(value, list) else (None, None)
        return None if value == none else {"table": table, "seat": seat}

    at = {"before": place(change["before"], "joins"), "after": place(change["after"], "leaves")}
    return change_sentence({**change, **at}, name)


def _outdated(one: Mapping[str, Any], name: Name) -> str:
    players, number = one["players"], one["round"]
    who: str = (
        say_n("{n} player", "{n} players", len(players)) if len(players) > NAMED else Listed(map(name, players), ", ")
    )
    if one["status"] == "drawn":
        return say_n(
            "Round {number} was drawn by older standings: {players} stands elsewhere now. "
            "Draw it again if it should follow them.",
            "Round {number} was drawn by older standings: {players} stand elsewhere now. "
            "Draw it again if it should follow them.",
            len(players),
            number=number,
            players=who,
        )
    return say_n(
        "Round {number} was drawn by older standings: {players} stands elsewhere now. It stays as it was played.",
        "Round {number} was drawn by older standings: {players} stand elsewhere now. It stays as it was played.",
        len(players),
        number=number,
        players=who,
    )


def draw_differences(number: int, before: Round | None, after: Round | None) -> list[dict[str, Any]]:
    """Who sits elsewhere in one of two draws of a round, in the form of `effects`."""
    found = changes([before] if before else [], [after] if after else [], first=number)
    return [
        {
            "round": change.round,
            "player": change.player,
            "before": "joins" if change.before is None else _place(change.before.table, change.before.seat),
            "after": "leaves" if change.after is None else _place(change.after.table, change.after.seat),
        }
        for change in found
    ]


def _place(table: int | None, seat: int | None) -> list[int] | None:
    return None if table is None or seat is None else [table, seat]


def _moved(before: Levels, after: Levels) -> list[int]:
    """Who stands on another level: how many stand above him, or with him, has changed."""

    def heights(levels: Levels) -> dict[int, tuple[int, int]]:
        above, found = 0, {}
        for level in levels:
            found.update(dict.fromkeys(level, (above, len(level))))
            above += len(level)
        return found

    then, now = heights(before), heights(after)
    return sorted(player for player in then.keys() | now.keys() if then.get(player) != now.get(player))
