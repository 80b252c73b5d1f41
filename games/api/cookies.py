"""Who is calling from a page: whoever is logged in, by the session's cookie. For pages of this server alone, at
addresses outside the API, which takes tokens and nothing else (docs/decisions/0017)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from django.contrib.auth import HASH_SESSION_KEY
from django.db import connection
from django.utils.translation import gettext as _
from rest_framework.authentication import CSRFCheck, SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from games.access import Caller, Login
from games.models import User


class CookieAuthentication(SessionAuthentication):
    """The login of a page. The request's `auth` is the Caller, as with a token; what is not only reading needs the
    page's CSRF token."""

    def authenticate(self, request: Request) -> tuple[User, Caller] | None:
        found = super().authenticate(request)
        if found is None:
            return None
        user, session = found[0], request._request.session
        login = Login(session.session_key or "", session.get(HASH_SESSION_KEY, ""))
        return user, replace(Caller.of(user), login=login)

    def enforce_csrf(self, request: Request) -> None:
        check = cast(Any, CSRFCheck)(lambda _: None)
        check.process_request(request._request)
        if check.process_view(request._request, None, (), {}):
            raise PermissionDenied(_("This page is out of date. Load it again."))

    def authenticate_header(self, request: Request) -> str:
        return 'Cookie realm="pages"'


_STATEMENT = """
    SELECT s.session_key, u.id, u.password, u.is_superuser,
        (SELECT json_object_agg(m.club_id, m.role) FROM games_membership m WHERE m.user_id = u.id)
    FROM unnest(%s::text[], %s::bigint[]) asked (session_key, user_id)
    JOIN django_session s ON s.session_key = asked.session_key AND s.expire_date > now()
    JOIN games_user u ON u.id = asked.user_id AND u.is_active
"""


def callers_logged_in(logins: Mapping[Login, int]) -> dict[Login, Caller]:
    """What the account (its id) of each login may do now, in one statement; without those who logged out meanwhile,
    whose account was closed, or whose password was changed."""
    by_key = {login.key: login for login in logins}
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENT, [list(by_key), [logins[login] for login in by_key.values()]])
        rows = cursor.fetchall()
    found: dict[Login, Caller] = {}
    for key, user, password, superuser, roles in rows:
        login = by_key[key]
        if User(password=password).get_session_auth_hash() == login.digest:
            found[login] = Caller(user, superuser, _by_club(roles), login=login)
    return found


def _by_club(roles: dict[str, Any] | None) -> dict[int, str]:
    return {int(club): role for club, role in (roles or {}).items()}
