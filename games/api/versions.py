"""What an answer is a version of: its ETag, and the conditions by which a request names it (RFC 9110 8.8.3, 13).

Nothing is computed to find a tag but the numbers that grow with whatever the answer shows. Tags are strong: same tag,
same bytes, from the same release of the server on any of its processes. They are signed, so that one who names a tag
has had the answer: a 304 tells nothing to anybody else, and no counter can be read off a tag.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.db.models import Count, Max
from django.utils.http import parse_etags
from rest_framework.request import Request

from games import delays, eventlog
from games.access import Caller
from games.engine.session import fold
from games.models import Club, Player, Role, Session, Webhook
from games.services.sessions import DEFAULT_SETTINGS
from games.webhooks.shapes import webhook_json

Own = tuple[Any, ...]
"""What an edit goes by: see Version."""

_PACKAGES = ("fantan_site", "competitions", "games", "scoring")


@dataclass(frozen=True, slots=True)
class Version:
    """What an answer follows from. Both parts are plain values that differ whenever what they stand for does.

    - `own`: of the thing itself, as an edit of it finds and leaves it. `If-Match` goes by this part alone: a player who
      was renamed or a result that came in meanwhile refuses nobody's edit.
    - `shown`: of whatever else shows in the answer, such as the names of people and what the caller may see.
    """

    own: Own
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
    return Version(own_of_session(session), (session.version, *standing(caller, session.club)))


def of_sessions(caller: Caller, rows: Sequence[Session]) -> Version:
    """A page of sessions, each as early as the caller sees it. Select their clubs along."""
    shown = [(row.pk, row.version, row.club.slug, delays.is_later(caller, row)) for row in rows]
    return Version(("sessions", shown))


def of_club(caller: Caller, club: Club) -> Version:
    """A club, its people, and what became of them."""
    return Version(own_of_club(club), standing(caller, club))


def of_club_players(caller: Caller, club: Club) -> Version:
    """All of a club's players, also those who are new; one statement."""
    players = Player.objects.filter(club=club).aggregate(count=Count("pk"), last=Max("pk"))
    return of_club(caller, club).with_(players["count"], players["last"])


def of_player(caller: Caller, player: Player) -> Version:
    """A player of a club, which is selected along."""
    own = (player.name, player.strategy, player.user_id, player.active, player.merged_into_id, player.anonymised)
    return Version(("player", player.pk, own), standing(caller, player.club))


def of_webhook(webhook: Webhook) -> Version:
    """A webhook, whose club is selected along. All who may see it see the same."""
    shown = webhook_json(webhook)
    return Version(own_of_webhook(shown), tuple(shown.values()))


def own_of_session(row: Session) -> Own:
    """Its settings; until the first deal all that its log says, among it who sits where. So no card that is played
    refuses an edit."""
    settings = {name: getattr(row, name) for name in DEFAULT_SETTINGS}
    return _own_of_session(row.public_id, [row.label, row.rules, row.scheme, settings], row.seats, row.seq)


def own_of_session_at(session: str, seq: int) -> Own:
    """The same as it was after event `seq`, from the log: a request that is sent again is told what its first answer
    said. Two statements."""
    pk = Session.objects.values_list("pk", flat=True).get(public_id=session)
    state = fold([event for event in eventlog.own_events(pk) if event.seq <= seq])
    settings = {**DEFAULT_SETTINGS, **state.settings}
    return _own_of_session(session, [state.label, state.rules_json, state.scheme_json, settings], state.seats, seq)


def own_of_club(row: Club) -> Own:
    return ("club", row.slug, row.name, row.timezone)


def own_of_webhook(shown: Mapping[str, Any]) -> Own:
    """Of a webhook as answers show it: what can be edited of it, not how its calls fare."""
    return ("webhook", *(shown[name] for name in ("id", "url", "description", "types", "active")))


def names_one(header: str, tag: str) -> bool:
    """Whether If-None-Match names the answer's tag; weakly, since proxies that compress weaken tags."""
    return tag in {one.removeprefix("W/") for one in parse_etags(header)}


def wants_another(request: Request, tag: str) -> bool:
    """Whether the request asks for an answer only if it is another than that with the tag."""
    header = request.headers.get("If-None-Match")
    return header is not None and names_one(header, tag)


def matches(header: str, own: Own) -> bool:
    """Whether If-Match names the thing as it is: `*`, or a tag of its own version, of whichever answer."""
    found = _digest(own)
    return any(one == "*" or one.removeprefix("W/")[1:].startswith(f"{found}.") for one in parse_etags(header))


def edited_tag(own: Own) -> str:
    """The tag by which a thing is edited further. It is of no answer, so that whoever reads next is given all of it."""
    return f'"{_digest(own)}.edited"'


def _own_of_session(session: str, settings: Any, seats: int | None, seq: int) -> Own:
    return ("session", session, json.dumps(settings, sort_keys=True), seq if seats is None else None)


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
