"""How rules, schemes, points and events are put to people."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.access import seat_of
from games.engine.rules import OPTION_VALUES, PROFILES, usual_scheme
from games.engine.session import SessionState
from games.engine.session_events import Kind, SessionEvent
from games.wording import Text
from scoring.schemes import describe, scheme_from_json
from scoring.wording import Listed, Said, say, say_n

_OPTIONS: dict[tuple[str, Any], Text] = {
    ("deck", 52): gettext_lazy("52 cards"),
    ("deck", 32): gettext_lazy("32 cards"),
    ("ace", "high"): gettext_lazy("ace high"),
    ("ace", "low"): gettext_lazy("ace low"),
    ("start", "left_of_dealer"): gettext_lazy("the seat left of the dealer begins"),
    ("start", "holder:7C"): gettext_lazy("the holder of 7♣ begins"),
    ("start", "holder:7D"): gettext_lazy("the holder of 7♦ begins"),
    ("start", "holder:7H"): gettext_lazy("the holder of 7♥ begins"),
    ("start", "holder:7S"): gettext_lazy("the holder of 7♠ begins"),
    ("min_seats", 2): gettext_lazy("2 players are enough"),
    ("min_seats", 3): gettext_lazy("3 players are enough"),
    ("wrongful_pass", "refused"): gettext_lazy("wrongful passes refused"),
    ("wrongful_pass", "fined"): gettext_lazy("wrongful passes fined"),
}
_PARAMETERS: dict[str, Text] = {
    "target": pgettext_lazy("value of a scoring", "target"),
    "ante": pgettext_lazy("value of a scoring", "ante"),
    "ante_short": pgettext_lazy("value of a scoring", "ante short"),
    "forced_pass": pgettext_lazy("value of a scoring", "forced pass"),
    "wrongful_pass": pgettext_lazy("value of a scoring", "wrongful pass"),
    "withheld_seven": pgettext_lazy("value of a scoring", "withheld seven"),
    "card_left": pgettext_lazy("value of a scoring", "card left"),
    "deals": pgettext_lazy("value of a scoring", "deals"),
}
_SETTINGS: dict[str, Text] = {
    "public": pgettext_lazy("setting of a session", "public"),
    "deals_planned": pgettext_lazy("setting of a session", "deals planned"),
    "confirm": pgettext_lazy("setting of a session", "second person confirms"),
    "self_seating": pgettext_lazy("setting of a session", "members seat themselves"),
    "spectator_delay": pgettext_lazy("setting of a session", "spectators’ delay in seconds"),
    "deal_after": pgettext_lazy("setting of a session", "seconds until the next deal"),
    "turn_seconds": pgettext_lazy("setting of a session", "seconds for a turn"),
    "stand_in": pgettext_lazy("setting of a session", "stand-in bot"),
}
CREDITS: dict[str, Text] = {
    "last": gettext_lazy("The new player gets all points of the seat"),
    "first": gettext_lazy("The first player keeps all points of the seat"),
    "deals": gettext_lazy("Each gets the points of the deals they played"),
}
MODES: dict[str, Text] = {
    "hosted": gettext_lazy("played here"),
    "recorded": gettext_lazy("entered card by card"),
    "result": gettext_lazy("result only"),
}


def option_in_words(name: str, value: Any) -> str:
    return str(_OPTIONS[name, value])


def profile_in_words(profile: str) -> str:
    """A rules profile by its name, with what tells it from others: the rules that differ, and its usual scoring."""
    differing = [option_in_words(name, value) for name, value in PROFILES[profile].items()] or [_("the base rules")]
    return _("{profile} – {rules}; usually scored by “{scheme}”").format(
        profile=profile, rules=", ".join(differing), scheme=scheme_in_words(usual_scheme(profile))
    )


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
    given = [] if isinstance(short, str) else [(k, v) for k, v in short.items() if k != "scheme"]
    return ", ".join([_(title), *(f"{_PARAMETERS.get(k, k.replace('_', ' '))} {v}" for k, v in given)])


def scheme_choices() -> list[tuple[str, str]]:
    """Every scheme and preset by the name that asks for it."""
    items = [item for scheme in describe() for item in (scheme, *scheme["presets"])]
    return [(item["scheme"], " – ".join([_(item["title"]), _(item["description"])])) for item in items]


def scheme_values() -> list[tuple[str, str]]:
    """For each scheme's title, its values and what they are usually."""
    return [
        (_(scheme["title"]), ", ".join(f"{p['name']}={'…' if p['default'] is None else p['default']}"
                                       for p in scheme["parameters"]))
        for scheme in describe()
    ]  # fmt: skip


def chair(seat: int) -> str:
    """A seat as people count it."""
    return _("seat {number}").format(number=seat + 1)


def account(username: str, names: Sequence[str] = ()) -> str:
    """Who did something: an account by its name; whoever entered a result from the table's score slip by seat, and by
    name where it is known who sat there."""
    seat = seat_of(username)
    if seat is None:
        return username
    if seat < len(names):
        return _("seat {seat} ({name}), at the table").format(seat=seat + 1, name=names[seat])
    return _("seat {seat}, at the table").format(seat=seat + 1)


