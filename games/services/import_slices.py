"""What workers do of an import job, a slice at a time: every session is checked first, then each is stored, once.

A slice belongs to whoever has the job's lease. Each session of the file is a transaction that holds the job's row and
counts it as done, so that whatever happens to a worker, nothing is lost, and nothing is done twice.
"""

import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from games.access import Caller, club_for
from games.engine.errors import EngineError, RecordError
from games.engine.record import numbered_lines, parse
from games.engine.record.grouping import SessionShape
from games.errors import Busy, Refusal, refusal_of
from games.models import ImportJob, ImportNote, ImportPart, Role, Session, User
from games.models.fields import name_key
from games.models.import_job import AT_WORK
from games.services.import_jobs import CHUNK, end
from games.services.import_plans import (
    Faults,
    Line,
    Plan,
    Report,
    checked,
    faults_found,
    fitting,
    player_ids,
    store,
    warn,
)
from scoring.wording import say

SECONDS = 1.0
"""After so long a worker makes way for others, at the end of a session."""

LEASE = timedelta(seconds=40)
"""Longer than any task may take (CELERY_TASK_TIME_LIMIT): after that its worker is gone."""

MOST_TRIES = 5
MOST_FAULTS = 10_000
"""Faults with which a file is not looked at any further."""

MOST_DEALS = 2000
MOST_BYTES = 16 * 1024 * 1024
"""Of one session: it is checked and stored in one piece, well within a task's time."""

MOST_BAD = 500
"""Lines without a session that are noted in one piece."""

Status, Level = ImportJob.Status, ImportNote.Level


def under_way() -> list[int]:
    """The jobs that a worker should go on with: the first of each club that nobody works on."""
    free = Q(lease_until=None) | Q(lease_until__lt=timezone.now())
    rows = ImportJob.objects.filter(status__in=AT_WORK).order_by("club_id", "id").distinct("club_id")
    return list(ImportJob.objects.filter(free, pk__in=rows.values("pk")).values_list("pk", flat=True))


def go_on(job_id: int, *, seconds: float = SECONDS) -> bool:
    """Do a slice of the job, if nobody else is at it; returns whether there is more to do."""
    job = _claim(job_id)
    if job is None:
        return False
    if job.tries > MOST_TRIES:
        _end(job, Status.FAILED, code="server_error", message=say("It could not be gone on with. It has been logged."))
        return False
    try:
        caller = Caller.of(User.objects.get(pk=job.actor_id, is_active=True))
        club_for(caller, job.club.slug, Role.SCORER)
        slice_ = _Slice(job, caller, time.monotonic() + seconds)
        return slice_.check() if job.status == Status.CHECKING else slice_.store()
    except _Gone:
        return False
    except User.DoesNotExist:
        _end(job, Status.FAILED, code="forbidden", message=say("The account that sent the file is no longer active."))
    except Busy:
        _release(job)
        return True
    except (Refusal, EngineError) as refusal:
        _end(job, Status.FAILED, code=refusal.code, message=str(refusal))
    return False


class _Gone(Exception):
    """The job is cancelled, or somebody else has its lease."""


def _claim(job_id: int) -> ImportJob | None:
    """Take the job's lease; None where another worker has it, it is over, or an earlier job of its club is not."""
    lease, now = secrets.token_hex(16), timezone.now()
    with transaction.atomic():
        free = Q(lease_until=None) | Q(lease_until__lt=now)
        rows = ImportJob.objects.select_for_update(of=["self"], skip_locked=True).select_related("club")
        job = rows.filter(free, pk=job_id, status__in=AT_WORK).first()
        if job is None:
            return None
        if ImportJob.objects.filter(club=job.club_id, status__in=AT_WORK, pk__lt=job.pk).exists():
            return None
        job.lease, job.lease_until, job.tries = lease, now + LEASE, job.tries + 1
        job.save(update_fields=["lease", "lease_until", "tries"])
        return job


def _mine(job: ImportJob) -> ImportJob:
    """The job's row, locked; raises _Gone where it is no longer ours."""
    rows = ImportJob.objects.select_for_update(of=["self"]).select_related("club")
    row = rows.filter(pk=job.pk, lease=job.lease, status=job.status).first()
    if row is None:
        raise _Gone
    return row


