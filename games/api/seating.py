"""Who sits where before the first deal, and starting."""

import secrets
from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import DOOR, ApiView, edited
from games.api.docs import KEY, operation
from games.api.fields import Body, Nothing, Text, read_body
from games.api.scopes import Scope
from games.api.versions import own_of_session, own_of_session_at
from games.api.written import Written, example, written
from games.services import dealing, sessions


class Sitter(Body):
    player = Text(max_length=12, help_text="The player's id.")


class OneSeat(ApiView):
    scopes = {"PUT": Scope.SESSIONS_MANAGE, "DELETE": (Scope.SESSIONS_MANAGE, Scope.SESSIONS_PLAY)}

    @operation(
        "seat_take",
        tag="sessions",
        summary="Seat a player",
        description="Before the first deal; afterwards see substitutions. Organisers.",
        codes="forbidden bad_player bad_seat already_seated session_started session_closed",
        answer=Written,
        example=example("seated", seq=2, seat=0, player="x7m2k9qv3wtp"),
        edits="/sessions/{session}",
        request=Sitter,
        request_example={"player": "x7m2k9qv3wtp"},
        path=["session", "seat"],
        key=KEY,
    )
    def put(self, request: Request, session: str, seat: int) -> Response:
        return self._seat(request, session, seat, read_body(request, Sitter)["player"])

    @operation(
        "seat_leave",
        tag="sessions",
        summary="Empty a seat",
        description="Before the first deal. Organisers, and whoever sits there in a session with `self_seating`.",
        codes="forbidden session_started session_closed",
        answer=Written,
        example=example("unseated", seq=3, seat=0),
        edits="/sessions/{session}",
        path=["session", "seat"],
        key=KEY,
    )
    def delete(self, request: Request, session: str, seat: int) -> Response:
        read_body(request, Nothing)
        return self._seat(request, session, seat, None)

    def _seat(self, request: Request, session: str, seat: int, player: Any) -> Response:
        receipt = sessions.seat(
            caller=self.caller,
            session=session,
            seat=seat,
            player=player,
            now=timezone.now(),
            door=DOOR,
            key=self.key(request.data),
            check=self.meant(own_of_session),
        )
        return edited(written(receipt, status=200), own_of_session_at(receipt.session, receipt.seq))


class Join(ApiView):
    scopes = {"POST": Scope.SESSIONS_PLAY}

    @operation(
        "session_join",
        tag="play",
        summary="Sit down",
        description="The account's own player takes the lowest free seat of a session with `self_seating`, before "
        "its first deal. Whoever sits there already is answered with the change before. Members.",
        codes="forbidden not_joinable bad_account bad_seats session_started session_closed",
        answer=Written,
        example=example("seated", seq=6, seat=3, player="x7m2k9qv3wtp"),
        status=201,
        request=Nothing,
        request_example={},
        path=["session"],
        key=KEY,
    )
    def post(self, request: Request, session: str) -> Response:
        read_body(request, Nothing)
        receipt = sessions.join(
            caller=self.caller, session=session, now=timezone.now(), door=DOOR, key=self.key(request.data)
        )
        return written(receipt)


class Start(ApiView):
    scopes = {"POST": (Scope.SESSIONS_MANAGE, Scope.SESSIONS_PLAY)}

    @operation(
        "session_start",
        tag="sessions",
        summary="Start: deal the first deal",
        description="Fixes seats, rules and scheme, draws the dealer and deals. The same as asking for deal 1. "
        "Organisers, and any seat in a session with `self_seating`.",
        codes="forbidden seat_empty bad_seats seat_without_account wrong_number deal_running session_closed",
        answer=Written,
        example=example("dealt", seq=8, deal=1, seat=2, number=1, take=1, wrongful_pass="refused"),  # noqa: S106
        status=201,
        request=Nothing,
        request_example={},
        path=["session"],
        key=KEY,
        located=True,
    )
    def post(self, request: Request, session: str) -> Response:
        read_body(request, Nothing)
        receipt = dealing.deal(
            caller=self.caller,
            session=session,
            number=1,
            rng=secrets.SystemRandom(),
            now=timezone.now(),
            door=DOOR,
            key=self.key(request.data),
        )
        return written(receipt, location=f"/api/v1/sessions/{session}/deals/1")
