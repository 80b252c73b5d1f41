"""What every bot is: a key, a title, and a choice from what its seat may see."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random
from typing import ClassVar

from games.engine.actions import PASS
from games.engine.seat_view import SeatView


class Bot(ABC):
    """One strategy. It keeps nothing between calls, so one instance serves every seat of every deal.

    It sees a seat's view and a random generator (`random.Random`, or a subclass as `secrets.SystemRandom`), nothing
    else. A subclass decides only where there is a choice: passes and single legal cards are settled here.
    """

    key: ClassVar[str]
    title: ClassVar[str]

    def choose(self, view: SeatView, rng: Random) -> int:
        """The action of the seat whose turn it is, as in actions.py: a legal card, or a pass when there is none.

        Raise ValueError when it is not that seat's turn.
        """
        if view.to_act != view.seat:
            raise ValueError(f"It is not the turn of seat {view.seat}.")
        if not view.legal:
            return PASS
        return view.legal[0] if len(view.legal) == 1 else self.pick(view, rng)

    @abstractmethod
    def pick(self, view: SeatView, rng: Random) -> int:
        """One of the legal cards, of which there are at least two."""


def best(view: SeatView, worth: Callable[[int], int], rng: Random) -> int:
    """The legal card of the highest worth; one at random where several are equal."""
    worths = [(worth(card), card) for card in view.legal]
    highest = max(worths)[0]
    return rng.choice([card for value, card in worths if value == highest])
