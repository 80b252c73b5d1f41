"""Who sits at tables: people and bots, each of one club."""

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q

from games.models.club import Club, User
from games.models.fields import LONGEST_KEY, check_text, name_key, public_id, search_key


class Player(models.Model):
    """A person or a bot of a club. A person may be linked to an account; a bot plays by its `strategy`, or,
    where that is `bots.OUTSIDE`, somebody's program plays it over the API.

    A player with history is never deleted (every reference is PROTECT): set inactive, *merged into another*, or
    *anonymised*. The last two follow from the club's log (`games.clublog`). Whoever others are merged into is merged
    into nobody, so that one step leads to the `person`.
    """

    id = models.BigAutoField(primary_key=True)
    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players")
    name = models.CharField(max_length=80, validators=[check_text])
    name_key = models.CharField(max_length=240, editable=False)
    search_key = models.CharField(max_length=LONGEST_KEY, editable=False, default="")
    user = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="players",
        help_text="The account that plays this player's seats over the API.",
    )
    strategy = models.CharField(max_length=40, blank=True, help_text="A bot's way of playing; empty for a person.")
    active = models.BooleanField(default=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, editable=False, related_name="duplicates"
    )
    anonymised = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name", "id")
        indexes: ClassVar = [
            models.Index(fields=["club", "name_key"], name="player_name_key"),
            models.Index(fields=["club", "search_key"], name="player_search_key"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "user"], condition=Q(strategy=""), name="player_account_once"),
            models.CheckConstraint(condition=~Q(name=""), name="player_named"),
            models.CheckConstraint(condition=Q(strategy="") | Q(user__isnull=False), name="player_bot_account"),
            models.CheckConstraint(
                condition=Q(merged_into=None, anonymised=False) | Q(active=False), name="player_gone_inactive"
            ),
            models.CheckConstraint(condition=Q(anonymised=False) | Q(user=None, strategy=""), name="player_anonymous"),
            models.CheckConstraint(condition=~Q(merged_into=F("id")), name="player_not_own_duplicate"),
        ]
        triggers: ClassVar = [
            pgtrigger.Trigger(
                name="people_version",
                level=pgtrigger.Statement,
                when=pgtrigger.After,
                operation=pgtrigger.Update,
                referencing=pgtrigger.Referencing(new="changed"),
                func="""
                    UPDATE games_club SET people_version = people_version + 1
                    WHERE id IN (SELECT club_id FROM changed);
                    RETURN NULL;
                """,
            )
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args, **kwargs) -> None:  # type: ignore[no-untyped-def]
        self.name_key, self.search_key = name_key(self.name), search_key(self.name)
        super().save(*args, **kwargs)

    @property
    def person(self) -> "Player":
        """Whoever this is: the player it is merged into, else itself. Select `merged_into` along in lists."""
        return self.merged_into or self
