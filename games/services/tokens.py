"""Tokens of programs: made by their owner, or for a bot by its club; they end at their time, or when revoked.

An answer with a secret can be given again although no secret is stored: the secret of a token that was asked for with
an Idempotency-Key follows from that key and the token that the request came with, whose secret is not stored either.
"""

import base64
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils.crypto import salted_hmac

from games import notify
from games.access import Caller
from games.bots import OUTSIDE
from games.errors import Forbidden, Invalid, NotFound, Refusal
from games.models import Player, Role, Token, User
from games.models.club import BEGINS
from games.scopes import BOTS, Scope, in_order
from games.services.keys import Key, answer_of, known, remember, wait_for_twin
from games.services.sessions import checked_text
from games.services.transactions import durable
from scoring.wording import say


@dataclass(frozen=True, slots=True)
class Asked:
    """How a token is asked for over the API: with which key, and with the secret of which token."""

    key: Key | None = None
    bearer: str = ""

    def secret_for(self, token: str, *, server: str = "") -> str | None:
        """The 43 characters that the secret of the token with this public id has; None where they are random."""
        if self.key is None or not self.bearer:
            return None
        about = f"{self.bearer}\n{self.key.value}\n{token}"
        digest = salted_hmac("games.token", about, secret=server or settings.SECRET_KEY, algorithm="sha256").digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


BY_HAND = Asked()


def issue_token(
    *,
    caller: Caller,
    label: str,
    scopes: Sequence[str],
    expires_at: datetime | None = None,
    now: datetime,
    asked: Asked = BY_HAND,
) -> tuple[Token, str]:
    """A token of the caller's own, with its secret, which is never shown again.

    Who comes with a token gives the new one no scope that it has not itself, and no longer life. Raises `bad_text`,
    `bad_scope`, `scope_needed`, `bad_expiry`; `secret_gone` where a retry comes with another token."""
    with durable():
        if (before := told_before(caller, asked)) is not None:
            return before
        user = User.objects.get(pk=caller.user)
        if user.is_bot:
            raise Forbidden("forbidden", say("A bot's tokens are made by the organisers of its club."))
        made = make(caller, user, label=label, scopes=scopes, expires_at=expires_at, now=now, asked=asked)
        keep(caller, asked, made[0])
        return made


def make(
    caller: Caller,
    user: User,
    *,
    label: str,
    scopes: Sequence[str],
    expires_at: datetime | None,
    now: datetime,
    asked: Asked = BY_HAND,
) -> tuple[Token, str]:
    """A token of `user`, inside the caller's transaction; raises as `issue_token`."""
    if not label:
        raise Invalid("bad_text", say("label: say what will use this token."))
    checked_text(label, "label", 60)
    wanted = checked_scopes(caller, scopes, allowed=BOTS if user.is_bot else tuple(Scope))
    with_token = Token.objects.get(pk=caller.token) if caller.token else None
    ends = _end(expires_at, with_token, now)
    secret_for = None if asked.secret_for("") is None else lambda token: str(asked.secret_for(token))
    return Token.issue(
        user=user,
        label=label,
        scopes=wanted,
        kind=Token.Kind.BOT if user.is_bot else Token.Kind.PERSONAL,
        expires_at=ends,
        made_with=with_token,
        chosen=secret_for,
    )


def checked_scopes(caller: Caller, scopes: Sequence[str], *, allowed: Sequence[Scope] = tuple(Scope)) -> list[str]:
    """The scopes in their usual order, each once; raises `bad_scope`, and `scope_needed` for one that the caller's own
    token does not have."""
    for name in scopes:
        if name not in allowed:
            raise Invalid(
                "bad_scope",
                say(
                    "There is no scope {name} for this; there are {allowed}.",
                    name=repr(name),
                    allowed=", ".join(allowed),
                ),
            )
        caller.require(Scope(name))
    if not scopes:
        raise Invalid("bad_scope", say("Say what the token is for: it needs one scope at least."))
    return in_order(scopes)


