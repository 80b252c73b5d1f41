"""Bots against each other over many deals, in memory, to see how much one wins (docs/bots.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

from games.bots import Bot
from games.engine.deal import Deal
from games.engine.rules import Rules
from games.engine.seat_view import seat_view


@dataclass(frozen=True, slots=True)
class Share:
    """What the seats of one bot won. `share` and `error`, its standard error, are of all deals and for one seat."""

    key: str
    seats: int
    wins: int
    share: float
    error: float


def contest(bots: Sequence[Bot], *, rules: Rules, deals: int, rng: Random) -> list[Share]:
    """Play the deals and say what each bot won, in order of first appearance. Raise BadDeal on a wrong seat count.

    The bots keep their order round the table and move one seat on with each deal; the dealer moves on when they have
    been all round, so that in `seats` squared deals each sits everywhere as often as the others.
    """
    seats = len(bots)
    wins = [0] * seats
    for number in range(deals):
        turned = number % seats
        table = [bots[(seat - turned) % seats] for seat in range(seats)]
        winner = play(table, rules=rules, dealer=number // seats % seats, rng=rng)
        wins[(winner - turned) % seats] += 1
    won = dict.fromkeys((bot.key for bot in bots), 0)
    for bot, count in zip(bots, wins, strict=True):
        won[bot.key] += count
    return [_share(key, sum(bot.key == key for bot in bots), count, deals) for key, count in won.items()]


def play(table: Sequence[Bot], *, rules: Rules, dealer: int, rng: Random) -> int:
    """Play one freshly shuffled deal, seat 0 first in `table`, and return the seat that won."""
    deck = list(rules.tables.deck)
    rng.shuffle(deck)
    deal = Deal.from_deck(rules, dealer, deck, len(table))
    while deal.to_act is not None:
        deal.apply(table[deal.to_act].choose(seat_view(deal, deal.to_act), rng))
    assert deal.winner is not None
    return deal.winner


def _share(key: str, seats: int, wins: int, deals: int) -> Share:
    share = wins / deals
    return Share(key, seats, wins, share / seats, sqrt(share * (1 - share) / deals) / seats)
