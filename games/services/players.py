"""Players of a club: people and bots."""

from typing import Any

from django.db import transaction

from games import bots
from games.access import Caller, bot_account, club_for
from games.errors import Invalid
from games.models import Player, Role, User
from games.services.keys import Key, known, remember, wait_for_twin
from games.services.sessions import checked_text


def create_player(
    *,
    caller: Caller,
    club: str,
    name: str,
    strategy: str = "",
    username: str = "",
    key: Key | None = None,
) -> str:
    """Make a player of the club with that slug; returns the public id. `strategy` makes it a bot, `username` links the
    account that plays for a person. Organisers. Raises `bad_text`, `bad_strategy`, `bad_account`."""
    owner = club_for(caller, club, Role.ORGANISER)
    if not name:
        raise Invalid("bad_text", "name: a player needs a name.")
    checked_text(name, "name", 80)
    if strategy and strategy not in bots.available():
        raise Invalid("bad_strategy", f"There is no bot {strategy!r}; there are {', '.join(bots.available())}.")
    if strategy and username:
        raise Invalid("bad_account", "A bot plays by its own account; leave the username out.")
    with transaction.atomic(durable=True):
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            if before.answer is None:
                raise Invalid("key_reused", "This Idempotency-Key was used with a different request.")
            return str(before.answer["player"])
        user = bot_account(strategy) if strategy else _account(username, club=owner.pk)
        if user is not None and not strategy and Player.objects.filter(club=owner, user=user, strategy="").exists():
            raise Invalid("bad_account", f"The account {username} already plays as another player of this club.")
        player = Player.objects.create(club=owner, name=name, strategy=strategy, user=user)
        answer: dict[str, Any] = {"player": player.public_id}
        remember(caller, key, answer=answer)
        return player.public_id


def _account(username: str, *, club: int) -> User | None:
    if not username:
        return None
    user = User.objects.filter(username=username, is_bot=False, is_active=True, memberships__club=club).first()
    if user is None:
        raise Invalid("bad_account", f"The club has no member with the username {username!r}.")
    return user
