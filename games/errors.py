"""Why a service refuses: a small family, each with a stable code for programs and a sentence for people."""

from typing import Any


class Refusal(Exception):
    """A request that is understood and refused. Nothing was stored. `extra` goes into the answer beside the code."""

    status = 409

    def __init__(self, code: str, message: str, **extra: Any) -> None:
        super().__init__(message)
        self.code, self.message, self.extra = code, message, extra


class Invalid(Refusal):
    """A value that cannot be taken. `errors` names the fields."""

    status = 422


class Forbidden(Refusal):
    """The caller may see the thing, but not do this."""

    status = 403


class NotFound(Refusal):
    """There is no such thing, or the caller may not know of it."""

    status = 404

    def __init__(self, what: str) -> None:
        super().__init__("not_found", f"There is no such {what}, or you may not see it.")


class Stale(Refusal):
    """The deal has moved on since the caller looked: read it again."""

    def __init__(self, current_seq: int | None) -> None:
        super().__init__("stale", "The deal has moved on since you looked. Read it again.", current_seq=current_seq)


class VersionNeeded(Refusal):
    """An edit that does not say which version of the thing it is an edit of."""

    status = 428

    def __init__(self) -> None:
        super().__init__(
            "precondition_required",
            "Say in If-Match what you edit: read it and send its ETag, or * for whatever it is now.",
        )


class MeantAnother(Refusal):
    """An edit of what is no longer so: somebody has changed it since it was read. `etag` is of what it is now."""

    status = 412

    def __init__(self, etag: str) -> None:
        super().__init__(
            "precondition_failed",
            "Somebody has changed this since you read it. Read it again, and send its new ETag.",
            etag=etag,
        )


class Busy(Refusal):
    """Somebody else is writing to the same session for longer than we wait. Try again."""

    status = 503

    def __init__(self) -> None:
        super().__init__("busy", "Somebody else is writing to this session. Try again in a moment.", retry_after=1)


UNIQUE: dict[str, tuple[str, str]] = {
    "session_label": ("label_taken", "Somebody has just given this label to another session of the club."),
    "player_account_once": ("bad_account", "The account has just been linked to another player of this club."),
    "request_key_once": ("key_reused", "This Idempotency-Key was used with a different request."),
    "games_user_username_key": ("bad_account", "Somebody has just made an account with this username."),
    "membership_once": ("already_member", "Somebody has just added this account to the club."),
}
"""Two requests at once that no row lock keeps apart: the database lets one through, the other is told what it would
have been told a moment later. By the name of the constraint: code and sentence."""

WAITED = ("55P03", "40P01")
"""SQLSTATEs of a row lock that did not come in time, and of a deadlock."""


def refusal_of(error: Exception) -> Refusal | None:
    """What an error of the database says to whoever asked; None for a bug, and where the database does not answer."""
    cause = error.__cause__
    if getattr(cause, "sqlstate", None) in WAITED:
        return Busy()
    constraint = getattr(getattr(cause, "diag", None), "constraint_name", None)
    found = UNIQUE.get(constraint or "")
    return None if found is None else Invalid(*found)
