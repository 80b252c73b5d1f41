"""/me: who the token belongs to, and what that account may do."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import selectors
from games.api.base import ApiView
from games.api.docs import operation
from games.api.scopes import Scope
from games.lookups import own_players
from games.models import User
from games.scopes import in_order


class OwnClub(serializers.Serializer[Any]):
    club = serializers.CharField()
    name = serializers.CharField()
    role = serializers.CharField(help_text="member, scorer or organiser; each includes the one before.")
    player = serializers.CharField(allow_null=True, help_text="The player whose seats this account plays.")


class MeShape(serializers.Serializer[Any]):
    username = serializers.CharField()
    is_bot = serializers.BooleanField()
    superuser = serializers.BooleanField()
    scopes = serializers.ListField(child=serializers.CharField(), help_text="All that the token can be used for.")
    clubs = OwnClub(many=True)


class Me(ApiView):
    scopes = {"GET": Scope.ACCOUNT_READ}

    @operation(
        "me",
        tag="account",
        summary="Who am I?",
        description="The account of the token, its clubs with its role in each, and the player it plays there.",
        answer=MeShape,
        example={
            "username": "anna",
            "is_bot": False,
            "superuser": False,
            "scopes": ["account:read", "sessions:read", "sessions:play"],
            "clubs": [{"club": "riverside", "name": "Riverside", "role": "organiser", "player": "x7m2k9qv3wtp"}],
        },
    )
    def get(self, request: Request) -> Response:
        user = request.user
        assert isinstance(user, User)
        players = own_players(self.caller)
        clubs = selectors.visible_clubs(self.caller).filter(pk__in=self.caller.roles).order_by("slug")
        return Response(
            {
                "username": user.username,
                "is_bot": user.is_bot,
                "superuser": user.is_superuser,
                "scopes": in_order(self.caller.scopes or ()),
                "clubs": [
                    {
                        "club": club.slug,
                        "name": club.name,
                        "role": self.caller.roles[club.pk],
                        "player": players.get(club.pk),
                    }
                    for club in clubs
                ],
            }
        )
