"""Points given and taken, undoing, and the log."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from competitions import selectors, showing
from competitions.api.base import CHANGING, ChangingView, ClubsView, event_shape
from competitions.api.docs import (
    ANNA,
    COMPETITION,
    EFFECTS,
    CompetitionEventShape,
    EffectsShape,
    change,
    changed_example,
    event_example,
)
from competitions.api.fields import ExactNumber, ExactPoints, player_id, reason
from competitions.api.shapes import ANNA as ANNA_SEEN
from competitions.api.versions import of_log
from competitions.services import corrections
from competitions.standing_json import number_json
from games.api import rendering
from games.api.docs import AFTER, LIMIT, NUMBER, listed, operation
from games.api.fields import Body, Whole
from games.api.paging import PARAMETERS, envelope, limit_of, page_by_number
from games.api.scopes import UNPUBLISHED, Scope
from games.api.sessions import PlayerRef
from scoring.points import exact

SEQ = OpenApiParameter("seq", NUMBER, OpenApiParameter.PATH, description="The event's place in the log, from 1.")
LOGGED = {
    **event_example("adjusted", seq=35, player=ANNA, points="5"),
    "who": "bert",
    "reason": "Helped to set up.",
    "door": "api",
}


class NewAdjustment(Body):
    player = player_id()
    points = ExactPoints(help_text='A whole number, or a text such as "1.5" or "-3/2"; never 0.')
    reason = reason()


class UndoingEvent(Body):
    seq = Whole(min_value=1, help_text="The event to be cancelled.")
    reason = reason()


class AdjustmentGiven(serializers.Serializer[Any]):
    seq = serializers.IntegerField(help_text="Its event, by which it is undone.")
    player = PlayerRef()
    points = serializers.FloatField()
    exact = ExactNumber()
    reason = serializers.CharField()
    cancelled_by = serializers.IntegerField(allow_null=True)


class LoggedEvent(CompetitionEventShape):
    who = serializers.CharField(help_text="The account that did it.")
    reason = serializers.CharField()
    door = serializers.CharField(help_text="Through which it came: api, admin, import, …")


class LoggedEventDetail(LoggedEvent):
    effects = EffectsShape(allow_null=True, help_text="What it changed, where the log keeps that.")
    sentences = serializers.ListField(child=serializers.CharField(), help_text="The effects for people.")


class CompetitionAdjustments(ChangingView):
    scopes = {"GET": UNPUBLISHED, "POST": Scope.COMPETITIONS_MANAGE}
    parameters = {"GET": PARAMETERS, "POST": CHANGING}
    body = NewAdjustment

    @operation(
        "competition_adjustments",
        tag="competitions",
        summary="Points given and taken",
        description="By event, the cancelled ones too. Scorers and organisers.",
        answer=listed(AdjustmentGiven, "AdjustmentPage"),
        example={
            "results": [
                {
                    "seq": 35,
                    "player": ANNA_SEEN,
                    "points": 5,
                    "exact": 5,
                    "reason": "Helped to set up.",
                    "cancelled_by": None,
                }
            ],
            "next": None,
        },
        path=[COMPETITION],
        query=[LIMIT, AFTER],
        codes="forbidden",
        versioned=True,
    )
    def get(self, request: Request, competition: str) -> Response:
        row = self.competition(competition)
        if unchanged := self.unchanged(of_log(self.caller, row)):
            return unchanged
        given = selectors.state(self.caller, row).adjustments
        named = showing.people(item.player for item in given)

        def shape(item: Any) -> dict[str, Any]:
            points = number_json(exact(item.points))
            return {
                "seq": item.seq,
                "player": rendering.player(named[item.player]),
                "points": rendering.points(points),
                "exact": points,
                "reason": item.reason,
                "cancelled_by": item.cancelled_by,
            }

        return page_by_number(request, self.query, given, number=lambda item: item.seq, render=shape)

    @change(
        "competition_adjust",
        summary="Give or take points",
        description="Exact, kept through any recomputation, cancelled by undoing it.",
        codes="bad_points not_entered bad_player reason_required bad_text bad_standings",
        request=NewAdjustment,
        request_example={"player": ANNA, "points": 5, "reason": "Helped to set up."},
        example=changed_example("adjusted", seq=35, player=ANNA, effects=EFFECTS, points="5"),
    )
    def post(self, request: Request, competition: str) -> Response:
        return self.change(request, competition, corrections.adjust)


class UndoEvent(ChangingView):
    scopes = {"POST": Scope.COMPETITIONS_MANAGE}
    parameters = {"POST": CHANGING}
    body = UndoingEvent

    @change(
        "competition_undo",
        summary="Undo an event",
        description="An entry, withdrawal, draw, opening, closing, adjustment, …, or an undo. Nothing is deleted. "
        "Where the rest would contradict itself it is refused with the code of that.",
        codes="no_such_event cannot_undo already_undone tables_played already_drawn already_seated already_a_table "
        "not_entered round_open round_not_open round_closed rounds_open substitution_cycle reason_required "
        "bad_text no_tables tie_to_decide too_few_players",
        request=UndoingEvent,
        request_example={"seq": 35, "reason": "The wrong player."},
        example=changed_example("undone", seq=36, player=ANNA, undone=35),
    )
    def post(self, request: Request, competition: str) -> Response:
        return self.change(request, competition, corrections.undo)


class CompetitionEvents(ClubsView):
    scopes = {"GET": UNPUBLISHED}
    parameters = {"GET": PARAMETERS}

    @operation(
        "competition_events",
        tag="competitions",
        summary="The competition's log",
        description="What happened, in order, with who did it and why. Scorers and organisers.",
        answer=listed(LoggedEvent, "LoggedEventPage"),
        example={"results": [LOGGED], "next": None},
        path=[COMPETITION],
        query=[LIMIT, AFTER],
        codes="forbidden",
        versioned=True,
    )
    def get(self, request: Request, competition: str) -> Response:
        limit = limit_of(self.query)
        after = self.query.whole("after", least=0, most=999_999_999, default=0) or 0
        row = self.competition(competition)
        if unchanged := self.unchanged(of_log(self.caller, row)):
            return unchanged
        events = selectors.history(self.caller, row, after=after, limit=limit + 1)
        page = [event_shape(event) for event in events[:limit]]
        return envelope(request, self.query, page, after=page[-1]["seq"] if len(events) > limit else None)


class OneCompetitionEvent(ClubsView):
    scopes = {"GET": UNPUBLISHED}

    @operation(
        "competition_event",
        tag="competitions",
        summary="An event, and what it changed",
        description="Corrections keep what followed from them: places, totals, tie-breaks, draws. Scorers and "
        "organisers.",
        answer=LoggedEventDetail,
        example={**LOGGED, "effects": EFFECTS, "sentences": ["Anna: 2nd → 1st, 1500 → 1505 points."]},
        path=[COMPETITION, SEQ],
        codes="forbidden",
        versioned=True,
    )
    def get(self, request: Request, competition: str, seq: int) -> Response:
        row = self.competition(competition)
        if unchanged := self.unchanged(of_log(self.caller, row)):
            return unchanged
        found = selectors.happened(self.caller, row, seq)
        shown = None if found.effects is None else showing.effects_shown(found.effects)
        return Response(
            {
                **event_shape(found.event),
                "effects": None if shown is None else shown.changes,
                "sentences": [] if shown is None else shown.sentences,
            }
        )
