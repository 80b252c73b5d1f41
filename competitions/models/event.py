"""A competition's own log: who did what, when, why, through which door. Append-only by the database itself."""

from typing import ClassVar

import pgtrigger
from django.db import models

from competitions.models.competition import Competition
from games.models import User


class Event(models.Model):
    """One event; `kind` is a `competitions.state.Kind`. A publication's content is part of its `data`."""

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
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Delete),
            # The reason alone may be blanked, when a person's data are erased.
            pgtrigger.Protect(
                name="data_append_only",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(new__reason__gt="")
                | pgtrigger.Q(old__competition__df=pgtrigger.F("new__competition"))
                | pgtrigger.Q(old__seq__df=pgtrigger.F("new__seq"))
                | pgtrigger.Q(old__at__df=pgtrigger.F("new__at"))
                | pgtrigger.Q(old__actor__df=pgtrigger.F("new__actor"))
                | pgtrigger.Q(old__kind__df=pgtrigger.F("new__kind"))
                | pgtrigger.Q(old__round__df=pgtrigger.F("new__round"))
                | pgtrigger.Q(old__player__df=pgtrigger.F("new__player"))
                | pgtrigger.Q(old__data__df=pgtrigger.F("new__data"))
                | pgtrigger.Q(old__door__df=pgtrigger.F("new__door")),
            ),
            pgtrigger.Trigger(
                name="no_truncate",
                operation=pgtrigger.Truncate,
                level=pgtrigger.Statement,
                when=pgtrigger.Before,
                func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
            ),
        ]
