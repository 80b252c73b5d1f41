"""Bots at play in memory: decisions a second, and what `follow` wins against three `random` (as `manage.py bots`).

A decision costs the seat's view, the choice and the engine's check. The yardstick, in the same round, is the engine's
bare random playout.
"""

from collections.abc import Iterator
from functools import partial
from random import Random

from bench.figures import Figure, in_turn, rate, ratios
from bench.records import play_out
from games.bots import Bot, available
from games.engine.deal import Deal
from games.engine.rules import Rules
from games.engine.seat_view import seat_view
from games.management.contest import contest

SEATS = 4
DEALS = 2_000
RULES = Rules(wrongful_pass="refused")
SECONDS, SLICES = 0.1, 4
"""Of each bot at a time; how often in a round."""

chance = Random(3)


def measure(rounds: int) -> Iterator[Figure]:
    sides = {key: partial(rate, partial(_played, bot), SECONDS) for key, bot in available().items()}
    rates = in_turn(rounds, {**sides, "bare": partial(rate, _bare, SECONDS)}, slices=SLICES)
    for key in sides:
        note = f"{sorted(rates[key])[rounds // 2]:,.0f} decisions/s"
        yield Figure(f"{key}, decisions over bare playout", ratios(rates, key, "bare"), note=note)

    bots = available()
    follow = contest([bots["follow"], *[bots["random"]] * (SEATS - 1)], rules=RULES, deals=DEALS, rng=chance)[0]
    note = f"{follow.share:.1%} ± {follow.error:.1%} of {DEALS:,} deals"
    surely = 100 * (follow.share - 2 * follow.error)
    yield Figure("follow wins against three random, less two errors", [surely], "%", at_least=40, note=note)


def _fresh() -> Deal:
    deck = list(RULES.tables.deck)
    chance.shuffle(deck)
    return Deal.from_deck(RULES, chance.randrange(SEATS), deck, SEATS)


def _played(bot: Bot) -> int:
    deal = _fresh()
    while deal.to_act is not None:
        deal.apply(bot.choose(seat_view(deal, deal.to_act), chance))
    return len(deal.log)


def _bare() -> int:
    deal = _fresh()
    play_out(deal, chance)
    return len(deal.log)
