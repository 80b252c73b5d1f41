"""A club in the bench's own database, made by the project's services, with tables of four people to play at."""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime

from games import eventlog, selectors
from games.access import Caller
from games.engine.deal import Deal
from games.models import Club, Membership, Role, Token, User
from games.services import dealing, players, sessions

NOW = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)
SEATS = 4


@dataclass
class People:
    """An organiser and four members who sit at every table of the club, with a token each."""

    club: Club
    organiser: Caller
    seats: list[Caller]
    tokens: list[str]
    players: list[str]


def a_club(name: str) -> People:
    club = Club.objects.create(name=name, slug=name)
    users = [User.objects.create_user(f"{name}-{who}") for who in ("organiser", *range(SEATS))]
    for user in users:
        role = Role.ORGANISER if user is users[0] else Role.MEMBER
        Membership.objects.create(user=user, club=club, role=role)
    organiser, *seated = users
    caller = Caller.of(organiser)
    ids = [
        players.create_player(caller=caller, club=name, name=user.username, username=user.username) for user in seated
    ]
    tokens = [Token.issue(user=user, label="bench")[1] for user in seated]
    return People(club, caller, [Caller.of(user) for user in seated], tokens, ids)


@dataclass
class Table:
    """A session with a running deal, its latest; `deal` is played along here, so that the next action is known."""

    session: str
    number: int
    deal: Deal
    seq: int


def a_table(people: People) -> Table:
    opened = sessions.open_session(
        caller=people.organiser,
        club=people.club.slug,
        rules="pagat",
        scheme="wins:target=1000",
        players=dict(enumerate(people.players)),
        now=NOW,
        door="bench",
    )
    return deal_again(people, opened.session, 1)


def deal_again(people: People, session: str, number: int) -> Table:
    receipt = dealing.deal(
        caller=people.organiser, session=session, number=number, rng=secrets.SystemRandom(), now=NOW, door="bench"
    )
    row = selectors.visible_session(people.organiser, session)
    dealt = selectors.deal_of(row, number)
    deal = eventlog.replay_row(row, dealt, [])
    assert deal is not None
    return Table(session, number, deal, receipt.seq)
