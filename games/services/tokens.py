"""Tokens of programs: made by their owner, revoked by the owner or a superuser."""

from collections.abc import Sequence
from datetime import datetime

from games import notify
from games.access import Caller
from games.errors import Invalid, NotFound
from games.models import Token, User
from games.scopes import Scope, in_order
from games.services.sessions import checked_text
from games.services.transactions import durable


def issue_token(
    *,
    caller: Caller,
    label: str,
    scopes: Sequence[str] = (Scope.ADMIN,),
    expires_at: datetime | None = None,
    now: datetime,
) -> tuple[Token, str]:
    """A token of the caller's own, with its secret, which is never shown again. Who comes with a token gives the new
    one no scope that it has not itself. Raises `bad_text`, `bad_scope`, `scope_needed`, `bad_expiry`."""
    if not label:
        raise Invalid("bad_text", "label: say what will use this token.")
    checked_text(label, "label", 60)
    wanted = checked_scopes(caller, scopes)
    if expires_at is not None and expires_at <= now:
        raise Invalid("bad_expiry", "The token would have expired already.")
    user = User.objects.get(pk=caller.user)
    return Token.issue(user=user, label=label, scopes=wanted, expires_at=expires_at)


def checked_scopes(caller: Caller, scopes: Sequence[str]) -> list[str]:
    """The scopes in their usual order, each once; raises `bad_scope`, and `scope_needed` for one that the caller's own
    token does not have."""
    for name in scopes:
        if name not in list(Scope):
            raise Invalid("bad_scope", f"There is no scope {name!r}; there are {', '.join(Scope)}.")
        caller.require(Scope(name))
    if not scopes:
        raise Invalid("bad_scope", "Say what the token is for: it needs one scope at least.")
    return in_order(scopes)


def revoke_token(*, caller: Caller, token: int, now: datetime) -> None:
    """From now on the token opens nothing, and streams that it opened end. Revoking it again changes nothing."""
    with durable():
        row = _own(caller, token)
        if row.revoked_at is None:
            row.revoked_at = now
            row.save(update_fields=["revoked_at"])
            notify.token_revoked(row.pk)


def shorten_token(*, caller: Caller, token: int, expires_at: datetime, now: datetime) -> None:
    """Let the token end earlier than it would have. Raises `bad_expiry` for a time that is past, or no earlier."""
    with durable():
        row = _own(caller, token)
        if expires_at <= now:
            raise Invalid("bad_expiry", "That is past already: to end the token now, revoke it.")
        if row.expires_at is not None and expires_at > row.expires_at:
            raise Invalid("bad_expiry", "A token can end earlier than it would have, not later: make another one.")
        row.expires_at = expires_at
        row.save(update_fields=["expires_at"])
        notify.token_revoked(row.pk)


def _own(caller: Caller, pk: int) -> Token:
    """The token, locked; raises NotFound for one of somebody else's."""
    row = Token.objects.select_for_update(no_key=True).filter(pk=pk).first()
    if row is None or not (caller.superuser or row.user_id == caller.user):
        raise NotFound("token")
    return row
