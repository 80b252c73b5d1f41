"""Corrections: substitutions, adjustments, closing, and undoing any of them."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ChoiceField

from games.api.base import DOOR, ApiView
from games.api.docs import KEY, operation
from games.api.fields import Body, Text, Whole, read_body
from games.api.written import Written, example, written
from games.engine.occupancy import CREDITS
from games.services import corrections, sessions


class Credit(ChoiceField):
    """A choice that takes text alone."""

    def to_internal_value(self, data: object) -> str:
        if type(data) is not str or data not in CREDITS:
            self.fail("invalid_choice", input=str(data)[:40])
        return data


class Substitution(Body):
    seat = Whole(min_value=0)
    player = Text(max_length=12, help_text="The id of the player who sits there from the next deal on.")
    credit = Credit(
        choices=CREDITS,
        required=False,
        help_text="Who gets the seat's points: the last player (unless told), the first, or each for their own deals.",
    )
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


class Substitutions(ApiView):
    @operation(
        "substitution_create",
        tag="corrections",
        summary="Substitute a player",
        description="From the next deal on another player of the club sits in the seat. Organisers. Refused with "
        "`bad_player`, `already_seated`, `bad_seat`, `bad_credit`, `not_started`, `reason_required`, `session_closed`.",
        answer=Written,
        example=example("substituted", seq=71, seat=1, player="h4w8n2bq7kzr", from_number=3, credit="deals"),
        status=201,
        request=Substitution,
        request_example={"seat": 1, "player": "h4w8n2bq7kzr", "credit": "deals", "reason": "Had to leave early."},
        path=["session"],
        errors=[401, 403, 404, 409, 422],
        key=KEY,
    )
    def post(self, request: Request, session: str) -> Response:
        body = read_body(request, Substitution)
        receipt = corrections.substitute(
            caller=self.caller,
            session=session,
            now=timezone.now(),
            door=DOOR,
            key=self.key(request.data),
            **body,
        )
        return written(receipt)


class Adjustments(ApiView):
    @operation(
        "adjustment_create",
        tag="corrections",
        summary="Adjust points",
        description="Adds points to a seat. Totals and places change, never which deals count. Organisers. Refused "
        "with `bad_points`, `bad_seat`, `not_started`, `reason_required`, `session_closed`.",
        answer=Written,
        example=example("adjusted", seq=72, seat=0, points=-5),
        status=201,
        request=Adjustment,
        request_example={"seat": 0, "points": -5, "reason": "Talked about the cards in hand."},
        path=["session"],
        errors=[401, 403, 404, 409, 422],
        key=KEY,
    )
    def post(self, request: Request, session: str) -> Response:
        body = read_body(request, Adjustment)
        receipt = corrections.adjust(
            caller=self.caller,
            session=session,
            now=timezone.now(),
            door=DOOR,
            key=self.key(request.data),
            **body,
        )
        return written(receipt)


class Close(ApiView):
    @operation(
        "session_close",
        tag="corrections",
        summary="Close a session",
        description="Nothing more is played or entered in it; an organiser may still correct what is past. A running "
        "hosted deal is opened by that, for good. Organisers. Refused with `session_closed`.",
        answer=Written,
        example=example("closed", seq=73),
        status=201,
        request=Closing,
        request_example={"reason": "End of the evening."},
        path=["session"],
        errors=[401, 403, 404, 409, 422],
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


class Undo(ApiView):
    @operation(
        "undo",
        tag="corrections",
        summary="Undo a correction",
        description="Cancels a void, an entered deal, its confirmation, a substitution, an adjustment, a closing or an "
        "undo, named by the `seq` of its event. Nothing is deleted. Scorers for entered deals and their confirmations, "
        "organisers for the rest. "
        "Refused with `cannot_undo`, `already_undone`, `deal_running`, `already_seated`, "
        "`reason_required`, `session_closed`.",
        answer=Written,
        example=example("undone", seq=74, undone=72),
        status=201,
        request=Undoing,
        request_example={"seq": 72, "reason": "The wrong seat."},
        path=["session"],
        errors=[401, 403, 404, 409, 422],
        key=KEY,
    )
    def post(self, request: Request, session: str) -> Response:
        body = read_body(request, Undoing)
        receipt = corrections.undo(
            caller=self.caller,
            session=session,
            now=timezone.now(),
            door=DOOR,
            key=self.key(request.data),
            **body,
        )
        return written(receipt)
