"""Replay recorded deals and say of each whether it is right and what it came to (docs/record-format.md)."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.engine.record import Outcome, RecordError, parse, replay_record
from games.management.record_files import RecordFiles, add_files, fault, json_line, output, points_json, scheme_asked
from scoring.schemes import Scheme


class Command(BaseCommand):
    help = "Replay recorded deals: one JSON line a deal. Exit status 0 when all are right, else 1. Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_files(parser)
        parser.add_argument(
            "--scheme",
            action="append",
            default=[],
            dest="schemes",
            metavar="NAME[:parameter=value,…]",
            help="score finished deals by this scheme, besides the one each record names; may be given several times",
        )

    def handle(self, *, files: list[str], schemes: list[str], **options: Any) -> None:
        asked = [scheme_asked(text) for text in schemes]
        records = RecordFiles(files)
        right = True
        with output(self.stdout) as out:
            for where, line in records.lines():
                try:
                    record = parse(line)
                    outcome = replay_record(record)
                    own = [] if record.scheme is None else [record.scheme]
                    answer = {**where, "ok": True, **_told(outcome, [*own, *asked])}
                except RecordError as error:
                    right = False
                    answer = fault(where, error)
                out.write(json_line(answer), ending="")
        if not right:
            sys.exit(1)


def _told(outcome: Outcome, schemes: list[Scheme]) -> dict[str, object]:
    if outcome.voided:
        return {"voided": True}
    told: dict[str, object] = {
        "finished": outcome.finished,
        "winner": outcome.winner,
        "cards_left": outcome.cards_left,
        "forced_passes": outcome.forced_passes,
        "wrongful_passes": outcome.wrongful_passes,
        "actions": outcome.actions,
    }
    result = outcome.result() if schemes else None
    if result is not None:
        # Keyed by the text asked for, so that a scheme asked for twice is there once.
        told["scores"] = {s.text: None if s.missing(result) else points_json(s.score(result)) for s in schemes}
    return told