def _end(job: ImportJob, status: ImportJob.Status, *, code: str = "", message: str = "") -> None:
    with transaction.atomic():
        row = ImportJob.objects.select_for_update().filter(pk=job.pk, lease=job.lease).first()
        if row is not None and not row.over:
            end(row, status, now=timezone.now(), code=code, message=message)


def _release(job: ImportJob) -> None:
    """Let others go on."""
    ImportJob.objects.filter(pk=job.pk, lease=job.lease).update(lease="", lease_until=None)


class _File:
    """A stored file, read from a byte on; one piece of it in memory."""

    def __init__(self, job: int, at: int) -> None:
        self.job, self.at = job, at
        self._number, self._data = -1, b""

    def readline(self, limit: int, /) -> bytes:
        found = bytearray()
        while len(found) < limit:
            data, start = self._piece(self.at // CHUNK), self.at % CHUNK
            if start >= len(data):
                break
            stop = data.find(b"\n", start, start + limit - len(found)) + 1 or min(len(data), start + limit - len(found))
            found += data[start:stop]
            self.at += stop - start
            if found.endswith(b"\n"):
                break
        return bytes(found)

    def _piece(self, number: int) -> bytes:
        if number != self._number:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT data FROM games_importchunk WHERE job_id = %s AND number = %s", [self.job, number]
                )
                row = cursor.fetchone()
            self._number, self._data = number, b"" if row is None else bytes(row[0])
        return self._data


@dataclass(slots=True)
class _Group:
    """The next lines of a file that belong together: those of one session, with the bad ones among them.

    `offset` and `end` are the bytes where they begin and end, `numbers` what ImportPart keeps."""

    offset: int
    end: int
    first_line: int
    last_line: int
    label: str | None = None
    shape: SessionShape | None = None
    lines: list[Line] = field(default_factory=list)
    taken: list[int | None] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)
    too_many: bool = False

    def take(self, number: int, text: bytes) -> bool:
        """Count the line in; False where it begins another session."""
        try:
            record = parse(text)
        except RecordError as error:
            self.faults.add(number, error.code, error.message, error.action)
            self.taken.append(None)
            return True
        if self.shape is None:
            self.label, self.shape = record.session, SessionShape.begun_by(record)
        elif record.session != self.label:
            return False
        if self.too_many or len(self.lines) == MOST_DEALS or self.end - self.offset > MOST_BYTES:
            if not self.too_many:
                message = say(
                    "A session of an import holds at most {most} deals, in {size} MiB.",
                    most=MOST_DEALS,
                    size=MOST_BYTES >> 20,
                )
                self.faults.add(number, "too_many_deals", message)
            self.too_many = True
            self.taken.append(None)
            return True
        line = fitting(number, record, self.shape, self.faults)
        if line is not None:
            self.lines.append(line)
        self.taken.append(None if line is None else record.number or len(self.lines))
        return True


def _groups(job: int, *, offset: int, line: int) -> Iterator[_Group]:
    """The groups of a stored file, in order, from a byte on, before which there are so many lines."""
    file = _File(job, offset)
    while True:
        group = _Group(file.at, file.at, line + 1, line)
        for number, text in numbered_lines(file, after=line):
            if not group.take(number, text):
                break
            group.end, group.last_line = file.at, number
            if group.shape is None and len(group.taken) == MOST_BAD:
                break
        if group.last_line == line:
            return
        yield group
        file.at, line = group.end, group.last_line


