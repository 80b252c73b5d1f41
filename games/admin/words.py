"""How rules, schemes, points and events are put to people."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from games.engine.rules import OPTION_VALUES, PROFILES
from games.engine.session import Kind, SessionEvent, SessionState
from scoring.schemes import describe, scheme_from_json


def counted(number: int, thing: str) -> str:
    """So many things: "1 table", "4 tables"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


_OPTION = {
    "deck": "{} cards",
    "ace": "ace {}",
    "start": "{} begins",
    "min_seats": "{} players are enough",
    "wrongful_pass": "wrongful passes {}",
}
_STARTS = {"left_of_dealer": "the seat left of the dealer"} | {
    f"holder:7{suit}": f"the holder of 7{symbol}" for suit, symbol in zip("CDHS", "♣♦♥♠", strict=True)
}
CREDITS = {
    "last": "The new player gets all points of the seat",
    "first": "The first player keeps all points of the seat",
    "deals": "Each gets the points of the deals they played",
}
MODES = {"hosted": "played here", "recorded": "entered card by card", "result": "result only"}


def option_in_words(name: str, value: Any) -> str:
    return _OPTION[name].format(_STARTS.get(value, value))


def profile_in_words(profile: str) -> str:
    differing = ", ".join(option_in_words(name, value) for name, value in PROFILES[profile].items())
    return f"{profile} – {differing or 'the base rules'}"


def rules_in_words(rules: Any) -> str:
    """A session's rules: the profile, and what differs from it."""
    if isinstance(rules, str):
        return rules
    usual = {"deck": 52, "ace": "high", "start": "left_of_dealer", "min_seats": 3, "wrongful_pass": "refused"}
    usual |= PROFILES[rules["profile"]]
    differing = [name for name in OPTION_VALUES if name in rules and rules[name] not in (usual[name], None)]
    return ", ".join([rules["profile"], *(option_in_words(name, rules[name]) for name in differing)])


def scheme_in_words(scheme: Any) -> str:
    """A session's scheme: its title, and the values that differ from what its name says."""
    found = scheme_from_json(scheme)
    title = found.presets[found.name].title if found.name in found.presets else found.title
    short = found.to_json()
    given = [] if isinstance(short, str) else [f"{k.replace('_', ' ')} {v}" for k, v in short.items() if k != "scheme"]
    return ", ".join([title, *given])


def scheme_choices() -> list[tuple[str, str]]:
    """Every scheme and preset by the name that asks for it."""
    choices = []
    for scheme in describe():
        choices.append((scheme["scheme"], f"{scheme['title']} – {scheme['description']}"))
        choices += [(item["scheme"], f"{item['title']} – {item['description']}") for item in scheme["presets"]]
    return choices


def scheme_values() -> list[tuple[str, str]]:
    """For each scheme's title, its values and what they are usually."""
    return [
        (scheme["title"], ", ".join(f"{p['name']}={'…' if p['default'] is None else p['default']}"
                                    for p in scheme["parameters"]))
        for scheme in describe()
    ]  # fmt: skip


def chair(seat: int) -> str:
    """A seat as people count it."""
    return f"seat {seat + 1}"


def points(value: Any) -> str:
    """Exact points (an integer, or a text "n/d") as shown: at most two places, half even; a real minus sign."""
    if value is None:
        return "–"
    exact = Fraction(str(value))
    text = str(int(exact)) if exact.denominator == 1 else f"{float(round(exact, 2)):.2f}"
    return text.replace("-", "−")


def signed(value: int) -> str:
    return f"+{value}" if value > 0 else points(value)


def event_in_words(event: SessionEvent, state: SessionState, name: Callable[[int | None], str]) -> str:
    """What happened, in a sentence. `name` gives the name of a player id."""
    data, seat = event.data, event.seat
    where = chair(seat or 0)
    deal = state.deals.get(event.deal)
    which = f"Deal {deal.number}" if deal else ""
    take = f" (take {deal.take})" if deal and deal.take > 1 else ""

    def sitting() -> str:
        if deal is None:
            return name(state.seated.get(seat)) if seat is not None else ""
        players = state.players_of(deal.number)
        return name(players[seat]) if seat is not None and seat < len(players) else where

    match event.kind:
        case Kind.OPENED:
            return f"Session opened: {rules_in_words(data['rules'])}; {scheme_in_words(data['scheme'])}."
        case Kind.CONFIGURED:
            return f"Settings changed: {_changes(data)}."
        case Kind.SEATED:
            return f"{name(data['player'])} took {where}."
        case Kind.UNSEATED:
            return f"{where.capitalize()} was emptied."
        case Kind.FROZEN:
            return f"Session started with {data['seats']} seats; rules and scheme are fixed."
        case Kind.DEALER_DRAWN:
            return f"{where.capitalize()} ({sitting()}) was drawn as the first dealer."
        case Kind.DEALT:
            return f"{which} was dealt by {sitting()}."
        case Kind.RECORDED:
            return f"{which}{take} was entered card by card."
        case Kind.RESULT_ENTERED:
            return f"The result of {which.lower()}{take} was entered."
        case Kind.VOIDED:
            return f"{which} was voided."
        case Kind.CONFIRMED:
            return f"{which}{take} was confirmed."
        case Kind.SUBSTITUTED:
            return f"{name(data['player'])} sits in {where} from deal {data['from_number']} on."
        case Kind.RESEATED:
            last = data["to_number"]
            until = "on" if last is None else f"to {last}"
            chairs = ", ".join(
                f"{name(player)} in {chair(int(seat))}" for seat, player in sorted(data["seats"].items())
            )
            return f"From deal {data['from_number']} {until} there sat: {chairs}."
        case Kind.ADJUSTED:
            return f"{signed(data['points'])} points for {where}."
        case Kind.CLOSED:
            return "Session closed."
        case Kind.UNDONE:
            target = next(other for other in state.events if other.seq == data["seq"])
            what = "an undoing." if target.kind is Kind.UNDONE else event_in_words(target, state, name)
            return f"Undone: {what}"
        case _:
            return event.kind.name.replace("_", " ").capitalize() + "."


def _changes(data: dict[str, Any]) -> str:
    parts = []
    if "label" in data:
        parts.append(f"name {data['label']}")
    if "rules" in data:
        parts.append(f"rules {rules_in_words(data['rules'])}")
    if "scheme" in data:
        parts.append(f"scheme {scheme_in_words(data['scheme'])}")
    parts += [f"{key.replace('_', ' ')}: {_setting(value)}" for key, value in data.get("settings", {}).items()]
    return ", ".join(parts)


def _setting(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value in (None, "") else str(value)
