"""What a token may be used for. A scope narrows what the token's account may do and never widens it; nobody's scopes
open a hand that is being played."""

from collections.abc import Iterable
from enum import StrEnum
from functools import cache

from games.models import Role
from scoring.wording import say


class Scope(StrEnum):
    """One thing that a token can be for. Stored with the token and named in answers: never rename one."""

    ACCOUNT_READ = "account:read"
    STANDINGS_READ = "standings:read"
    SESSIONS_READ = "sessions:read"
    SESSIONS_PLAY = "sessions:play"
    SESSIONS_SCORE = "sessions:score"
    SESSIONS_MANAGE = "sessions:manage"
    COMPETITIONS_MANAGE = "competitions:manage"
    WEBHOOKS_MANAGE = "webhooks:manage"
    TOKENS_MANAGE = "tokens:manage"
    ADMIN = "admin"


Needs = Scope | tuple[Scope, ...]
"""What a call asks for: a scope, or any one of several, the usual one first."""

WORDS: dict[Scope, str] = {
    Scope.ACCOUNT_READ: say("See whose token it is, its clubs, and what rules, schemes and bots there are"),
    Scope.STANDINGS_READ: say("Read competitions: rounds, draws, standings, entries"),
    Scope.SESSIONS_READ: say("Read sessions, deals, replays and the club's people"),
    Scope.SESSIONS_PLAY: say("Play: see the hand of your own seat, play its cards, ask for the next deal"),
    Scope.SESSIONS_SCORE: say("Score: enter, confirm and import what was played on real tables"),
    Scope.SESSIONS_MANAGE: say("Organise: open, seat, start, correct and close sessions, look after players"),
    Scope.COMPETITIONS_MANAGE: say("Run competitions: set up, draw, open and close rounds, publish"),
    Scope.WEBHOOKS_MANAGE: say("Look after the club's webhooks"),
    Scope.TOKENS_MANAGE: say("Make and revoke tokens, and the club's bots"),
    Scope.ADMIN: say("Everything that you may do"),
}
"""Each scope in plain words, for whoever makes a token."""

BOTS = (Scope.SESSIONS_READ, Scope.SESSIONS_PLAY, Scope.STANDINGS_READ)
"""All that a bot's token can be for."""

_ALL = frozenset(Scope)
_INCLUDES: dict[Scope, frozenset[Scope]] = {
    Scope.SESSIONS_PLAY: frozenset({Scope.SESSIONS_READ}),
    Scope.SESSIONS_SCORE: frozenset({Scope.SESSIONS_READ}),
    Scope.SESSIONS_MANAGE: frozenset({Scope.SESSIONS_READ}),
    Scope.COMPETITIONS_MANAGE: frozenset({Scope.SESSIONS_READ, Scope.STANDINGS_READ}),
    Scope.ADMIN: _ALL,
}
_ORGANISING = frozenset(
    {Scope.SESSIONS_MANAGE, Scope.COMPETITIONS_MANAGE, Scope.WEBHOOKS_MANAGE, Scope.TOKENS_MANAGE, Scope.ADMIN}
)


@cache
def opened(granted: tuple[str, ...]) -> frozenset[str]:
    """Everything that a token with these scopes can be used for. Scopes that do not exist open nothing."""
    known = {Scope(name) for name in granted if name in _ALL}
    if not known:
        return frozenset()
    return frozenset({Scope.ACCOUNT_READ, *known}.union(*(_INCLUDES.get(scope, frozenset()) for scope in known)))


@cache
def highest_role(scopes: frozenset[str]) -> Role:
    """The role that a token with these (opened) scopes acts in at most: an organiser's token for a web site sees no
    more than what is published."""
    if _ORGANISING & scopes:
        return Role.ORGANISER
    return Role.SCORER if Scope.SESSIONS_SCORE in scopes else Role.MEMBER


def in_order(scopes: Iterable[str]) -> list[str]:
    """The scopes that there are of these, each once, in the order of the list above."""
    wanted = set(scopes)
    return [scope.value for scope in Scope if scope in wanted]
