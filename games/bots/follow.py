"""The bot `follow`: opens the way to its own far cards, and no other way."""

from random import Random

from games.bots.base import Bot, best
from games.bots.rows import beyond
from games.engine.seat_view import SeatView
from scoring.wording import say

OWN_STEP, OTHERS_CARD = 3, 1


class Follow(Bot):
    """Plays the card that leads farthest to its own cards and frees the fewest cards of others.

    Laying a card lets the row grow beyond it. For each side that it opens, three points for every step out to the
    farthest card of its own, less one for every card there that others hold. So it runs along its own chain, sends
    others to fetch its far cards early, and keeps back what would only help them.

    The weights are the flat top of a search over linear rules with the steps, gaps, own and others' cards beyond, and
    the next card's owner as features: none of the larger rules won more (docs/bots.md).
    """

    key = "follow"
    title = say("Follow")

    def pick(self, view: SeatView, rng: Random) -> int:
        return best(view, lambda card: _worth(view, card), rng)


def _worth(view: SeatView, card: int) -> int:
    worth = 0
    for side in beyond(view.rules, card):
        steps = [step for step, further in enumerate(side, start=1) if further in view.hand]
        worth += OWN_STEP * max(steps, default=0) - OTHERS_CARD * (len(side) - len(steps))
    return worth
