"""Views of a seat for tests: of a deal on its way, or made up for one decision."""

from collections.abc import Iterator
from random import Random

from games.bots import Bot
from games.engine.cards import parse_card
from games.engine.deal import Deal
from games.engine.rules import Rules
from games.engine.seat_view import SeatView, seat_view


def shuffled_deal(rules: Rules, seats: int, dealer: int, rng: Random) -> Deal:
    deck = list(rules.tables.deck)
    rng.shuffle(deck)
    return Deal.from_deck(rules, dealer % seats, deck, seats)


def turns(deal: Deal, bot: Bot, rng: Random) -> Iterator[SeatView]:
    """Play the deal to its end with the bot in every seat; yield each turn's view before the turn is played."""
    while deal.to_act is not None:
        view = seat_view(deal, deal.to_act)
        yield view
        deal.apply(bot.choose(view, rng))


def decision(hand: str, legal: str, rules: Rules | None = None) -> SeatView:
    """Seat 0's view when it has to choose between the legal cards of its hand."""
    return SeatView(
        rules=rules or Rules.from_json("pagat"),
        seats=4,
        dealer=3,
        rows=(None,) * 4,
        counts=(len(hand.split()),) * 4,
        passes=(0,) * 4,
        to_act=0,
        log=(),
        over=False,
        winner=None,
        seat=0,
        hand=tuple(parse_card(text) for text in hand.split()),
        legal=tuple(parse_card(text) for text in legal.split()),
        may_pass=False,
        correctable=False,
        corrections=(),
        forced=0,
        wrongful=0,
    )
