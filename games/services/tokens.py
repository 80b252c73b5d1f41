"""Tokens of programs: made by their owner, revoked by the owner or a superuser."""

from datetime import datetime

from games.access import Caller
from games.errors import Invalid, NotFound
from games.models import Token, User
from games.services.sessions import checked_text


def issue_token(*, caller: Caller, label: str, expires_at: datetime | None = None, now: datetime) -> tuple[Token, str]:
    """A token of the caller's own, with its secret, which is never shown again. Raises `bad_text`, `bad_expiry`."""
    if not label:
        raise Invalid("bad_text", "label: say what will use this token.")
    checked_text(label, "label", 60)
    if expires_at is not None and expires_at <= now:
        raise Invalid("bad_expiry", "The token would have expired already.")
    return Token.issue(user=User.objects.get(pk=caller.user), label=label, expires_at=expires_at)


def revoke_token(*, caller: Caller, token: int, now: datetime) -> None:
    """From now on the token opens nothing. Revoking it again changes nothing."""
    row = Token.objects.filter(pk=token).first()
    if row is None or not (caller.superuser or row.user_id == caller.user):
        raise NotFound("token")
    Token.objects.filter(pk=token, revoked_at=None).update(revoked_at=now)
