"""Clubs, players and tables for tests, made through the services."""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime

from games import bots, selectors
from games.access import Caller
from games.engine.seat_view import seat_view
from games.models import Club, Membership, Occupancy, Player, Role, User
from games.services import dealing, play, players, sessions
from games.services.writing import Receipt

NOW = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)


def a_user(name: str) -> User:
    return User.objects.create_user(name, password="correct horse battery")


def a_member(club: Club, name: str, role: Role = Role.ORGANISER) -> User:
    user = a_user(name)
    Membership.objects.create(user=user, club=club, role=role)
    return user


@dataclass
class Table:
    """A club with an organiser and a session; the names of its players are A, B, C …"""

    club: Club
    organiser: User
    session: str
    players: list[Player]

    @property
    def caller(self) -> Caller:
        return Caller.of(self.organiser)

    @property
    def row(self):
        return selectors.visible_session(self.caller, self.session)

    def seat_caller(self, seat: int) -> Caller:
        """The account that plays the seat in the running deal, else in the latest."""
        number = max([*self.row.deals.values_list("number", flat=True), 1])
        sitting = Occupancy.objects.filter(session=self.row, seat=seat, from_number__lte=number)
        user = sitting.latest("from_number").player.user
        assert user is not None
        return Caller(user.pk, system=True) if user.is_bot else Caller.of(user)

    def deal(self, number: int, now: datetime = NOW, rng=None) -> Receipt:
        return dealing.deal(
            caller=self.caller,
            session=self.session,
            number=number,
            rng=rng or secrets.SystemRandom(),
            now=now,
            door="test",
        )

    def act(self, action: int, *, seat: int | None = None, expected_seq: int | None = None, **more) -> Receipt:
        row = self.row
        return play.act(
            caller=self.seat_caller(row.to_act if seat is None else seat),
            session=self.session,
            action=action,
            expected_seq=row.live_seq if expected_seq is None else expected_seq,
            now=more.pop("now", NOW),
            **more,
        )

    def position(self) -> selectors.Position:
        row = self.row
        return selectors.position(row, selectors.deals_of(row).select_related("cards").get(ordinal=row.live_deal))

    def step(self, strategy: str = "random") -> None:
        """One action of the seat to act, chosen by a bot from its view."""
        deal = self.position().deal
        view = seat_view(deal, deal.to_act)
        self.act(bots.available()[strategy].choose(view, secrets.SystemRandom()))

    def play_out(self, strategy: str = "random") -> None:
        """The rest of the running deal."""
        row = self.row
        if row.live_deal is None:
            return
        deal, seq = self.position().deal, row.live_seq
        callers = [self.seat_caller(seat) for seat in range(deal.seats)]
        bot, rng = bots.available()[strategy], secrets.SystemRandom()
        while deal.to_act is not None:
            caller, action = callers[deal.to_act], bot.choose(seat_view(deal, deal.to_act), rng)
            seq = play.act(caller=caller, session=self.session, action=action, expected_seq=seq, now=NOW).seq
            deal.apply(action)


def a_table(
    seats: int = 4, *, rules="pagat", scheme="wins", settings=None, bot: str = "random", people: int = 0, name="river"
) -> Table:
    """An open session with `people` people in the first seats and bots in the others."""
    club = Club.objects.create(name=name.title(), slug=name)
    organiser = a_member(club, f"{name}-organiser")
    caller = Caller.of(organiser)
    seated = []
    for seat in range(seats):
        letter = "ABCDEFGH"[seat]
        if seat < people:
            a_member(club, f"{name}-{letter}", Role.MEMBER)
            public_id = players.create_player(caller=caller, club=club.slug, name=letter, username=f"{name}-{letter}")
        else:
            public_id = players.create_player(caller=caller, club=club.slug, name=letter, strategy=bot)
        seated.append(Player.objects.select_related("user").get(public_id=public_id))
    session = sessions.open_session(
        caller=caller, club=club.slug, rules=rules, scheme=scheme, settings=settings, now=NOW, door="test"
    ).session
    for seat, player in enumerate(seated):
        sessions.seat(caller=caller, session=session, seat=seat, player=player.public_id, now=NOW, door="test")
    return Table(club, organiser, session, seated)
