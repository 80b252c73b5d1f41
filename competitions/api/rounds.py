"""Rounds: their draws, opening, closing, tables of an evening, ties decided."""

import secrets
from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from competitions import selectors, showing
from competitions.api.base import CHANGING, ChangingView, CompetitionView
from competitions.api.docs import ANNA, BERT, COMPETITION, ROUND, change, changed_example
from competitions.api.fields import Because, Day, Nothing, Object, player_ids, reason
from competitions.api.shapes import ANNA as ANNA_SEEN
from competitions.api.shapes import DRAW, DrawShape, draw_shape
from competitions.api.versions import of_tables
from competitions.models import Round
from competitions.selectors import RoundSeen
from competitions.services import corrections, drawing, rounds, setup
from games.api import rendering
from games.api.docs import AFTER, LIMIT, listed, operation
from games.api.fields import Body, Flag, Text, Whole
from games.api.paging import PARAMETERS, page_by_number
from games.api.scopes import Scope
from games.api.sessions import PlayerRef
from games.models import Session

MOST_TABLES = 2000
ROUND_EXAMPLE: dict[str, Any] = {
    "number": 3,
    "title": "Third evening",
    "day": "2026-11-26",
    "status": "open",
    "publication": 5,
    "overrides": {},
    "tables": [{"number": 1, "session": "k3v9qm2xw7pt", "label": "Thursday league", "status": "playing"}],
}


