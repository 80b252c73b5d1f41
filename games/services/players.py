"""Players of a club: people and bots."""

from typing import Any

from django.db.models import Q

from games import bots
from games.access import Caller, bot_account, club_for
from games.errors import Invalid, Refusal
from games.models import Occupancy, Player, Role, Session, User
from games.services.keys import Key, answer_of, known, remember, wait_for_twin
from games.services.persons import lock_club
from games.services.sessions import checked_text
from games.services.transactions import durable
from scoring.wording import say


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
        raise Invalid("bad_text", say("name: a player needs a name."))
    checked_text(name, "name", 80)
    if strategy and strategy not in bots.available():
        raise Invalid(
            "bad_strategy",
            say(
                "There is no bot {strategy}; there are {names}.",
                strategy=repr(strategy),
                names=", ".join(bots.available()),
            ),
        )
    if strategy and username:
        raise Invalid("bad_account", say("A bot plays by its own account; leave the username out."))
    with durable():
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            return str(answer_of(before)["player"])
        user = bot_account(strategy) if strategy else _account(username, club=owner.pk)
        if user is not None and not strategy and Player.objects.filter(club=owner, user=user, strategy="").exists():
            raise Invalid(
                "bad_account",
                say("The account {username} already plays as another player of this club.", username=username),
            )
        player = Player.objects.create(club=owner, name=name, strategy=strategy, user=user)
        answer: dict[str, Any] = {"player": player.public_id}
        remember(caller, key, answer=answer)
        return player.public_id


def change_player(
    *, caller: Caller, player: str, name: str | None = None, active: bool | None = None, username: str | None = None
) -> None:
    """Change what is given of a player (public id); `username=""` unlinks the account. Organisers.

    Raises `bad_text`, `bad_account`, `already_merged`, `anonymised`, and `deal_running` where another account would
    take over a hand that is being played: nobody's rights open a live hand.
    """
    with durable():
        _, pk = lock_club(caller, player)
        row = Player.objects.select_for_update(no_key=True, of=("self",)).get(pk=pk)
        if row.merged_into is not None:
            message = say(
                "{name} is merged into {merged_into}: change the latter, or unmerge first.",
                name=row.name,
                merged_into=row.merged_into.name,
            )
            raise Refusal("already_merged", message)
        if row.anonymised:
            raise Refusal("anonymised", say("{name} is anonymised, which cannot be taken back.", name=row.name))
        if name is not None:
            if not name:
                raise Invalid("bad_text", say("name: a player needs a name."))
            row.name = checked_text(name, "name", 80)
        if active is not None:
            row.active = active
        if username is not None and username != (row.user.username if row.user else ""):
            _link(row, username)
        row.save()


def _link(row: Player, username: str) -> None:
    if row.strategy:
        raise Invalid("bad_account", say("A bot plays by its own account."))
    user = _account(username, club=row.club_id)
    if user is not None and Player.objects.filter(club=row.club_id, user=user, strategy="").exclude(pk=row.pk).exists():
        raise Invalid(
            "bad_account",
            say("The account {username} already plays as another player of this club.", username=username),
        )
    # Locked, so that nothing is dealt to this player between the look and the change.
    sitting = Occupancy.objects.filter(Q(player=row) | Q(player__merged_into=row)).values("session")
    open_sessions = Session.objects.exclude(status=Session.Status.CLOSED).filter(pk__in=sitting)
    for session in open_sessions.order_by("pk").select_for_update(no_key=True):
        if session.live_deal is not None:
            message = say(
                "{name} sits in a running deal (session {session}): change the account after it.",
                name=row.name,
                session=session.label,
            )
            raise Refusal("deal_running", message)
    row.user = user


def _account(username: str, *, club: int) -> User | None:
    if not username:
        return None
    user = User.objects.filter(username=username, is_bot=False, is_active=True, memberships__club=club).first()
    if user is None:
        raise Invalid(
            "bad_account", say("The club has no member with the username {username}.", username=repr(username))
        )
    return user
