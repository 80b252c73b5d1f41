"""Values that organisers give, checked: settings, days, points, seeds, reasons."""

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from competitions.facts import FACTS, Kind
from competitions.formats.base import FormatError
from competitions.seating import SeatingError
from competitions.settings import BadSettings, read_settings
from games.engine.errors import EngineError
from games.errors import Invalid
from games.services.sessions import checked_reason, checked_text
from scoring.entries import BadStandings
from scoring.points import LARGEST, NUMBER, BadPoints
from scoring.schemes import BadScheme
from scoring.tiebreaks import BadTieBreak
from scoring.wording import say

BAD = (BadSettings, FormatError, SeatingError, BadPoints, BadStandings, BadTieBreak, BadScheme, EngineError)
"""What the pure parts raise for values that cannot be; each has a stable `code`, and says why in its first argument."""

KINDS = ("league", "tournament")


def checked_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """The canonical settings; raises Invalid with the code of whoever refused (`bad_settings`, `bad_points`, …)."""
    try:
        return read_settings(given).to_json()
    except BAD as error:
        raise refused(error) from error


def checked_overrides(settings: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """What one round has otherwise, if it goes together with the competition's settings."""
    try:
        whole = read_settings(settings).overridden(given).to_json()
    except BAD as error:
        raise refused(error) from error
    return {name: whole[name] for name in given}


def refused(error: Exception) -> Invalid:
    """The refusal of a service for what a pure part raised."""
    return Invalid(str(getattr(error, "code", "bad_settings")), error.args[0])  # str would forget how it was said


def checked_facts(given: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Name, season, kind and days as events keep them; `before` has those that are not given."""
    facts: dict[str, Any] = {name: given[name] for name in FACTS if name in given}
    for name, longest in (("name", 100), ("season", 40)):
        if name in facts:
            facts[name] = checked_text(facts[name], name, longest)
    if "name" in facts and not facts["name"]:
        raise Invalid("bad_text", say("name: a competition needs a name."))
    if facts.get("kind", KINDS[0]) not in KINDS:
        raise Invalid("bad_settings", say("kind is one of: {kinds}.", kinds=", ".join(KINDS)))
    first, last = ({**before, **facts}.get(name) for name in ("starts_on", "ends_on"))
    if first is not None and last is not None and last < first:
        raise Invalid("bad_days", say("The last day, {last}, comes before the first, {first}.", last=last, first=first))
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in facts.items()}


def checked_points(points: Any) -> str:
    """Exact points as events keep them: a whole number, or a text such as "1.5" or "-3/2". Raises `bad_points`."""
    if type(points) is int and abs(points) <= LARGEST:
        return str(points)
    if isinstance(points, str) and NUMBER.fullmatch(points):
        return str(Fraction(points))
    raise Invalid("bad_points", say('Points are a whole number, or a text such as "1.5" or "-3/2".'))


def checked_number(value: Any, sentence: str, *, most: int = 32_000) -> int:
    """A whole number from 1 to `most`; raises `bad_number` with the `sentence`, which is marked and may name {most}."""
    if type(value) is not int or not 1 <= value <= most:
        raise Invalid("bad_number", say(sentence, most=most))
    return value


def why(kind: Kind, reason: str, *, required: bool = True) -> str:
    """The reason of an event, trimmed; raises `reason_required`."""
    return checked_reason(reason, required=required and kind is not Kind.ENTERED)