def _end(expires_at: datetime | None, made_with: Token | None, now: datetime) -> datetime | None:
    last = None if made_with is None else made_with.expires_at
    if expires_at is None:
        return last
    if expires_at <= now:
        raise Invalid("bad_expiry", say("The token would have expired already."))
    if last is not None and expires_at > last:
        raise Invalid(
            "bad_expiry",
            say("The token would outlive the one it is made with, which ends {end}.", end=last.isoformat()),
        )
    return expires_at


def told_before(caller: Caller, asked: Asked) -> tuple[Token, str] | None:
    """The token that this request made before, as it was then, with its secret; None where it is new."""
    wait_for_twin(caller, asked.key)
    if (before := known(caller, asked.key)) is None:
        return None
    answer = answer_of(before)
    token = Token.objects.select_related("user", "made_with").get(public_id=answer["token"])
    for server in [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]:
        secret = BEGINS[Token.Kind(token.kind)] + (asked.secret_for(token.public_id, server=server) or "")
        if hmac.compare_digest(Token.digest_of(secret), bytes(token.digest)):
            token.revoked_at, ends = None, answer["expires_at"]
            token.expires_at = None if ends is None else datetime.fromisoformat(ends)
            return token, secret
    message = say("The token was made, and only a retry with the token that it was asked for with is told its secret.")
    raise Refusal("secret_gone", message, token=token.public_id)


def keep(caller: Caller, asked: Asked, token: Token, **more: Any) -> None:
    """Remember which token a key made, without its secret."""
    ends = None if token.expires_at is None else token.expires_at.isoformat()
    remember(caller, asked.key, answer={"token": token.public_id, "expires_at": ends, **more})


def revoke_token(*, caller: Caller, token: str, now: datetime, key: Key | None = None, of: int | None = None) -> Token:
    """From now on the token (public id) opens nothing, and streams that it opened end. Revoking it again changes
    nothing. Its owner, a superuser, and the organisers of its club where it is a bot's; `of` this account alone."""
    with durable():
        wait_for_twin(caller, key)
        before = known(caller, key)
        row = _own(caller, token if before is None else str(answer_of(before)["token"]))
        if of is not None and row.user_id != of:
            raise NotFound("token")
        if row.revoked_at is None:
            row.revoked_at = now
            row.save(update_fields=["revoked_at"])
            notify.token_revoked(row.pk)
        if before is None:
            remember(caller, key, answer={"token": row.public_id})
        return row


def shorten_token(*, caller: Caller, token: str, expires_at: datetime, now: datetime) -> None:
    """Let the token end earlier than it would have. Raises `bad_expiry` for a time that is past, or no earlier."""
    with durable():
        row = _own(caller, token)
        if expires_at <= now:
            raise Invalid("bad_expiry", say("That is past already: to end the token now, revoke it."))
        if row.expires_at is not None and expires_at > row.expires_at:
            raise Invalid("bad_expiry", say("A token can end earlier than it would have, not later: make another one."))
        row.expires_at = expires_at
        row.save(update_fields=["expires_at"])
        notify.token_revoked(row.pk)


def _own(caller: Caller, public_id: str) -> Token:
    """The token, locked; raises NotFound for one of somebody else's."""
    rows = Token.objects.select_for_update(no_key=True, of=("self",)).select_related("user", "made_with")
    row = rows.filter(public_id=public_id).first()
    if row is None or not may_end(caller, row):
        raise NotFound("token")
    return row


def may_end(caller: Caller, token: Token) -> bool:
    """Whether the token is the caller's own, or that of a bot of a club of theirs."""
    if caller.superuser or token.user_id == caller.user:
        return True
    clubs = Player.objects.filter(user=token.user_id, strategy=OUTSIDE).values_list("club", flat=True)
    return token.kind == Token.Kind.BOT and any(caller.has(Role.ORGANISER, club) for club in clubs)
