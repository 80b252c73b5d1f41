"""Replay and rescore everything stored, and name each column that differs from what the logs say."""

import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.audit import Difference, audit_club, audit_session, others
from games.models import Club, Session


class Command(BaseCommand):
    help = (
        "Replay and rescore stored sessions from their logs; without SESSION also what became of each club's players, "
        "and competitions with their standings. "
        "Exit status 1 when anything differs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("sessions", nargs="*", metavar="SESSION", help="ids of sessions; all when none is given")

    def handle(self, *, sessions: list[str], **options: Any) -> None:
        wanted = Session.objects.order_by("pk")
        if sessions:
            wanted = wanted.filter(public_id__in=sessions)
            if unknown := set(sessions) - set(wanted.values_list("public_id", flat=True)):
                raise CommandError(f"There is no session {', '.join(sorted(unknown))}.", returncode=2)
        checked = differences = logs = 0
        for session in wanted.iterator(chunk_size=100):
            checked += 1
            for difference in audit_session(session):
                differences += 1
                self.stdout.write(str(difference))
        if not sessions:
            audits: Iterator[list[Difference]] = map(audit_club, Club.objects.order_by("pk").iterator(chunk_size=100))
            for found in chain(audits, *(audit() for audit in others)):
                logs += 1
                differences += len(found)
                for difference in found:
                    self.stdout.write(str(difference))
        rebuilt = "" if sessions else f", {logs} clubs and competitions rebuilt from their logs"
        self.stdout.write(f"{checked} sessions replayed and rescored{rebuilt}: {differences or 'no'} differences.")
        if differences:
            sys.exit(1)
