"""What every write to a session answers with."""

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from games import receipts
from games.api import rendering
from games.services.writing import Receipt


class EventShape(serializers.Serializer[Any]):
    """One of a session's own events."""

    seq = serializers.IntegerField(help_text="Its place in the session's log, from 1.")
    kind = serializers.CharField(help_text="opened, seated, dealt, voided, …")
    deal = serializers.IntegerField(allow_null=True, help_text="Number of the deal it is about.")
    seat = serializers.IntegerField(allow_null=True)
    at = serializers.DateTimeField()
    data = serializers.DictField(help_text="What else the event says; depends on the kind.")


class Written(serializers.Serializer[Any]):
    """A change to a session: where its log stands, and the events that were appended."""

    session = serializers.CharField()
    seq = serializers.IntegerField(help_text="The session's last event.")
    events = EventShape(many=True)


def written(receipt: Receipt, *, status: int = 201, location: str = "") -> Response:
    """The answer to a write, rebuilt from the log, so that a retry gets the same."""
    body = written_shape(receipts.of_write(receipt.session, receipt.seq))
    headers = {"Location": location} if location else None
    return Response(body, status=status, headers=headers)


def written_shape(answer: dict[str, Any]) -> dict[str, Any]:
    return {**answer, "events": [{**event, "at": rendering.time(event["at"])} for event in answer["events"]]}


def example(kind: str, *, seq: int, deal: int | None = None, seat: int | None = None, **data: Any) -> dict[str, Any]:
    """An answer for the schema's examples."""
    event = {"seq": seq, "kind": kind, "deal": deal, "seat": seat, "at": "2026-11-29T20:05:00.000000Z", "data": data}
    return {"session": "k3v9qm2xw7pt", "seq": seq, "events": [event]}
