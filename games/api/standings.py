"""A session's table, and its events."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import history, selectors
from games.api import rendering
from games.api.base import ApiView, PublicReadView
from games.api.deals import STATES, state_of
from games.api.docs import AFTER, LIMIT, listed, operation
from games.api.paging import PARAMETERS, envelope, limit_of
from games.api.scopes import Scope
from games.api.sessions import PlayerRef
from games.api.versions import of_session
from games.api.written import EventShape
from games.engine.occupancy import CREDITS
from games.models import Session
from games.standing import Standing, scheme_text, standing

TABLE = {
    "session": "k3v9qm2xw7pt",
    "label": "Thursday, table 1",
    "status": "finished",
    "scheme": "wins",
    "title": "Wins",
    "lowest_wins": False,
    "finished": True,
    "rows": [
        {
            "place": 1,
            "seat": 0,
            "total": 3,
            "deals": 5,
            "wins": 3,
            "credit": "last",
            "players": [
                {"player": {"id": "x7m2k9qv3wtp", "name": "Anna", "strategy": ""}, "deals": 5, "points": 3},
            ],
        }
    ],
    "adjustments": [{"seq": 72, "seat": 0, "points": -5, "cancelled_by": 74}],
    "deals": [{"number": 1, "state": "finished", "counted": True, "points": [0, 0, 0, 1]}],
    "version": 61,
}
EVENT = {
    "seq": 70,
    "kind": "voided",
    "deal": 2,
    "seat": None,
    "at": "2026-11-29T20:05:00.000000Z",
    "data": {},
    "who": "anna",
    "reason": "A card lay face up.",
}


class ShareShape(serializers.Serializer[Any]):
    player = PlayerRef()
    deals = serializers.IntegerField(help_text="Counted deals played in this seat.")
    points = serializers.FloatField(help_text="The part of the seat's total that is theirs, by `credit`.")


class RowShape(serializers.Serializer[Any]):
    place = serializers.IntegerField(help_text="Equal totals share a place: 1 2 2 4.")
    seat = serializers.IntegerField()
    total = serializers.FloatField(help_text="With adjustments.")
    deals = serializers.IntegerField()
    wins = serializers.IntegerField()
    credit = serializers.ChoiceField(choices=CREDITS)
    players = ShareShape(many=True)


class AdjustmentShape(serializers.Serializer[Any]):
    seq = serializers.IntegerField()
    seat = serializers.IntegerField()
    points = serializers.IntegerField()
    cancelled_by = serializers.IntegerField(allow_null=True)


class TableDeal(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=STATES)
    counted = serializers.BooleanField()
    points = serializers.ListField(child=serializers.FloatField(), allow_null=True)


class SessionTable(serializers.Serializer[Any]):
    session = serializers.CharField()
    label = serializers.CharField()
    status = serializers.ChoiceField(choices=Session.Status.choices)
    scheme = serializers.CharField()
    title = serializers.CharField()
    lowest_wins = serializers.BooleanField()
    finished = serializers.BooleanField(help_text="Whether the scheme says that the session is over.")
    rows = RowShape(many=True, help_text="Best first; empty before the first deal.")
    adjustments = AdjustmentShape(many=True)
    deals = TableDeal(many=True)
    version = serializers.IntegerField()


class HistoryEvent(EventShape):
    who = serializers.CharField(help_text="The account that did it.")
    reason = serializers.CharField()


def table_shape(found: Standing) -> dict[str, Any]:
    session = found.session
    return {
        "session": session.public_id,
        "label": session.label,
        "status": session.status,
        "scheme": scheme_text(found.scheme),
        "title": found.scheme.title,
        "lowest_wins": found.scheme.lowest_wins,
        "finished": found.finished,
        "rows": [
            {
                "place": row.place,
                "seat": row.seat,
                "total": rendering.points(row.total),
                "deals": row.deals,
                "wins": row.wins,
                "credit": found.credits[row.seat],
                "players": [
                    {
                        "player": rendering.player(found.players[share["player"]]),
                        "deals": share["deals"],
                        "points": rendering.points(share["points"]),
                    }
                    for share in row.players
                ],
            }
            for row in found.rows
        ],
        "adjustments": [
            {"seq": item.seq, "seat": item.seat, "points": item.points, "cancelled_by": item.cancelled_by}
            for item in found.adjustments
        ],
        "deals": [
            {
                "number": deal.number,
                "state": state_of(session, deal),
                "counted": deal.counted,
                "points": rendering.all_points(deal.points),
            }
            for deal in found.deals
        ],
        "version": session.version,
    }


class Table(PublicReadView):
    scopes = {"GET": Scope.SESSIONS_READ}

    @operation(
        "table",
        tag="standings",
        summary="A session's table",
        description="Places, totals, and who gets a seat's points where its player changed; the adjustments, and which "
        "deals count. Points are exact inside; fractions are shown rounded half to even, to two places.",
        answer=SessionTable,
        example=TABLE,
        path=["session"],
        versioned=True,
    )
    def get(self, request: Request, session: str) -> Response:
        row = selectors.visible_session(self.caller, session)
        if unchanged := self.unchanged(of_session(self.caller, row)):
            return unchanged
        return Response(table_shape(standing(row)))


class Events(ApiView):
    scopes = {"GET": Scope.SESSIONS_READ}
    parameters = {"GET": PARAMETERS}

    @operation(
        "events",
        tag="standings",
        summary="A session's events",
        description="What happened to the session, in order: opened, seated, dealt, voided, … with who did it and why. "
        "The actions of deals are in their replays. Members of the club only.",
        answer=listed(HistoryEvent, "EventPage"),
        example={"results": [EVENT], "next": None},
        path=["session"],
        query=[LIMIT, AFTER],
        codes="forbidden",
        versioned=True,
    )
    def get(self, request: Request, session: str) -> Response:
        limit = limit_of(self.query)
        after = self.query.whole("after", least=0, most=999_999_999, default=0) or 0
        row = selectors.visible_session(self.caller, session)
        if unchanged := self.unchanged(of_session(self.caller, row)):
            return unchanged
        events = history.history(self.caller, row, after=after, limit=limit + 1).events
        page = [{**event, "at": rendering.time(event["at"])} for event in events[:limit]]
        return envelope(request, self.query, page, after=page[-1]["seq"] if len(events) > limit else None)
