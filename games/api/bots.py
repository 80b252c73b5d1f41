"""A club's bots that are played over the API, and their tokens."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import selectors
from games.access import club_for
from games.api.base import ApiView, created
from games.api.docs import AFTER, KEY, LIMIT, listed, operation
from games.api.fields import Body, Moment, Text, read_body
from games.api.paging import PARAMETERS, page_by_id
from games.api.scopes import Scope
from games.api.tokens import TOKEN, NewTokenShape, TokenShape, TokenView, token_shape
from games.models import Player, Role
from games.scopes import BOTS
from games.services import bots, tokens

BOT_TOKEN = {
    **TOKEN,
    "label": "Robo",
    "kind": "bot",
    "scopes": ["standings:read", "sessions:read", "sessions:play"],
    "prefix": "fantanbot_Zk3vQ",
    "expires_at": None,
    "made_with": "k3v9qm2xw7pt",
}
BOT = {"id": "x7m2k9qv3wtp", "club": "riverside", "name": "Robo", "active": True, "tokens": [BOT_TOKEN]}
SECRET = "fantanbot_Zk3vQ7xP2mLr9tYbN4cWdE8sGhJ1aFuK0oXiVq5RjUw"  # noqa: S105 - nobody's
ONLY = f"A bot's tokens are for {', '.join(BOTS)} at most; all of these unless told."


class BotAccountShape(serializers.Serializer[Any]):
    """A player that somebody's program plays."""

    id = serializers.CharField(help_text="The player's id, to be seated by.")
    club = serializers.CharField()
    name = serializers.CharField()
    active = serializers.BooleanField()
    tokens = TokenShape(many=True, help_text="Newest first, those that have ended too.")


class NewBotShape(serializers.Serializer[Any]):
    """A new bot with its first token."""

    id = serializers.CharField(help_text="The player's id, to be seated by.")
    club = serializers.CharField()
    name = serializers.CharField()
    active = serializers.BooleanField()
    token = NewTokenShape()


class NewBot(Body):
    name = Text(max_length=80, help_text="What it is called at the table.")
    scopes = serializers.ListField(child=Text(max_length=40), max_length=20, required=False, help_text=ONLY)
    expires_at = Moment(max_length=40, required=False, allow_null=True, help_text="When its first token ends.")


class NewBotToken(Body):
    label = Text(max_length=60, required=False, help_text="What will use it; the bot's name unless told.")
    scopes = serializers.ListField(child=Text(max_length=40), max_length=20, required=False, help_text=ONLY)
    expires_at = Moment(max_length=40, required=False, allow_null=True, help_text="null: works until it is revoked.")


def bot_shape(player: Player) -> dict[str, Any]:
    assert player.user is not None
    return {
        "id": player.public_id,
        "club": player.club.slug,
        "name": player.name,
        "active": player.active,
        "tokens": [token_shape(token) for token in player.user.tokens.all()],
    }


class ClubBots(TokenView):
    scopes = {"GET": Scope.TOKENS_MANAGE, "POST": Scope.TOKENS_MANAGE}
    rates = {"POST": "tokens"}
    parameters = {"GET": PARAMETERS}

    @operation(
        "club_bots",
        tag="bots",
        summary="A club's bots that are played over the API",
        description="Oldest first, each with its tokens. Bots that the server plays are among the club's players. "
        "Organisers.",
        answer=listed(BotAccountShape, "BotAccountPage"),
        example={"results": [BOT], "next": None},
        path=["club"],
        query=[LIMIT, AFTER],
        codes="forbidden",
    )
    def get(self, request: Request, club: str) -> Response:
        rows = selectors.club_bots(club_for(self.caller, club, Role.ORGANISER))
        return page_by_id(request, self.query, rows, model=Player, cursor="public_id", render=bot_shape)

    @operation(
        "club_bot_create",
        tag="bots",
        summary="Make a bot that is played over the API",
        description="A player of the club with an account of its own, which is a member, and that account's first "
        "token. The bot is seated like anybody, and plays its seat with the token; where its time is over the "
        "session's stand-in plays for it. The secret stands in this answer and nowhere else; a retry gets it as with "
        f"`token_create`. {ONLY} Organisers.",
        answer=NewBotShape,
        example={**{name: BOT[name] for name in BOT if name != "tokens"}, "token": {**BOT_TOKEN, "secret": SECRET}},
        status=201,
        request=NewBot,
        request_example={"name": "Robo"},
        path=["club"],
        codes="forbidden bad_text bad_scope bad_expiry secret_gone",
        key=KEY,
        located=True,
    )
    def post(self, request: Request, club: str) -> Response:
        body = read_body(request, NewBot)
        asked = self.asked(request)
        player, token, secret = bots.make_bot(caller=self.caller, club=club, now=timezone.now(), asked=asked, **body)
        answer = {
            "id": player.public_id,
            "club": club,
            "name": body["name"],
            "active": True,
            "token": {**token_shape(token), "secret": secret},
        }
        return created(answer, f"/api/v1/players/{player.public_id}")


class BotTokens(TokenView):
    scopes = {"POST": Scope.TOKENS_MANAGE}
    rates = {"POST": "tokens"}

    @operation(
        "club_bot_token_create",
        tag="bots",
        summary="Make another token for a bot",
        description="Those it has go on until they are revoked. The secret stands in this answer and nowhere else; a "
        f"retry gets it as with `token_create`. {ONLY} Organisers.",
        answer=NewTokenShape,
        example={**BOT_TOKEN, "secret": SECRET},
        status=201,
        request=NewBotToken,
        request_example={"expires_at": "2027-11-29T00:00:00Z"},
        path=["club", "player"],
        codes="forbidden bad_text bad_scope bad_expiry secret_gone",
        key=KEY,
        located=True,
    )
    def post(self, request: Request, club: str, player: str) -> Response:
        body = read_body(request, NewBotToken)
        location = f"/api/v1/clubs/{club}/bots/{player}/tokens"
        return self.made(bots.renew_bot, location, club=club, player=player, **body)


class BotToken(ApiView):
    scopes = {"DELETE": Scope.TOKENS_MANAGE}

    @operation(
        "club_bot_token_revoke",
        tag="bots",
        summary="Revoke a bot's token",
        description="From now on it opens nothing, and streams that it opened end. That cannot be undone; doing it "
        "again changes nothing. Organisers.",
        answer=TokenShape,
        example={**BOT_TOKEN, "revoked_at": "2026-11-29T21:00:00.000000Z"},
        path=["club", "player", "token"],
        codes="forbidden",
        key=KEY,
    )
    def delete(self, request: Request, club: str, player: str, token: str) -> Response:
        row = bots.bot_of(club_for(self.caller, club, Role.ORGANISER), player)
        key = self.key({})
        found = tokens.revoke_token(caller=self.caller, token=token, now=timezone.now(), key=key, of=row.user_id)
        return Response(token_shape(found))
