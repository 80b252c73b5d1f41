"""What every bot has to hold, in every profile and at every seat count."""

from dataclasses import replace
from itertools import islice
from random import Random
from secrets import SystemRandom

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bots import Bot, available
from games.engine.actions import PASS
from games.engine.cards import cards_of, mask_of
from games.engine.deal import Deal
from games.engine.rules import PROFILES, Rules
from games.engine.seat_view import seat_view
from tests.bots.views import decision, shuffled_deal, turns

BOTS = available()
each_bot = pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS.keys())
each_profile = pytest.mark.parametrize("profile", PROFILES)
seeds = st.integers(0, 2**32 - 1)
seat_counts = st.integers(2, 8)


def rules_for(profile: str, **options: object) -> Rules:
    """The profile, open to two seats as well."""
    return Rules.from_json({"profile": profile, "min_seats": 2, **options})


@each_bot
@each_profile
@settings(max_examples=15)
@given(seed=seeds, seats=seat_counts, wrongful_pass=st.sampled_from(["refused", "fined"]))
def test_a_bot_plays_a_legal_card_and_passes_only_without_one(
    bot: Bot, profile: str, seed: int, seats: int, wrongful_pass: str
) -> None:
    rng = Random(seed)
    deal = shuffled_deal(rules_for(profile, wrongful_pass=wrongful_pass), seats, seed, rng)
    for view in turns(deal, bot, rng):
        chosen = bot.choose(view, Random(seed))
        assert chosen in view.legal if view.legal else chosen == PASS
    assert deal.over
    assert not any(deal.wrongful)


@each_bot
@given(seed=seeds, seats=st.integers(3, 8), played=st.integers(0, 50))
def test_a_bot_does_not_see_who_of_the_others_holds_what(bot: Bot, seed: int, seats: int, played: int) -> None:
    rng = Random(seed)
    dealt = shuffled_deal(Rules(), seats, seed, rng)
    deal = dealt.copy()
    list(islice(turns(deal, bot, rng), played))
    if deal.to_act is None:
        return
    # The unseen cards that lie in the others' hands go round between them; what has been played stays as it was.
    me = deal.to_act
    others = [seat for seat in range(seats) if seat != me]
    unseen = [card for seat in others for card in cards_of(deal.hands[seat])]
    rng.shuffle(unseen)
    hands = list(dealt.hands)
    for seat in others:
        kept = deal.hands[seat].bit_count()
        hands[seat] = hands[seat] ^ deal.hands[seat] | mask_of(unseen[:kept])
        del unseen[:kept]
    twin = Deal.from_hands(Rules(), dealt.dealer, hands)
    for action in deal.log:
        twin.apply(action)
    assert bot.choose(seat_view(twin, me), Random(seed)) == bot.choose(seat_view(deal, me), Random(seed))


@each_bot
@given(seed=seeds, seats=seat_counts)
def test_a_bot_chooses_alike_whatever_it_has_seen_before(bot: Bot, seed: int, seats: int) -> None:
    rng = Random(seed)
    for view in turns(shuffled_deal(rules_for("pagat"), seats, seed, rng), bot, rng):
        assert type(bot)().choose(view, Random(seed)) == bot.choose(view, Random(seed))


@each_bot
def test_a_bot_takes_the_systems_generator(bot: Bot) -> None:
    deal = shuffled_deal(Rules(), 4, 0, Random(1))
    for view in turns(deal, bot, SystemRandom()):
        assert view.to_act == view.seat
    assert deal.over


@each_bot
def test_a_bot_has_nothing_to_do_when_it_is_not_its_turn(bot: Bot) -> None:
    view = decision("7C 8C", "7C 8C")
    with pytest.raises(ValueError, match="not the turn of seat 0"):
        bot.choose(replace(view, to_act=1, legal=()), Random(1))


@each_bot
def test_a_bot_has_a_title_for_people(bot: Bot) -> None:
    assert bot.title
