"""What a competition is played by: format, rules, points, tables and clocks, read from JSON and checked together."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from competitions.formats import Format, FormatError, format_from_json
from competitions.seating import TableRule
from games import bots
from games.engine.rules import MAX_SEATS, Rules, usual_scheme
from scoring import entries
from scoring.points import LARGEST, NUMBER, PointsRule, exact, points_rule
from scoring.result import Points
from scoring.schemes import Scheme, scheme_from_json
from scoring.schemes.base import shown
from scoring.tiebreaks import tie_breaks
from scoring.wording import say, say_n

DEFAULTS: dict[str, Any] = {
    "format": "league-night",
    "rules": "pagat",
    "scheme": None,
    "points": "neutral",
    "best": None,
    "drop": 0,
    "absence": None,
    "tie_breaks": [],
    "unranked": sorted(entries.MARKS),
    "bye": None,
    "tables": {"preferred": 4, "smallest": 3, "largest": 5, "tables": None, "full_only": False},
    "rounds": None,
    "deals": None,
    "deal_after": None,
    "turn_seconds": None,
    "stand_in": "",
    "confirm": False,
    "slip_entry": True,
    "public": False,
}
"""Every key, and what it is where it is not given. `scheme` null: the one usual for the rules."""

ADDED = {"slip_entry": True}
"""What a log means that was written before the setting was there."""

OVERRIDABLE = ("rules", "scheme", "points", "tie_breaks", "deals")
"""What a single round may have otherwise than the competition."""

MOST_ROUNDS = 500
MOST_DEALS = 1000
LONGEST_WAIT = 7 * 24 * 3600
"""In seconds, for `deal_after` and `turn_seconds`."""


class BadSettings(ValueError):
    """Settings that cannot be, or that contradict each other. The sentence says which."""

    code = "bad_settings"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Settings:
    """Checked settings. Made by `read_settings`; two are equal when they say the same.

    - `format`, `rules`, `scheme`, `points`, `tables`: as the modules that own them define.
    - `counting`: what the standings are counted by; whether fewer points are better follows from points and scheme.
    - `bye`: the points of somebody whom the draw leaves without a seat; None: that is no result.
    - `rounds`: how many are planned; None: no end is set, or the format knows. `deals`: per table and round; None:
      until the scheme ends the table, or an organiser.
    - `deal_after`, `turn_seconds`, `stand_in`: the settings of each table's session.
    - `confirm`: a second person has to confirm results. `slip_entry`: whoever holds the score slip of a table may enter
      its results. `public`: everybody may see what is published, and the tables.
    """

    format: Format
    rules: Rules
    scheme: Scheme
    points: PointsRule
    counting: entries.Settings
    bye: Points | None
    tables: TableRule
    rounds: int | None
    deals: int | None
    deal_after: int | None
    turn_seconds: int | None
    stand_in: str
    confirm: bool
    slip_entry: bool
    public: bool

    @property
    def sizes(self) -> range:
        """The sizes that a table can have."""
        if self.tables.full_only:
            return range(self.tables.preferred, self.tables.preferred + 1)
        return range(self.tables.smallest, self.tables.largest + 1)

    def to_json(self) -> dict[str, Any]:
        """The canonical form, with every key: `read_settings` makes equal settings of it."""
        counting, tables = self.counting, self.tables
        return {
            "format": self.format.to_json(),
            "rules": self.rules.to_json(),
            "scheme": self.scheme.to_json(),
            "points": self.points.to_json(),
            "best": counting.best,
            "drop": counting.drop,
            "absence": _points_json(counting.absence),
            "tie_breaks": list(counting.tie_breaks),
            "unranked": sorted(counting.unranked),
            "bye": _points_json(self.bye),
            "tables": {name: getattr(tables, name) for name in DEFAULTS["tables"]},
            "rounds": self.rounds,
            "deals": self.deals,
            "deal_after": self.deal_after,
            "turn_seconds": self.turn_seconds,
            "stand_in": self.stand_in,
            "confirm": self.confirm,
            "slip_entry": self.slip_entry,
            "public": self.public,
        }

    def overridden(self, json: Mapping[str, Any]) -> "Settings":
        """The settings of one round that has some of OVERRIDABLE otherwise. Raise as `read_settings`.

        A round of which fewer points were better could not be added to others where more are, nor the other way."""
        if others := [name for name in json if name not in OVERRIDABLE]:
            raise BadSettings(
                say(
                    "A round cannot have its own {setting}; it can have: {settings}.",
                    setting=shown(others[0]),
                    settings=", ".join(OVERRIDABLE),
                )
            )
        found = read_settings({**self.to_json(), **json})
        if found.counting.lower_is_better != self.counting.lower_is_better:
            if self.counting.lower_is_better:
                raise BadSettings(say("In this competition fewer points are better, in the round more would be."))
            raise BadSettings(say("In this competition more points are better, in the round fewer would be."))
        return found


def read_settings(json: Mapping[str, Any]) -> Settings:
    """Read the JSON form: an object with some of the keys of DEFAULTS.

    Raise BadSettings; or what is raised by those who own a part, with their codes: `bad_rules` (rules, scheme),
    `bad_points`, `bad_tie_break`, `bad_standings` (best, drop, absence, unranked), `no_tables`."""
    if not isinstance(json, Mapping):
        raise BadSettings(say("Settings are an object, not {value}.", value=shown(json)))
    if unknown := [key for key in json if key not in DEFAULTS]:
        raise BadSettings(
            say(
                "There is no setting {setting}; there are: {settings}.",
                setting=shown(unknown[0]),
                settings=", ".join(DEFAULTS),
            )
        )
    given = {**DEFAULTS, **_format(json.get("format", DEFAULTS["format"])).usual, **json}
    rules = Rules.from_json(given["rules"])
    asked = given["scheme"]
    scheme = scheme_from_json(usual_scheme(rules.profile) if asked is None else asked)
    scheme = scheme_from_json(scheme.to_json())  # so that schemes equal in all values are equal
    points = points_rule(given["points"])
    settings = Settings(
        format=_format(given["format"]),
        rules=rules,
        scheme=scheme,
        points=points,
        counting=_counting(given, points.lower_is_better(lowest_wins=scheme.lowest_wins)),
        bye=_points(given["bye"], "bye"),
        tables=_tables(given["tables"]),
        rounds=_whole(given["rounds"], "rounds", 1, MOST_ROUNDS),
        deals=_whole(given["deals"], "deals", 1, MOST_DEALS),
        deal_after=_whole(given["deal_after"], "deal_after", 0, LONGEST_WAIT),
        turn_seconds=_whole(given["turn_seconds"], "turn_seconds", 1, LONGEST_WAIT),
        stand_in=_stand_in(given["stand_in"]),
        confirm=_switch(given["confirm"], "confirm"),
        slip_entry=_switch(given["slip_entry"], "slip_entry"),
        public=_switch(given["public"], "public"),
    )
    _check(settings)
    return settings


def _check(settings: Settings) -> None:
    """What must go together."""
    sizes, rules = settings.sizes, settings.rules
    if sizes[0] < rules.min_seats:
        raise BadSettings(
            say_n(
                "The rules {rules} need {n} player, and tables may have {size}.",
                "The rules {rules} need {n} players, and tables may have {size}.",
                rules.min_seats,
                rules=rules.profile,
                size=sizes[0],
            )
        )
    if sizes[-1] > MAX_SEATS:
        raise BadSettings(
            say_n(
                "A table has {seats} seats at most, and tables may have {n} player.",
                "A table has {seats} seats at most, and tables may have {n} players.",
                sizes[-1],
                seats=MAX_SEATS,
            )
        )
    settings.points.check_sizes(sizes)
    try:
        settings.format.check(settings)
    except FormatError as refusal:
        raise BadSettings(refusal.message) from refusal


def _format(value: object) -> Format:
    try:
        return format_from_json(value)
    except FormatError as refusal:
        raise BadSettings(refusal.message) from refusal


def _counting(given: Mapping[str, Any], lower_is_better: bool) -> entries.Settings:
    drop = _whole(given["drop"], "drop", 0, MOST_ROUNDS)
    if drop is None:
        raise BadSettings(say("drop is a number of rounds, 0 for none."))
    unranked = given["unranked"]
    if not isinstance(unranked, list | tuple) or not all(isinstance(mark, str) for mark in unranked):
        raise BadSettings(say("unranked is a list of some of: {marks}.", marks=", ".join(entries.MARKS)))
    asked = tie_breaks(given["tie_breaks"])
    return entries.Settings(
        lower_is_better=lower_is_better,
        best=_whole(given["best"], "best", 1, MOST_ROUNDS),
        drop=drop,
        absence=_points(given["absence"], "absence"),
        tie_breaks=tuple(tie_break.key for tie_break in asked),
        unranked=frozenset(unranked),
    )


def _tables(value: object) -> TableRule:
    usual = DEFAULTS["tables"]
    if not isinstance(value, Mapping) or not usual.keys() >= value.keys():
        raise BadSettings(say("tables is an object with some of the keys {keys}.", keys=", ".join(usual)))
    given = {**usual, **value}
    sizes = {}
    for name in ("preferred", "smallest", "largest"):
        sizes[name] = _whole(given[name], f"tables: {name}", 1, LARGEST)
        if sizes[name] is None:
            raise BadSettings(say("tables: {name} is a number of players.", name=name))
    return TableRule(
        **{name: size for name, size in sizes.items() if size is not None},
        tables=_whole(given["tables"], "tables: tables", 1, LARGEST),
        full_only=_switch(given["full_only"], "tables: full_only"),
    )


def _whole(value: object, name: str, least: int, most: int) -> int | None:
    if value is None:
        return None
    if type(value) is not int or not least <= value <= most:  # a bool is no number here
        raise BadSettings(
            say(
                "{name} is a whole number from {least} to {most}, not {value}.",
                name=name,
                least=least,
                most=most,
                value=shown(value),
            )
        )
    return value


def _switch(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise BadSettings(say("{name} is true or false, not {value}.", name=name, value=shown(value)))
    return value


def _stand_in(value: object) -> str:
    if not isinstance(value, str) or (value and value not in bots.available()):
        raise BadSettings(say("stand_in is empty or one of the bots {bots}.", bots=", ".join(bots.available())))
    return value


def _points(value: object, name: str) -> Points | None:
    if value is None:
        return None
    if type(value) is int and abs(value) <= LARGEST:
        return value
    if isinstance(value, str) and NUMBER.fullmatch(value):
        return exact(Fraction(value))
    raise BadSettings(
        say(
            '{name} is a whole number, a text like "1.5" or "3/2", or null, not {value}.', name=name, value=shown(value)
        )
    )


def _points_json(points: Points | None) -> int | str | None:
    return points if points is None or isinstance(points, int) else str(points)