class TableShape(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    session = serializers.CharField(allow_null=True, help_text="null where the caller may not see it.")
    label = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(choices=Session.Status.choices, allow_null=True)


class RoundShape(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    title = serializers.CharField()
    day = serializers.DateField(allow_null=True)
    status = serializers.ChoiceField(choices=Round.Status.choices, help_text="A draw that is not out is no draw.")
    publication = serializers.IntegerField(allow_null=True, help_text="The number under which its draw is out.")
    overrides = serializers.DictField(help_text="The settings it has otherwise than the competition.")
    tables = TableShape(many=True, help_text="The tables that are opened.")


class StandingIn(serializers.Serializer[Any]):
    player = PlayerRef()
    substitute = PlayerRef()


class RoundDetail(RoundShape):
    draw = DrawShape(allow_null=True, help_text="As published; to scorers and organisers as it stands.")
    draw_published = serializers.BooleanField(help_text="Whether that draw is the one that is out.")
    absent = PlayerRef(many=True, allow_null=True, help_text="For scorers and organisers, else null.")
    substitutes = StandingIn(many=True, allow_null=True, help_text="For scorers and organisers, else null.")


class RoundChanges(Body):
    title = Text(required=False, allow_blank=True, max_length=60)
    day = Day(required=False, help_text="In the club's zone.")
    overrides = Object(
        required=False, help_text="Settings of its own: rules, scheme, points, tie_breaks, deals. {} for none."
    )
    reason = reason(required=False)


class Drawing(Body):
    absent = player_ids("Who will not be there.", required=False)
    present = player_ids("Or who will, of an evening's draw.", required=False, allow_null=True)
    variant = Whole(required=False, min_value=0, max_value=999, help_text="Another number, another draw.")


class Seating(Body):
    tables = serializers.ListField(
        child=player_ids("Ids of players by seat."), min_length=1, max_length=MOST_TABLES, help_text="By table."
    )
    reason = reason(required=False)


class Opening(Body):
    publish = Flag(required=False, help_text="Publish the draw in the same step.")
    deal = Flag(required=False, help_text="Deal the first deal at every table.")


class ExtraTable(Body):
    session = Text(max_length=12, help_text="The id of a session of the club.")


class Decision(Body):
    table = Whole(min_value=1)
    players = player_ids("Who goes on, of those who are equal.", min_length=1)
    reason = reason()


class Rounds(CompetitionView):
    scopes = {"GET": Scope.STANDINGS_READ}
    parameters = {"GET": PARAMETERS}

    @operation(
        "rounds",
        tag="competitions",
        summary="Rounds",
        description="All rounds, planned and played, without their draws.",
        answer=listed(RoundShape, "RoundPage"),
        example={"results": [ROUND_EXAMPLE], "next": None},
        path=[COMPETITION],
        query=[LIMIT, AFTER],
        versioned=True,
    )
    def get(self, request: Request, competition: str) -> Response:
        row, now = self.competition(competition), timezone.now()
        if unchanged := self.unchanged(of_tables(self.caller, row, now=now), published=row.public):
            return unchanged
        found = selectors.rounds(self.caller, row, now=now)
        return page_by_number(request, self.query, found, number=lambda one: one.number, render=round_shape)


class OneRound(ChangingView, CompetitionView):
    scopes = {"GET": Scope.STANDINGS_READ, "PATCH": Scope.COMPETITIONS_MANAGE}
    parameters = {"PATCH": CHANGING}
    body = RoundChanges

    @operation(
        "round",
        tag="competitions",
        summary="A round",
        description="With its draw: the published one, and to scorers and organisers the one that stands.",
        answer=RoundDetail,
        example={**ROUND_EXAMPLE, "draw": DRAW, "draw_published": True, "absent": [ANNA_SEEN], "substitutes": []},
        path=[COMPETITION, ROUND],
        versioned=True,
    )
    def get(self, request: Request, competition: str, number: int) -> Response:
        row, now = self.competition(competition), timezone.now()
        if unchanged := self.unchanged(of_tables(self.caller, row, now=now, number=number), published=row.public):
            return unchanged
        found = selectors.round_of(self.caller, row, number, now=now)
        return Response(round_detail(found))

    @change(
        "round_set",
        summary="Give a round a title, a day, or settings of its own",
        description="Only what is sent is changed.",
        codes="no_such_round outside_days bad_text bad_settings bad_points bad_rules bad_tie_break bad_standings "
        "reason_required",
        request=RoundChanges,
        request_example={"title": "Third evening", "day": "2026-11-26"},
        example=changed_example("round_set", seq=20, round=3, title="Third evening", day="2026-11-26"),
        path=[ROUND],
        status=200,
        edits="/competitions/{competition}/rounds/{number}",
    )
    def patch(self, request: Request, competition: str, number: int) -> Response:
        return self.change(request, competition, setup.set_round, status=200, number=number)


class RoundView(ChangingView):
    scopes = {"POST": Scope.COMPETITIONS_MANAGE}
    parameters = {"POST": CHANGING}


class Draw(RoundView):
    body = Drawing

    @change(
        "round_draw",
        summary="Draw a round",
        description="Or, where the format draws ahead, all rounds from it on. Drawn again until it is opened. Nobody "
        "else sees it before it is published.",
        codes="round_open round_closed round_before_open no_such_round not_entered/422 bad_player bad_draw "
        "competition_over no_tables tie_to_decide too_few_players",
        request=Drawing,
        request_example={"absent": [BERT]},
        example=changed_example("drawn", seq=21, round=3, tables=[[ANNA]], sitting_out=[], how="by standing"),
        path=[ROUND],
    )
    def post(self, request: Request, competition: str, number: int) -> Response:
        return self.change(request, competition, drawing.draw, number=number)


class Seat(RoundView):
    body = Seating

    @change(
        "round_seat",
        summary="Seat a round by hand",
        description="Whoever takes part and is not named sits out.",
        codes="already_seated already_seated/422 already_sits_out/422 not_entered/422 bad_player no_tables "
        "round_open round_closed round_before_open no_such_round bad_text",
        request=Seating,
        request_example={"tables": [[ANNA, BERT, "b6t3r9wk2mpq"]]},
        example=changed_example("drawn", seq=22, round=3, tables=[[ANNA, BERT]], sitting_out=[], how="by hand"),
        path=[ROUND],
    )
    def post(self, request: Request, competition: str, number: int) -> Response:
        return self.change(request, competition, drawing.seat_by_hand, number=number)


class Open(RoundView):
    body = Opening

    @change(
        "round_open",
        summary="Open a round's tables",
        description="A session for each, its players seated. From then on the club sees them, so the draw must be "
        "out: `publish` does it in the same step.",
        codes="not_drawn round_open round_closed round_before_open draw_not_published seat_without_account "
        "bad_player no_such_round label_taken",
        request=Opening,
        request_example={"publish": True},
        example=changed_example("opened", seq=24, round=3, sessions=["k3v9qm2xw7pt"]),
        path=[ROUND],
    )
    def post(self, request: Request, competition: str, number: int) -> Response:
        return self.change(request, competition, rounds.open_round, number=number, read=opening)


class CloseRound(RoundView):
    body = Nothing

    @change(
        "round_close",
        summary="Close a round",
        description="And its tables: no more results come in. `results_missing` says at which `tables`, and whose.",
        codes="results_missing round_not_open round_closed no_such_round",
        request=Nothing,
        request_example={},
        example=changed_example("closed", seq=25, round=3),
        path=[ROUND],
    )
    def post(self, request: Request, competition: str, number: int) -> Response:
        return self.change(request, competition, rounds.close, number=number)


class Reopen(RoundView):
    body = Because

    @change(
        "round_reopen",
        summary="Reopen a round",
        description="The undo of its closing.",
        codes="round_not_closed no_such_round reason_required bad_text",
        request=Because,
        request_example={"reason": "A result was missing."},
        example=changed_example("undone", seq=26, round=3, undone=25),
        path=[ROUND],
    )
    def post(self, request: Request, competition: str, number: int) -> Response:
        return self.change(request, competition, corrections.reopen_round, number=number)


class Tables(RoundView):
    body = ExtraTable

    @change(
        "round_table_add",
        summary="Count a session as one more table",
        description="Of the club, played on one of the competition's days.",
        codes="already_a_table already_a_table/422 outside_days round_closed round_not_open bad_points "
        "bad_standings no_such_round",
        request=ExtraTable,
        request_example={"session": "k3v9qm2xw7pt"},
        example=changed_example("table_added", seq=27, round=3, table=5, session="k3v9qm2xw7pt"),
        path=[ROUND],
    )
    def post(self, request: Request, competition: str, number: int) -> Response:
        return self.change(request, competition, rounds.add_table, number=number)


class Decide(RoundView):
    body = Decision

    @change(
        "round_decide",
        summary="Decide who goes on",
        description="Among equals at a table of a knock-out round; it holds while exactly those are equal there.",
        codes="no_such_table not_equal bad_player reason_required round_open no_such_round bad_text tie_to_decide",
        request=Decision,
        request_example={"table": 1, "players": [ANNA], "reason": "A cut of the cards."},
        example=changed_example("decided", seq=28, round=3, table=1, players=[ANNA]),
        path=[ROUND],
    )
    def post(self, request: Request, competition: str, number: int) -> Response:
        return self.change(request, competition, corrections.decide_tie, number=number)


def opening(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "deal": secrets.SystemRandom() if body.get("deal") else None}


def round_shape(found: RoundSeen) -> dict[str, Any]:
    return {
        "number": found.number,
        "title": found.title,
        "day": found.day,
        "status": found.status,
        "publication": found.publication,
        "overrides": found.overrides,
        "tables": [
            {
                "number": table.number,
                "session": table.session and table.session.public_id,
                "label": table.session and table.session.label,
                "status": table.session and table.session.status,
            }
            for table in found.tables
        ],
    }


def round_detail(found: RoundSeen) -> dict[str, Any]:
    absent, substitutes = found.absent, found.substitutes
    named = showing.people(absent or (), substitutes or {}, (substitutes or {}).values())
    return {
        **round_shape(found),
        "draw": None if found.draw is None else draw_shape(showing.draw_shown(found.number, found.draw)),
        "draw_published": found.draw_is_out,
        "absent": None if absent is None else [rendering.player(named[player]) for player in absent],
        "substitutes": None
        if substitutes is None
        else [
            {"player": rendering.player(named[player]), "substitute": rendering.player(named[by])}
            for player, by in substitutes.items()
        ],
    }
