"""Why a service refuses: a small family, each with a stable code for programs and a sentence for people."""

from typing import Any

from scoring.wording import mark, say


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


NOT_FOUND = {
    "address": mark("There is no such address, or you may not see it."),
    "bot": mark("There is no such bot, or you may not see it."),
    "club": mark("There is no such club, or you may not see it."),
    "competition": mark("There is no such competition, or you may not see it."),
    "deal": mark("There is no such deal, or you may not see it."),
    "delivery": mark("There is no such delivery, or you may not see it."),
    "event": mark("There is no such event, or you may not see it."),
    "import": mark("There is no such import, or you may not see it."),
    "member": mark("There is no such member, or you may not see it."),
    "player": mark("There is no such player, or you may not see it."),
    "publication": mark("There is no such publication, or you may not see it."),
    "round": mark("There is no such round, or you may not see it."),
    "session": mark("There is no such session, or you may not see it."),
    "token": mark("There is no such token, or you may not see it."),
    "webhook": mark("There is no such webhook, or you may not see it."),
}
"""What is not found, by what was looked for; here for competitions too, which look for more."""


class NotFound(Refusal):
    """There is no such thing, or the caller may not know of it."""

    status = 404

    def __init__(self, what: str) -> None:
        super().__init__("not_found", say(NOT_FOUND[what]))


class Stale(Refusal):
    """The deal has moved on since the caller looked: read it again."""

    def __init__(self, current_seq: int | None) -> None:
        super().__init__(
            "stale", say("The deal has moved on since you looked. Read it again."), current_seq=current_seq
        )


class VersionNeeded(Refusal):
    """An edit that does not say which version of the thing it is an edit of."""

    status = 428

    def __init__(self) -> None:
        super().__init__(
            "precondition_required",
            say("Say in If-Match what you edit: read it and send its ETag, or * for whatever it is now."),
        )


class MeantAnother(Refusal):
    """An edit of what is no longer so: somebody has changed it since it was read. `etag` is of what it is now."""

    status = 412

    def __init__(self, etag: str) -> None:
        super().__init__(
            "precondition_failed",
            say("Somebody has changed this since you read it. Read it again, and send its new ETag."),
            etag=etag,
        )


class Busy(Refusal):
    """Somebody else is writing to the same session for longer than we wait. Try again."""

    status = 503

    def __init__(self) -> None:
        super().__init__("busy", say("Somebody else is writing to this session. Try again in a moment."), retry_after=1)


UNIQUE: dict[str, tuple[str, str]] = {
    "session_label": ("label_taken", say("Somebody has just given this label to another session of the club.")),
    "player_account_once": ("bad_account", say("The account has just been linked to another player of this club.")),
    "request_key_once": ("key_reused", say("This Idempotency-Key was used with a different request.")),
    "games_user_username_key": ("bad_account", say("Somebody has just made an account with this username.")),
    "membership_once": ("already_member", say("Somebody has just added this account to the club.")),
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
