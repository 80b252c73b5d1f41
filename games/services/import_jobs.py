"""Taking in a big file for an import that workers do bit by bit (`import_slices`), cancelling it, forgetting it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Protocol

from django.db import connection, transaction

from games import notify
from games.access import Caller, club_for
from games.errors import Busy, Invalid, NotFound, Refusal
from games.models import Club, ImportChunk, ImportJob, Role
from games.models.import_job import UNDER_WAY
from games.services.keys import Key, answer_of, known, remember, wait_for_twin
from games.services.sessions import checked_scheme
from games.services.transactions import durable
from scoring.wording import say

CHUNK = 1024 * 1024
"""Bytes of a piece of a file, and as much of it as is in memory."""

MOST_AT_ONCE = 4
"""Files of one club on their way at a time."""

KEPT = timedelta(days=30)
STALLED = timedelta(hours=1)
"""After so long without a byte a file will not come any more."""


class Source(Protocol):
    """A file that comes in, such as the body of a request."""

    def read(self, size: int, /) -> bytes: ...


class Incomplete(Refusal):
    """The file ended before its length."""

    status = 400

    def __init__(self) -> None:
        super().__init__("unreadable_body", say("The connection ended before the body did."))


class ImportsBusy(Busy):
    """As many files of the club are on their way as may be at once."""

    def __init__(self) -> None:
        Refusal.__init__(
            self, "busy", say("Other imports of this club are under way. Wait until one is over."), retry_after=10
        )


@dataclass(frozen=True, slots=True)
class Taken:
    """The answer to a file: its job, and whether it is to be a dry run."""

    job: str
    dry_run: bool


def create(
    *,
    caller: Caller,
    club: str,
    source: Source,
    size: int,
    players: Mapping[str, str],
    scheme: Any,
    dry_run: bool,
    now: datetime,
    door: str,
    key: Key | None = None,
) -> Taken:
    """Take in a file of `size` bytes, a piece at a time, for a job that workers do. Scorers and organisers.

    `players` and `scheme` are those of `importing.import_records`. A key that was used before, with a file of the same
    bytes, answers as it did then. Raises Busy, Incomplete, `empty_body`, `bad_rules`.
    """
    owner = club_for(caller, club, Role.SCORER)
    if scheme is not None:
        checked_scheme(scheme)
    if not size:
        raise Invalid("empty_body", say("Send the file as the body."))
    job = _begin(caller, owner, size=size, players=players, scheme=scheme, dry_run=dry_run, now=now, door=door)
    try:
        digest = _receive(job, source)
        return _accept(caller, job, None if key is None else Key.of(key.value, key.fingerprint.hex(), digest))
    except BaseException:
        job.delete()  # and what has come of it
        raise


def cancel(*, caller: Caller, job: str, now: datetime, key: Key | None = None) -> ImportJob:
    """Stop a job: what it has stored stays, nothing more comes. One that is over already is left as it is."""
    with durable():
        wait_for_twin(caller, key)
        row = ImportJob.objects.select_for_update(of=["self"]).select_related("club").filter(public_id=job).first()
        if row is None or not caller.has(Role.MEMBER, row.club_id):
            raise NotFound("import")
        club_for(caller, row.club.slug, Role.SCORER)
        if known(caller, key) is None:
            if not row.over:
                end(row, ImportJob.Status.CANCELLED, now=now)
            remember(caller, key, answer={"job": job})
        return row


def end(job: ImportJob, status: ImportJob.Status, *, now: datetime, code: str = "", message: str = "") -> None:
    """The locked job is over, and its file goes."""
    job.status, job.code, job.message, job.finished_at = status, code, message, now
    job.lease, job.lease_until = "", None
    job.save()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_importchunk WHERE job_id = %s", [job.pk])


def forget(*, now: datetime) -> int:
    """Delete a job that was over 30 days ago, or a file that stopped coming; returns how many went, 0 or 1."""
    old = ImportJob.objects.filter(finished_at__lt=now - KEPT)
    stalled = ImportJob.objects.filter(status=ImportJob.Status.RECEIVING, touched_at__lt=now - STALLED)
    with transaction.atomic():
        job = (old | stalled).select_for_update(skip_locked=True).first()
        if job is None:
            return 0
        with connection.cursor() as cursor:
            for table in ("games_importchunk", "games_importnote", "games_importpart"):
                cursor.execute(f"DELETE FROM {table} WHERE job_id = %s", [job.pk])  # noqa: S608 - one of three names
            cursor.execute("DELETE FROM games_importjob WHERE id = %s", [job.pk])
        return 1


def _begin(caller: Caller, club: Club, **columns: Any) -> ImportJob:
    """A job that is receiving its file; raises ImportsBusy."""
    now = columns.pop("now")
    with durable():
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)  # so that two do not both find the last place
        if ImportJob.objects.filter(club=club, status__in=UNDER_WAY).count() >= MOST_AT_ONCE:
            raise ImportsBusy
        return ImportJob.objects.create(
            club=club,
            actor_id=caller.user,
            created_at=now,
            touched_at=now,
            **{**columns, "players": dict(columns["players"])},
        )


def _receive(job: ImportJob, source: Source) -> str:
    """Store the file in pieces, each in a transaction of its own; returns the SHA-256 of it all."""
    digest, left, number = hashlib.sha256(), job.size, 0
    while left:
        data = _piece(source, min(CHUNK, left))
        digest.update(data)
        with transaction.atomic():
            ImportChunk.objects.create(job=job, number=number, data=data)
            with connection.cursor() as cursor:
                cursor.execute("UPDATE games_importjob SET touched_at = now() WHERE id = %s", [job.pk])
        left -= len(data)
        number += 1
    return digest.hexdigest()


def _piece(source: Source, size: int) -> bytes:
    """Just so many bytes, however few come at a time."""
    data = bytearray()
    while len(data) < size:
        more = source.read(size - len(data))
        if not more:
            raise Incomplete
        data += more
    return bytes(data)


def _accept(caller: Caller, job: ImportJob, key: Key | None) -> Taken:
    """The file is there: let workers begin, unless a twin has sent it before."""
    with durable():
        wait_for_twin(caller, key)
        before = known(caller, key)
        if before is None:
            ImportJob.objects.filter(pk=job.pk).update(status=ImportJob.Status.CHECKING)
            remember(caller, key, answer={"job": job.public_id, "dry_run": job.dry_run})
            transaction.on_commit(partial(notify.nudge_import, job.pk), robust=True)
            return Taken(job.public_id, job.dry_run)
        given = answer_of(before)
        job.delete()
        return Taken(given["job"], given["dry_run"])
