"""The bot `far-first`: the legal card farthest from its seven."""

from random import Random

from games.bots.base import Bot, best
from games.bots.rows import distance
from games.engine.seat_view import SeatView
from scoring.wording import say


class FarFirst(Bot):
    """Goes as far out as it can, so it opens rows last. It never looks at what else it holds."""

    key = "far-first"
    title = say("Far first")

    def pick(self, view: SeatView, rng: Random) -> int:
        return best(view, lambda card: distance(view.rules, card), rng)
