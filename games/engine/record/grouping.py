"""What the deals of one session must have in common (docs/record-format.md, `score`)."""

from dataclasses import dataclass, field

from games.engine.errors import RecordError
from games.engine.record.types import Record
from games.engine.rules import Rules
from scoring.wording import say


@dataclass(slots=True)
class SessionShape:
    """What a session's first deal settles and the later ones must keep: rules, seats, whether deals are numbered."""

    rules: Rules
    seats: int
    numbered: bool
    numbers: set[int] = field(default_factory=set)

    @classmethod
    def begun_by(cls, record: Record) -> "SessionShape":
        return cls(_common_rules(record), len(record.players), record.number is not None)

    def take(self, record: Record) -> None:
        """Count the deal in. Raises RecordError `bad_record` when it cannot belong to this session."""
        wrong = None
        if _common_rules(record) != self.rules:
            wrong = say("The deal does not fit its session: its rules are not those of the session's first deal.")
        elif len(record.players) != self.seats:
            wrong = say(
                "The deal does not fit its session: it has {seats} seats, the session's first deal {first}.",
                seats=len(record.players),
                first=self.seats,
            )
        elif (record.number is not None) != self.numbered:
            wrong = say("The deal does not fit its session: either every deal of a session has a number or none has.")
        elif record.number in self.numbers:
            wrong = say("The deal does not fit its session: number {number} is there already.", number=record.number)
        if wrong is not None:
            raise RecordError("bad_record", wrong)
        if record.number is not None:
            self.numbers.add(record.number)


def _common_rules(record: Record) -> Rules:
    """A session may mix hosted and recorded deals."""
    return record.rules.with_wrongful_pass(None)
