"""Deals that are over, played again: whole, up to a step, and as record text."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import delays, exporting, replays, selectors
from games.api import rendering
from games.api.base import PublicReadView
from games.api.deals import RESULT, ResultShape, result_shape
from games.api.docs import operation, whole
from games.api.fields import DEAL_MODES
from games.api.parsing import bad_parameter
from games.api.rendering import RecordRenderer, RecordTextRenderer
from games.api.scopes import Scope
from games.api.versions import of_session
from games.engine.deal import Deal
from games.errors import Refusal
from games.replays import Replay
from games.selectors import Position
from scoring.wording import mark, say

MOST_STEPS = 100_000
LINE = '{"sevens":1,"rules":"pagat","players":["Anna","Bo","Cy"],"dealer":0,"hands":["…"],"actions":"7D 8D …"}\n'


class StepShape(serializers.Serializer[Any]):
    seq = serializers.IntegerField()
    seat = serializers.IntegerField()
    action = serializers.CharField()
    at = serializers.DateTimeField()
    passed = serializers.CharField(
        allow_null=True, help_text="Of a pass: forced, wrongful, or corrected (wrongful, and taken back)."
    )


class ReplayShape(serializers.Serializer[Any]):
    session = serializers.CharField()
    number = serializers.IntegerField()
    take = serializers.IntegerField()
    mode = serializers.ChoiceField(choices=DEAL_MODES)
    dealer = serializers.IntegerField()
    hands = serializers.ListField(child=serializers.ListField(child=serializers.CharField()), help_text="As dealt.")
    actions = StepShape(many=True)
    layout = serializers.DictField(child=serializers.ListField(child=serializers.CharField(), allow_null=True))
    cards_left = serializers.ListField(child=serializers.IntegerField())
    forced_passes = serializers.ListField(child=serializers.IntegerField())
    wrongful_passes = serializers.ListField(child=serializers.IntegerField())
    winner = serializers.IntegerField(allow_null=True)
    result = ResultShape(allow_null=True)
    points = serializers.ListField(child=serializers.FloatField(), allow_null=True)


class PositionShape(serializers.Serializer[Any]):
    """A deal after some of its actions."""

    session = serializers.CharField()
    number = serializers.IntegerField()
    step = serializers.IntegerField(help_text="How many actions were done.")
    steps = serializers.IntegerField(help_text="How many there are.")
    to_act = serializers.IntegerField(allow_null=True)
    hands = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    legal = serializers.ListField(child=serializers.CharField(), help_text="Of the seat to act; empty: it must pass.")
    layout = serializers.DictField(child=serializers.ListField(child=serializers.CharField(), allow_null=True))
    cards_left = serializers.ListField(child=serializers.IntegerField())
    forced_passes = serializers.ListField(child=serializers.IntegerField())
    wrongful_passes = serializers.ListField(child=serializers.IntegerField())
    winner = serializers.IntegerField(allow_null=True)


def standing_shape(deal: Deal) -> dict[str, Any]:
    """Where an open deal stands."""
    return {
        "layout": rendering.layout(deal.rows()),
        "cards_left": deal.cards_left(),
        "forced_passes": deal.forced,
        "wrongful_passes": deal.wrongful,
        "winner": deal.winner,
    }


def hands_of(deal: Deal) -> list[list[str]]:
    return [rendering.cards(deal.rules.tables.in_order(hand)) for hand in deal.hands]


def replay_shape(replay: Replay) -> dict[str, Any]:
    row = replay.position.row
    return {
        "session": replay.session.public_id,
        "number": row.number,
        "take": row.take,
        "mode": row.mode,
        "dealer": row.dealer,
        "hands": hands_of(replay.start),
        "actions": [
            {
                "seq": step.seq,
                "seat": step.seat,
                "action": rendering.action(step.action),
                "at": rendering.time(step.at),
                "passed": step.passed,
            }
            for step in replay.steps
        ],
        **standing_shape(replay.position.deal),
        "result": result_shape(row),
        "points": rendering.all_points(row.points),
    }


def position_shape(session: str, position: Position, deal: Deal, step: int) -> dict[str, Any]:
    return {
        "session": session,
        "number": position.row.number,
        "step": step,
        "steps": len(position.logged),
        "to_act": deal.to_act,
        "hands": hands_of(deal),
        "legal": rendering.cards(deal.rules.tables.in_order(deal.legal_mask())),
        **standing_shape(deal),
    }


_STANDING = {
    "layout": {"C": None, "D": ["7D", "8D"], "H": None, "S": None},
    "cards_left": [12, 12, 13],
    "forced_passes": [0, 0, 0],
    "wrongful_passes": [0, 0, 0],
    "winner": None,
}


class WholeReplay(PublicReadView):
    scopes = {"GET": Scope.SESSIONS_READ}
    parameters = {"GET": ("step",)}

    @operation(
        "deal_replay",
        tag="replays",
        summary="Replay a deal",
        description="A deal that is over: the hands as dealt, every action, the layout at the end, result and "
        "points. With `step` the position after so many actions instead, with the hands as they were then and the "
        "cards that the seat to act could play.",
        codes="deal_running no_cards no_such_deal",
        answer=PolymorphicProxySerializer(
            component_name="ReplayOrPosition", serializers=[ReplayShape, PositionShape], resource_type_field_name=None
        ),
        example={
            "session": "k3v9qm2xw7pt",
            "number": 1,
            "take": 1,
            "mode": "hosted",
            "dealer": 2,
            "hands": [["7D", "8S"], ["2C", "8D"], ["3C", "9D"]],
            "actions": [
                {"seq": 9, "seat": 0, "action": "7D", "at": "2026-11-29T20:00:09.000000Z", "passed": None},
                {"seq": 10, "seat": 1, "action": "8D", "at": "2026-11-29T20:00:15.000000Z", "passed": None},
                {"seq": 11, "seat": 2, "action": "-", "at": "2026-11-29T20:00:21.000000Z", "passed": "forced"},
            ],
            **_STANDING,
            "result": RESULT,
            "points": [0, 0, 0, 1],
        },
        path=["session", "number"],
        query=[OpenApiParameter("step", whole(0), description="The position after so many actions, from 0.")],
        versioned=True,
    )
    def get(self, request: Request, session: str, number: int) -> Response:
        step = self.query.whole("step", least=0, most=MOST_STEPS)
        row = selectors.visible_session(self.caller, session)
        delays.check_shown(self.caller, row, number, timezone.now())
        if unchanged := self.unchanged(of_session(self.caller, row), published=row.public):
            return unchanged
        if step is None:
            return Response(replay_shape(replays.whole(row, number)))
        position, deal = replays.at_step(row, number, step)
        if deal is None:
            raise bad_parameter("step", mark("{parameter} is 0 to {most} in this deal."), most=len(position.logged))
        return Response(position_shape(session, position, deal, step))


class RecordView(PublicReadView):
    scopes = {"GET": Scope.SESSIONS_READ}
    renderer_classes = [RecordRenderer, RecordTextRenderer]


class DealRecord(RecordView):
    @operation(
        "deal_record",
        tag="replays",
        summary="A deal as record text",
        description="The canonical line of docs/record-format.md; it imports again to the same deal.",
        codes="deal_running no_such_deal",
        answer=OpenApiTypes.BINARY,
        example=LINE,
        media={"application/x-ndjson": LINE, "text/plain": LINE},
        path=["session", "number"],
        versioned=True,
    )
    def get(self, request: Request, session: str, number: int) -> HttpResponse:
        row = selectors.visible_session(self.caller, session)
        delays.check_shown(self.caller, row, number, timezone.now())
        if unchanged := self.unchanged(of_session(self.caller, row), published=row.public):
            return unchanged
        if not selectors.is_over(row, selectors.deal_of(row, number)):
            raise Refusal("deal_running", say("The deal is being played: it opens to all when it is over."))
        return _records(exporting.record_lines(row, only=number), f"{session}-{number}")


class SessionRecords(RecordView):
    rates = {"GET": "bulk"}

    @operation(
        "session_records",
        tag="replays",
        summary="A session as record text",
        description="Every deal of the session that is over, a line each, in order of number. Imported into another "
        "club and exported again it gives the same bytes.",
        answer=OpenApiTypes.BINARY,
        example=LINE,
        media={"application/x-ndjson": LINE, "text/plain": LINE},
        path=["session"],
        versioned=True,
    )
    def get(self, request: Request, session: str) -> HttpResponse:
        row = selectors.visible_session(self.caller, session)
        until = delays.until(self.caller, row, timezone.now())
        if unchanged := self.unchanged(of_session(self.caller, row).with_(until), published=row.public):
            return unchanged
        shown = delays.undelayed(self.caller, row.club_id, exporting.of_session(row), timezone.now())
        return _records(exporting.record_lines(row, shown=shown), session)


def _records(lines: Any, name: str) -> HttpResponse:
    text = "".join(f"{line}\n" for line in lines)
    headers = {"Content-Disposition": f'attachment; filename="{name}.jsonl"'}
    if not text:  # the framework would leave out the type of an empty file
        return HttpResponse(content_type="application/x-ndjson", headers=headers)
    return Response(text, headers=headers)
