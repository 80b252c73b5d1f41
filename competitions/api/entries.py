"""Who competes: entering, withdrawing, coming back, sitting out, substitutes, pairs kept apart."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from competitions import selectors, showing
from competitions.api.base import CHANGING, ChangingView
from competitions.api.docs import ANNA, BERT, COMPETITION, change, changed_example
from competitions.api.fields import ExactPoints, PerhapsBecause, player_id, reason
from competitions.api.versions import of_log
from competitions.models import Entry
from competitions.services import entries
from competitions.services.entries import CREDITS, MOST_ENTRIES, NewEntry
from games.api import rendering
from games.api.docs import AFTER, LIMIT, PUBLIC_ID, listed, operation
from games.api.fields import Body, Flag, Text, Whole
from games.api.paging import PARAMETERS, envelope, limit_of
from games.api.parsing import bad_parameter
from games.api.scopes import UNPUBLISHED, Scope
from games.api.sessions import PlayerRef
from scoring.wording import mark

PLAYER = OpenApiParameter("player", PUBLIC_ID, OpenApiParameter.PATH, description="The player's id.")
ENTRY = {
    "player": {"id": ANNA, "name": "Anna", "strategy": ""},
    "from_round": 1,
    "seed": 3,
    "withdrawn": None,
}


class EntryShape(serializers.Serializer[Any]):
    player = PlayerRef()
    from_round = serializers.IntegerField(help_text="The first round this player is in.")
    seed = serializers.IntegerField(allow_null=True, help_text="1 the strongest.")
    withdrawn = serializers.IntegerField(allow_null=True, help_text="The first round this player is out of.")


class OneNewEntry(Body):
    player = player_id()
    seed = Whole(required=False, allow_null=True, min_value=1, help_text="1 the strongest.")
    from_round = Whole(required=False, allow_null=True, min_value=1, help_text="The next round, unless told.")


class NewEntries(Body):
    entries = serializers.ListField(child=OneNewEntry(), min_length=1, max_length=MOST_ENTRIES)


class Withdrawal(Body):
    from_round = Whole(required=False, allow_null=True, min_value=1, help_text="The next round, unless told.")
    reason = reason(required=False)


class SittingOut(Body):
    round = Whole(min_value=1)
    bye = Flag(required=False, help_text="true: by the organiser's decision; false: absent.")
    points = ExactPoints(required=False, help_text="What the round is worth; the settings say, unless told.")
    reason = reason(required=False)


class EntrySubstitution(Body):
    round = Whole(min_value=1)
    by = player_id("The id of the player who sits there instead.")
    credit = Text(required=False, max_length=10, help_text=f"Who gets the points: {' or '.join(CREDITS)}.")
    reason = reason()


class Pair(Body):
    players = serializers.ListField(child=player_id(), min_length=2, max_length=2, help_text="The ids of the two.")
    reason = reason(required=False)


class ApartShape(serializers.Serializer[Any]):
    pairs = serializers.ListField(child=serializers.ListField(child=PlayerRef()))


class Entries(ChangingView):
    scopes = {"GET": Scope.STANDINGS_READ, "POST": Scope.COMPETITIONS_MANAGE}
    parameters = {"GET": PARAMETERS, "POST": CHANGING}
    body = NewEntries

    @operation(
        "entries",
        tag="competitions",
        summary="Who competes",
        description="In the order of entering. For members of the club.",
        answer=listed(EntryShape, "EntryPage"),
        example={"results": [ENTRY], "next": None},
        path=[COMPETITION],
        query=[LIMIT, AFTER],
        codes="forbidden",
        versioned=True,
    )
    def get(self, request: Request, competition: str) -> Response:
        row = self.competition(competition)
        if unchanged := self.unchanged(of_log(self.caller, row)):
            return unchanged
        rows = selectors.entries(self.caller, row)
        after = self.query.values.get("after")
        if after is not None:
            at = rows.filter(player__public_id=after).values_list("pk", flat=True).first()
            if at is None:
                raise bad_parameter("after", mark("{parameter} is not a cursor that this list gave out."))
            rows = rows.filter(pk__gt=at)
        limit = limit_of(self.query)
        found = list(rows[: limit + 1])
        last = found[limit - 1].player.public_id if len(found) > limit else None
        return envelope(request, self.query, [entry_shape(row) for row in found[:limit]], after=last)

    @change(
        "entries_create",
        summary="Enter players",
        description="All of them or none. Rounds that are drawn and not opened are changed as little as they must: a "
        "preview lists how.",
        codes="bad_player already_entered already_entered/422 too_many_entries bad_number no_tables tie_to_decide "
        "too_few_players",
        request=NewEntries,
        request_example={"entries": [{"player": ANNA, "seed": 3}, {"player": BERT}]},
        example=changed_example("entered", seq=2, player=ANNA, from_round=1, seed=3),
    )
    def post(self, request: Request, competition: str) -> Response:
        return self.change(request, competition, entries.enter, read=new_entries)


class OneEntryView(ChangingView):
    scopes = {"POST": Scope.COMPETITIONS_MANAGE}
    parameters = {"POST": CHANGING}


class Withdraw(OneEntryView):
    body = Withdrawal

    @change(
        "entry_withdraw",
        summary="Withdraw a player",
        description="From a round on; results stay. Whoever sits at an open table stays there.",
        codes="not_entered bad_player already_withdrawn round_open bad_number bad_text no_tables tie_to_decide "
        "too_few_players",
        request=Withdrawal,
        request_example={"reason": "Moved away."},
        example=changed_example("withdrawn", seq=30, round=4, player=ANNA),
        path=[PLAYER],
    )
    def post(self, request: Request, competition: str, player: str) -> Response:
        return self.change(request, competition, entries.withdraw, player=player)


class Reinstate(OneEntryView):
    body = PerhapsBecause

    @change(
        "entry_reinstate",
        summary="Let a player back in",
        description="From the next round that is not opened.",
        codes="not_withdrawn not_entered bad_player bad_number bad_text no_tables tie_to_decide too_few_players",
        request=PerhapsBecause,
        request_example={},
        example=changed_example("reinstated", seq=31, player=ANNA),
        path=[PLAYER],
    )
    def post(self, request: Request, competition: str, player: str) -> Response:
        return self.change(request, competition, entries.reinstate, player=player)


class SitOut(OneEntryView):
    body = SittingOut

    @change(
        "entry_sit_out",
        summary="Let a player sit out",
        description="A round that the player does not play, absent or with a bye. Of a closed round, or with points "
        "of its own, it needs a reason.",
        codes="already_sits_out round_open no_such_round bad_points not_entered bad_player reason_required "
        "bad_text no_tables tie_to_decide too_few_players",
        request=SittingOut,
        request_example={"round": 3, "bye": False},
        example=changed_example("sat_out", seq=32, round=3, player=ANNA, bye=False),
        path=[PLAYER],
    )
    def post(self, request: Request, competition: str, player: str) -> Response:
        return self.change(request, competition, entries.sit_out, player=player, read=numbered)


class Substitute(OneEntryView):
    body = EntrySubstitution

    @change(
        "entry_substitute",
        summary="Let somebody sit in a player's place",
        description="In a round that is not opened yet; at an open table substitute in its session.",
        codes="already_seated substitution_cycle substitution_cycle/422 bad_credit/422 bad_player not_entered "
        "not_entered/422 already_sits_out round_open no_such_round bad_text",
        request=EntrySubstitution,
        request_example={"round": 3, "by": BERT, "credit": "player", "reason": "Ill."},
        example=changed_example("substituted", seq=33, round=3, player=ANNA, substitute=BERT, credit="player"),
        path=[PLAYER],
    )
    def post(self, request: Request, competition: str, player: str) -> Response:
        return self.change(request, competition, entries.substitute, player=player, read=numbered)


class Apart(ChangingView):
    scopes = {"GET": UNPUBLISHED, "POST": Scope.COMPETITIONS_MANAGE}
    parameters = {"POST": CHANGING}
    body = Pair

    @operation(
        "apart",
        tag="competitions",
        summary="Who is kept apart",
        description="Pairs that draws seat at different tables where they can. Scorers and organisers.",
        answer=ApartShape,
        example={
            "pairs": [
                [{"id": ANNA, "name": "Anna", "strategy": ""}, {"id": BERT, "name": "Bert", "strategy": ""}],
            ]
        },
        path=[COMPETITION],
        codes="forbidden",
        versioned=True,
    )
    def get(self, request: Request, competition: str) -> Response:
        row = self.competition(competition)
        if unchanged := self.unchanged(of_log(self.caller, row)):
            return unchanged
        pairs = selectors.state(self.caller, row).apart
        named = showing.people(*pairs)
        return Response({"pairs": [[rendering.player(named[player]) for player in pair] for pair in pairs]})

    @change(
        "apart_create",
        summary="Keep two apart",
        description="They are not seated together in draws to come, where that can be. Undo it to let them meet.",
        codes="already_apart not_entered bad_player bad_text",
        request=Pair,
        request_example={"players": [ANNA, BERT]},
        example=changed_example("kept_apart", seq=34, pair=[ANNA, BERT]),
    )
    def post(self, request: Request, competition: str) -> Response:
        return self.change(request, competition, entries.keep_apart, read=pair)


def entry_shape(row: Entry) -> dict[str, Any]:
    return {
        "player": rendering.player(row.player),
        "from_round": row.from_round,
        "seed": row.seed,
        "withdrawn": row.withdrawn,
    }


def new_entries(body: dict[str, Any]) -> dict[str, Any]:
    return {"entries": [NewEntry(**item) for item in body["entries"]]}


def numbered(body: dict[str, Any]) -> dict[str, Any]:
    """Services call a round `number`."""
    return {"number": body.pop("round"), **body}


def pair(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "players": tuple(body["players"])}
