"""Bots that somebody's program plays over the API: each an account without a password, with tokens of its own kind."""

from collections.abc import Sequence
from datetime import datetime

from games.access import Caller, club_for
from games.bots import OUTSIDE
from games.errors import Invalid, NotFound
from games.models import Club, Membership, Player, Role, Token, User
from games.models.fields import public_id
from games.scopes import BOTS
from games.services import tokens
from games.services.sessions import checked_text
from games.services.tokens import BY_HAND, Asked
from games.services.transactions import durable
from scoring.wording import say


def make_bot(
    *,
    caller: Caller,
    club: str,
    name: str,
    scopes: Sequence[str] = BOTS,
    expires_at: datetime | None = None,
    now: datetime,
    asked: Asked = BY_HAND,
) -> tuple[Player, Token, str]:
    """A player of the club with that slug that a program plays over the API, as a member of the club, with its first
    token and that one's secret. Organisers. Raises `bad_text`, and as `tokens.issue_token`."""
    owner = club_for(caller, club, Role.ORGANISER)
    if not name:
        raise Invalid("bad_text", say("name: a player needs a name."))
    checked_text(name, "name", 80)
    with durable():
        if (before := tokens.told_before(caller, asked)) is not None:
            return Player.objects.get(user=before[0].user, strategy=OUTSIDE), *before
        fresh = public_id()
        user = User(username=f"bot-{OUTSIDE}-{fresh}", is_bot=True)
        user.set_unusable_password()
        user.save()
        player = Player.objects.create(public_id=fresh, club=owner, name=name, strategy=OUTSIDE, user=user)
        Membership.objects.create(user=user, club=owner, role=Role.MEMBER)
        made = tokens.make(caller, user, label=name[:60], scopes=scopes, expires_at=expires_at, now=now, asked=asked)
        tokens.keep(caller, asked, made[0])
        return player, *made


def renew_bot(
    *,
    caller: Caller,
    club: str,
    player: str,
    label: str = "",
    scopes: Sequence[str] = BOTS,
    expires_at: datetime | None = None,
    now: datetime,
    asked: Asked = BY_HAND,
) -> tuple[Token, str]:
    """Another token for a bot (public id of its player), with its secret. Those it has go on until they are revoked.
    Organisers. Raises as `make_bot`."""
    row = bot_of(club_for(caller, club, Role.ORGANISER), player)
    assert row.user is not None
    with durable():
        if (before := tokens.told_before(caller, asked)) is not None:
            return before
        label = label or row.name[:60]
        made = tokens.make(caller, row.user, label=label, scopes=scopes, expires_at=expires_at, now=now, asked=asked)
        tokens.keep(caller, asked, made[0])
        return made


def bot_of(club: Club, player: str) -> Player:
    """The club's bot with that public id; raises NotFound."""
    row = Player.objects.select_related("user").filter(club=club, public_id=player, strategy=OUTSIDE).first()
    if row is None:
        raise NotFound("bot")
    return row
