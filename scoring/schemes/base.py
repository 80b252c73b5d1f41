"""What every scoring scheme is: a name, parameters, and how a deal becomes points (rules.md 5)."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

from scoring.result import DealResult, Points
from scoring.wording import say

LARGEST = 999_999_999
"""No parameter has more than nine digits."""


class BadScheme(ValueError):
    """A scheme that is not there, or a parameter that it does not take."""

    code = "bad_rules"


class MissingPasses(ValueError):
    """The scheme needs what the result does not have (rules.md 5.6)."""

    code = "missing_passes"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One whole number that a scheme can be given: `minimum` to nine digits. `default` None: may be left open."""

    default: int | None
    minimum: int
    help: str


@dataclass(frozen=True, slots=True)
class Preset:
    """A second name for a scheme, with values of its own. Parameters not in `values` keep the scheme's defaults."""

    title: str
    description: str
    values: Mapping[str, int]


class Scheme(ABC):
    """One scheme with its values. A subclass names itself, declares its parameters and says how to count.

    A published `key` or preset name never changes its meaning: a change is a new key. Instances are values: they do
    not change, and two are equal when they were asked for with the same text.

    - `name`: the key or preset asked for. `given`: the parameters asked for, in their order.
    - `values`: every parameter's value, in declared order; None for one that is left open.
    - `text`: the text form, exactly as asked: the key under which outputs list this scheme's points.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    parameters: ClassVar[Mapping[str, Parameter]] = {}
    presets: ClassVar[Mapping[str, Preset]] = {}
    lowest_wins: ClassVar[bool] = False

    __slots__ = ("given", "name", "text", "values")

    def __init__(self, name: str, given: Mapping[str, object]) -> None:
        """Raise BadScheme when a parameter is unknown, or its value not a whole number in its range."""
        self.name = name
        self.given = MappingProxyType({key: self._checked(name, key, value) for key, value in given.items()})
        self.values = MappingProxyType({**self.defaults(name), **self.given})
        asked = ",".join(f"{parameter}={value}" for parameter, value in self.given.items())
        self.text = f"{name}:{asked}" if asked else name

    @classmethod
    def defaults(cls, name: str) -> dict[str, int | None]:
        """The values that `name`, the key or a preset of it, has when nothing else is asked for."""
        own: dict[str, int | None] = {parameter: about.default for parameter, about in cls.parameters.items()}
        return own if name == cls.key else {**own, **cls.presets[name].values}

    @classmethod
    def _checked(cls, name: str, parameter: str, value: object) -> int:
        about = cls.parameters.get(parameter)
        if about is None:
            # Translators: what stands in place of a list of names that is empty.
            has = ", ".join(cls.parameters) or say("none")
            raise BadScheme(
                say(
                    "{name} has no parameter {parameter}; its parameters: {parameters}.",
                    name=name,
                    parameter=shown(parameter),
                    parameters=has,
                )
            )
        if type(value) is not int or not about.minimum <= value <= LARGEST:  # a bool is no number here
            raise BadScheme(
                say(
                    "{name}: {parameter} must be a whole number from {least} to {most}, in plain digits, not {value}.",
                    name=name,
                    parameter=parameter,
                    least=about.minimum,
                    most=LARGEST,
                    value=shown(value),
                )
            )
        return value

    def to_json(self) -> str | dict[str, str | int]:
        """The canonical form: the bare name, or an object with the parameters that differ from what the name says."""
        plain = self.defaults(self.name)
        differing = {k: v for k, v in self.values.items() if v is not None and v != plain[k]}
        return {"scheme": self.name, **differing} if differing else self.name

    def frozen(self) -> dict[str, str | int]:
        """The object form with every value, for keeping: it reads the same whatever the defaults become."""
        return {"scheme": self.name, **{k: v for k, v in self.values.items() if v is not None}}

    def missing(self, result: DealResult) -> bool:
        """Whether this scheme needs what the result does not have (rules.md 5.6)."""
        return False

    def needs(self) -> tuple[bool, bool, bool]:
        """Whether a score slip has to say the forced passes, the wrongful ones, the withheld sevens (rules.md 5.6)."""
        whole = DealResult(0, (2, 2), 0, (0, 1), None, (0, 0), (1, 0), ((1, 0),))
        without = (
            replace(whole, forced_passes=None),
            replace(whole, wrongful_passes=None),
            replace(whole, withheld=None),
        )
        forced, wrongful, withheld = map(self.missing, without)
        return forced, wrongful, withheld

    def score(self, result: DealResult) -> tuple[Points, ...]:
        """Points of each seat for one finished deal. Raise MissingPasses exactly when `missing` says so."""
        if self.missing(result):
            raise MissingPasses(
                say("{scheme} needs passes or withheld sevens that were not recorded.", scheme=self.text)
            )
        return self.points(result)

    @abstractmethod
    def points(self, result: DealResult) -> tuple[Points, ...]:
        """`score` for a result that lacks nothing."""

    @abstractmethod
    def finished(self, totals: Sequence[Points], counted: int) -> bool:
        """Whether the session is over with these totals a seat after so many counted deals."""

    def value(self, parameter: str) -> int:
        """The value of a parameter that always has one."""
        value = self.values[parameter]
        assert value is not None, parameter
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scheme) and type(self) is type(other) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<Scheme {self.text}>"


KINDS: Mapping[type, str] = {
    int: say("a longer number"),
    float: say("a fraction"),
    list: say("a list"),
    dict: say("an object"),
}


def shown(value: object) -> str:
    """A JSON value as an error message may quote it: short, printable, whatever was sent."""
    if isinstance(value, str):
        return ascii(value if len(value) <= 40 else value[:40] + "…")
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and abs(value) <= 10 * LARGEST:
        return str(value)
    return KINDS.get(type(value), say("that"))
