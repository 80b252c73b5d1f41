"""Deals of a session: dealing, entering what was played on a real table, the facts of each, voiding."""

import secrets
from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request
from rest_framework.response import Response

from games import delays, lookups, selectors
from games.api import rendering
from games.api.base import DOOR, ApiView, PublicReadView
from games.api.correcting import PREVIEW, TABLE, Corrected, CorrectionView, Previewed
from games.api.docs import AFTER, KEY, LIMIT, listed, operation
from games.api.fields import DEAL_MODES, Actions, Body, Flag, Hand, Text, Whole, read_body
from games.api.paging import PARAMETERS, page_by_number
from games.api.parsing import BadRequest
from games.api.scopes import Scope
from games.api.sessions import PlayerRef
from games.api.versions import of_session
from games.api.written import Written, example, written
from games.delays import NOTHING, Held
from games.engine.rules import MAX_SEATS
from games.models import Deal, Occupancy, Session
from games.services import corrections, dealing, recording
from games.services.recording import PaperResult
from games.services.writing import Receipt
from games.wording import said
from scoring.wording import say

STATES = ("playing", "finished", "voided", "unfinished")
RESULT = {
    "winner": 3,
    "cards_left": [2, 3, 1, 0],
    "left_cards": ["QC KC", "2D 3D AD", "2S", ""],
    "forced_passes": [3, 3, 2, 1],
    "wrongful_passes": [0, 0, 0, 0],
    "withheld": [],
    "hand_sizes": [13, 13, 13, 13],
}
DEAL = {
    "session": "k3v9qm2xw7pt",
    "number": 1,
    "take": 1,
    "mode": "hosted",
    "state": "finished",
    "dealer": 2,
    "players": [{"id": "x7m2k9qv3wtp", "name": "Anna", "strategy": ""}],
    "counted": True,
    "awaits": False,
    "result": RESULT,
    "points": [0, 0, 0, 1],
    "seq": 8,
    "voided_by": None,
    "ended_at": "2026-11-29T20:12:00.000000Z",
}


class ResultShape(serializers.Serializer[Any]):
    winner = serializers.IntegerField()
    cards_left = serializers.ListField(child=serializers.IntegerField())
    left_cards = serializers.ListField(child=serializers.CharField(allow_blank=True), allow_null=True)
    forced_passes = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    wrongful_passes = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    withheld = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        allow_null=True,
        help_text="One [payer, payee] pair of seats for each payment due.",
    )
    hand_sizes = serializers.ListField(child=serializers.IntegerField())


class DealShape(serializers.Serializer[Any]):
    session = serializers.CharField()
    number = serializers.IntegerField()
    take = serializers.IntegerField(help_text="Which attempt to enter this deal stands, from 1.")
    mode = serializers.ChoiceField(choices=DEAL_MODES)
    state = serializers.ChoiceField(choices=STATES)
    dealer = serializers.IntegerField()
    players = PlayerRef(many=True, help_text="By seat.")
    counted = serializers.BooleanField(
        help_text="Whether it counts: finished, not void, not waiting for a second person, not after the deciding deal."
    )
    awaits = serializers.BooleanField(help_text="Whether a second person has to confirm it before it counts.")
    result = ResultShape(allow_null=True, help_text="Lists by seat; null where not known.")
    points = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    seq = serializers.IntegerField(help_text="The event that began this deal.")
    voided_by = serializers.IntegerField(allow_null=True, help_text="The event that voided it; undo names it.")
    ended_at = serializers.DateTimeField(allow_null=True)


class Counts(serializers.ListField):
    """A whole number a seat."""

    child = Whole()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_SEATS, **kwargs)


class GivenResult(Body):
    cards_left = Counts(help_text="Cards left by seat; exactly one is 0, the winner's.")
    forced_passes = Counts(required=False, help_text="Passes without a legal card; leave out where unknown.")
    wrongful_passes = Counts(required=False, help_text="Passes with one; leave out where unknown.")
    withheld = serializers.ListField(
        child=serializers.ListField(child=Whole(), min_length=2, max_length=2),
        required=False,
        max_length=100,
        help_text="One [payer, payee] pair of seats for each payment due for a withheld seven.",
    )


