"""Random deals for the engine's tests: every profile, 2 to 8 seats, with wrongful passes and corrections."""

from dataclasses import dataclass
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from games.engine.cards import cards_of, mask_of, parse_card
from games.engine.deal import CORRECTION, PASS, Deal, action_text, deal_out
from games.engine.rules import MAX_SEATS, MIN_SEATS, OPTION_VALUES, PROFILES, Rules
from tests.engine.naive import NaiveDeal, deal_round, deck_cards

quick = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For tests that step through whole deals."""

ALL_ACTIONS = [*range(52), PASS, *(CORRECTION | card for card in range(52))]


@dataclass(frozen=True)
class Setup:
    """A deal before its first action, and how it will be played: with what chance of a `slip`, and of its `repair`."""

    rules: Rules
    seats: int
    dealer: int
    seed: int
    slips: float
    repairs: float

    @property
    def deck(self) -> list[str]:
        cards = deck_cards(self.rules.deck, self.rules.ace)
        Random(self.seed).shuffle(cards)
        return cards

    @property
    def hands(self) -> list[int]:
        return deal_out(self.seats, self.dealer, [parse_card(text) for text in self.deck])

    def deal(self) -> Deal:
        return Deal.from_hands(self.rules, self.dealer, self.hands)

    def naive(self) -> NaiveDeal:
        return NaiveDeal(
            ace=self.rules.ace,
            start=self.rules.start,
            wrongful_pass=self.rules.wrongful_pass,
            dealer=self.dealer,
            hands=deal_round(self.deck, self.seats, self.dealer),
        )

    def actions(self) -> list[int]:
        """A whole deal played at random, as careless as the setup says."""
        chance = Random(self.seed + 1)
        deal = self.deal()
        while not deal.over:
            deal.apply(self._choice(deal, chance))
        return list(deal.log)

    def _choice(self, deal: Deal, chance: Random) -> int:
        if deal.correctable is not None and chance.random() < self.repairs:
            return CORRECTION | chance.choice(cards_of(deal.hands[deal.correctable] & deal.open))
        legal = deal.legal()
        careless = not self.rules.refuses_wrongful_passes and chance.random() < self.slips
        return PASS if careless or not legal else chance.choice(legal)


@st.composite
def setups(draw: st.DrawFn, *, wrongful_pass: tuple[str | None, ...] = (None, "refused", "fined")) -> Setup:
    seats = draw(st.integers(MIN_SEATS, MAX_SEATS), label="seats")
    options = {"profile": draw(st.sampled_from(sorted(PROFILES)), label="profile")}
    if seats == MIN_SEATS:
        options["min_seats"] = MIN_SEATS
    if draw(st.booleans(), label="other start"):
        options["start"] = draw(st.sampled_from(OPTION_VALUES["start"]), label="start")
    rules = Rules.from_json(options)
    return Setup(
        rules=rules.with_wrongful_pass(draw(st.sampled_from(wrongful_pass), label="wrongful pass")),
        seats=seats,
        dealer=draw(st.integers(0, seats - 1), label="dealer"),
        seed=draw(st.integers(0, 2**32), label="seed"),
        slips=draw(st.sampled_from([0, 0.1, 0.5]), label="slips"),
        repairs=draw(st.sampled_from([0, 0.5, 1]), label="repairs"),
    )


def texts(mask: int) -> set[str]:
    """The cards of a set as texts."""
    return {action_text(card) for card in cards_of(mask)}


def hand(text: str) -> int:
    """The set of the cards named."""
    return mask_of(parse_card(card) for card in text.split())


def state(deal: Deal) -> tuple[object, ...]:
    """Everything that a deal is."""
    return (
        list(deal.hands),
        deal.open,
        bytes(deal.log),
        deal.to_act,
        deal.winner,
        deal.legal_mask(),
        deal.correctable,
        list(deal.forced),
        list(deal.wrongful),
        list(deal.withheld),
        deal.rows(),
    )
