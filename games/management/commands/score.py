"""Score the sessions in files of recorded deals (docs/record-format.md)."""

import sys
from dataclasses import dataclass, field
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.record import Record, RecordError, parse, replay_record
from games.management.record_files import (
    UNUSABLE,
    RecordFiles,
    add_files,
    fault,
    json_line,
    output,
    points_json,
    scheme_asked,
)
from scoring.result import DealResult
from scoring.schemes import Scheme
from scoring.table import session_table


@dataclass(slots=True)
class SessionDeals:
    """The deals of one session as far as they are read. What its first deal settles, the later ones must keep."""

    rules: object
    seats: int
    numbered: bool
    numbers: set[int] = field(default_factory=set)
    deals: list[tuple[int, DealResult | None, dict[str, object]]] = field(default_factory=list)

    @classmethod
    def begun_by(cls, record: Record) -> "SessionDeals":
        return cls(_rules_of(record), len(record.players), record.number is not None)

    def check(self, record: Record) -> None:
        """Raises RecordError `bad_record` when the deal cannot belong to this session."""
        wrong = None
        if _rules_of(record) != self.rules:
            wrong = "its rules are not those of the session's first deal"
        elif len(record.players) != self.seats:
            wrong = f"it has {len(record.players)} seats, the session's first deal {self.seats}"
        elif (record.number is not None) != self.numbered:
            wrong = "either every deal of a session has a number or none has"
        elif record.number in self.numbers:
            wrong = f"number {record.number} is there already"
        if wrong is not None:
            raise RecordError("bad_record", f"The deal does not fit its session: {wrong}.")

    def add(self, record: Record, result: DealResult | None, where: dict[str, object]) -> None:
        self.deals.append((record.number or len(self.deals), result, where))

    def in_order(self) -> list[tuple[int, DealResult | None, dict[str, object]]]:
        """(number, result, place in the files) of each deal: by number, or as they came."""
        return sorted(self.deals, key=lambda deal: deal[0])


class Command(BaseCommand):
    help = "Score the sessions in files of recorded deals: one JSON line a session. Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_files(parser)
        parser.add_argument(
            "--scheme",
            action="append",
            required=True,
            dest="schemes",
            metavar="NAME[:parameter=value,…]",
            help="the scheme that scores every session",
        )

    def handle(self, *, files: list[str], schemes: list[str], **options: Any) -> None:
        if len(schemes) != 1:
            raise CommandError(
                "Sessions are scored by one scheme at a time; --scheme is there twice.", returncode=UNUSABLE
            )
        scheme = scheme_asked(schemes[0])
        records = RecordFiles(files)
        sessions: dict[str | None, SessionDeals] = {}
        right = True
        with output(self.stdout) as out:
            for where, line in records.lines():
                try:
                    _read(line, where, sessions)
                except RecordError as error:
                    right = False
                    out.write(json_line(fault(where, error)), ending="")
            for name, session in sessions.items() if right else ():
                answer = {"session": name, "scheme": scheme.text, **_told(session, scheme)}
                right = right and "ok" not in answer
                out.write(json_line(answer), ending="")
        if not right:
            sys.exit(1)


def _read(line: bytes, where: dict[str, object], sessions: dict[str | None, SessionDeals]) -> None:
    """Add the deal to its session. Raises RecordError; a deal that does not fit its session is a bad record first."""
    record = parse(line)
    session = sessions.get(record.session)
    if session is None:
        session = sessions[record.session] = SessionDeals.begun_by(record)
    session.check(record)
    if record.number is not None:
        session.numbers.add(record.number)
    session.add(record, replay_record(record).result(), where)


def _told(session: SessionDeals, scheme: Scheme) -> dict[str, object]:
    deals = session.in_order()
    table = session_table(scheme, [result for _, result, _ in deals], session.seats)
    if table.missing is not None:
        return {"ok": False, "code": "missing_passes", **deals[table.missing][2]}
    return {
        "deals": len(deals),
        "counted": sum(table.counted),
        "totals": points_json(table.totals),
        "places": list(table.places),
        "finished": table.finished,
    }


def _rules_of(record: Record) -> object:
    """What the deals of a session have in common. A session may mix hosted and recorded deals."""
    return record.rules.with_wrongful_pass(None)
