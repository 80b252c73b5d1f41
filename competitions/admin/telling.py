"""What happened to a competition, in sentences with names."""

from collections.abc import Callable, Iterable
from typing import Any

from django.utils.translation import gettext_lazy

from competitions.facts import CompetitionEvent, Kind
from competitions.state import CompetitionState
from games.admin.words import listed, points
from games.wording import Text
from scoring.wording import mark, say, say_n

Name = Callable[[object], str]

CREDITS: dict[str, Text] = {
    "player": gettext_lazy("The points go to whoever is entered"),
    "substitute": gettext_lazy("The points go to the substitute, in a row of his own outside the ranks"),
}
_SETTINGS: dict[str, str] = {
    "name": say("name"),
    "season": say("season"),
    "kind": say("kind"),
    "starts_on": say("first day"),
    "ends_on": say("last day"),
    "format": say("format"),
    "rules": say("rules"),
    "scheme": say("scoring"),
    "points": say("points"),
    "best": say("best rounds"),
    "drop": say("worst rounds"),
    "absence": say("missed rounds"),
    "bye": say("sitting out"),
    "tie_breaks": say("tie-breaks"),
    "unranked": say("who has no place"),
    "tables": say("tables"),
    "rounds": say("rounds"),
    "deals": say("deals"),
    "confirm": say("second person confirms"),
    "slip_entry": say("results from phones"),
    "public": say("public"),
    "deal_after": say("seconds until the next deal"),
    "turn_seconds": say("seconds for a turn"),
    "stand_in": say("stand-in bot"),
    "title": say("title"),
    "day": say("day"),
    "overrides": say("its own settings"),
}


def settings_named(keys: Iterable[str]) -> str:
    """What people call settings, one after the other."""
    return listed(_SETTINGS.get(key, key.replace("_", " ")) for key in keys)


def event_sentence(event: CompetitionEvent, state: CompetitionState, name: Name) -> str:
    """What happened, in a sentence that can be said in another language."""
    data = event.data
    who = "" if event.player is None else name(event.player)
    at = "" if event.round is None else state.round(event.round).name
    match event.kind:
        case Kind.CREATED:
            return say("Made as a copy of an earlier one.") if "copied_from" in data else say("Competition made.")
        case Kind.CONFIGURED:
            changed = [*(key for key in data if key != "settings"), *data.get("settings", {})]
            return say("Settings changed: {settings}.", settings=settings_named(changed))
        case Kind.ENTERED:
            first = data.get("from_round", 1)
            if first > 1:
                return say("{player} entered, from round {number} on.", player=who, number=first)
            return say("{player} entered.", player=who)
        case Kind.WITHDRAWN:
            return say("{player} withdrew, from {round} on.", player=who, round=at)
        case Kind.REINSTATED:
            return say("{player} is back.", player=who)
        case Kind.SAT_OUT:
            return _sat_out(data, who, at)
        case Kind.SUBSTITUTED:
            if data["credit"] == "player":
                said = mark("{round}: {substitute} sits for {player}, who gets the points.")
            else:
                said = mark("{round}: {substitute} sits for {player} and gets the points.")
            return say(said, round=at, substitute=name(data["substitute"]), player=who)
        case Kind.KEPT_APART:
            one, other = map(name, data["pair"])
            return say("{player} and {other} are kept apart.", player=one, other=other)
        case Kind.ROUND_SET:
            return say("{round}: {settings} set.", round=at, settings=settings_named(data))
        case Kind.DRAWN:
            return _drawn(data, at)
        case Kind.OPENED:
            count = len(data["sessions"])
            return say_n("{round} was opened: {n} table.", "{round} was opened: {n} tables.", count, round=at)
        case Kind.TABLE_ADDED:
            return say("{round}: table {table} was added.", round=at, table=data["table"])
        case Kind.CLOSED:
            return say("{round} was closed.", round=at)
        case Kind.DECIDED:
            players = ", ".join(map(name, data["players"]))
            return say(
                "{round}, table {table}: among equals {players} went on.",
                round=at,
                table=data["table"],
                players=players,
            )
        case Kind.ADJUSTED:
            amount = points(data["points"])
            signed = amount if amount.startswith("−") else f"+{amount}"
            return say("{points} points for {player}.", points=signed, player=who)
        case Kind.PUBLISHED:
            said = (
                mark("The draw of {round} published as number {number}.")
                if data["what"] == "draw"
                else mark("Standings after {round} published as number {number}.")
            )
            return say(said, round=at, number=data["number"])
        case Kind.UNPUBLISHED:
            return say("Publication {number} was taken back.", number=data["number"])
        case Kind.FINISHED:
            return say("Competition finished.")
        case Kind.CORRECTED:
            tables = () if event.round is None else state.round(event.round).tables
            number = next((table.number for table in tables if table.session == data["session"]), None)
            if number is None:
                return say("{round}: a table was corrected.", round=at)
            return say("{round}: table {table} was corrected.", round=at, table=number)
        case Kind.UNDONE:
            target = next((other for other in state.events if other.seq == data["seq"]), None)
            if target is None or target.kind is Kind.UNDONE:
                return say("An undoing was undone.")
            return say("Undone: {what}", what=event_sentence(target, state, name))


def _sat_out(data: dict[str, Any], who: str, at: str) -> str:
    if "points" in data:
        worth = points(data["points"])
        if data.get("bye"):
            return say("{round}: {player} has a bye ({points} points).", round=at, player=who, points=worth)
        return say("{round}: {player} is absent ({points} points).", round=at, player=who, points=worth)
    if data.get("bye"):
        return say("{round}: {player} has a bye.", round=at, player=who)
    return say("{round}: {player} is absent.", round=at, player=who)


def _drawn(data: dict[str, Any], at: str) -> str:
    count = len(data["plan"]["tables"])
    if data.get("amended"):
        return say_n(
            "{round} was changed for who came or went: {n} table.",
            "{round} was changed for who came or went: {n} tables.",
            count,
            round=at,
        )
    if data["how"] == "by hand":
        return say_n(
            "{round} was seated by hand: {n} table.", "{round} was seated by hand: {n} tables.", count, round=at
        )
    return say_n("{round} was drawn: {n} table.", "{round} was drawn: {n} tables.", count, round=at)


def named_by(event: CompetitionEvent, state: CompetitionState) -> set[int]:
    """Whom the sentence names."""
    data = event.data
    found = {player for player in (event.player, data.get("substitute")) if player is not None}
    if event.kind in (Kind.KEPT_APART, Kind.DECIDED):
        found |= {*data.get("pair", ()), *data.get("players", ())}
    if event.kind is Kind.UNDONE:
        target = next((other for other in state.events if other.seq == data["seq"]), None)
        if target is not None and target.kind is not Kind.UNDONE:
            found |= named_by(target, state)
    return found
