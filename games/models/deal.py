"""Deals of a session (projections of its log) and, apart from them, the cards as dealt."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.models.session import Session


class Deal(models.Model):
    """*One hand-out of the deck. `ordinal` counts entries in the session's log, `number` the deals as players count
    them, `take` the attempts to enter one; the last take not undone is `current`.*

    `result` is the outcome where the deal is finished, `points` what the scheme gives per seat for it, `counted`
    whether it counts (finished, not void, not waiting for a second person, not after the deciding one), `packed` the
    actions at a byte each. `awaits`: a second person has to confirm it; `confirmed_by` (user id) did.
    """

    id = models.BigAutoField(primary_key=True)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="deals", db_index=False)
    ordinal = models.PositiveSmallIntegerField()
    seq = models.PositiveIntegerField(help_text="The event that began this deal.")
    number = models.PositiveIntegerField()
    take = models.PositiveSmallIntegerField(default=1)
    mode = models.CharField(max_length=8)
    wrongful_pass = models.CharField(max_length=7, blank=True)
    dealer = models.PositiveSmallIntegerField()
    current = models.BooleanField(default=True)
    voided_by = models.PositiveIntegerField(null=True)
    confirmed_by = models.BigIntegerField(null=True)
    awaits = models.BooleanField(default=False)
    finished = models.BooleanField(default=False)
    counted = models.BooleanField(default=False)
    result = models.JSONField(null=True)
    points = models.JSONField(null=True)
    packed = models.BinaryField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("session", "number", "take")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "ordinal"], name="deal_ordinal"),
            models.UniqueConstraint(fields=["session", "number"], condition=Q(current=True), name="deal_current"),
            models.UniqueConstraint(fields=["session", "number", "take"], name="deal_take"),
        ]

    def __str__(self) -> str:
        return f"deal {self.number}" + (f", take {self.take}" if self.take > 1 else "")


class DealCards(models.Model):
    """The deck in dealing order, a byte a card. Written once; read by `games.eventlog` only; in no admin page."""

    deal = models.OneToOneField(Deal, on_delete=models.PROTECT, primary_key=True, related_name="cards")
    deck = models.BinaryField()

    def __str__(self) -> str:
        return f"cards of deal {self.deal_id}"
