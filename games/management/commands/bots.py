"""`bots`: play bots against each other without a database and print what each wins (docs/bots.md)."""

import json
import secrets
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.bots import Bot, available
from games.engine.errors import EngineError
from games.engine.rules import Rules
from games.management.contest import contest


class Command(BaseCommand):
    help = "Play bots against each other and print each one's share of the wins with its error. Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        keys = ", ".join(available())
        parser.add_argument("bots", nargs="+", metavar="BOT", help=f"who sits down, in seat order: {keys}")
        parser.add_argument("--seats", type=int, help="as many as bots; more repeat the last bot")
        parser.add_argument("--deals", type=int, default=2000, help="deals to play (2000)")
        parser.add_argument("--rules", default="pagat", help="a profile, or a JSON object as in records (pagat)")
        parser.add_argument("--seed", type=int, help="plays the same deals again; drawn and printed if left out")

    def handle(self, *args: object, **options: Any) -> None:
        seats, deals = options["seats"] or len(options["bots"]), options["deals"]
        seed = secrets.randbits(32) if options["seed"] is None else options["seed"]
        if deals < 1:
            raise CommandError("--deals is at least 1.", returncode=2)
        try:
            rules = _rules(options["rules"])
            shares = contest(_seated(options["bots"], seats), rules=rules, deals=deals, rng=Random(seed))  # noqa: S311
        except EngineError as error:
            raise CommandError(error.message, returncode=2) from None
        self.stdout.write(f"{deals} deals, {seats} seats, rules {json.dumps(rules.to_json())}, seed {seed}")
        self.stdout.write(f"A seat's fair share is {1 / seats:.1%}.\n\n")
        self.stdout.write(f"{'bot':<16}{'seats':>6}{'wins':>8}{'a seat':>9}   standard error")
        for one in shares:
            self.stdout.write(f"{one.key:<16}{one.seats:>6}{one.wins:>8}{one.share:>9.1%}   ± {one.error:.1%}")


def _rules(text: str) -> Rules:
    try:
        return Rules.from_json(json.loads(text) if text.startswith("{") else text)
    except json.JSONDecodeError:
        raise CommandError("--rules is a profile or a JSON object.", returncode=2) from None


def _seated(keys: list[str], seats: int) -> list[Bot]:
    unknown = [key for key in keys if key not in available()]
    if unknown:
        raise CommandError(f"There is no bot {unknown[0]}; there are {', '.join(available())}.", returncode=2)
    if seats < len(keys):
        raise CommandError(f"{len(keys)} bots do not fit on {seats} seats.", returncode=2)
    return [available()[key] for key in keys + keys[-1:] * (seats - len(keys))]
