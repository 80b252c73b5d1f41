"""A competition's own log: who did what, when, why, through which door. Append-only by the database itself."""

from typing import ClassVar

from django.db import models

from competitions.models.competition import Competition
from games.models import User
from games.models.event import append_only_but_reason


class Event(models.Model):
    """One event; `kind` is a `competitions.facts.Kind`. A publication's content is part of its `data`."""

    pk = models.CompositePrimaryKey("competition_id", "seq")
    competition = models.ForeignKey(Competition, on_delete=models.PROTECT, db_index=False, related_name="+")
    seq = models.IntegerField()
    at = models.DateTimeField()
    actor = models.ForeignKey(User, on_delete=models.PROTECT, db_index=False, related_name="+")
    kind = models.SmallIntegerField()
    round = models.SmallIntegerField(null=True)
    player = models.BigIntegerField(null=True)
    data = models.JSONField()
    reason = models.TextField(blank=True)
    door = models.CharField(max_length=6)

    class Meta:
        triggers: ClassVar = append_only_but_reason(
            "competition", "seq", "at", "actor", "kind", "round", "player", "data", "door"
        )
