"""Checking what is stored of a competition against its log and its sessions; each column that differs is named."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from competitions import eventlog, folding
from competitions.facts import CompetitionError
from competitions.models import Competition, Entry, Folded, Publication, Round, Table
from competitions.projection import project
from competitions.results import standing_of
from competitions.standing_json import standings_json
from competitions.state import fold
from games.audit import Difference, one_state


def audits() -> Iterator[list[Difference]]:
    """The audit of every competition, one after the other."""
    for competition in Competition.objects.order_by("pk").iterator(chunk_size=100):
        yield audit_competition(competition)


def audit_competition(competition: Competition) -> list[Difference]:
    """Rebuild one competition from the logs; what differs. A fixed number of statements, all on one state of the
    database."""
    with one_state():
        competition.refresh_from_db()
        return list(_differences(competition))


def _differences(competition: Competition) -> Iterator[Difference]:
    log = f"competition {competition.public_id}"
    fault = eventlog.sequence_fault(competition)
    if fault is not None:
        yield Difference(log, "event", "log", "seq", fault, f"{competition.seq} events numbered 1 to {competition.seq}")
        return
    try:
        state = fold(eventlog.own_events(competition.pk))
    except (CompetitionError, KeyError, ValueError) as error:
        yield Difference(log, "event", "log", "fold", str(error), "a log that can be folded")
        return
    expected = project(state)
    tables: list[tuple[str, Mapping[Any, Any], Mapping[Any, Mapping[str, Any]]]] = [
        ("competition", {"": competition}, {"": expected.competition}),
        ("entry", {row.player_id: row for row in Entry.objects.filter(competition=competition)}, expected.entries),
        ("round", {row.number: row for row in Round.objects.filter(competition=competition)}, expected.rounds),
        ("table", {row.session_id: row for row in Table.objects.filter(competition=competition)}, expected.tables),
        (
            "publication",
            {row.number: row for row in Publication.objects.filter(competition=competition)},
            expected.publications,
        ),
    ]
    for table, stored, wanted in tables:
        for key in sorted(stored.keys() | wanted.keys()):
            if key not in stored or key not in wanted:
                here = ("there", "missing") if key in stored else ("missing", "there")
                yield Difference(log, table, str(key), "row", *here)
                continue
            for column, value in wanted[key].items():
                if getattr(stored[key], column) != value:
                    yield Difference(log, table, str(key), column, getattr(stored[key], column), value)
    kept = Folded.objects.filter(competition=competition, version=folding.version_of(competition)).first()
    if kept is not None:
        table_now = standing_of(state, folding.scores_of(competition))
        anew = json.loads(json.dumps(standings_json(folding.without_reasons(table_now))))
        if kept.standings != anew:
            yield Difference(log, "standings", f"version {kept.version}", "standings", kept.standings, anew)
