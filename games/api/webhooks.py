"""Webhooks: addresses that are told what happens in a club, their secrets, and the log of what was sent."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView, created, edited
from games.api.docs import AFTER, KEY, LIMIT, PUBLIC_ID, listed, operation
from games.api.fields import Body, Flag, Nothing, Text, read_body
from games.api.paging import PARAMETERS, page_by_id
from games.api.scopes import Scope
from games.api.versions import Own, of_webhook, own_of_webhook
from games.models import Webhook, WebhookDelivery
from games.services import webhooks
from games.webhooks import reads
from games.webhooks.addresses import LONGEST
from games.webhooks.shapes import delivery_json, webhook_json

ID = OpenApiParameter("webhook", PUBLIC_ID, OpenApiParameter.PATH, description="The webhook's id.")
DELIVERY_ID = OpenApiParameter("delivery", PUBLIC_ID, OpenApiParameter.PATH, description="The delivery's id.")
WEBHOOK = {
    "id": "p4t8x2m9kq7w",
    "club": "riverside",
    "url": "https://club.example.org/fantan",
    "description": "The club's web site",
    "types": ["session.deal_finished", "competition.*"],
    "active": True,
    "off_because": None,
    "failing_since": None,
    "created_at": "2026-11-29T18:00:00.000000Z",
}
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="  # noqa: S105 - an example
DELIVERY = {
    "id": "d7k2v9q4xw3m",
    "webhook": "p4t8x2m9kq7w",
    "event": "k3v9qm2xw7pt-63-deal_finished",
    "type": "session.deal_finished",
    "status": "done",
    "tries": 1,
    "due_at": None,
    "tried_at": "2026-11-29T20:31:02.114093Z",
    "took_ms": 84,
    "code": 204,
    "error": "",
    "excerpt": "",
    "created_at": "2026-11-29T20:31:01.902311Z",
    "payload": {
        "type": "session.deal_finished",
        "timestamp": "2026-11-29T20:31:00.417020Z",
        "data": {
            "club": "riverside",
            "session": "k3v9qm2xw7pt",
            "seq": 63,
            "kind": "deal_finished",
            "deal": 1,
            "address": "/api/v1/sessions/k3v9qm2xw7pt/deals/1",
        },
    },
}


class WebhookShape(serializers.Serializer[Any]):
    id = serializers.CharField()
    club = serializers.CharField(help_text="The club's slug.")
    url = serializers.CharField(help_text="Where events are sent.")
    description = serializers.CharField()
    types = serializers.ListField(child=serializers.CharField(), help_text="Which events; `session.*` or `*` for all.")
    active = serializers.BooleanField(help_text="Whether anything is sent.")
    off_because = serializers.CharField(
        allow_null=True, help_text="Why it is not active, where nobody switched it off: `gone` (410) or `failing`."
    )
    failing_since = serializers.DateTimeField(allow_null=True, help_text="Since when nothing was taken any more.")
    created_at = serializers.DateTimeField()


class WebhookMade(WebhookShape):
    secret = serializers.CharField(
        allow_null=True,
        help_text="What signs every call. Shown by this answer alone; null where the server's own key is another now.",
    )


class WebhookRotated(WebhookMade):
    old_secret_until = serializers.DateTimeField(help_text="Until then the secret before signs too.")


class WebhookDeleted(serializers.Serializer[Any]):
    deleted = serializers.CharField(help_text="The id of the webhook that was.")


class DeliveryShape(serializers.Serializer[Any]):
    """One event for one webhook, and how its sending went."""

    id = serializers.CharField()
    webhook = serializers.CharField()
    event = serializers.CharField(help_text="The event's id, `webhook-id` of each try.")
    type = serializers.CharField()
    status = serializers.ChoiceField(choices=WebhookDelivery.Status.choices, help_text="dead: given up.")
    tries = serializers.IntegerField()
    due_at = serializers.DateTimeField(allow_null=True, help_text="When it is tried next, while it waits.")
    tried_at = serializers.DateTimeField(allow_null=True)
    took_ms = serializers.IntegerField(allow_null=True)
    code = serializers.IntegerField(allow_null=True, help_text="Status of the last answer.")
    error = serializers.CharField(help_text="Why there was none.")
    excerpt = serializers.CharField(help_text="How the last answer began.")
    created_at = serializers.DateTimeField()
    payload = serializers.DictField(help_text="What is sent.")


class NewWebhook(Body):
    url = Text(max_length=LONGEST, help_text="Where events are sent: a public https address.")
    description = Text(required=False, allow_blank=True, max_length=200)
    types = serializers.ListField(
        required=False,
        child=Text(max_length=40),
        min_length=1,
        max_length=100,
        help_text="Which events (docs/webhooks.md): types, `session.*`, or `*`, which is usual.",
    )


class WebhookChange(NewWebhook):
    url = Text(required=False, max_length=LONGEST)
    active = Flag(required=False, help_text="Switched on again it is told what happens from then on.")


class ClubWebhooks(ApiView):
    scopes = {"GET": Scope.WEBHOOKS_MANAGE, "POST": Scope.WEBHOOKS_MANAGE}
    parameters = {"GET": PARAMETERS}

    @operation(
        "club_webhooks",
        tag="webhooks",
        summary="A club's webhooks",
        description="Oldest first. Organisers.",
        codes="forbidden",
        answer=listed(WebhookShape, "WebhookPage"),
        example={"results": [WEBHOOK], "next": None},
        path=["club"],
        query=[LIMIT, AFTER],
    )
    def get(self, request: Request, club: str) -> Response:
        rows = reads.webhooks_of(self.caller, club)
        return page_by_id(request, self.query, rows, model=Webhook, cursor="public_id", render=webhook_json)

    @operation(
        "webhook_create",
        tag="webhooks",
        summary="Make a webhook",
        description="From now on the address is told what happens in the club, signed with the `secret` of the answer, "
        "which is shown by nothing else. Organisers.",
        codes="forbidden bad_url bad_event_types bad_text too_many_webhooks",
        answer=WebhookMade,
        example={**WEBHOOK, "secret": SECRET},
        status=201,
        request=NewWebhook,
        request_example={
            "url": "https://club.example.org/fantan",
            "description": "The club's web site",
            "types": ["session.deal_finished", "competition.*"],
        },
        path=["club"],
        key=KEY,
        located=True,
    )
    def post(self, request: Request, club: str) -> Response:
        body = read_body(request, NewWebhook)
        made = webhooks.create_webhook(
            caller=self.caller, club=club, now=timezone.now(), key=self.key(request.data), **body
        )
        return created(made, f"/api/v1/webhooks/{made['id']}")


class OneWebhook(ApiView):
    scopes = {"GET": Scope.WEBHOOKS_MANAGE, "PATCH": Scope.WEBHOOKS_MANAGE, "DELETE": Scope.WEBHOOKS_MANAGE}
    secret = True  # about other people's servers: its tag is for edits

    @operation(
        "webhook",
        tag="webhooks",
        summary="A webhook",
        description="Without its secret. Organisers.",
        codes="forbidden",
        answer=WebhookShape,
        example=WEBHOOK,
        path=[ID],
        versioned=True,
    )
    def get(self, request: Request, webhook: str) -> Response:
        row = reads.webhook_of(self.caller, webhook)
        if unchanged := self.unchanged(of_webhook(row)):
            return unchanged
        return Response(webhook_json(row))

    @operation(
        "webhook_change",
        tag="webhooks",
        summary="Change a webhook",
        description="Only what is sent is changed. Switched on again it is told what happens from then on; what waited "
        "is sent. Organisers.",
        codes="forbidden bad_url bad_event_types bad_text",
        answer=WebhookShape,
        example=WEBHOOK,
        request=WebhookChange,
        request_example={"types": ["session.deal_finished", "competition.*"], "active": True},
        edits="/webhooks/{webhook}",
        path=[ID],
        key=KEY,
    )
    def patch(self, request: Request, webhook: str) -> Response:
        body = read_body(request, WebhookChange)
        key = self.key(request.data)
        changed = webhooks.change_webhook(
            caller=self.caller,
            webhook=webhook,
            now=timezone.now(),
            key=key,
            check=self.meant(_own),
            **body,
        )
        return edited(Response(changed), own_of_webhook(changed))

    @operation(
        "webhook_delete",
        tag="webhooks",
        summary="Delete a webhook",
        description="Nothing more is sent, and the log of what was is deleted with it. Organisers.",
        codes="forbidden",
        answer=WebhookDeleted,
        example={"deleted": WEBHOOK["id"]},
        edits="/webhooks/{webhook}",
        ends=True,
        path=[ID],
        key=KEY,
    )
    def delete(self, request: Request, webhook: str) -> Response:
        key = self.key(request.data)
        return Response(webhooks.delete_webhook(caller=self.caller, webhook=webhook, key=key, check=self.meant(_own)))


def _own(row: Webhook) -> Own:
    return own_of_webhook(webhook_json(row))


class RotateSecret(ApiView):
    scopes = {"POST": Scope.WEBHOOKS_MANAGE}

    @operation(
        "webhook_rotate",
        tag="webhooks",
        summary="Make a new secret",
        description="For 24 hours each call is signed with both secrets, the new and the one before. Organisers.",
        codes="forbidden",
        answer=WebhookRotated,
        example={**WEBHOOK, "old_secret_until": "2026-11-30T20:00:00.000000Z", "secret": SECRET},
        status=201,
        request=Nothing,
        request_example={},
        path=[ID],
        key=KEY,
    )
    def post(self, request: Request, webhook: str) -> Response:
        read_body(request, Nothing)
        key = self.key(request.data)
        return Response(
            webhooks.rotate_secret(caller=self.caller, webhook=webhook, now=timezone.now(), key=key), status=201
        )


class SendTest(ApiView):
    scopes = {"POST": Scope.WEBHOOKS_MANAGE}

    @operation(
        "webhook_test",
        tag="webhooks",
        summary="Send a test",
        description="An event of type `webhook.test`, which says that nothing happened; the answer is its delivery, "
        "which waits to be sent. Organisers.",
        codes="forbidden webhook_off",
        answer=DeliveryShape,
        example={**DELIVERY, "status": "waiting", "tries": 0, "due_at": "2026-11-29T20:31:01.902311Z"},
        status=201,
        request=Nothing,
        request_example={},
        path=[ID],
        key=KEY,
    )
    def post(self, request: Request, webhook: str) -> Response:
        read_body(request, Nothing)
        key = self.key(request.data)
        return Response(
            webhooks.send_test(caller=self.caller, webhook=webhook, now=timezone.now(), key=key), status=201
        )


class Deliveries(ApiView):
    scopes = {"GET": Scope.WEBHOOKS_MANAGE}
    parameters = {"GET": (*PARAMETERS, "status")}

    @operation(
        "webhook_deliveries",
        tag="webhooks",
        summary="What a webhook was told",
        description="The deliveries of the last 30 days, newest first. Organisers.",
        codes="forbidden",
        answer=listed(DeliveryShape, "DeliveryPage"),
        example={"results": [DELIVERY], "next": None},
        path=[ID],
        query=[
            LIMIT,
            AFTER,
            OpenApiParameter("status", str, enum=WebhookDelivery.Status.values, description="Only those of this."),
        ],
    )
    def get(self, request: Request, webhook: str) -> Response:
        rows = reads.deliveries_of(reads.webhook_of(self.caller, webhook))
        if status := self.query.choice("status", WebhookDelivery.Status.values):
            rows = rows.filter(status=status)
        return page_by_id(
            request,
            self.query,
            rows,
            model=WebhookDelivery,
            cursor="public_id",
            render=delivery_json,
            newest_first=True,
        )


class Replay(ApiView):
    scopes = {"POST": Scope.WEBHOOKS_MANAGE}

    @operation(
        "delivery_replay",
        tag="webhooks",
        summary="Send a delivery again",
        description="Under the same event id, with as many tries as a new one. Organisers.",
        codes="forbidden webhook_off still_waiting",
        answer=DeliveryShape,
        example={**DELIVERY, "status": "waiting", "tries": 0, "due_at": "2026-11-29T21:00:00.000000Z"},
        status=201,
        request=Nothing,
        request_example={},
        path=[DELIVERY_ID],
        key=KEY,
    )
    def post(self, request: Request, delivery: str) -> Response:
        read_body(request, Nothing)
        key = self.key(request.data)
        return Response(webhooks.replay(caller=self.caller, delivery=delivery, now=timezone.now(), key=key), status=201)
