"""A competition and the projections of its log: entries, rounds, tables, publications.

Every column that the log can rebuild is written by `competitions.services.projecting` only; `manage.py audit`
recomputes all.
"""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import pgettext_lazy

from games.models import Club, Player, Session
from games.models.fields import public_id


class Competition(models.Model):
    """A league or a tournament of a club. What follows `created_at` follows from its events."""

    class Kind(models.TextChoices):
        LEAGUE = "league", pgettext_lazy("competition", "League")
        TOURNAMENT = "tournament", pgettext_lazy("competition", "Tournament")

    class Status(models.TextChoices):
        OPEN = "open", pgettext_lazy("competition", "Not begun")
        RUNNING = "running", pgettext_lazy("competition", "Running")
        FINISHED = "finished", pgettext_lazy("competition", "Finished")

    id = models.AutoField(primary_key=True)
    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="competitions")
    created_at = models.DateTimeField(db_default=Now())
    name = models.CharField(max_length=100)
    season = models.CharField(max_length=40, blank=True)
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.TOURNAMENT)
    format = models.CharField(max_length=40)
    public = models.BooleanField(default=False)
    starts_on = models.DateField(null=True)
    ends_on = models.DateField(null=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    seq = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("-id",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "name", "season"], name="competition_name"),
            models.CheckConstraint(
                condition=Q(starts_on=None) | Q(ends_on=None) | Q(starts_on__lte=F("ends_on")),
                name="competition_days",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.season}".strip()


class Entry(models.Model):
    """*One who competes; a person enters a competition once.*"""

    id = models.BigAutoField(primary_key=True)
    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    from_round = models.PositiveSmallIntegerField()
    seed = models.PositiveIntegerField(null=True)
    withdrawn = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering = ("competition", "id")
        verbose_name_plural = "entries"
        constraints: ClassVar = [models.UniqueConstraint(fields=["competition", "player"], name="entry_once")]

    def __str__(self) -> str:
        return str(self.player)


class Round(models.Model):
    """*A round or an evening of a competition.*"""

    class Status(models.TextChoices):
        PLANNED = "planned", pgettext_lazy("round", "Planned")
        DRAWN = "drawn", pgettext_lazy("round", "Drawn")
        OPEN = "open", pgettext_lazy("round", "Open")
        CLOSED = "closed", pgettext_lazy("round", "Closed")

    id = models.BigAutoField(primary_key=True)
    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=60, blank=True)
    day = models.DateField(null=True)
    status = models.CharField(max_length=10, choices=Status.choices)

    class Meta:
        ordering = ("competition", "number")
        constraints: ClassVar = [models.UniqueConstraint(fields=["competition", "number"], name="round_once")]

    def __str__(self) -> str:
        return self.title or f"Round {self.number}"


class Table(models.Model):
    """*A table of a round: one session, which belongs to no other table.*"""

    id = models.BigAutoField(primary_key=True)
    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, related_name="tables")
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    session = models.OneToOneField(Session, on_delete=models.PROTECT, related_name="competition_table")

    class Meta:
        ordering = ("competition", "round", "number")
        constraints: ClassVar = [models.UniqueConstraint(fields=["competition", "round", "number"], name="table_once")]

    def __str__(self) -> str:
        return f"round {self.round}, table {self.number}"


class Publication(models.Model):
    """*A numbered snapshot of a draw or of standings. What it says stands in the log, where nothing can change it.*"""

    class What(models.TextChoices):
        DRAW = "draw", pgettext_lazy("publication", "Draw")
        STANDINGS = "standings", pgettext_lazy("publication", "Standings")

    id = models.BigAutoField(primary_key=True)
    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, related_name="publications")
    number = models.PositiveIntegerField()
    seq = models.PositiveIntegerField()
    what = models.CharField(max_length=10, choices=What.choices)
    round = models.PositiveSmallIntegerField(null=True)
    at = models.DateTimeField()
    not_before = models.DateTimeField(null=True)
    unpublished_by = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ("competition", "number")
        constraints: ClassVar = [models.UniqueConstraint(fields=["competition", "number"], name="publication_once")]

    def __str__(self) -> str:
        return f"publication {self.number}"