class _Slice:
    """The work of one lease."""

    def __init__(self, job: ImportJob, caller: Caller, deadline: float) -> None:
        self.job, self.caller, self.deadline = job, caller, deadline

    def late(self) -> bool:
        return time.monotonic() > self.deadline

    # -- checking

    def check(self) -> bool:
        """Check some sessions; at the end of the file decide. Returns whether there is more to do."""
        for group in _groups(self.job.pk, offset=self.job.offset, line=self.job.line):
            with transaction.atomic():
                row = _mine(self.job)
                self._check(row, group)
                row.offset, row.line, row.tries = group.end, group.last_line, 0
                row.lease_until = timezone.now() + LEASE
                row.save()
            self.job = row
            if row.faults >= MOST_FAULTS:
                break
            if self.late():
                _release(self.job)
                return True
        with transaction.atomic():
            row = _mine(self.job)
            return self._decide(row)

    def _decide(self, row: ImportJob) -> bool:
        now = timezone.now()
        if row.faults:
            said = faults_found(row.faults)
            end(row, Status.REFUSED, now=now, code="import_faults", message=said)
        elif row.dry_run:
            end(row, Status.CHECKED, now=now)
        else:
            row.status, row.lease, row.lease_until, row.tries = Status.STORING, "", None, 0
            row.save()
            return True
        return False

    def _check(self, row: ImportJob, group: _Group) -> None:
        """Note what is to be said of a group, and keep where it stands."""
        faults, report = group.faults, Report(dry_run=True)
        if group.lines:
            seen = ImportPart.objects.filter(job=row, label=group.label)
            if seen.exists():
                message = say(
                    "The deals of a session stand one after the other in a file; this one goes on again here."
                )
                faults.add(group.lines[0].number, "scattered_session", message)
            else:
                plan = self._plan(row, group, report, create=False)[0]
                warn(plan, report)
                row.sessions += 1
                row.deals += len(plan.deals)
                ImportPart.objects.create(
                    job=row,
                    place=row.sessions,
                    label=group.label,
                    first_line=group.first_line,
                    offset=group.offset,
                    length=group.end - group.offset,
                    numbers=group.taken,
                )
        self._note(row, group, report)
        row.faults += faults.count
        row.warnings += len(report.warnings)

    def _plan(self, row: ImportJob, group: _Group, report: Report, *, create: bool) -> tuple[Plan, dict[str, int]]:
        ids = player_ids(row.club, {group.label: group.lines}, row.players, report, group.faults, create=create)
        return checked(row.club, group.label, group.lines, row.scheme, group.faults), ids

    def _note(self, row: ImportJob, group: _Group, report: Report) -> None:
        notes = [
            ImportNote(
                job=row,
                line=item["line"],
                level=Level.ERROR,
                code=item["code"],
                message=item["message"],
                action=item.get("action"),
            )
            for item in group.faults.items
        ]
        notes += [ImportNote(job=row, level=Level.WARNING, **item) for item in report.warnings]
        first: dict[str, int] = {}
        for line in group.lines:
            for name in line.record.players:
                first.setdefault(name, line.number)
        meant = {
            name: {"code": "new_player", "message": say("“{name}” is a new player of the club.", name=name)}
            for name in report.new_players
        }
        for name, player in report.matched_players.items():
            meant[name] = {
                "code": "matched_player",
                "message": say("“{name}” is the player {player}.", name=name, player=player),
            }
        for name, said in meant.items():
            key = f"name {name_key(name)}"
            notes.append(ImportNote(job=row, level=Level.INFO, line=first[name], key=key, **said))
        ImportNote.objects.bulk_create(notes, batch_size=1000, ignore_conflicts=True)

    # -- storing

    def store(self) -> bool:
        """Store some sessions; returns whether there is more to do. Raises Refusal where one cannot be any more."""
        while True:
            part = ImportPart.objects.filter(job=self.job.pk, session=None).order_by("place").first()
            if part is None:
                _end(self.job, Status.DONE)
                return False
            self._store(part)
            if self.late():
                _release(self.job)
                return True

    def _store(self, part: ImportPart) -> None:
        """One session, in one transaction: checked again, stored, and marked as stored."""
        group = next(_groups(self.job.pk, offset=part.offset, line=part.first_line - 1))
        report = Report(dry_run=False)
        try:
            with transaction.atomic():
                row = _mine(self.job)
                plan, ids = self._plan(row, group, report, create=True)
                if group.faults.count:
                    raise Refusal("import_faults", say("The club has changed since the file was checked."))
                now = timezone.now()
                store(plan, caller=self.caller, club=row.club, ids=ids, now=now, door=row.door, report=report)
                session = Session.objects.get(public_id=report.sessions[0]["session"])
                ImportPart.objects.filter(pk=part.pk).update(session=session)
                row.stored_sessions += 1
                row.stored_deals += len(plan.deals)
                row.tries, row.lease_until = 0, now + LEASE
                row.save()
            self.job = row
        except Refusal:
            self._conflict(part, group)
            raise
        except Exception as error:
            refusal = refusal_of(error)
            if refusal is None:
                raise
            raise refusal from error

    def _conflict(self, part: ImportPart, group: _Group) -> None:
        """Note what is against a session that was good when the file was checked."""
        with transaction.atomic():
            row = _mine(self.job)
            self._note(row, group, Report(dry_run=False))
            ImportJob.objects.filter(pk=row.pk).update(faults=F("faults") + group.faults.count)
