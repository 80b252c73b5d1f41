"""The bot `random`: any legal card."""

from random import Random

from games.bots.base import Bot
from games.engine.seat_view import SeatView
from scoring.wording import say


class RandomBot(Bot):
    """Every legal card is as likely as every other: the yardstick for the rest."""

    key = "random"
    title = say("Random")

    def pick(self, view: SeatView, rng: Random) -> int:
        return rng.choice(view.legal)
