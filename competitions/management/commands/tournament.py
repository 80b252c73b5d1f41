"""A tournament of bots from entry to published final standings, in one command."""

import os
import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from competitions import folding
from competitions.formats import available
from competitions.management.bot_club import bot_club, bot_players
from competitions.models import Competition, Publication
from competitions.seating import SeatingError, split
from competitions.services import corrections, drawing, entries, publishing, rounds, setup
from competitions.services.entries import NewEntry
from competitions.settings import read_settings
from games.access import Caller
from games.engine.errors import EngineError
from games.errors import Refusal
from games.models import Player, Session
from games.tasks import advance
from scoring import explain
from scoring.entries import EntrantId
from scoring.points import shown

SLUG = "demo"


class Command(BaseCommand):
    help = (
        "Play a tournament of bots: enter them, draw, publish and open each round, let them play every deal, close it, "
        "publish the final standings and print them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, default=16)
        parser.add_argument("--rounds", type=int, default=5)
        parser.add_argument("--deals", type=int, default=1, help="deals at each table of a round")
        parser.add_argument("--format", default="round-robin", choices=sorted(available()))
        parser.add_argument("--name", default="", help="the tournament's name; with the date and time where left out")

    def handle(self, *, players: int, rounds: int, deals: int, format: str, name: str, **options: Any) -> None:  # noqa: A002
        club, caller = bot_club(SLUG, "Demo club")
        now = timezone.now()
        try:
            split(players, read_settings({"format": format}).tables)
        except SeatingError as refusal:
            raise CommandError(str(refusal)) from refusal
        people = bot_players(caller, club, players)
        try:
            made = setup.create_competition(
                caller=caller,
                club=club.slug,
                name=name or f"Bots {now:%Y-%m-%d %H:%M:%S}",
                settings={
                    "format": format,
                    "rounds": None if format == "knockout" else rounds,  # a knock-out ends by itself
                    "deals": deals,
                    "deal_after": 0,
                    "scheme": "card-count",
                    "points": "neutral",
                    "tie_breaks": ["direct-encounter", "wins", "fewest-cards-left"],
                    "unranked": ["excluded", "withdrawn"],
                    "public": True,
                },
                now=now,
                door="demo",
            )
            self._play(caller, made.competition, [player.public_id for player in people])
        except (Refusal, EngineError) as refusal:
            raise CommandError(str(refusal)) from refusal

    def _play(self, caller: Caller, competition: str, people: list[str]) -> None:
        about: dict[str, Any] = {"caller": caller, "competition": competition, "door": "demo"}
        entries.enter(**about, now=timezone.now(), entries=[NewEntry(player) for player in people])
        row = Competition.objects.select_related("club").get(public_id=competition)
        settings = folding.state_of(row).settings
        last = settings.format.total_rounds(len(people), settings) or 1
        self.stdout.write(f"{row.name}: {len(people)} bots entered, {last} rounds planned.")
        for number in range(1, last + 1):
            if folding.state_of(row).round(number).plan is None:
                self._draw(about, number)
            rounds.open_round(**about, number=number, publish=True, deal=secrets.SystemRandom(), now=timezone.now())
            at = folding.state_of(row).round(number)
            for table in at.tables:
                self._finish(table.session)
            rounds.close(**about, number=number, now=timezone.now())
            report = at.draw["report"]
            self.stdout.write(
                f"{at.name}: {len(at.tables)} tables played; repeats {report['repeats']['value']}, "
                f"proven minimum {report['repeats']['minimum']}."
            )
        publishing.publish(**about, what="standings", now=timezone.now())
        setup.finish(**about, now=timezone.now())
        self._print(row)

    def _draw(self, about: dict[str, Any], number: int) -> None:
        """Draw a round; where equals share the last place that goes on in a knock-out, decide by lot."""
        while True:
            try:
                drawing.draw(**about, number=number, now=timezone.now())
                return
            except Refusal as refusal:
                if refusal.code != "tie_to_decide":
                    raise
                lot = secrets.SystemRandom().sample(refusal.extra["equal"], refusal.extra["wanted"])
                corrections.decide_tie(
                    **about,
                    number=number - 1,
                    table=refusal.extra["table"],
                    players=lot,
                    reason="by lot",
                    now=timezone.now(),
                )
                named = ", ".join(Player.objects.filter(public_id__in=lot).values_list("name", flat=True))
                self.stdout.write(f"Table {refusal.extra['table']}: equal for the last place; by lot {named} go on.")

    def _finish(self, session: int) -> None:
        """Play until the table is finished. A worker that is running may play along: whoever is faster moves."""
        while Session.objects.filter(pk=session, status__in=["playing", "waiting"]).exists():
            advance(session)

    def _print(self, row: Competition) -> None:
        publication = Publication.objects.filter(competition=row, what="standings").latest("number")
        table = folding.published(row, publication.seq)
        names = dict(Player.objects.filter(club=row.club).values_list("pk", "name"))

        def name(who: EntrantId) -> str:
            return str(names[int(str(who))])

        self.stdout.write(f"\nFinal standings (publication {publication.number}). {explain.order_of_tie_breaks(table)}")
        width = max(len(name(line.entrant)) for line in table.rows)
        for line in table.rows:
            self.stdout.write(
                f"{line.rank or '–':>3}  {name(line.entrant):<{width}}  {shown(line.total):>8}  "
                f"{explain.sentence(table, line, name)}"
            )
        url = os.environ.get("FANTAN_URL", f"http://127.0.0.1:{os.environ.get('PORT', '8000')}")
        self.stdout.write(f"\n{url}/competitions/{row.public_id}/")
        self.stdout.write(f"{url}/api/v1/competitions/{row.public_id}/standings")
