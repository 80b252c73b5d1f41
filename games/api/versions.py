"""What an answer is a version of: its ETag, and the conditions by which a request names it (RFC 9110 8.8.3, 13).

Nothing is computed to find a tag but the numbers that grow with whatever the answer shows. Tags are strong: same tag,
same bytes, from the same release of the server on any of its processes. They are signed, so that one who names a tag
has had the answer: a 304 tells nothing to anybody else, and no counter can be read off a tag.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.db.models import Count, Max
from django.utils.http import parse_etags
from rest_framework.request import Request

from games import delays
from games.access import Caller
from games.models import Club, Player, Role, Session

_PACKAGES = ("fantan_site", "competitions", "games", "scoring")


@dataclass(frozen=True, slots=True)
class Version:
    """What an answer follows from. Both parts are plain values that differ whenever what they stand for does.

    - `own`: of the thing itself, as an edit of it finds and leaves it. `If-Match` goes by this part alone: a player who
      was renamed or a result that came in meanwhile refuses nobody's edit.
    - `shown`: of whatever else shows in the answer, such as the names of people and what the caller may see.
    """

    own: tuple[Any, ...]
    shown: tuple[Any, ...] = ()

    def with_(self, *shown: Any) -> "Version":
        """The version of an answer that shows more."""
        return Version(self.own, (*self.shown, *shown))

    def tag(self, *form: Any) -> str:
        """The ETag of the answer in that form: its address's parameters and media type."""
        return f'"{_digest(self.own)}.{_digest((_release(), form, self.shown))}"'


def standing(caller: Caller, club: Club) -> tuple[Any, ...]:
    """The club's people as they are now, and what the caller is in it, which decides what is shown."""
    rights = [caller.has(role, club.pk) for role in Role]
    return (club.slug, club.people_version, caller.roles.get(club.pk), caller.system, *rights)


def of_session(caller: Caller, session: Session) -> Version:
    """A session with whatever its log says, as the caller sees it. Select its club along."""
    return Version(("session", session.pk, session.version), standing(caller, session.club))


def of_sessions(caller: Caller, rows: Sequence[Session]) -> Version:
    """A page of sessions, each as early as the caller sees it. Select their clubs along."""
    shown = [(row.pk, row.version, row.club.slug, delays.is_later(caller, row)) for row in rows]
    return Version(("sessions", shown))


def of_club(caller: Caller, club: Club) -> Version:
    """A club, its people, and what became of them."""
    return Version(("club", club.pk, club.name, club.timezone), standing(caller, club))


def of_club_players(caller: Caller, club: Club) -> Version:
    """All of a club's players, also those who are new; one statement."""
    players = Player.objects.filter(club=club).aggregate(count=Count("pk"), last=Max("pk"))
    return of_club(caller, club).with_(players["count"], players["last"])


def of_player(caller: Caller, player: Player) -> Version:
    """A player of a club, which is selected along."""
    own = (player.name, player.strategy, player.user_id, player.active, player.merged_into_id, player.anonymised)
    return Version(("player", player.pk, own), standing(caller, player.club))


def names_one(header: str, tag: str) -> bool:
    """Whether If-None-Match names the answer's tag; weakly, since proxies that compress weaken tags."""
    return tag in {one.removeprefix("W/") for one in parse_etags(header)}


def wants_another(request: Request, tag: str) -> bool:
    """Whether the request asks for an answer only if it is another than that with the tag."""
    header = request.headers.get("If-None-Match")
    return header is not None and names_one(header, tag)


def matches(header: str, version: Version) -> bool:
    """Whether If-Match names the thing as it is: `*`, or a tag of its own version."""
    own = _digest(version.own)
    return any(one == "*" or one.removeprefix("W/")[1:].startswith(f"{own}.") for one in parse_etags(header))


def _digest(parts: Iterable[Any]) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=8, key=_key(settings.SECRET_KEY)).hexdigest()


@cache
def _key(secret: str) -> bytes:
    return hashlib.sha256(f"etag {secret}".encode()).digest()


@cache
def _release() -> str:
    """The program itself: another release may show the same facts otherwise. Read once, about 20 ms."""
    found = hashlib.sha256(orjson.__version__.encode())
    for package in _PACKAGES:
        for path in sorted((Path(settings.BASE_DIR) / package).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()
