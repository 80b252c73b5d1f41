"""Score the sessions in files of recorded deals (docs/record-format.md)."""

import sys
from dataclasses import dataclass, field
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.record import RecordError, parse, replay_record
from games.engine.record.grouping import SessionShape
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
class Deal:
    """A deal of a session: its number or its place in the files, its result, and where it stands."""

    order: int
    result: DealResult | None
    where: dict[str, object]


@dataclass(slots=True)
class Session:
    shape: SessionShape
    deals: list[Deal] = field(default_factory=list)


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
        sessions: dict[str | None, Session] = {}
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


def _read(line: bytes, where: dict[str, object], sessions: dict[str | None, Session]) -> None:
    """Add the deal to its session. Raises RecordError; a deal that does not fit its session is a bad record first."""
    record = parse(line)
    session = sessions.get(record.session)
    if session is None:
        session = sessions[record.session] = Session(SessionShape.begun_by(record))
    session.shape.take(record)
    result = replay_record(record).result()
    session.deals.append(Deal(record.number or len(session.deals), result, where))


def _told(session: Session, scheme: Scheme) -> dict[str, object]:
    deals = sorted(session.deals, key=lambda deal: deal.order)
    table = session_table(scheme, [deal.result for deal in deals], session.shape.seats)
    if table.missing is not None:
        return {"ok": False, "code": "missing_passes", **deals[table.missing].where}
    return {
        "deals": len(deals),
        "counted": sum(table.counted),
        "totals": points_json(table.totals),
        "places": list(table.places),
        "finished": table.finished,
    }
