"""Import jobs as read: how far they are, and what became of each line of the file."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.access import Caller, club_for
from games.errors import NotFound
from games.models import ImportJob, ImportNote, ImportPart, Role


@dataclass(frozen=True, slots=True)
class LineReport:
    """One line: the session (label, and public id once it is stored) and deal it is of, None where it is at fault;
    what is to be said of it."""

    line: int
    label: str | None
    session: str | None
    deal: int | None
    notes: tuple[ImportNote, ...]


def jobs_of(caller: Caller, club: str) -> QuerySet[ImportJob]:
    """The imports of a club. Scorers and organisers; raises NotFound, Forbidden."""
    return ImportJob.objects.select_related("club").filter(club=club_for(caller, club, Role.SCORER))


def job_of(caller: Caller, public_id: str) -> ImportJob:
    """One of them; raises NotFound, Forbidden."""
    job = ImportJob.objects.select_related("club").filter(public_id=public_id).first()
    if job is None or not caller.has(Role.MEMBER, job.club_id):
        raise NotFound("import")
    club_for(caller, job.club.slug, Role.SCORER)
    return job


def report(job: ImportJob, *, after: int, limit: int, level: str | None = None) -> list[LineReport]:
    """The `limit` lines after line `after` that are checked; with `level`, of those of which such a note is made. Three
    statements at most."""
    notes = ImportNote.objects.filter(job=job, line__gt=after)
    if level is None:
        lines: Sequence[int] = range(after + 1, min(after + limit, job.line) + 1)
    else:
        lines = list(notes.filter(level=level).order_by("line").values_list("line", flat=True).distinct()[:limit])
    if not lines:
        return []
    said: dict[int, list[ImportNote]] = {}
    for note in notes.filter(line__in=lines).order_by("line", "id"):
        said.setdefault(note.line, []).append(note)
    deals = _deals(job, lines)
    return [LineReport(line, *deals.get(line, (None, None, None)), notes=tuple(said.get(line, ()))) for line in lines]


def _deals(job: ImportJob, lines: Sequence[int]) -> dict[int, tuple[Any, Any, Any]]:
    """By line the label, session and number of its deal; one statement."""
    parts = ImportPart.objects.filter(job=job, first_line__lte=lines[-1]).order_by("place")
    before = parts.filter(first_line__lte=lines[0]).order_by("-place").values("place")[:1]
    wanted = parts.filter(place__gte=Coalesce(Subquery(before), 0)).select_related("session")
    found: dict[int, tuple[Any, Any, Any]] = {}
    for part in wanted:
        session = part.session
        label = part.label if session is None else session.label
        for line in lines:
            at = line - part.first_line
            if 0 <= at < len(part.numbers) and part.numbers[at] is not None:
                found[line] = (label, None if session is None else session.public_id, part.numbers[at])
    return found
