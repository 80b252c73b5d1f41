"""Idempotency keys: a request that is sent again gets its first answer and does nothing more."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.models.club import User
from games.models.session import Session


class RequestKey(models.Model):
    """A key that `actor` used. A write to a session is answered from (session, `seq`), anything else from `answer`.

    Kept until 30 days after the session is closed, or after the use where there is none (services/expiry.py).
    """

    id = models.BigAutoField(primary_key=True)
    actor = models.ForeignKey(User, on_delete=models.PROTECT, db_index=False, related_name="+")
    key = models.CharField(max_length=100)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, null=True, related_name="+")
    fingerprint = models.BinaryField(max_length=32)
    seq = models.PositiveIntegerField(null=True)
    answer = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes: ClassVar = [
            # For what is deleted by age. Keys of sessions, one for each action, are found by their session.
            models.Index(fields=["created_at"], name="request_key_age", condition=Q(session=None)),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["actor", "key"], name="request_key_once"),
            models.CheckConstraint(
                condition=Q(seq__isnull=False, session__isnull=False) | Q(answer__isnull=False),
                name="request_key_answered",
            ),
        ]

    def __str__(self) -> str:
        return self.key
