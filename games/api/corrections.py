"""Corrections: substitutions, re-seats, adjustments, closing, and undoing any of them."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ChoiceField

from games.api.base import DOOR, ApiView
from games.api.correcting import PREVIEW, TABLE, Corrected, CorrectionView, Previewed
from games.api.docs import KEY, operation
from games.api.fields import Body, Flag, Text, Whole, read_body
from games.api.scopes import Scope
from games.api.written import Written, example, written
from games.engine.occupancy import CREDITS
from games.engine.rules import MAX_SEATS
from games.services import corrections, sessions
from games.wording import said
from scoring.wording import say

SEATS = frozenset(map(str, range(MAX_SEATS)))


class Credit(ChoiceField):
    """A choice that takes text alone."""

    def to_internal_value(self, data: object) -> str:
        if type(data) is not str or data not in CREDITS:
            self.fail("invalid_choice", input=str(data)[:40])
        return data


class Substitution(Body):
    seat = Whole(min_value=0)
    player = Text(max_length=12, help_text="The id of the player who takes the seat.")
    from_number = Whole(
        required=False, min_value=1, help_text="The first deal that they play; the next one unless told."
    )
    credit = Credit(
        choices=CREDITS,
        required=False,
        help_text="Who gets the seat's points: the last player (unless told), the first, or each for their own deals.",
    )
    reason = Text(max_length=500)


class Seats(serializers.DictField):
    """Players' ids by seat: `{"0": "x7m2k9qv3wtp", "1": "h4w8n2bq7kzr"}`."""

    child = Text(max_length=12)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_empty=False, **kwargs)

    def to_internal_value(self, data: Any) -> dict[int, str]:
        players = super().to_internal_value(data)
        for seat in players:
            if seat not in SEATS:
                raise serializers.ValidationError(
                    {seat[:100]: [ErrorDetail(said(say("There is no such seat.")), "invalid")]}
                )
        return {int(seat): player for seat, player in players.items()}


class Reseating(Body):
    seats = Seats(help_text="Who sat in which seat, by seat number as text. Seats that are not named stay as they are.")
    from_number = Whole(required=False, min_value=1, help_text="The first deal it is about; 1 unless told.")
    to_number = Whole(required=False, min_value=1, help_text="The last; the latest that is over unless told.")
    onwards = Flag(required=False, help_text="Whether they keep these seats in the deals to come.")
    reason = Text(max_length=500)


class Adjustment(Body):
    seat = Whole(min_value=0)
    points = Whole(help_text="Added to the seat's total; negative for a penalty, never 0.")
    reason = Text(max_length=500)


class Closing(Body):
    reason = Text(max_length=500, required=False, allow_blank=True)


class Undoing(Body):
    seq = Whole(min_value=1, help_text="The event to be cancelled.")
    reason = Text(max_length=500)


class Substitutions(CorrectionView):
    scopes = {"POST": Scope.SESSIONS_MANAGE}

    @operation(
        "substitution_create",
        tag="corrections",
        summary="Substitute a player",
        description="From the next deal on, or from one that was played, another player of the club sits in the "
        "seat, until a later substitution. Organisers, also in a closed session.",
        codes="forbidden bad_player already_seated bad_seat bad_credit no_such_deal deal_running not_started "
        "reason_required session_closed bad_text",
        answer=Corrected,
        example={
            **example("substituted", seq=71, seat=1, player="h4w8n2bq7kzr", from_number=3, credit="deals"),
            "table": TABLE,
        },
        status=201,
        request=Substitution,
        request_example={"seat": 1, "player": "h4w8n2bq7kzr", "credit": "deals", "reason": "Had to leave early."},
        path=["session"],
        key=KEY,
        preview=(Previewed, PREVIEW),
    )
    def post(self, request: Request, session: str) -> Response:
        body = read_body(request, Substitution)
        return self.correct(corrections.substitute, session=session, **body)