class NewDeal(Body):
    number = Whole(min_value=1, help_text="The deal's number: the next one, or that of a deal to be entered again.")
    dealer = Whole(required=False, min_value=0, help_text="The seat that dealt, where the rotation does not say.")
    hands = serializers.ListField(
        child=Hand(),
        required=False,
        max_length=MAX_SEATS,
        help_text="The cards as dealt, a text a seat: `7D 8D …`.",
    )
    actions = Actions(required=False, help_text="What was played, so far: `7D 8D - ^7S …`.")
    result = GivenResult(required=False)
    anyway = Flag(required=False, help_text="Keep a result in which something must be miscounted (`doubtful_result`).")
    reason = Text(
        required=False, max_length=500, help_text="Why a deal is entered again; a first entry needs no reason."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Hosted, recorded or result only: a mixture is refused, never guessed at."""
        if "result" in attrs and attrs.keys() & {"hands", "actions"}:
            raise _conflict("result", say("Send either the hands and actions or the result, not both."))
        if "anyway" in attrs and "result" not in attrs:
            raise _conflict(
                "anyway", say("Only a result can be doubtful; the cards of a deal are checked by its rules.")
            )
        if "actions" in attrs and "hands" not in attrs:
            raise _conflict("hands", say("Actions need the hands they were played from."))
        if "reason" in attrs and not attrs.keys() & {"hands", "result"}:
            raise _conflict("reason", say("A deal dealt by the server needs no reason."))
        if "dealer" in attrs and not attrs.keys() & {"hands", "result"}:
            raise _conflict("dealer", say("In a deal dealt by the server the rotation says who deals."))
        return attrs


def _conflict(field: str, message: str) -> serializers.ValidationError:
    return serializers.ValidationError({field: [ErrorDetail(said(message), "conflict")]})


class Reason(Body):
    reason = Text(max_length=500, help_text="Why; kept with the event.")


def state_of(session: Session, row: Deal) -> str:
    if row.voided_by is not None:
        return "voided"
    if row.finished:
        return "finished"
    return "playing" if session.live_deal == row.ordinal else "unfinished"


def deal_shape(session: Session, row: Deal, seating: list[Occupancy], held: Held) -> dict[str, Any]:
    """The facts of a deal: no hand of a running one is among them, since only a finished deal has a result, and none
    of one that is `held` back from the reader."""
    return {
        "session": session.public_id,
        "number": row.number,
        "take": row.take,
        "mode": row.mode,
        "state": state_of(session, row),
        "dealer": row.dealer,
        "players": [rendering.player(player) for player in lookups.players_in(seating, row.number)],
        "counted": row.counted,
        "awaits": row.awaits,
        "result": result_shape(row, held),
        "points": rendering.all_points(row.points),
        "seq": row.seq,
        "voided_by": row.voided_by,
        "ended_at": rendering.time(row.ended_at),
    }


def result_shape(row: Deal, held: Held = NOTHING) -> dict[str, Any] | None:
    if row.result is None:
        return None
    hidden = {"left_cards": None} if held.holds(row) else {}
    return {name: row.result[name] for name in RESULT} | hidden


class Deals(CorrectionView, PublicReadView):
    scopes = {"GET": Scope.SESSIONS_READ, "POST": (Scope.SESSIONS_PLAY, Scope.SESSIONS_SCORE)}
    parameters = {"GET": PARAMETERS, "POST": ("preview",)}

    @operation(
        "deals",
        tag="deals",
        summary="The deals of a session",
        description="In order of number, each as it stands now: a deal that was entered again is there once.",
        answer=listed(DealShape, "DealPage"),
        example={"results": [DEAL], "next": None},
        path=["session"],
        query=[LIMIT, AFTER],
        versioned=True,
    )
    def get(self, request: Request, session: str) -> Response:
        row = selectors.visible_session(self.caller, session)
        held = delays.held(self.caller, row, timezone.now())
        if unchanged := self.unchanged(of_session(self.caller, row).with_(held.deals)):
            return unchanged
        seating = lookups.seating_of(row)
        return page_by_number(
            request,
            self.query,
            list(selectors.deals_of(row)),
            number=lambda deal: deal.number,
            render=lambda deal: deal_shape(row, deal, seating, held),
        )

    @operation(
        "deal_create",
        tag="deals",
        summary="Deal, or enter a deal",
        description="With `number` alone the server deals: any seat of the table, a scorer or an organiser may ask, "
        "and who asks twice or too late gets `wrong_number`. With `hands` and `actions`, or with `result`, a scorer "
        "enters what was played on a real table, in the texts of the record format; the number of a deal entered "
        "before enters it again as a new take, for a `reason`; an organiser may do that in a closed session too. Of "
        "actions that the rules refuse `action` is the index of the first.",
        codes="forbidden wrong_number reason_required deal_running session_finished session_closed hosted_deal "
        "dealer_needed bad_deal bad_result doubtful_result missing_passes seat_without_account seat_empty "
        "bad_seats too_many_deals bad_text deal_over nothing_to_correct card_not_held illegal_play illegal_pass",
        answer=Corrected,
        example={**example("result_entered", seq=64, deal=2, seat=3, number=2, take=2), "table": TABLE},
        status=201,
        request=NewDeal,
        request_example={"number": 2, "result": {"cards_left": [2, 3, 1, 0]}, "reason": "Read the slip again."},
        path=["session"],
        key=KEY,
        preview=(Previewed, PREVIEW),
        located=True,
    )
    def post(self, request: Request, session: str) -> Response:
        body = read_body(request, NewDeal)
        location = f"/api/v1/sessions/{session}/deals/{body['number']}"
        if body.keys() == {"number"}:
            return written(self._deal(session, body["number"]), location=location)
        self.caller.require(Scope.SESSIONS_SCORE)
        result = body.pop("result", None)
        paper = {} if result is None else {"result": _paper(result)}
        return self.correct(recording.record_deal, session=session, location=location, **body, **paper)

    def _deal(self, session: str, number: int) -> Receipt:
        if self.previewing:
            raise BadRequest(
                "bad_parameter", say("preview is for deals entered on paper, not for one that the server deals.")
            )
        return dealing.deal(
            caller=self.caller,
            session=session,
            number=number,
            rng=secrets.SystemRandom(),
            now=timezone.now(),
            door=DOOR,
            key=self.key(self.request.data),
        )


def _paper(result: dict[str, Any]) -> PaperResult:
    withheld = result.get("withheld")
    return PaperResult(
        result["cards_left"],
        result.get("forced_passes"),
        result.get("wrongful_passes"),
        None if withheld is None else [(payer, payee) for payer, payee in withheld],
    )


class OneDeal(PublicReadView):
    scopes = {"GET": Scope.SESSIONS_READ}

    @operation(
        "deal",
        tag="deals",
        summary="A deal",
        description="Its facts, and its result and points once it is over. The cards are in the replay.",
        answer=DealShape,
        example=DEAL,
        path=["session", "number"],
        versioned=True,
    )
    def get(self, request: Request, session: str, number: int) -> Response:
        row = selectors.visible_session(self.caller, session)
        held = delays.held(self.caller, row, timezone.now())
        if unchanged := self.unchanged(of_session(self.caller, row).with_(held.deals)):
            return unchanged
        deal = selectors.deal_of(row, number)
        return Response(deal_shape(row, deal, lookups.seating_of(row), held))


class Confirmation(Body):
    take = Whole(
        required=False, min_value=1, help_text="The take that was looked at; refused where another stands by now."
    )


class ConfirmDeal(ApiView):
    scopes = {"POST": Scope.SESSIONS_SCORE}

    @operation(
        "deal_confirm",
        tag="deals",
        summary="Confirm a deal",
        description="In a session with `confirm` a deal entered on paper counts once another scorer has confirmed "
        "it. Entering just what is on record confirms it too. Scorers.",
        codes="forbidden no_such_deal nothing_to_confirm already_confirmed same_person wrong_take session_closed",
        answer=Written,
        example=example("confirmed", seq=66, deal=2),
        status=201,
        request=Confirmation,
        request_example={"take": 1},
        path=["session", "number"],
        key=KEY,
    )
    def post(self, request: Request, session: str, number: int) -> Response:
        body = read_body(request, Confirmation)
        receipt = recording.confirm(
            caller=self.caller,
            session=session,
            number=number,
            take=body.get("take"),
            now=timezone.now(),
            door=DOOR,
            key=self.key(request.data),
        )
        return written(receipt)


class VoidDeal(CorrectionView):
    scopes = {"POST": Scope.SESSIONS_MANAGE}

    @operation(
        "deal_void",
        tag="corrections",
        summary="Void a deal",
        description="It is kept and counts nowhere. If it was the latest its dealer deals again, under the next "
        "number. Voiding a running hosted deal opens its hands and cannot be undone. Organisers, also in a closed "
        "session.",
        codes="forbidden no_such_deal reason_required already_voided deal_running session_closed bad_text",
        answer=Corrected,
        example={**example("voided", seq=70, deal=2), "table": TABLE},
        status=201,
        request=Reason,
        request_example={"reason": "A card lay face up."},
        path=["session", "number"],
        key=KEY,
        preview=(Previewed, PREVIEW),
    )
    def post(self, request: Request, session: str, number: int) -> Response:
        reason = read_body(request, Reason)["reason"]
        return self.correct(corrections.void, session=session, number=number, reason=reason)
