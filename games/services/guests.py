"""Play now: whoever comes gets a seat at a table of his own against bots, as a guest if he has no account here.

A guest is a member of one club of the house, with a player and an account without a password: it is entered by the
cookie of the browser that made it, and can play there and nothing else.
"""

import random
from dataclasses import dataclass, replace
from datetime import datetime

from games.access import GUEST, Caller, system_caller
from games.errors import Refusal
from games.models import Club, Membership, Player, Role, Session, User
from games.models.fields import name_key
from games.services import dealing, players, sessions
from games.services.dealing import Shuffler
from games.services.keys import Key
from games.services.transactions import durable
from scoring.wording import say

CLUB = "guests"
"""The slug of the house's club, which is made when somebody needs it. Whoever plays is a member of it and sees what is
in it: nothing else should be."""
BOTS = {"Ada": "follow", "Boris": "far-first", "Coco": "random", "Dora": "follow"}
"""The bots of that club, and of the demo's: names and ways of playing."""
OPPONENTS = 3
SCHEME = "wins:target=3"


@dataclass(frozen=True, slots=True)
class Game:
    """Who plays, and in which session (public id)."""

    user: User
    session: str


def play_now(*, user: User | None, rng: Shuffler, now: datetime, door: str) -> Game:
    """A table with bots at which the account can play at once: the one that it has not finished, else a new one.

    Without an account a guest is made. Two requests at once get the same table. Raises `bad_account` for somebody whose
    player here is no longer active."""
    house, club = _house()
    player = _seated(club, user)
    assert player.user is not None
    # Counted before the look: two requests at once say the same number.
    played = Session.objects.filter(club=club, occupancies__player=player).count()
    session = _unfinished(player) or _open(house, club, player, played + 1, now=now, door=door)
    if Session.objects.get(public_id=session).status == Session.Status.OPEN:
        try:
            dealing.deal(caller=house, session=session, number=1, rng=rng, now=now, door=door)
        except Refusal as refusal:
            if refusal.code not in ("wrong_number", "deal_running"):  # dealt by a twin of this request
                raise
    return Game(player.user, session)


def house_bots(caller: Caller, club: str) -> dict[int, str]:
    """The public ids of a club's bots of these names, by seat; those who are missing are made."""
    rows = Player.objects.filter(club__slug=club, name__in=BOTS, active=True).exclude(strategy="").order_by("-pk")
    found = dict(rows.values_list("name", "public_id"))
    for name, strategy in BOTS.items():
        if name not in found:
            found[name] = players.create_player(caller=caller, club=club, name=name, strategy=strategy)
    return {seat: found[name] for seat, name in enumerate(BOTS)}


def _house() -> tuple[Caller, Club]:
    """The house's club, and the account in whose name its tables are opened."""
    club, _ = Club.objects.get_or_create(slug=CLUB, defaults={"name": "Guests"})
    return replace(system_caller(), superuser=True), club


def _seated(club: Club, user: User | None) -> Player:
    """The player of the account in the club; a new one, for a new guest or an account that had none."""
    with durable():
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)  # one after the other: names are counted up
        if user is not None:
            own = Player.objects.select_related("user").filter(club=club, user=user, strategy="").first()
            if own is not None:
                if not own.active:
                    raise Refusal("bad_account", say("Your player in this club is no longer active."))
                return own
        name, username = _free_name(club)
        if user is None:
            user = User(username=username)
            user.set_unusable_password()
            user.save()
        Membership.objects.get_or_create(user=user, club=club, defaults={"role": Role.MEMBER})
        return Player.objects.create(club=club, user=user, name=name)


def _free_name(club: Club) -> tuple[str, str]:
    """“Guest 12”, and a username for it: the next number that nobody has."""
    number = User.objects.filter(username__startswith=GUEST).count()
    while True:
        number += 1
        name, username = f"Guest {number}", f"{GUEST}{number}"
        taken = Player.objects.filter(club=club, name_key=name_key(name)).exists()
        if not taken and not User.objects.filter(username=username).exists():
            return name, username


def _unfinished(player: Player) -> str | None:
    """The latest table of this kind that the player has not finished."""
    rows = Session.objects.filter(
        club=player.club_id, occupancies__player=player, occupancies__seat=0, label__startswith=f"{player.name} – ",
        status__in=["open", "playing", "waiting"],
    )  # fmt: skip
    return rows.order_by("-pk").values_list("public_id", flat=True).first()


def _open(house: Caller, club: Club, player: Player, number: int, *, now: datetime, door: str) -> str:
    """The player's table of that number: in seat 0, and bots by lot in the others. A twin of this request gets the
    same."""
    chosen = random.Random(f"{player.pk} {number}").sample(list(house_bots(house, club.slug).values()), OPPONENTS)  # noqa: S311
    label = f"{player.name} – {number}"
    return sessions.open_session(
        caller=house,
        club=club.slug,
        scheme=SCHEME,
        label=label,
        settings={"public": True},
        players=dict(enumerate([player.public_id, *chosen])),
        now=now,
        door=door,
        key=Key.of(f"play now {player.pk} {number}", "play now", label),
    ).session
