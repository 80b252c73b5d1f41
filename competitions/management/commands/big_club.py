"""A big club made by bots: a league of many nights, for measurements and demos."""

import random
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from competitions import folding
from competitions.management.bot_club import bot_club, bot_players, record_session
from competitions.models import Competition
from competitions.services import drawing, entries, setup
from competitions.services import rounds as nights
from competitions.services.entries import NewEntry
from games.models import Session


class Command(BaseCommand):
    help = (
        "Make a club whose league has this many players, nights, tables and deals: 2,000 players and 10,000 deals of "
        "100 nights, where nothing else is said. Every deal is played by bots and stored with its events."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, default=2000)
        parser.add_argument("--rounds", type=int, default=100)
        parser.add_argument("--tables", type=int, default=25, help="tables of four a night")
        parser.add_argument("--deals", type=int, default=4, help="deals a table")
        parser.add_argument("--open", type=int, default=0, help="leave so many nights at the end open, without results")
        parser.add_argument("--slug", default="big", help="the club's name in addresses")
        parser.add_argument("--seed", type=int, default=7)

    def handle(
        self,
        *,
        players: int,
        rounds: int,
        tables: int,
        deals: int,
        open: int,  # noqa: A002
        slug: str,
        seed: int,
        **options: Any,
    ) -> None:
        began = time.monotonic()
        rng = random.Random(seed)  # noqa: S311 - the same club again for the same seed
        club, caller = bot_club(slug, slug.title())
        people = bot_players(caller, club, players)
        strategies = {player.pk: player.strategy for player in people}
        now = timezone.now()
        made = setup.create_competition(
            caller=caller,
            club=club.slug,
            name=f"League of {now:%Y-%m-%d %H:%M:%S}",
            kind="league",
            settings={
                "format": "league-night",
                "deals": deals,
                "scheme": "card-count",
                "best": max(1, rounds // 2),
                "tie_breaks": ["wins", "best-single-result", "average-place"],
                "unranked": ["excluded", "withdrawn"],
            },
            now=now,
            door="demo",
        )
        about: dict[str, Any] = {"caller": caller, "competition": made.competition, "door": "demo", "now": now}
        entries.enter(**about, entries=[NewEntry(player.public_id) for player in people])
        row = Competition.objects.get(public_id=made.competition)
        for number in range(1, rounds + 1):
            night = rng.sample(people, min(players, 4 * tables))
            drawing.draw(**about, number=number, present=[player.public_id for player in night], effort=0.02)
            nights.open_round(**about, number=number, publish=True)
            if number <= rounds - open:
                for table in folding.state_of(row).round(number).tables:
                    session = Session.objects.get(pk=table.session)
                    record_session(caller, session, strategies, deals=deals, rng=rng, now=now)
                nights.close(**about, number=number)
            if number % 10 == 0 or number == rounds:
                self.stdout.write(f"night {number}: {time.monotonic() - began:.0f} s")
        self.stdout.write(f"competition {made.competition} of club {club.slug}")
