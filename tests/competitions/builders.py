"""Competitions for tests, made and played through the services."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from competitions import folding
from competitions.models import Competition
from competitions.services import drawing, entries, rounds, setup
from competitions.services.entries import NewEntry
from games.access import Caller
from games.models import Club, Player, Session, User
from games.services import players, recording
from games.services.recording import PaperResult
from tests.games.builders import NOW, a_member

BASICS: dict[str, Any] = {
    "format": "league-night",
    "scheme": "card-count",
    "deals": 1,
    "unranked": ["withdrawn", "excluded"],
}


@dataclass
class League:
    """A club with an organiser, people A, B, C … and a competition of them."""

    club: Club
    organiser: User
    public_id: str
    people: list[Player]

    @property
    def caller(self) -> Caller:
        return Caller.of(self.organiser)

    @property
    def about(self) -> dict[str, Any]:
        """What every service takes."""
        return {"caller": self.caller, "competition": self.public_id, "now": NOW, "door": "test"}

    @property
    def row(self) -> Competition:
        return Competition.objects.select_related("club").get(public_id=self.public_id)

    @property
    def state(self):
        return folding.state_of(self.row)

    @property
    def standings(self):
        return folding.standings_now(self.row)[1]

    def player(self, name: str) -> Player:
        return next(player for player in self.people if player.name == name)

    def open(self, number: int, **more: Any) -> None:
        """Draw the round where it is not drawn yet, publish and open it."""
        if self.state.round(number).plan is None:
            drawing.draw(**self.about, number=number)
        rounds.open_round(**self.about, number=number, publish=True, **more)

    def sessions(self, number: int) -> list[Session]:
        """The sessions of a round's tables, by table."""
        tables = self.state.round(number).tables
        return [Session.objects.get(pk=table.session) for table in tables]

    def score(self, session: Session, cards_left: Sequence[int], number: int = 1) -> None:
        """Enter the result of a deal: cards left by seat."""
        recording.record_deal(
            caller=self.caller,
            session=session.public_id,
            number=number,
            dealer=0 if number == 1 else None,
            result=PaperResult(cards_left),
            now=NOW,
            door="test",
        )

    def play(self, number: int, result: Callable[[list[Player]], Sequence[int]] | None = None) -> None:
        """One result at every table of a round. Without `result` by the players' names: the first in order wins."""
        for session in self.sessions(number):
            seated = [item.player for item in session.occupancies.order_by("seat").select_related("player")]
            self.score(session, (result or in_order)(seated))

    def close(self, number: int) -> None:
        rounds.close(**self.about, number=number)

    def whole_round(self, number: int) -> None:
        self.open(number)
        self.play(number)
        self.close(number)


def in_order(seated: list[Player]) -> list[int]:
    """Cards left: 0 to whoever's name comes first, 1 to the next, …"""
    names = sorted(player.name for player in seated)
    return [names.index(player.name) for player in seated]


def by_lot(seed: int) -> Callable[[list[Player]], list[int]]:
    rng = random.Random(seed)

    def result(seated: list[Player]) -> list[int]:
        left = [0, *(rng.randint(1, 6) for _ in seated[1:])]
        rng.shuffle(left)
        return left

    return result


def names(count: int) -> list[str]:
    return [chr(65 + n) if n < 26 else f"{chr(64 + n // 26)}{chr(65 + n % 26)}" for n in range(count)]


def a_club(name: str = "river") -> tuple[Club, User]:
    club = Club.objects.create(name=name.title(), slug=name)
    return club, a_member(club, f"{name}-organiser")


def a_league(count: int = 8, *, enter: bool = True, name: str = "river", **settings: Any) -> League:
    """A competition of so many people."""
    club, organiser = a_club(name)
    caller = Caller.of(organiser)
    people = [
        Player.objects.get(public_id=players.create_player(caller=caller, club=club.slug, name=letter))
        for letter in names(count)
    ]
    made = setup.create_competition(
        caller=caller,
        club=club.slug,
        name="Cup",
        season="2026",
        settings={**BASICS, **settings},
        seed="test",
        now=NOW,
        door="test",
    )
    league = League(club, organiser, made.competition, people)
    if enter:
        entries.enter(**league.about, entries=[NewEntry(player.public_id) for player in people])
    return league
