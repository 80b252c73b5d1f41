"""A club's people: two that are one, somebody who asks to be forgotten, and the club's own log."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import clublog
from games.api import rendering
from games.api.base import DOOR, ApiView
from games.api.clubs import club_of
from games.api.docs import AFTER, KEY, LIMIT, listed, operation
from games.api.fields import Body, Text, read_body
from games.api.paging import PARAMETERS, envelope, limit_of
from games.api.scopes import Scope
from games.api.versions import of_club
from games.services import people
from games.services.people import ClubReceipt

EVENT = {
    "seq": 3,
    "kind": "merged",
    "player": "h4w8n2bq7kzr",
    "at": "2026-11-29T20:05:00.000000Z",
    "data": {"into": "x7m2k9qv3wtp"},
}


KINDS = [kind.name.lower() for kind in clublog.ClubKind]


class ClubEventShape(serializers.Serializer[Any]):
    """One event of a club's own log."""

    seq = serializers.IntegerField(help_text="Its place in the club's log, from 1.")
    kind = serializers.ChoiceField(choices=KINDS)
    player = serializers.CharField(help_text="The player of whom it tells.")
    at = serializers.DateTimeField()
    data = serializers.DictField(help_text="`into`: the player that stays, of a merge.")


class ClubHistoryEvent(ClubEventShape):
    who = serializers.CharField(help_text="The account that did it.")
    reason = serializers.CharField(help_text="Empty where it named somebody who is anonymised since.")


class ClubWritten(serializers.Serializer[Any]):
    """What became of a player: the event that was appended to the club's log."""

    club = serializers.CharField()
    event = ClubEventShape()


class Merging(Body):
    into = Text(max_length=12, help_text="The id of the player that stays.")
    reason = Text(max_length=500)


class GivenReason(Body):
    reason = Text(max_length=500)


def event_shape(event: dict[str, Any]) -> dict[str, Any]:
    return {**event, "at": rendering.time(event["at"])}


def club_written(receipt: ClubReceipt) -> Response:
    """The answer to a write, rebuilt from the log, so that a retry gets the same."""
    return Response({"club": receipt.club, "event": event_shape(clublog.event_at(receipt.club, receipt.seq))}, 201)


class Merge(ApiView):
    scopes = {"POST": Scope.SESSIONS_MANAGE}

    @operation(
        "player_merge",
        tag="people",
        summary="Merge a player into another",
        description="The two are one person: the player of the address becomes inactive and is shown as the one that "
        "stays (`into`), wherever it played; its account, if it has one, plays on as that one. Logs and results stay "
        "as they are, and `unmerge` takes it back. Organisers.",
        codes="forbidden met different_kinds two_accounts already_merged keeps_others anonymised deal_running "
        "both_drawn same_player bad_player reason_required bad_text",
        answer=ClubWritten,
        example={"club": "riverside", "event": EVENT},
        status=201,
        request=Merging,
        request_example={"into": "x7m2k9qv3wtp", "reason": "Entered twice, with and without the accent."},
        path=["player"],
        key=KEY,
    )
    def post(self, request: Request, player: str) -> Response:
        body = read_body(request, Merging)
        key = self.key(request.data)
        return club_written(
            people.merge(caller=self.caller, player=player, now=timezone.now(), door=DOOR, key=key, **body)
        )


class Unmerge(ApiView):
    scopes = {"POST": Scope.SESSIONS_MANAGE}

    @operation(
        "player_unmerge",
        tag="people",
        summary="Take a merge back",
        description="The player of the address is one of its own again, as it was before. Organisers.",
        codes="forbidden not_merged deal_running reason_required bad_text",
        answer=ClubWritten,
        example={"club": "riverside", "event": {**EVENT, "seq": 4, "kind": "unmerged", "data": {}}},
        status=201,
        request=GivenReason,
        request_example={"reason": "They are cousins."},
        path=["player"],
        key=KEY,
    )
    def post(self, request: Request, player: str) -> Response:
        body = read_body(request, GivenReason)
        key = self.key(request.data)
        return club_written(
            people.unmerge(caller=self.caller, player=player, now=timezone.now(), door=DOOR, key=key, **body)
        )


class Anonymise(ApiView):
    scopes = {"POST": Scope.SESSIONS_MANAGE}

    @operation(
        "player_anonymise",
        tag="people",
        summary="Anonymise a player",
        description="For good: nothing leads back. The player, and whoever is merged into it, loses name and account "
        "and becomes inactive; reasons that hold the name are blanked. Everything played stays. Organisers.",
        codes="forbidden anonymised not_a_person already_merged deal_running reason_required name_in_reason bad_text",
        answer=ClubWritten,
        example={"club": "riverside", "event": {**EVENT, "seq": 5, "kind": "anonymised", "data": {}}},
        status=201,
        request=GivenReason,
        request_example={"reason": "Asked for it by letter."},
        path=["player"],
        key=KEY,
    )
    def post(self, request: Request, player: str) -> Response:
        body = read_body(request, GivenReason)
        key = self.key(request.data)
        return club_written(
            people.anonymise(caller=self.caller, player=player, now=timezone.now(), door=DOOR, key=key, **body)
        )


class ClubEvents(ApiView):
    scopes = {"GET": Scope.SESSIONS_READ}
    parameters = {"GET": PARAMETERS}

    @operation(
        "club_events",
        tag="people",
        summary="A club's events",
        description="What became of the club's players, in order: merged, unmerged, anonymised, with who did it and "
        "why. What happened at tables is in the sessions' own events. Members of the club only.",
        answer=listed(ClubHistoryEvent, "ClubEventPage"),
        example={"results": [{**EVENT, "who": "olga", "reason": "Entered twice."}], "next": None},
        path=["club"],
        query=[LIMIT, AFTER],
        versioned=True,
    )
    def get(self, request: Request, club: str) -> Response:
        owner = club_of(self.caller, club)
        if unchanged := self.unchanged(of_club(self.caller, owner)):
            return unchanged
        limit = limit_of(self.query)
        after = self.query.whole("after", least=0, most=999_999_999, default=0) or 0
        events = clublog.history(owner, after=after, limit=limit + 1)
        page = [event_shape(event) for event in events[:limit]]
        return envelope(request, self.query, page, after=page[-1]["seq"] if len(events) > limit else None)
