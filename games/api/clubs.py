"""Clubs and their players."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import people, selectors
from games.access import Caller
from games.api.base import ApiView, created, edited
from games.api.docs import AFTER, KEY, LIMIT, listed, operation
from games.api.fields import Body, Text, read_body
from games.api.paging import PARAMETERS, page_by_id
from games.api.scopes import Scope
from games.api.versions import Version, of_club, of_player, own_of_club
from games.errors import NotFound
from games.models import Club, Player, Role
from games.services import clubs, players

CLUB = {"id": "riverside", "name": "Riverside", "timezone": "Europe/Warsaw", "role": "organiser"}
PLAYER = {
    "id": "x7m2k9qv3wtp",
    "club": "riverside",
    "name": "Anna",
    "strategy": "",
    "username": "anna",
    "active": True,
    "merged_into": None,
    "anonymised": False,
}


NAME = OpenApiParameter("name", str, description="Only those whose name holds this, whatever its case and accents.")


class ClubShape(serializers.Serializer[Any]):
    id = serializers.CharField(help_text="The club's slug.")
    name = serializers.CharField()
    timezone = serializers.CharField(help_text="Where it plays, by its name in the IANA database.")
    role = serializers.CharField(allow_null=True, help_text="The caller's role; null for a superuser without one.")


class ClubChange(Body):
    timezone = Text(max_length=64, help_text="A name of the IANA database, such as Europe/Warsaw; or UTC.")


class PlayerShape(serializers.Serializer[Any]):
    id = serializers.CharField()
    club = serializers.CharField()
    name = serializers.CharField()
    strategy = serializers.CharField(help_text="A bot's way of playing; empty for a person.")
    username = serializers.CharField(
        allow_null=True, help_text="The account that plays for a person; shown to organisers, else null."
    )
    active = serializers.BooleanField(help_text="Who is not is offered for no seat.")
    merged_into = serializers.CharField(
        allow_null=True, help_text="The player that this one turned out to be, and as which it is shown."
    )
    anonymised = serializers.BooleanField(help_text="Whether name and account were taken away for good.")


class NewPlayer(Body):
    name = Text(max_length=80, help_text="Free text in any script, without control characters.")
    strategy = Text(max_length=40, required=False, help_text="Makes the player a bot: one of /bots.")
    username = Text(max_length=150, required=False, help_text="The member's account that plays for this person.")


def club_shape(club: Club, caller: Caller) -> dict[str, Any]:
    return {
        "id": club.slug,
        "name": club.name,
        "timezone": club.timezone,
        "role": caller.roles.get(club.pk),
    }


def player_shape(player: Player, caller: Caller) -> dict[str, Any]:
    shown = not player.strategy and player.user is not None and caller.has(Role.ORGANISER, player.club_id)
    return {
        "id": player.public_id,
        "name": player.name,
        "strategy": player.strategy,
        "club": player.club.slug,
        "username": player.user.username if shown and player.user else None,
        "active": player.active,
        "merged_into": player.merged_into.public_id if player.merged_into else None,
        "anonymised": player.anonymised,
    }


def club_of(caller: Caller, slug: str) -> Club:
    club = selectors.visible_clubs(caller).filter(slug=slug).first()
    if club is None:
        raise NotFound("club")
    return club


class Clubs(ApiView):
    scopes = {"GET": Scope.ACCOUNT_READ}
    parameters = {"GET": PARAMETERS}

    @operation(
        "clubs",
        tag="clubs",
        summary="My clubs",
        description="The clubs that the caller is a member of, oldest first.",
        answer=listed(ClubShape, "ClubPage"),
        example={"results": [CLUB], "next": None},
        query=[LIMIT, AFTER],
        versioned=True,
    )
    def get(self, request: Request) -> Response:
        return page_by_id(
            request,
            self.query,
            selectors.visible_clubs(self.caller),
            model=Club,
            cursor="slug",
            render=lambda club: club_shape(club, self.caller),
            unchanged=lambda found: self.unchanged(
                Version(tuple(tuple(club_shape(club, self.caller).values()) for club in found))
            ),
        )


class OneClub(ApiView):
    scopes = {"GET": Scope.ACCOUNT_READ, "PATCH": Scope.SESSIONS_MANAGE}

    @operation(
        "club",
        tag="clubs",
        summary="A club",
        description="One of the caller's clubs.",
        answer=ClubShape,
        example=CLUB,
        path=["club"],
        versioned=True,
    )
    def get(self, request: Request, club: str) -> Response:
        row = club_of(self.caller, club)
        if unchanged := self.unchanged(of_club(self.caller, row)):
            return unchanged
        return Response(club_shape(row, self.caller))

    @operation(
        "club_change",
        tag="clubs",
        summary="Change a club's time zone",
        description="The days of the club, and the times that its organisers are shown, are those of its zone. Times "
        "in the API are UTC all the same. Organisers.",
        codes="forbidden bad_timezone",
        answer=ClubShape,
        example=CLUB,
        request=ClubChange,
        request_example={"timezone": "Europe/Warsaw"},
        edits="/clubs/{club}",
        path=["club"],
        key=KEY,
    )
    def patch(self, request: Request, club: str) -> Response:
        body = read_body(request, ClubChange)
        changed = clubs.change_club(
            caller=self.caller, club=club, key=self.key(request.data), check=self.meant(own_of_club), **body
        )
        row = club_of(self.caller, club)
        row.name, row.timezone = changed["name"], changed["timezone"]
        return edited(Response(club_shape(row, self.caller)), own_of_club(row))


class Players(ApiView):
    scopes = {"GET": Scope.SESSIONS_READ, "POST": Scope.SESSIONS_MANAGE}
    parameters = {"GET": (*PARAMETERS, "name")}

    @operation(
        "club_players",
        tag="clubs",
        summary="A club's players",
        description="People and bots of a club, oldest first; those merged into others and inactive ones too.",
        answer=listed(PlayerShape, "PlayerPage"),
        example={"results": [PLAYER], "next": None},
        path=["club"],
        query=[LIMIT, AFTER, NAME],
        versioned=True,
    )
    def get(self, request: Request, club: str) -> Response:
        owner = club_of(self.caller, club)
        rows = selectors.visible_players(self.caller).filter(club=owner)
        if (name := self.query.values.get("name")) is not None:
            rows = people.searched(rows, name)
        return page_by_id(
            request,
            self.query,
            rows,
            model=Player,
            cursor="public_id",
            render=lambda player: player_shape(player, self.caller),
            unchanged=lambda found: self.unchanged(of_club(self.caller, owner).with_([row.pk for row in found])),
        )

    @operation(
        "club_player_create",
        tag="clubs",
        summary="Add a player",
        description="A person, with or without an account, or a bot (`strategy`). Organisers.",
        codes="forbidden bad_text bad_strategy bad_account",
        answer=PlayerShape,
        example=PLAYER,
        status=201,
        request=NewPlayer,
        request_example={"name": "Anna", "username": "anna"},
        path=["club"],
        key=KEY,
        located=True,
    )
    def post(self, request: Request, club: str) -> Response:
        body = read_body(request, NewPlayer)
        public_id = players.create_player(caller=self.caller, club=club, key=self.key(request.data), **body)
        # From the request, not from the row, which may have been edited when a retry comes.
        answer = {
            "id": public_id,
            "name": body["name"],
            "strategy": body.get("strategy", ""),
            "club": club,
            "username": body.get("username") or None,
            "active": True,
            "merged_into": None,
            "anonymised": False,
        }
        return created(answer, f"/api/v1/players/{public_id}")


class OnePlayer(ApiView):
    scopes = {"GET": Scope.SESSIONS_READ}

    @operation(
        "player",
        tag="clubs",
        summary="A player",
        description="A player of one of the caller's clubs.",
        answer=PlayerShape,
        example=PLAYER,
        path=["player"],
        versioned=True,
    )
    def get(self, request: Request, player: str) -> Response:
        found = selectors.visible_players(self.caller).filter(public_id=player).first()
        if found is None:
            raise NotFound("player")
        if unchanged := self.unchanged(of_player(self.caller, found)):
            return unchanged
        return Response(player_shape(found, self.caller))