def points(value: Any) -> str:
    """Exact points (an integer, or a text "n/d") as shown: at most two places, half even; a real minus sign."""
    if value is None:
        return "–"
    exact = Fraction(str(value))
    rounded = Decimal(round(exact * 100)) / 100
    text = str(int(exact)) if exact.denominator == 1 else number_format(rounded, 2)
    return text.replace("-", "−")


def signed(value: int) -> str:
    return f"+{value}" if value > 0 else points(value)


def points_for(value: int, who: str) -> Said:
    """Points given or taken, in a sentence."""
    return say_n(
        "{points} point for {name}.", "{points} points for {name}.", abs(value), points=signed(value), name=who
    )


def listed(parts: Iterable[str]) -> Listed:
    """Things in a row, without a last "and"."""
    return Listed(parts, ", ")


def event_in_words(event: SessionEvent, state: SessionState, name: Callable[[int | None], str]) -> str:
    """What happened, in a sentence to be `said`. `name` gives the name of a player id."""
    data, seat = event.data, event.seat
    number = (seat or 0) + 1
    deal = state.deals.get(event.deal)
    which = deal.number if deal else 0
    take = deal.take if deal else 1

    def sitting() -> str:
        if deal is None:
            return name(state.seated.get(number - 1))
        players = state.players_of(deal.number)
        return name(players[number - 1]) if number <= len(players) else chair(number - 1)

    match event.kind:
        case Kind.OPENED:
            rules, scheme = rules_in_words(data["rules"]), scheme_in_words(data["scheme"])
            return say("Session opened: {rules}; {scheme}.", rules=rules, scheme=scheme)
        case Kind.CONFIGURED:
            return say("Settings changed: {changes}.", changes=_changes(data))
        case Kind.SEATED:
            return say("{name} took seat {number}.", name=name(data["player"]), number=number)
        case Kind.UNSEATED:
            return say("Seat {number} was emptied.", number=number)
        case Kind.FROZEN:
            return say_n(
                "Session started with {n} seat; rules and scheme are fixed.",
                "Session started with {n} seats; rules and scheme are fixed.",
                data["seats"],
            )
        case Kind.DEALER_DRAWN:
            return say("Seat {number} ({name}) was drawn as the first dealer.", number=number, name=sitting())
        case Kind.DEALT:
            return say("Deal {deal} was dealt by {name}.", deal=which, name=sitting())
        case Kind.RECORDED if take > 1:
            return say("Deal {deal} (take {take}) was entered card by card.", deal=which, take=take)
        case Kind.RECORDED:
            return say("Deal {deal} was entered card by card.", deal=which)
        case Kind.RESULT_ENTERED if take > 1:
            return say("The result of deal {deal} (take {take}) was entered.", deal=which, take=take)
        case Kind.RESULT_ENTERED:
            return say("The result of deal {deal} was entered.", deal=which)
        case Kind.VOIDED:
            return say("Deal {deal} was voided.", deal=which)
        case Kind.CONFIRMED if take > 1:
            return say("Deal {deal} (take {take}) was confirmed.", deal=which, take=take)
        case Kind.CONFIRMED:
            return say("Deal {deal} was confirmed.", deal=which)
        case Kind.SUBSTITUTED:
            who, first = name(data["player"]), data["from_number"]
            return say("{name} sits in seat {number} from deal {deal} on.", name=who, number=number, deal=first)
        case Kind.RESEATED:
            first, last = data["from_number"], data["to_number"]
            chairs = listed(
                say("{name} in seat {number}", name=name(player), number=int(at) + 1)
                for at, player in sorted(data["seats"].items())
            )
            if last is None:
                return say("From deal {first} on there sat: {chairs}.", first=first, chairs=chairs)
            return say("From deal {first} to {last} there sat: {chairs}.", first=first, last=last, chairs=chairs)
        case Kind.ADJUSTED:
            return say_n(
                "{points} point for seat {number}.",
                "{points} points for seat {number}.",
                abs(data["points"]),
                points=signed(data["points"]),
                number=number,
            )
        case Kind.CLOSED:
            return say("Session closed.")
        case Kind.UNDONE:
            target = next(other for other in state.events if other.seq == data["seq"])
            if target.kind is Kind.UNDONE:
                return say("Undone: an undoing.")
            return say("Undone: {event}", event=event_in_words(target, state, name))
        case _:
            return event.kind.name.replace("_", " ").capitalize() + "."


def _changes(data: dict[str, Any]) -> str:
    parts = []
    if "label" in data:
        parts.append(_("name {name}").format(name=data["label"]))
    if "rules" in data:
        parts.append(_("rules {rules}").format(rules=rules_in_words(data["rules"])))
    if "scheme" in data:
        parts.append(_("scheme {scheme}").format(scheme=scheme_in_words(data["scheme"])))
    parts += [f"{_SETTINGS.get(key, key)}: {_setting(value)}" for key, value in data.get("settings", {}).items()]
    return ", ".join(parts)


def _setting(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return _("none") if value in (None, "") else str(value)
