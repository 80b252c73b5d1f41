"""Webhooks and what they were told, for organisers of their club: nobody else knows that they are there."""

from django.db.models import QuerySet

from games.access import Caller, club_for, role_needed
from games.errors import NotFound
from games.models import Role, Webhook, WebhookDelivery


def webhooks_of(caller: Caller, club: str) -> QuerySet[Webhook]:
    """The webhooks of the club with that slug. Raises NotFound to those outside it, Forbidden to all but organisers."""
    return Webhook.objects.select_related("club").filter(club=club_for(caller, club, Role.ORGANISER))


def webhook_of(caller: Caller, public_id: str) -> Webhook:
    """A webhook with its club; raises as `webhooks_of`."""
    row = Webhook.objects.select_related("club").filter(public_id=public_id).first()
    if row is None:
        raise NotFound("webhook")
    check_seen(caller, row, "webhook")
    return row


def deliveries_of(webhook: Webhook) -> QuerySet[WebhookDelivery]:
    """What a webhook was told, or is to be."""
    return WebhookDelivery.objects.select_related("webhook").filter(webhook=webhook)


def check_seen(caller: Caller, row: Webhook, what: str) -> None:
    """Raises NotFound to those outside the webhook's club, Forbidden to all but its organisers."""
    if not caller.has(Role.MEMBER, row.club_id):
        raise NotFound(what)
    if not caller.has(Role.ORGANISER, row.club_id):
        raise role_needed(Role.ORGANISER, row.club.name)
