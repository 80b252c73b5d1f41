"""Playing: an action, and what a seat and a spectator see of the running deal."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import delays, receipts, selectors
from games.api import rendering
from games.api.base import ApiView, PublicReadView
from games.api.docs import REQUIRED_KEY, operation
from games.api.fields import DEAL_MODES, Action, Body, Whole, read_body
from games.api.scopes import Scope
from games.api.versions import of_session
from games.engine.deal import CORRECTION
from games.engine.seat_view import SeatView, SpectatorView
from games.models import Session
from games.selectors import TableView
from games.services import play

SPECTATOR = {
    "seats": 4,
    "dealer": 2,
    "to_act": 1,
    "over": False,
    "winner": None,
    "layout": {"C": None, "D": ["6D", "8D"], "H": None, "S": ["7S", "7S"]},
    "counts": [12, 12, 12, 12],
    "passes": [0, 0, 0, 0],
    "log": [
        {"seat": 3, "action": "7D"},
        {"seat": 0, "action": "6D"},
        {"seat": 1, "action": "8D"},
        {"seat": 2, "action": "7S"},
        {"seat": 3, "action": "-"},
    ],
}
OWN = {
    "seat": 1,
    "hand": ["2C", "9D", "TD", "6S", "8S"],
    "legal": ["9D", "6S", "8S"],
    "may_pass": False,
    "correctable": False,
    "corrections": [],
    "forced": 0,
    "wrongful": 0,
}
VIEW = {"session": "k3v9qm2xw7pt", "status": "playing", "deal": 2, "mode": "hosted", "seq": 69}


class LogEntry(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    action = serializers.CharField()


class SpectatorShape(serializers.Serializer[Any]):
    seats = serializers.IntegerField()
    dealer = serializers.IntegerField()
    to_act = serializers.IntegerField(allow_null=True)
    over = serializers.BooleanField()
    winner = serializers.IntegerField(allow_null=True)
    layout = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(), allow_null=True),
        help_text="By suit: the lowest and the highest card of the row; null before its seven.",
    )
    counts = serializers.ListField(child=serializers.IntegerField(), help_text="Cards in hand by seat.")
    passes = serializers.ListField(child=serializers.IntegerField(), help_text="Passes by seat, of any kind.")
    log = LogEntry(many=True)


class SeatViewShape(SpectatorShape):
    seat = serializers.IntegerField()
    hand = serializers.ListField(child=serializers.CharField())
    legal = serializers.ListField(child=serializers.CharField(), help_text="Empty when it is not this seat's turn.")
    may_pass = serializers.BooleanField(help_text="Whether a pass would be accepted now.")
    correctable = serializers.BooleanField(help_text="Whether its pass just before may be taken back.")
    corrections = serializers.ListField(child=serializers.CharField(), help_text="Cards to take it back with.")
    forced = serializers.IntegerField(help_text="Its own passes without a legal card.")
    wrongful = serializers.IntegerField(help_text="Its own passes with one.")


class TableShape(serializers.Serializer[Any]):
    session = serializers.CharField()
    status = serializers.ChoiceField(choices=Session.Status.choices)
    deal = serializers.IntegerField(allow_null=True, help_text="The running deal, else the latest; null before any.")
    mode = serializers.ChoiceField(choices=DEAL_MODES, allow_null=True)
    seq = serializers.IntegerField(allow_null=True, help_text="Send this as `expected_seq`.")


class SpectatorTable(TableShape):
    view = SpectatorShape(allow_null=True, help_text="null where no cards are on record.")


class SeatTable(TableShape):
    view = SeatViewShape(allow_null=True, help_text="null where no cards are on record.")


class NewAction(Body):
    action = Action(max_length=4, help_text="`7D` plays a card, `-` passes, `^7S` takes the pass just before back.")
    expected_seq = Whole(min_value=0, help_text="The `seq` of the deal's last event that you have seen.")


class ActionShape(serializers.Serializer[Any]):
    """An accepted action, and what followed from it."""

    session = serializers.CharField()
    seq = serializers.IntegerField(help_text="The action's event: the next `expected_seq`.")
    deal = serializers.IntegerField()
    seat = serializers.IntegerField()
    action = serializers.CharField()
    at = serializers.DateTimeField()
    deal_over = serializers.BooleanField()
    winner = serializers.IntegerField(allow_null=True)
    to_act = serializers.IntegerField(allow_null=True)


def seats_of(log: tuple[int, ...], view: SpectatorView) -> list[int]:
    """The seat of each action, worked out backwards from where the deal stands: a correction is made by the seat that
    passed just before it, every other action by the next seat in turn (rules.md 3.5, 4.2)."""
    seat = view.winner if view.to_act is None else (view.to_act - 1) % view.seats
    assert seat is not None
    seats = []
    for action in reversed(log):
        seats.append(seat)
        if not action & CORRECTION:
            seat = (seat - 1) % view.seats
    return seats[::-1]


def spectator_shape(view: SpectatorView) -> dict[str, Any]:
    return {
        "seats": view.seats,
        "dealer": view.dealer,
        "to_act": view.to_act,
        "over": view.over,
        "winner": view.winner,
        "layout": rendering.layout(view.rows),
        "counts": view.counts,
        "passes": view.passes,
        "log": [
            {"seat": seat, "action": rendering.action(action)}
            for seat, action in zip(seats_of(view.log, view), view.log, strict=True)
        ],
    }


def seat_shape(view: SeatView) -> dict[str, Any]:
    return {**spectator_shape(view), **own_shape(view)}


def own_shape(view: SeatView) -> dict[str, Any]:
    """What the seat alone sees."""
    return {
        "seat": view.seat,
        "hand": rendering.cards(view.hand),
        "legal": rendering.cards(view.legal),
        "may_pass": view.may_pass,
        "correctable": view.correctable,
        "corrections": rendering.cards(view.corrections),
        "forced": view.forced,
        "wrongful": view.wrongful,
    }


def table_shape(table: TableView) -> dict[str, Any]:
    shown = table.view
    if isinstance(shown, SeatView):
        view: dict[str, Any] | None = seat_shape(shown)
    else:
        view = None if shown is None else spectator_shape(shown)
    return {
        "session": table.session.public_id,
        "status": table.status or table.session.status,
        "deal": None if table.row is None else table.row.number,
        "mode": None if table.row is None else table.row.mode,
        "seq": table.seq,
        "view": view,
    }


class Spectator(PublicReadView):
    scopes = {"GET": Scope.SESSIONS_READ}

    @operation(
        "view",
        tag="play",
        summary="What everybody sees",
        description="The running deal, else the latest: the layout, how many cards each seat holds, whose turn it is,"
        " and what was played. No hand. In a session with `spectator_delay` as it was so long ago, but for scorers "
        "and organisers.",
        answer=SpectatorTable,
        example={**VIEW, "view": SPECTATOR},
        path=["session"],
        versioned=True,
    )
    def get(self, request: Request, session: str) -> Response:
        row = selectors.visible_session(self.caller, session)
        until = delays.until(self.caller, row, timezone.now())
        if unchanged := self.unchanged(of_session(self.caller, row).with_(until)):
            return unchanged
        return Response(table_shape(delays.spectate(row, until)))


class OwnSeat(ApiView):
    secret = True
    scopes = {"GET": Scope.SESSIONS_PLAY}

    @operation(
        "seat_view",
        tag="play",
        summary="What my seat sees",
        description="The same, with the seat's own hand and what it may do now. For the account that plays the seat "
        "and for nobody else, whatever their rights.",
        answer=SeatTable,
        codes="not_your_seat",
        example={**VIEW, "view": {**SPECTATOR, **OWN}},
        path=["session", "seat"],
        versioned=True,
    )
    def get(self, request: Request, session: str, seat: int) -> Response:
        row = selectors.visible_session(self.caller, session)
        if unchanged := self.unchanged(of_session(self.caller, row).with_(self.caller.user)):
            return unchanged
        return Response(table_shape(selectors.own_seat(self.caller, row, seat)))


class Actions(ApiView):
    scopes = {"POST": (Scope.SESSIONS_PLAY, Scope.SESSIONS_SCORE)}

    @operation(
        "action_create",
        tag="play",
        summary="Play a card, pass, or correct a pass",
        description="In the running deal, for the seat to act: in a hosted deal the caller's own, in a recorded one "
        "any seat (scorers). `expected_seq` makes sure that nothing is played on a table that has changed: `stale` "
        "says that the deal has moved on, with `current_seq`. The turn is checked before the hand.",
        codes="forbidden no_deal stale not_your_turn not_your_seat card_not_held illegal_play illegal_pass "
        "nothing_to_correct",
        answer=ActionShape,
        example={
            "session": "k3v9qm2xw7pt",
            "seq": 70,
            "deal": 2,
            "seat": 1,
            "action": "9D",
            "at": "2026-11-29T20:05:00.000000Z",
            "deal_over": False,
            "winner": None,
            "to_act": 2,
        },
        status=201,
        request=NewAction,
        request_example={"action": "9D", "expected_seq": 69},
        path=["session"],
        key=REQUIRED_KEY,
    )
    def post(self, request: Request, session: str) -> Response:
        body = read_body(request, NewAction)
        receipt = play.act(
            caller=self.caller,
            session=session,
            action=body["action"],
            expected_seq=body["expected_seq"],
            now=timezone.now(),
            key=self.key(request.data, required=True),
        )
        answer = receipt.answer or receipts.of_action(receipt.session, receipt.seq)
        return Response({**answer, "at": rendering.time(answer["at"])}, status=201)
