"""Who is calling: tokens in the Authorization header, and nothing else.

One statement gives the token, its user and what that user may do in which club.
"""

import re
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q
from django.db.models.functions import JSONObject, Now
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from games.access import ANONYMOUS, Caller
from games.models import Membership, Token, User

_HEADER = re.compile(r"[Bb]earer +(fantan_[A-Za-z0-9_-]{43})")


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer fantan_…`. The request's `auth` is the Caller that services and selectors take.

    A token that is unknown, expired or revoked, or whose user is inactive, is refused with 401, also where nobody need
    log in: a program with a bad token should learn of it."""

    def authenticate(self, request: Request) -> tuple[User, Caller] | None:
        header = request.headers.get("Authorization")
        if header is None:
            return None
        found = _HEADER.fullmatch(header.strip())
        token = None if found is None else _token(found[1])
        if token is None:
            raise AuthenticationFailed("The token is unknown, expired or revoked; send Authorization: Bearer fantan_….")
        user = token.user
        roles = {item["club"]: item["role"] for item in token.roles}
        return user, Caller(user.pk, user.is_superuser, roles)

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


def _token(secret: str) -> Any:
    """The valid token with its user, and `roles` annotated; None where there is none."""
    roles = Membership.objects.filter(user=OuterRef("user")).values(json=JSONObject(club="club_id", role="role"))
    return (
        Token.objects.select_related("user")
        .annotate(roles=ArraySubquery(roles))
        .filter(
            Q(expires_at=None) | Q(expires_at__gt=Now()),
            digest=Token.digest_of(secret),
            revoked_at=None,
            user__is_active=True,
        )
        .first()
    )


def caller_of(request: Request) -> Caller:
    """The caller of a request; ANONYMOUS without a token."""
    return request.auth if isinstance(request.auth, Caller) else ANONYMOUS


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema names this kind of authentication."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token of yours: `fantan_` and 43 characters."}
