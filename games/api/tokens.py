"""The caller's own tokens: made, listed, revoked."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import selectors
from games.api import rendering
from games.api.auth import secret_of
from games.api.base import ApiView, created
from games.api.docs import AFTER, KEY, LIMIT, PATHS, listed, operation
from games.api.fields import Body, Moment, Text, read_body
from games.api.paging import PARAMETERS, page_by_id
from games.api.scopes import Scope
from games.models import Token
from games.services import tokens
from games.services.tokens import Asked

TOKEN = {
    "id": "t4w8n2bq7kzr",
    "label": "club web site",
    "kind": "personal",
    "scopes": ["standings:read"],
    "prefix": "fantan_Zk3vQ",
    "created_at": "2026-11-29T20:00:00.000000Z",
    "expires_at": "2027-11-29T00:00:00.000000Z",
    "revoked_at": None,
    "made_with": None,
}
SECRET = "fantan_Zk3vQ7xP2mLr9tYbN4cWdE8sGhJ1aFuK0oXiVq5RjUw"  # noqa: S105 - nobody's


class TokenShape(serializers.Serializer[Any]):
    """What is kept of a token. Its secret is not."""

    id = serializers.CharField()
    label = serializers.CharField(help_text="What uses it.")
    kind = serializers.CharField(help_text="personal, or bot.")
    scopes = serializers.ListField(child=serializers.CharField(), help_text="What it is for.")
    prefix = serializers.CharField(help_text="How its secret begins, so that a lost one is recognised.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True, help_text="null: works until it is revoked.")
    revoked_at = serializers.DateTimeField(allow_null=True)
    made_with = serializers.CharField(
        allow_null=True, help_text="The token that it was asked for with; null if made in the admin."
    )


class NewTokenShape(TokenShape):
    """A token with its secret, which is not shown again."""

    secret = serializers.CharField(help_text="What programs send: `Authorization: Bearer …`.")


class NewToken(Body):
    label = Text(max_length=60, help_text="What will use it.")
    scopes = serializers.ListField(child=Text(max_length=40), max_length=20, help_text="What it is for, one at least.")
    expires_at = Moment(max_length=40, required=False, allow_null=True, help_text="null: works until it is revoked.")


def token_shape(token: Token) -> dict[str, Any]:
    return {
        "id": token.public_id,
        "label": token.label,
        "kind": token.kind,
        "scopes": token.scopes,
        "prefix": token.prefix,
        "created_at": rendering.time(token.created_at),
        "expires_at": rendering.time(token.expires_at),
        "revoked_at": rendering.time(token.revoked_at),
        "made_with": token.made_with.public_id if token.made_with else None,
    }


class TokenView(ApiView):
    """A view that hands out secrets."""

    def asked(self, request: Request) -> Asked:
        """How a token is asked for: a retry is told the same secret, although none is stored."""
        return Asked(self.key(request.data), secret_of(request.headers.get("Authorization", "")) or "")

    def made(self, service: Callable[..., tuple[Token, str]], location: str, **about: Any) -> Response:
        """Call `service` and show the token with its secret."""
        token, secret = service(caller=self.caller, now=timezone.now(), asked=self.asked(self.request), **about)
        return created({**token_shape(token), "secret": secret}, f"{location}/{token.public_id}")


class MyTokens(TokenView):
    scopes = {"GET": Scope.TOKENS_MANAGE, "POST": Scope.TOKENS_MANAGE}
    rates = {"POST": "tokens"}
    parameters = {"GET": PARAMETERS}

    @operation(
        "tokens",
        tag="account",
        summary="My tokens",
        description="The tokens of the caller's account, newest first, those that have ended too. Secrets are not kept "
        "and never shown again.",
        answer=listed(TokenShape, "TokenPage"),
        example={"results": [TOKEN], "next": None},
        query=[LIMIT, AFTER],
    )
    def get(self, request: Request) -> Response:
        rows = selectors.own_tokens(self.caller)
        return page_by_id(
            request, self.query, rows, model=Token, cursor="public_id", render=token_shape, newest_first=True
        )

    @operation(
        "token_create",
        tag="account",
        summary="Make a token",
        description="Another token for the caller's account; its secret stands in this answer and nowhere else. It is "
        "for nothing that the token of this request is not for (`scope_needed`), and ends with it at the latest "
        "(`bad_expiry`). Sent again with its Idempotency-Key and the same token, the same answer comes, secret "
        "included; with another token of the account, `secret_gone`.",
        answer=NewTokenShape,
        example={**TOKEN, "secret": SECRET},
        status=201,
        request=NewToken,
        request_example={"label": "club web site", "scopes": ["standings:read"], "expires_at": "2027-11-29T00:00:00Z"},
        codes="forbidden bad_text bad_scope bad_expiry secret_gone",
        key=KEY,
        located=True,
    )
    def post(self, request: Request) -> Response:
        body = read_body(request, NewToken)
        return self.made(tokens.issue_token, "/api/v1/me/tokens", **body)


class MyToken(ApiView):
    scopes = {"DELETE": Scope.TOKENS_MANAGE}

    @operation(
        "token_revoke",
        tag="account",
        summary="Revoke a token",
        description="From now on it opens nothing, and streams that it opened end. That cannot be undone; doing it "
        "again changes nothing.",
        answer=TokenShape,
        example={**TOKEN, "revoked_at": "2026-11-29T21:00:00.000000Z"},
        path=[PATHS["token"]],
        key=KEY,
    )
    def delete(self, request: Request, token: str) -> Response:
        key = self.key({})
        return Response(
            token_shape(
                tokens.revoke_token(caller=self.caller, token=token, now=timezone.now(), key=key, of=self.caller.user)
            )
        )
