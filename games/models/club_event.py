"""The club's own log: what became of its people. Append-only, like the log of a session."""

from typing import ClassVar

from django.db import models

from games.models.club import Club, User
from games.models.event import append_only_but_reason
from games.models.player import Player


class ClubEvent(models.Model):
    """One stored fact about a player of a club. `kind` is a `games.clublog.ClubKind`; no column holds a name.

    What follows from it stands in the player's row: `merged_into`, `anonymised`.
    """

    pk = models.CompositePrimaryKey("club_id", "seq")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, db_index=False, related_name="+")
    seq = models.IntegerField()
    at = models.DateTimeField()
    actor = models.ForeignKey(User, on_delete=models.PROTECT, db_index=False, related_name="+")
    kind = models.SmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    data = models.JSONField()
    reason = models.TextField(blank=True)
    door = models.CharField(max_length=6)

    class Meta:
        triggers: ClassVar = append_only_but_reason("club", "seq", "at", "actor", "kind", "player", "data", "door")
