"""Imports of big files: the file in pieces until it is done, how far the work is, and what came of each line.

None of this is a log: it is deleted, the file when the job is over, the rest 30 days later.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import pgettext_lazy

from games.models.club import Club, User
from games.models.fields import public_id
from games.models.session import Session


class ImportJob(models.Model):
    """One file on its way into a club. `lease`: who works on it just now, until `lease_until`.

    - `line`, `offset`: the lines that are checked, and the byte after them. The counts are of these.
    - `tries`: how often somebody began a slice of work since one was finished; too many mean that none can be.
    """

    class Status(models.TextChoices):
        RECEIVING = "receiving", pgettext_lazy("state of an import", "Receiving")
        CHECKING = "checking", pgettext_lazy("state of an import", "Checking")
        STORING = "storing", pgettext_lazy("state of an import", "Storing")
        CHECKED = "checked", pgettext_lazy("state of an import", "Checked, nothing stored (a dry run)")
        DONE = "done", pgettext_lazy("state of an import", "Done")
        REFUSED = "refused", pgettext_lazy("state of an import", "Refused, nothing stored")
        FAILED = "failed", pgettext_lazy("state of an import", "Failed on the way")
        CANCELLED = "cancelled", pgettext_lazy("state of an import", "Cancelled")

    id = models.BigAutoField(primary_key=True)
    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="import_jobs")
    actor = models.ForeignKey(User, on_delete=models.PROTECT, db_index=False, related_name="+")
    door = models.CharField(max_length=6)
    created_at = models.DateTimeField(db_default=Now())
    touched_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.RECEIVING)
    dry_run = models.BooleanField()
    players = models.JSONField(default=dict)
    scheme = models.JSONField(null=True)
    size = models.BigIntegerField(help_text="Bytes of the file.")
    offset = models.BigIntegerField(default=0)
    line = models.BigIntegerField(default=0)
    deals = models.BigIntegerField(default=0)
    sessions = models.BigIntegerField(default=0)
    faults = models.BigIntegerField(default=0)
    warnings = models.BigIntegerField(default=0)
    stored_deals = models.BigIntegerField(default=0)
    stored_sessions = models.BigIntegerField(default=0)
    code = models.CharField(max_length=40, blank=True)
    message = models.TextField(blank=True)
    lease = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("-id",)
        indexes: ClassVar = [
            models.Index(
                fields=["club", "id"],
                name="import_under_way",
                condition=Q(status__in=["receiving", "checking", "storing"]),
            ),
        ]

    def __str__(self) -> str:
        return f"import {self.public_id}"

    @property
    def over(self) -> bool:
        return self.status not in UNDER_WAY


UNDER_WAY = (ImportJob.Status.RECEIVING, ImportJob.Status.CHECKING, ImportJob.Status.STORING)
AT_WORK = (ImportJob.Status.CHECKING, ImportJob.Status.STORING)


class ImportChunk(models.Model):
    """A piece of a file, all of the same size but the last; gone when its job is over."""

    id = models.BigAutoField(primary_key=True)
    job = models.ForeignKey(ImportJob, on_delete=models.CASCADE, related_name="chunks", db_index=False)
    number = models.IntegerField()
    data = models.BinaryField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["job", "number"], name="import_chunk_once")]

    def __str__(self) -> str:
        return f"chunk {self.number}"


class ImportPart(models.Model):
    """A session of the file: where its lines stand, and the session made of them.

    `label` is null where the deals name no session. `numbers` has for each line from `first_line` on the number of its
    deal, null for a line that is at fault."""

    id = models.BigAutoField(primary_key=True)
    job = models.ForeignKey(ImportJob, on_delete=models.CASCADE, related_name="parts", db_index=False)
    place = models.IntegerField()
    label = models.CharField(max_length=100, null=True)
    first_line = models.BigIntegerField()
    offset = models.BigIntegerField()
    length = models.BigIntegerField()
    numbers = models.JSONField()
    session = models.ForeignKey(Session, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ("job", "place")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["job", "place"], name="import_part_once"),
            models.UniqueConstraint(fields=["job", "label"], name="import_label_once", nulls_distinct=False),
        ]

    def __str__(self) -> str:
        return self.label or "without a label"


class ImportNote(models.Model):
    """What is to be said of a line. `key`: what is said once in a file, such as of a name; null for all else."""

    class Level(models.TextChoices):
        INFO = "info", pgettext_lazy("note about a line", "For information")
        WARNING = "warning", pgettext_lazy("note about a line", "Warning")
        ERROR = "error", pgettext_lazy("note about a line", "Fault")

    id = models.BigAutoField(primary_key=True)
    job = models.ForeignKey(ImportJob, on_delete=models.CASCADE, related_name="notes", db_index=False)
    line = models.BigIntegerField()
    level = models.CharField(max_length=7, choices=Level.choices)
    code = models.CharField(max_length=40)
    message = models.TextField()
    action = models.IntegerField(null=True)
    key = models.CharField(max_length=260, null=True)

    class Meta:
        ordering = ("job", "line", "id")
        indexes: ClassVar = [models.Index(fields=["job", "line"], name="import_note_line")]
        constraints: ClassVar = [models.UniqueConstraint(fields=["job", "key"], name="import_note_key")]

    def __str__(self) -> str:
        return f"line {self.line}: {self.code}"
