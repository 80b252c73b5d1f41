"""Who is calling: tokens in the Authorization header, and nothing else.

One statement gives the token, its user and what that user may do in which club.
"""

import re
from collections.abc import Collection, Sequence
from typing import Any

from django.db import connection
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from games.access import ANONYMOUS, Caller
from games.limits import client_address, take
from games.models import Token, User
from games.scopes import opened
from games.wording import said
from scoring.wording import say

_HEADER = re.compile(r"[Bb]earer +(fantan(?:bot)?_[A-Za-z0-9_-]{43})")


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer fantan_…`. The request's `auth` is the Caller that services and selectors take.

    A token that is unknown, expired or revoked, or whose user is inactive, is refused with 401, also where nobody need
    log in: a program with a bad token should learn of it."""

    def authenticate(self, request: Request) -> tuple[User, Caller] | None:
        header = request.headers.get("Authorization")
        if header is None:
            return None
        found = known(secret_of(header) or "")
        if found is None:
            count = take("bad-tokens", client_address(request))
            if count is not None and count.over:
                raise Throttled(count.reset)
            raise AuthenticationFailed(
                said(say("The token is unknown, expired or revoked; send Authorization: Bearer fantan_…."))
            )
        return found

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


_WANTED = {"id", "username", "is_superuser", "is_bot", "is_active"}
_FIELDS = [field.attname for field in User._meta.concrete_fields if field.attname in _WANTED]  # in the model's order
_GOOD = "t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now()) AND u.is_active"
_STATEMENT = f"""
    SELECT {", ".join(f"u.{name}" for name in _FIELDS)}, t.id, t.scopes,
        (SELECT json_object_agg(m.club_id, m.role) FROM games_membership m WHERE m.user_id = u.id)
    FROM games_token t JOIN games_user u ON u.id = t.user_id
    WHERE {_GOOD} AND
"""  # noqa: S608 - nothing in it comes from outside


def secret_of(header: str) -> str | None:
    """The token in an Authorization header; None where it holds none."""
    found = _HEADER.fullmatch(header.strip())
    return None if found is None else found[1]


def known(secret: str) -> tuple[User, Caller] | None:
    """The account of a valid token, and what it may do with it; None where there is none.

    Written by hand, since every request asks: building this statement takes the ORM ten times as long as it runs.
    """
    if not secret:
        return None
    with connection.cursor() as cursor:
        cursor.execute(f"{_STATEMENT} t.digest = %s", [Token.digest_of(secret)])
        row = cursor.fetchone()
    return None if row is None else _caller(row)


def callers_of(tokens: Collection[int]) -> dict[int, Caller]:
    """What each token (its id) and its account may do now, in one statement; without those that are good no more."""
    with connection.cursor() as cursor:
        cursor.execute(f"{_STATEMENT} t.id = ANY(%s)", [list(tokens)])
        found = [_caller(row)[1] for row in cursor.fetchall()]
    return {caller.token: caller for caller in found}


def _caller(row: Sequence[Any]) -> tuple[User, Caller]:
    *account, token, granted, roles = row
    user = User.from_db("default", _FIELDS, account)
    by_club = {int(club): role for club, role in (roles or {}).items()}
    return user, Caller(user.pk, user.is_superuser, by_club, token=token, scopes=opened(tuple(granted)))


def caller_of(request: Request) -> Caller:
    """The caller of a request; ANONYMOUS without a token."""
    return request.auth if isinstance(request.auth, Caller) else ANONYMOUS


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema names this kind of authentication."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        words = "A token of yours: `fantan_` (a bot's: `fantanbot_`) and 43 characters."
        return {"type": "http", "scheme": "bearer", "description": words}
