"""What a token must be for, to make a call: each view names it by method, `scopes = {"GET": Scope.SESSIONS_READ}`."""

from collections.abc import Mapping

from games.access import Caller
from games.scopes import Needs, Scope

__all__ = ["UNPUBLISHED", "Needs", "Scope", "check_scope"]

UNPUBLISHED: Needs = (Scope.COMPETITIONS_MANAGE, Scope.SESSIONS_SCORE)
"""What scorers and organisers alone see: of a competition, and of imports."""


def check_scope(caller: Caller, scopes: Mapping[str, Needs], method: str) -> None:
    """Raises Forbidden `scope_needed`. A method that names no scope is open to `admin` alone."""
    caller.require(scopes.get(method, Scope.ADMIN))
