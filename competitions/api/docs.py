"""How operations on competitions are described, and the shapes that many of them answer with."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer
from rest_framework import serializers

import competitions.api.refusals  # noqa: F401 - operations name its codes
from games.api.docs import ASKED_FIRST, KEY, NUMBER, PUBLIC_ID, operation, whole

COMPETITION = OpenApiParameter("competition", PUBLIC_ID, OpenApiParameter.PATH, description="The competition's id.")
ROUND = OpenApiParameter("number", NUMBER, OpenApiParameter.PATH, description="The round's number, from 1.")
PUBLICATION = OpenApiParameter("number", NUMBER, OpenApiParameter.PATH, description="The publication's number, from 1.")
VERSION = OpenApiParameter(
    "version",
    whole(0),
    description="The version that was looked at, as a preview or the live table gives it. `moved_on` if it is no "
    "longer that.",
)

AT = "2026-11-29T20:05:00.000000Z"
ID = "h6w2t8kq3xvn"
ANNA, BERT = "x7m2k9qv3wtp", "h4w8n2bq7kzr"
EFFECTS: dict[str, Any] = {
    "standings": [
        {
            "player": ANNA,
            "change": "changed",
            "rank": {"before": 2, "after": 1},
            "total": {"before": 1500, "after": 1505},
        }
    ],
    "draws": [],
    "outdated": [],
}


class CompetitionEventShape(serializers.Serializer[Any]):
    """One of a competition's events."""

    seq = serializers.IntegerField(help_text="Its place in the competition's log, from 1.")
    kind = serializers.CharField(help_text="created, entered, drawn, opened, closed, adjusted, published, undone, …")
    round = serializers.IntegerField(allow_null=True)
    player = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField()
    data = serializers.DictField(help_text="What else the event says; depends on the kind.")


class EffectsShape(serializers.Serializer[Any]):
    """What a change does; lists are empty where nothing changes. Players by id."""

    standings = serializers.ListField(
        child=serializers.DictField(),
        help_text="Each row that changes: `player`, `change` (came, went, changed, neighbours), `rank` and `total` "
        "before and after, and what else changes: tie_breaks, decided, level, rounds, adjustments, unranked_for.",
    )
    draws = serializers.ListField(
        child=serializers.DictField(),
        help_text="Who sits elsewhere: `round`, `player`, `before`, `after`: [table, seat] from 1, null sitting out, "
        '"joins", "leaves".',
    )
    outdated = serializers.ListField(
        child=serializers.DictField(),
        help_text="Rounds drawn by older standings: `round`, `status`, `players` on another level.",
    )


class Changed(serializers.Serializer[Any]):
    """A change to a competition: where its log stands, and the events that were appended."""

    competition = serializers.CharField()
    seq = serializers.IntegerField(help_text="The competition's last event.")
    events = CompetitionEventShape(many=True, help_text="The last 200 of them.")
    effects = EffectsShape(allow_null=True, help_text="What it changed, where it keeps that; never after a draw.")


class CompetitionPreviewed(serializers.Serializer[Any]):
    """What a change would do. Nothing is stored."""

    preview = serializers.BooleanField()
    competition = serializers.CharField()
    version = serializers.IntegerField(help_text="To be sent with the real call, as `?version=`.")
    events = CompetitionEventShape(
        many=True, help_text="What would be appended. Sessions it would open have ids here that mean nothing later."
    )
    effects = EffectsShape()
    sentences = serializers.ListField(child=serializers.CharField(), help_text="The effects for people.")


CHANGED_OR_PREVIEWED = PolymorphicProxySerializer(
    component_name="ChangedOrPreviewed", serializers=[Changed, CompetitionPreviewed], resource_type_field_name=None
)


def event_example(event: str, /, *, seq: int, round: int | None = None, player: str | None = None, **data: Any) -> Any:  # noqa: A002
    return {"seq": seq, "kind": event, "round": round, "player": player, "at": AT, "data": data}


def changed_example(
    event: str,
    /,
    *,
    seq: int,
    round: int | None = None,  # noqa: A002
    player: str | None = None,
    effects: Any = None,
    **data: Any,
) -> Any:
    appended = event_example(event, seq=seq, round=round, player=player, **data)
    return {"competition": ID, "seq": seq, "events": [appended], "effects": effects}


def change(
    operation_id: str,
    *,
    summary: str,
    description: str,
    request: Any,
    request_example: Any,
    example: Any,
    path: Sequence[Any] = (),
    codes: str = "",
    status: int = 201,
    edits: str = "",
) -> Any:
    """Describe a call that changes a competition: organisers', with preview, version and key."""
    previewed = {
        "preview": True,
        "competition": ID,
        "version": 61,
        "events": example["events"],
        "effects": example["effects"] or {"standings": [], "draws": [], "outdated": []},
        "sentences": ["Anna: 2nd → 1st, 1500 → 1505 points."] if example["effects"] else [],
    }
    if status == 200:
        description += " With `?preview=true` it answers as every preview does."
    return operation(
        operation_id,
        tag="competitions",
        summary=summary,
        description=f"{description} Organisers.",
        answer=CHANGED_OR_PREVIEWED if status == 200 else Changed,
        example=example,
        status=status,
        request=request,
        request_example=request_example,
        path=[COMPETITION, *path],
        query=[*([ASKED_FIRST] if status == 200 else []), VERSION],
        codes=f"forbidden moved_on competition_finished {codes}",
        key=KEY,
        preview=None if status == 200 else (CompetitionPreviewed, previewed),
        edits=edits,
    )
