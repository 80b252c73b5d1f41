"""Webhooks: addresses of other people's programs that are told what happens in a club, and what was sent to them."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.models.club import Club
from games.models.fields import check_text, public_id


class Webhook(models.Model):
    """An address that a club's events are sent to.

    - `types`: which events, by name or as `session.*`; `since`: those from then on.
    - `off_because`: why it is not active, where no person switched it off.
    - Its secret is stored nowhere: `salt` gives it, together with the server's key; `digest` says that it is the right
      one (games/webhooks/signing.py). The one before signs too until `old_until`.
    - `leased_until`: a worker sends to it. `rest_until`: nothing is sent before. `failures` in a row, since
      `failing_since`.
    """

    class Off(models.TextChoices):
        GONE = "gone", gettext_lazy("It answered that it is gone for good (410)")
        FAILING = "failing", gettext_lazy("It has failed for three days")

    id = models.BigAutoField(primary_key=True)
    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=500)
    description = models.CharField(max_length=200, blank=True, validators=[check_text])
    types = models.JSONField()
    active = models.BooleanField(default=True)
    off_because = models.CharField(max_length=8, blank=True, choices=Off.choices)
    created_at = models.DateTimeField()
    since = models.DateTimeField()
    salt = models.BinaryField(max_length=16, editable=False)
    digest = models.BinaryField(max_length=32, editable=False)
    old_salt = models.BinaryField(max_length=16, null=True, editable=False)
    old_digest = models.BinaryField(max_length=32, null=True, editable=False)
    old_until = models.DateTimeField(null=True)
    leased_until = models.DateTimeField(null=True)
    rest_until = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)

    class Meta:
        ordering = ("club", "id")
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(off_because="") | Q(active=False), name="webhook_off"),
        ]

    def __str__(self) -> str:
        return self.url


class WebhookCursor(models.Model):
    """Up to where the log of one subject (a session, a competition, a club) has been told to the club's webhooks.

    `state`: how the subject stood there, for what is told of a change that is no event of its own."""

    pk = models.CompositePrimaryKey("source", "subject")
    source = models.CharField(max_length=12)
    subject = models.BigIntegerField()
    seq = models.IntegerField()
    state = models.CharField(max_length=10, blank=True)


class WebhookDelivery(models.Model):
    """One event for one webhook, and how its sending went. Kept for 30 days.

    `event` is its id for the receiver, the same at each try; `payload` the body, to the byte. `code` and `excerpt` are
    of the last answer, `error` says what went wrong without one."""

    class Status(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("state of a delivery", "Waiting")
        DONE = "done", pgettext_lazy("state of a delivery", "Done")
        DEAD = "dead", pgettext_lazy("state of a delivery", "Given up")

    id = models.BigAutoField(primary_key=True)
    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="deliveries", db_index=False)
    event = models.CharField(max_length=60)
    type = models.CharField(max_length=40)
    payload = models.TextField()
    created_at = models.DateTimeField(db_index=True)
    status = models.CharField(max_length=7, choices=Status.choices, default=Status.WAITING)
    due_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True)
    took_ms = models.PositiveIntegerField(null=True)
    code = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=200, blank=True)
    excerpt = models.TextField(blank=True)

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "webhook deliveries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["webhook", "event"], name="webhook_event_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["webhook", "id"], name="webhook_log"),
            models.Index(fields=["webhook", "due_at", "id"], name="webhook_due", condition=Q(status="waiting")),
            models.Index(fields=["webhook", "tried_at"], name="webhook_dead", condition=Q(status="dead")),
        ]

    def __str__(self) -> str:
        return f"{self.type} ({self.event})"
