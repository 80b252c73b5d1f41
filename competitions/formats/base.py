"""What every format is: a name, parameters, who plays a round, and how its tables are drawn."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from competitions.formats.telling import report_lines
from competitions.seating import Drawn, Moved, Reached, Round, TableRule, amend, report
from scoring.result import Points
from scoring.schemes.base import shown
from scoring.wording import say, say_n

if TYPE_CHECKING:
    from competitions.settings import Settings


class FormatError(ValueError):
    """What a format refuses. `code` is stable, `message` may be reworded.

    - `bad_settings`: a format that is not there, a parameter that it does not take, settings that do not go with it.
    - `tie_to_decide`: the places of a table do not say who goes on. `data`: the `table`, the `equal` players, and how
      many of them are `wanted`.
    - `too_few_players`: no two are left to play.
    - `competition_over`: there is no round after the last.
    """

    def __init__(self, code: str, message: str, **data: Any) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


@dataclass(frozen=True, slots=True)
class Parameter:
    """One whole number that a format can be given."""

    default: int
    smallest: int
    largest: int
    help: str


@dataclass(frozen=True, slots=True)
class TableBefore:
    """How a table of the round before ended.

    - `seats`: everybody who has a place there, with the place ("1 2 2 4").
    - `decided`: whom the organiser sent on among equals, `among` whom. It holds while exactly those are equal there: a
      correction that changes who they are makes it void.
    """

    number: int
    seats: tuple[tuple[int, int], ...]
    decided: tuple[int, ...] = ()
    among: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """All that a draw may depend on. Rounds and tables count from 1; people are the ids of players.

    - `number`: the round to be drawn, or the first of them. `rounds`: how many are planned; None: no end is set.
    - `players`: entered, not withdrawn, and in from this round on.
    - `absent`: for a round, who is not there. Rounds that are over do not matter.
    - `seeds`: 1 the strongest; whoever is not in it has none. `levels`: everybody with a row in the standings after the
      rounds before, best first, equals together.
    - `played`: the rounds before, as they sat. `before`, `sitting_out_before`: how the last of them ended.
    - `apart`: pairs that are not to meet. `seed`: keep it for the whole competition.
    - `effort`: of the search, 1.0 for some seconds at most where no construction is known.
    """

    number: int
    players: frozenset[int]
    rule: TableRule
    seed: str
    rounds: int | None = None
    absent: Mapping[int, frozenset[int]] = field(default_factory=dict)
    seeds: Mapping[int, int] = field(default_factory=dict)
    levels: tuple[tuple[int, ...], ...] = ()
    played: tuple[Round, ...] = ()
    before: tuple[TableBefore, ...] = ()
    sitting_out_before: tuple[int, ...] = ()
    apart: frozenset[tuple[int, int]] = frozenset()
    effort: float = 1.0

    @property
    def present(self) -> frozenset[int]:
        """Who is there in the round to be drawn."""
        return self.players - self.absent.get(self.number, frozenset())


@dataclass(frozen=True, slots=True)
class Draw:
    """The rounds drawn, the first being the one asked for.

    - `how`: where it comes from, `telling.how_drawn` for people. `lines`: the report for people, without names.
    - `report`: its figures as JSON, what was reached beside the proven minimum, the rounds played included.
    - `moved`: who sits with another group than his own and why (`seating.Moved` as JSON).
    """

    rounds: tuple[Round, ...]
    how: str
    report: dict[str, Any]
    lines: tuple[str, ...]
    moved: tuple[dict[str, Any], ...] = ()


class Format(ABC):
    """One format with its values. A subclass names itself, declares its parameters and says how to draw. What people
    read of it is said (scoring.wording).

    A published `key` never changes its meaning: a change is a new key. Instances are values: they do not change, and
    two are equal when key and values are.

    - `draws_ahead`: all rounds are drawn at once. Else each is drawn when it is its turn.
    - `by_standing`: a draw depends on the results before it.
    - `usual`: settings that it has otherwise than the others, where nothing else is asked.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    parameters: ClassVar[Mapping[str, Parameter]] = {}
    draws_ahead: ClassVar[bool] = False
    by_standing: ClassVar[bool] = False
    usual: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    __slots__ = ("values",)

    def __init__(self, given: Mapping[str, object] = MappingProxyType({})) -> None:
        """Raise FormatError (bad_settings) when a parameter is unknown, or its value not a whole number in range."""
        checked = {name: self._checked(name, value) for name, value in given.items()}
        usual = {name: about.default for name, about in self.parameters.items()}
        self.values: Mapping[str, int] = MappingProxyType({**usual, **checked})

    @classmethod
    def _checked(cls, name: str, value: object) -> int:
        about = cls.parameters.get(name)
        if about is None:
            raise FormatError("bad_settings", cls._no_parameter(name))
        if type(value) is not int or not about.smallest <= value <= about.largest:  # a bool is no number here
            raise FormatError(
                "bad_settings",
                say(
                    "{format}: {name} must be a whole number from {least} to {most}, not {value}.",
                    format=cls.key,
                    name=name,
                    least=about.smallest,
                    most=about.largest,
                    value=shown(value),
                ),
            )
        return value

    @classmethod
    def _no_parameter(cls, name: str) -> str:
        if not cls.parameters:
            return say("{format} has no parameter {name}; its parameters: none.", format=cls.key, name=shown(name))
        return say(
            "{format} has no parameter {name}; its parameters: {names}.",
            format=cls.key,
            name=shown(name),
            names=", ".join(cls.parameters),
        )

    def to_json(self) -> str | dict[str, str | int]:
        """The canonical form: the bare key, or an object with the parameters that differ from their defaults."""
        differing = {name: value for name, value in self.values.items() if value != self.parameters[name].default}
        return {"format": self.key, **differing} if differing else self.key

    def check(self, settings: "Settings") -> None:  # noqa: B027 - most formats go with all settings
        """Raise FormatError (bad_settings) when the other settings do not go with this format."""

    def total_rounds(self, players: int, settings: "Settings") -> int | None:
        """How many rounds so many players play; None: as many as the organiser draws, or it cannot be said yet."""
        return settings.rounds

    def offset(self, number: int) -> Points:
        """What is added to the points of each table of the round."""
        return 0

    def players(self, ask: Ask) -> tuple[int, ...]:
        """Who takes part in the round, in order of ids: those there, whether they get a seat or sit out.

        Raise FormatError when the results before do not say it."""
        return tuple(sorted(ask.present))

    def draw(self, ask: Ask) -> Draw:
        """Draw the round, or all from it on. The same for the same Ask.

        Raise FormatError, or NoTables and BadDraw of the seating library as they are."""
        self.check_round(ask)
        return self._draw(ask)

    def check_round(self, ask: Ask) -> None:
        """Raise FormatError (competition_over) when the last round has been played."""
        if ask.rounds is not None and ask.number > ask.rounds:
            sentence = say_n(
                "The {n} planned round has been drawn. Plan more of them to play on.",
                "All {n} planned rounds have been drawn. Plan more of them to play on.",
                ask.rounds,
            )
            raise FormatError("competition_over", sentence)

    @abstractmethod
    def _draw(self, ask: Ask) -> Draw:
        """`draw` of a round that there is."""

    def redraw_ahead(self, planned: Sequence[Round], ask: Ask) -> Draw:
        """The rounds `planned` from `ask.number` on, drawn and not played, for those who take part now.

        What is played stays, and so does everybody who need not move: `seating.changes` lists the differences. Who
        comes in later than the first of these rounds is one of `ask.players`, absent until then. Raise as `draw`."""
        players = ask.players if len(planned) > 1 else self.players(ask)
        return as_draw(
            amend(
                planned,
                players=players,
                rule=ask.rule,
                seed=ask.seed,
                played=ask.played,
                keep_apart=ask.apart,
                absent=absences(ask, players, len(planned)),
            )
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Format) and type(self) is type(other) and self.values == other.values

    def __hash__(self) -> int:
        return hash((self.key, *self.values.items()))

    def __repr__(self) -> str:
        return f"<Format {self.to_json()}>"


