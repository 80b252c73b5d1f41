"""Who sits at tables: people and bots, each of one club."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.models.club import Club, User
from games.models.fields import check_text, name_key, public_id


class Player(models.Model):
    """A person or a bot of a club. A person may be linked to an account; a bot plays by its `strategy`.

    A player with history is never deleted (every reference is PROTECT), only set inactive.
    """

    id = models.BigAutoField(primary_key=True)
    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players")
    name = models.CharField(max_length=80, validators=[check_text])
    name_key = models.CharField(max_length=160, editable=False)
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
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name", "id")
        indexes: ClassVar = [models.Index(fields=["club", "name_key"], name="player_name_key")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "user"], condition=Q(strategy=""), name="player_account_once"),
            models.CheckConstraint(condition=~Q(name=""), name="player_named"),
            models.CheckConstraint(condition=Q(strategy="") | Q(user__isnull=False), name="player_bot_account"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args, **kwargs) -> None:  # type: ignore[no-untyped-def]
        self.name_key = name_key(self.name)
        super().save(*args, **kwargs)
