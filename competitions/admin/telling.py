"""What happened to a competition, in sentences with names."""

from collections.abc import Callable

from competitions.facts import CompetitionEvent, Kind
from competitions.state import CompetitionState
from games.admin.words import counted, points

Name = Callable[[object], str]

CREDITS = {
    "player": "The points go to whoever is entered",
    "substitute": "The points go to the substitute, in a row of his own outside the ranks",
}


def event_sentence(event: CompetitionEvent, state: CompetitionState, name: Name) -> str:
    """What happened, in a sentence."""
    data = event.data
    who = "" if event.player is None else name(event.player)
    at = "" if event.round is None else state.round(event.round).name
    match event.kind:
        case Kind.CREATED:
            return "Made as a copy of an earlier one." if "copied_from" in data else "Competition made."
        case Kind.CONFIGURED:
            changed = [*(key for key in data if key != "settings"), *data.get("settings", {})]
            return f"Settings changed: {', '.join(key.replace('_', ' ') for key in changed)}."
        case Kind.ENTERED:
            first = data.get("from_round", 1)
            return f"{who} entered{f', from round {first} on' if first > 1 else ''}."
        case Kind.WITHDRAWN:
            return f"{who} withdrew, from {at} on."
        case Kind.REINSTATED:
            return f"{who} is back."
        case Kind.SAT_OUT:
            worth = f" ({points(data['points'])} points)" if "points" in data else ""
            return f"{at}: {who} {'has a bye' if data.get('bye') else 'is absent'}{worth}."
        case Kind.SUBSTITUTED:
            credit = "the points are " + (f"{who}’s" if data["credit"] == "player" else "the substitute’s")
            return f"{at}: {name(data['substitute'])} sits for {who}; {credit}."
        case Kind.KEPT_APART:
            return f"{name(data['pair'][0])} and {name(data['pair'][1])} are kept apart."
        case Kind.ROUND_SET:
            return f"{at}: {', '.join(key for key in data)} set."
        case Kind.DRAWN:
            how = "changed for who came or went" if data.get("amended") else f"drawn ({data['how']})"
            return f"{at} was {how}: {counted(len(data['plan']['tables']), 'table')}."
        case Kind.OPENED:
            return f"{at} was opened: {counted(len(data['sessions']), 'table')}."
        case Kind.TABLE_ADDED:
            return f"{at}: table {data['table']} was added."
        case Kind.CLOSED:
            return f"{at} was closed."
        case Kind.DECIDED:
            return f"{at}, table {data['table']}: among equals {', '.join(map(name, data['players']))} went on."
        case Kind.ADJUSTED:
            amount = points(data["points"])
            return f"{amount if amount.startswith('−') else '+' + amount} points for {who}."
        case Kind.PUBLISHED:
            what = f"The draw of {at}" if data["what"] == "draw" else f"Standings after {at}"
            return f"{what} published as number {data['number']}."
        case Kind.UNPUBLISHED:
            return f"Publication {data['number']} was taken back."
        case Kind.FINISHED:
            return "Competition finished."
        case Kind.CORRECTED:
            tables = () if event.round is None else state.round(event.round).tables
            number = next((table.number for table in tables if table.session == data["session"]), None)
            return f"{at}: {'a table' if number is None else f'table {number}'} was corrected."
        case Kind.UNDONE:
            target = next((other for other in state.events if other.seq == data["seq"]), None)
            if target is None or target.kind is Kind.UNDONE:
                return "An undoing was undone."
            return f"Undone: {event_sentence(target, state, name)}"


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
