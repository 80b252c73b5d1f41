"""The event log: what happened, append-only. The database itself refuses to change it."""

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q

from games.engine.session_events import FIRST_OWN_KIND
from games.models.club import User
from games.models.session import Session


def append_only() -> list[pgtrigger.Trigger]:
    """The triggers of a table whose rows are inserted and never changed or deleted."""
    return [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete), _no_truncate()]


def append_only_but_reason(*columns: str) -> list[pgtrigger.Trigger]:
    """The same for a table with a text `reason`, which alone may be blanked, when a person's data are erased.

    `columns`: all its other columns (fields), of which none may change."""
    condition = pgtrigger.Q(new__reason__gt="")
    for column in columns:
        condition |= pgtrigger.Q(**{f"old__{column}__df": pgtrigger.F(f"new__{column}")})
    return [
        pgtrigger.Protect(name="append_only", operation=pgtrigger.Delete),
        pgtrigger.Protect(name="data_append_only", operation=pgtrigger.Update, condition=condition),
        _no_truncate(),
    ]


def _no_truncate() -> pgtrigger.Trigger:
    return pgtrigger.Trigger(
        name="no_truncate",
        operation=pgtrigger.Truncate,
        level=pgtrigger.Statement,
        when=pgtrigger.Before,
        func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
    )


class Event(models.Model):
    """One stored fact. Eight small columns and no surrogate key: 86 to 100 bytes with its indexes.

    `deal` is the deal's ordinal (0: the session as a whole), `kind` a `games.engine.session.Kind`.
    """

    pk = models.CompositePrimaryKey("session_id", "seq")
    at = models.DateTimeField()
    session = models.ForeignKey(Session, on_delete=models.PROTECT, db_index=False, related_name="+")
    actor = models.ForeignKey(User, on_delete=models.PROTECT, db_index=False, related_name="+")
    seq = models.IntegerField()
    deal = models.SmallIntegerField()
    kind = models.SmallIntegerField()
    seat = models.SmallIntegerField(null=True)
    card = models.SmallIntegerField(null=True)

    class Meta:
        triggers: ClassVar = append_only()
        indexes: ClassVar = [
            models.Index(fields=["session", "seq"], name="event_own", condition=Q(kind__gte=int(FIRST_OWN_KIND))),
        ]


class EventDetail(models.Model):
    """What an event says beyond its columns, why, and through which door. Ordinary actions have none."""

    pk = models.CompositePrimaryKey("session_id", "seq")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, db_index=False, related_name="+")
    seq = models.IntegerField()
    data = models.JSONField()
    reason = models.TextField(blank=True)
    door = models.CharField(max_length=6)

    class Meta:
        triggers: ClassVar = append_only_but_reason("data", "seq", "session", "door")
