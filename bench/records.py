"""Recorded deals to measure with: the same ones at every run, of all profiles, three to eight seats."""

import random
from collections.abc import Iterator
from pathlib import Path

from games.engine.actions import CORRECTION, PASS
from games.engine.cards import cards_of
from games.engine.deal import Deal
from games.engine.record import GivenResult, Record, write
from games.engine.rules import PROFILES, Rules
from scoring.schemes import scheme_from_text

SEATS = range(3, 9)
SCHEMES = ("wins", "chip-pot", "card-count", "yellowclub-chips")
NAMES = ("Ada", "Bo", "Çelik", "Dai", "Eve", "Fenja", "Gao", "Hà")
SESSION = 20
"""Deals a session: one set of rules, seats and scheme."""


def records(deals: int, *, hosted: bool | None = None) -> Iterator[Record]:
    """That many finished deals in sessions of SESSION, half of them hosted, or all or none of them.

    Legal cards at random. In recorded play one turn in forty is passed with a legal card, and half of those passes are
    corrected.
    """
    for number in range(deals):
        if number % SESSION == 0:
            chance = random.Random(number)
            name = chance.choice(list(PROFILES))
            seats = chance.choice(SEATS)
            is_hosted = bool(number // SESSION % 2) if hosted is None else hosted
            rules = Rules.from_json(name).with_wrongful_pass("refused" if is_hosted else None)
            scheme = scheme_from_text(chance.choice(SCHEMES))
        deck = list(rules.tables.deck)
        chance.shuffle(deck)
        deal = Deal.from_deck(rules, number % SESSION % seats, deck, seats)
        hands = tuple(deal.hands)
        play_out(deal, chance)
        yield Record(
            rules=rules,
            players=NAMES[:seats],
            dealer=deal.dealer,
            hands=hands,
            actions=bytes(deal.log),
            result=GivenResult(deal.cards_left(), tuple(deal.forced), tuple(deal.wrongful)),
            scheme=scheme,
            session=f"evening {number // SESSION + 1}",
            number=number % SESSION + 1,
        )


def play_out(deal: Deal, chance: random.Random) -> None:
    careless = deal.rules.wrongful_pass is None
    while deal.to_act is not None:
        if deal.correctable is not None and chance.random() < 0.5:
            card = chance.choice(cards_of(deal.hands[deal.correctable] & deal.open))
            deal.apply(CORRECTION | card)
            continue
        legal = deal.legal()
        slips = careless and chance.random() < 0.025
        deal.apply(chance.choice(legal) if legal and not slips else PASS)


def write_file(path: Path, deals: int) -> Path:
    with path.open("w") as file:
        for record in records(deals):
            file.write(write(record) + "\n")
    return path