def absences(ask: Ask, players: Iterable[int], rounds: int) -> dict[int, frozenset[int]]:
    """Who of the players is absent in each of so many rounds, counted from 1 at `ask.number`, as seating asks for."""
    people = frozenset(players)
    missing = {number: people & ask.absent.get(ask.number + number - 1, frozenset()) for number in range(1, rounds + 1)}
    return {number: who for number, who in missing.items() if who}


def as_draw(drawn: Drawn, moved: Iterable[Moved] = ()) -> Draw:
    """A draw of the seating library, with its report."""
    about = report(drawn)
    figures = {
        "players": about.players,
        "rounds": about.rounds,
        "how": about.how,
        "repeats": _reached(about.repeats),
        "again": _reached(about.again),
        "squares": {**_reached(about.squares), "ratio": _ratio(about.squares)},
        "apart": _reached(about.apart) if about.apart else None,
        "met": {str(times): pairs for times, pairs in about.met.items()},
        "sat_out": list(about.sat_out),
        "first": list(about.first),
        "seat_gap": about.seat_gap,
        "same_table": about.same_table,
    }
    return Draw(drawn.rounds, about.how, figures, tuple(report_lines(figures)), tuple(map(_moved_json, moved)))


def _reached(count: Reached) -> dict[str, Any]:
    return {"value": count.value, "minimum": count.minimum}


def _ratio(count: Reached) -> float | None:
    """The ratio in four places; None where something was reached of which the minimum is nothing."""
    return None if count.value and not count.minimum else round(count.ratio, 4)


def _moved_json(moved: Moved) -> dict[str, Any]:
    return {**asdict(moved), "home": list(moved.home), "because": list(moved.because)}
