"""Corrections over the API: each can be asked first what it would change, and says afterwards what it did."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from games import hooks, people, receipts
from games.api import rendering
from games.api.base import DOOR, ApiView
from games.api.written import Written, written_shape
from games.models import Session
from games.previewing import Changes, changes, preview
from games.projection import Row
from games.services.writing import Receipt

TABLE = [
    {
        "seat": 1,
        "players": {
            "before": [{"player": "x7m2k9qv3wtp", "deals": 2, "points": 7}],
            "after": [{"player": "x7m2k9qv3wtp", "deals": 1, "points": 4}],
        },
        "total": {"before": 7, "after": 4},
        "place": {"before": 4, "after": 3},
        "deals": {"before": 2, "after": 1},
    }
]
PREVIEW = {"preview": True, "session": "k3v9qm2xw7pt", "seq": 69, "table": TABLE}


class Sides(serializers.Serializer[Any]):
    before = serializers.FloatField(allow_null=True)
    after = serializers.FloatField(allow_null=True)


class SharePart(serializers.Serializer[Any]):
    player = serializers.CharField(help_text="The player's id.")
    deals = serializers.IntegerField()
    points = serializers.FloatField()


class PlayerSides(serializers.Serializer[Any]):
    before = SharePart(many=True)
    after = SharePart(many=True)


class SeatChangeShape(serializers.Serializer[Any]):
    """A row of the session's table that reads otherwise than before."""

    seat = serializers.IntegerField()
    players = PlayerSides()
    total = Sides()
    place = Sides()
    deals = Sides(help_text="How many of the seat's deals count.")


class Effects(serializers.Serializer[Any]):
    """What changes, in the session and in what counts on it."""

    table = SeatChangeShape(
        many=True, required=False, help_text="The rows of the session's table that change; not where the server deals."
    )
    competition = serializers.DictField(
        required=False,
        help_text="Where the session belongs to one: `standings`, `draws`, and draws that are `outdated`.",
    )


class Corrected(Written, Effects):
    """A correction: where the session's log stands, the events that were appended, and what that changed."""


class Previewed(Effects):
    """What a correction would change; nothing is stored."""

    preview = serializers.BooleanField(help_text="true")
    session = serializers.CharField()
    seq = serializers.IntegerField(help_text="Where the session's log stands.")


class CorrectionView(ApiView):
    """A view whose POST is a correction: `?preview=true` only says what it would change (200)."""

    parameters: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("preview",)}

    @property
    def previewing(self) -> bool:
        return "preview" in self.query.values and self.query.flag("preview")

    def correct(
        self, service: Callable[..., Receipt], *, session: str, location: str = "", **arguments: Any
    ) -> Response:
        """Make the service call, or rehearse it. What it is refused with is the same."""
        call = partial(service, caller=self.caller, session=session, now=timezone.now(), door=DOOR, **arguments)
        if self.previewing:
            found = preview(self.caller, session, call)
            return Response({"preview": True, "session": session, "seq": found.since, **effects_shape(found)})
        return corrected(call(key=self.key(self.request.data)), location=location)


def corrected(receipt: Receipt, *, location: str = "") -> Response:
    """The answer to a correction, rebuilt from the log, so that a retry gets the same."""
    answer = receipts.of_write(receipt.session, receipt.seq)
    row = Session.objects.get(public_id=receipt.session)
    done = changes(row, since=answer["events"][0]["seq"] - 1, until=receipt.seq)
    headers = {"Location": location} if location else None
    return Response({**written_shape(answer), **effects_shape(done)}, status=201, headers=headers)


def effects_shape(found: Changes) -> dict[str, Any]:
    rows = [row for change in found.table for row in (change.before, change.after) if row]
    ids = people.public_ids(share["player"] for row in rows for share in row["players"])
    table = [
        {
            "seat": change.seat,
            "players": {side: _shares(row, ids) for side, row in (("before", change.before), ("after", change.after))},
            **{
                name: {"before": _number(change.before, name), "after": _number(change.after, name)}
                for name in ("total", "place", "deals")
            },
        }
        for change in found.table
    ]
    return {"table": table, **hooks.public(found.beyond)}


def _shares(row: Row | None, ids: Mapping[int, str]) -> list[dict[str, Any]]:
    return [
        {"player": ids[share["player"]], "deals": share["deals"], "points": rendering.points(share["points"])}
        for share in ([] if row is None else row["players"])
    ]


def _number(row: Row | None, name: str) -> int | float | None:
    return None if row is None else rendering.points(row[name])