class Reseats(CorrectionView):
    scopes = {"POST": Scope.SESSIONS_MANAGE}

    @operation(
        "reseat_create",
        tag="corrections",
        summary="Correct who sat where",
        description="The players sat in other chairs than was entered, over a range of deals that are over. Results "
        "stay with the seats, so the points of those deals go to whoever sat there. Organisers, also in a closed "
        "session.",
        codes="forbidden bad_player already_seated bad_seat bad_range bad_range/422 no_such_deal deal_running "
        "not_started reason_required session_closed bad_text",
        answer=Corrected,
        example={
            **example("reseated", seq=71, seats={"0": "h4w8n2bq7kzr"}, from_number=1, to_number=2),
            "table": TABLE,
        },
        status=201,
        request=Reseating,
        request_example={
            "seats": {"0": "h4w8n2bq7kzr", "1": "x7m2k9qv3wtp"},
            "from_number": 1,
            "to_number": 2,
            "reason": "They had sat down the wrong way round.",
        },
        path=["session"],
        key=KEY,
        preview=(Previewed, PREVIEW),
    )
    def post(self, request: Request, session: str) -> Response:
        return self.correct(corrections.reseat, session=session, **read_body(request, Reseating))


class Adjustments(CorrectionView):
    scopes = {"POST": Scope.SESSIONS_MANAGE}

    @operation(
        "adjustment_create",
        tag="corrections",
        summary="Adjust points",
        description="Adds points to a seat. Totals and places change, never which deals count. Organisers, also in a "
        "closed session.",
        codes="forbidden bad_points bad_seat not_started reason_required bad_text session_closed",
        answer=Corrected,
        example={**example("adjusted", seq=72, seat=0, points=-5), "table": TABLE},
        status=201,
        request=Adjustment,
        request_example={"seat": 0, "points": -5, "reason": "Talked about the cards in hand."},
        path=["session"],
        key=KEY,
        preview=(Previewed, PREVIEW),
    )
    def post(self, request: Request, session: str) -> Response:
        body = read_body(request, Adjustment)
        return self.correct(corrections.adjust, session=session, **body)


class Close(ApiView):
    scopes = {"POST": Scope.SESSIONS_MANAGE}

    @operation(
        "session_close",
        tag="corrections",
        summary="Close a session",
        description="Nothing more is played or entered in it; an organiser may still correct what is past. A running "
        "hosted deal is opened by that, for good. Organisers.",
        codes="forbidden session_closed bad_text",
        answer=Written,
        example=example("closed", seq=73),
        status=201,
        request=Closing,
        request_example={"reason": "End of the evening."},
        path=["session"],
        key=KEY,
    )
    def post(self, request: Request, session: str) -> Response:
        body = read_body(request, Closing)
        receipt = sessions.close(
            caller=self.caller,
            session=session,
            now=timezone.now(),
            door=DOOR,
            key=self.key(request.data),
            **body,
        )
        return written(receipt)


class Undo(CorrectionView):
    scopes = {"POST": (Scope.SESSIONS_MANAGE, Scope.SESSIONS_SCORE)}

    @operation(
        "undo",
        tag="corrections",
        summary="Undo a correction",
        description="Cancels a void, an entered deal, its confirmation, a substitution, an adjustment, a closing or "
        "an undo, named by the `seq` of its event. Nothing is deleted. Scorers for entered deals and their "
        "confirmations, organisers for the rest.",
        codes="forbidden cannot_undo already_undone deal_running already_seated reason_required session_closed "
        "round_closed bad_text",
        answer=Corrected,
        example={**example("undone", seq=74, undone=72), "table": TABLE},
        status=201,
        request=Undoing,
        request_example={"seq": 72, "reason": "The wrong seat."},
        path=["session"],
        key=KEY,
        preview=(Previewed, PREVIEW),
    )
    def post(self, request: Request, session: str) -> Response:
        body = read_body(request, Undoing)
        return self.correct(corrections.undo, session=session, **body)
