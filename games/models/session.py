"""A session (one table, a series of deals) and the projections of its log.

Every column that the log can rebuild is written by `games.services.projecting` only; `manage.py audit` recomputes all.
"""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import pgettext_lazy

from games.models.club import Club
from games.models.fields import public_id
from games.models.player import Player


class Session(models.Model):
    """One table under one rules profile and one scoring scheme. What follows `created_at` follows from its events.

    `id` has four bytes, enough for two thousand million sessions: it stands in every event and its index entry.
    """

    class Status(models.TextChoices):
        OPEN = "open", pgettext_lazy("status of a session", "Open")
        PLAYING = "playing", pgettext_lazy("status of a session", "Playing")
        WAITING = "waiting", pgettext_lazy("status of a session", "Between deals")
        FINISHED = "finished", pgettext_lazy("status of a session", "Finished")
        CLOSED = "closed", pgettext_lazy("status of a session", "Closed")

    id = models.AutoField(primary_key=True)
    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="sessions")
    created_at = models.DateTimeField(db_default=Now())
    label = models.CharField(max_length=100)
    rules = models.JSONField()
    scheme = models.JSONField()
    public = models.BooleanField(default=False)
    deal_after = models.PositiveIntegerField(null=True)
    deals_planned = models.PositiveSmallIntegerField(null=True)
    confirm = models.BooleanField(default=False)
    self_seating = models.BooleanField(default=False)
    spectator_delay = models.PositiveIntegerField(default=0, db_default=0)
    turn_seconds = models.PositiveIntegerField(null=True)
    stand_in = models.CharField(max_length=40, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    seats = models.PositiveSmallIntegerField(null=True)
    seq = models.PositiveIntegerField(default=0)
    live_deal = models.PositiveSmallIntegerField(null=True)
    live_seq = models.PositiveIntegerField(null=True)
    to_act = models.PositiveSmallIntegerField(null=True)
    due_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("-id",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "label"], name="session_label"),
            models.CheckConstraint(
                condition=Q(live_deal__isnull=True, live_seq__isnull=True, to_act__isnull=True)
                | Q(live_deal__isnull=False, live_seq__isnull=False, to_act__isnull=False, live_seq__lte=F("seq")),
                name="session_live",
            ),
        ]
        indexes: ClassVar = [
            # Not on due_at itself: every action changes that, and an index on it would end HOT updates.
            models.Index(fields=["id"], name="session_in_play", condition=Q(status__in=["playing", "waiting"])),
        ]

    def __str__(self) -> str:
        return self.label


class Occupancy(models.Model):
    """*Who sits in a seat from a deal number on; `credit` says who gets the seat's points.*"""

    id = models.BigAutoField(primary_key=True)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="occupancies")
    seat = models.PositiveSmallIntegerField()
    from_number = models.PositiveIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="occupancies")
    credit = models.CharField(max_length=5, default="last")

    class Meta:
        ordering = ("session", "seat", "from_number")
        verbose_name_plural = "occupancies"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "seat", "from_number"], name="occupancy_once"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} from deal {self.from_number}"


class TableRow(models.Model):
    """*One seat of the session's table. `total` and the points in `players` are exact: an integer or n/d. `deals`,
    `wins` and `cards_left` are sums over the deals that count.*"""

    id = models.BigAutoField(primary_key=True)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="table_rows")
    seat = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    total = models.CharField(max_length=60)
    deals = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    cards_left = models.PositiveIntegerField(default=0)
    players = models.JSONField()

    class Meta:
        ordering = ("session", "place", "seat")
        constraints: ClassVar = [models.UniqueConstraint(fields=["session", "seat"], name="table_row_once")]

    def __str__(self) -> str:
        return f"place {self.place}: seat {self.seat} with {self.total}"


class PointAdjustment(models.Model):
    """*Points added to a seat by an organiser, with the event that cancelled it, if any.*"""

    id = models.BigAutoField(primary_key=True)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="adjustments")
    seq = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    points = models.IntegerField()
    cancelled_by = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ("session", "seq")
        constraints: ClassVar = [models.UniqueConstraint(fields=["session", "seq"], name="adjustment_once")]

    def __str__(self) -> str:
        return f"{self.points:+d} for seat {self.seat}"
