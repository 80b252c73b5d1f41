"""rules.md 7: what must hold in every deal. One test a property, under its number."""

from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from games.engine.cards import CARD_TEXT, cards_of, parse_card
from games.engine.deal import CORRECTION, PASS, Deal, replay
from games.engine.errors import IllegalAction
from games.engine.rules import Rules, hand_sizes
from games.engine.seat_view import seat_view, spectator_view
from scoring.schemes import scheme_from_text
from tests.engine.deals import Setup, quick, setups, state, texts
from tests.engine.naive import deck_cards, ranks_in_order

SUITS = "CDHS"


def steps(setup: Setup):
    """The deal before its first action and after each one."""
    deal = setup.deal()
    yield deal
    for action in setup.actions():
        deal.apply(action)
        yield deal


def laid_cards(deal: Deal) -> list[str]:
    """The cards that the log says were laid."""
    return [CARD_TEXT[action & ~CORRECTION] for action in deal.log if action != PASS]


@quick
@given(setups())
def test_7_1_layout_and_hands_together_are_the_deck_and_no_card_is_there_twice(setup: Setup) -> None:
    deck = sorted(deck_cards(setup.rules.deck, setup.rules.ace))
    for deal in steps(setup):
        held = [card for hand in deal.hands for card in texts(hand)]
        assert sorted(laid_cards(deal) + held) == deck


@quick
@given(setups())
def test_7_2_each_row_is_one_interval_around_its_seven(setup: Setup) -> None:
    ranks = ranks_in_order(setup.rules.ace)
    for deal in steps(setup):
        laid = laid_cards(deal)
        for suit, row in zip(SUITS, deal.rows(), strict=True):
            of_suit = {ranks.index(card[0]) for card in laid if card[1] == suit}
            if row is None:
                assert not of_suit
                continue
            low, high = (ranks.index(CARD_TEXT[card][0]) for card in row)
            assert of_suit == set(range(low, high + 1))
            assert low <= ranks.index("7") <= high


@quick
@given(setups())
def test_7_3_the_legal_set_is_the_hand_and_the_frontier(setup: Setup) -> None:
    ranks = ranks_in_order(setup.rules.ace)
    deck = deck_cards(setup.rules.deck, setup.rules.ace)
    first = None if setup.rules.start == "left_of_dealer" else setup.rules.start[-2:]
    for deal in steps(setup):
        if deal.over:
            assert deal.legal() == []
            continue
        frontier = set()
        for suit, row in zip(SUITS, deal.rows(), strict=True):
            if row is None:
                frontier.add("7" + suit)
            else:
                low, high = (ranks.index(CARD_TEXT[card][0]) for card in row)
                frontier |= {ranks[i] + suit for i in (low - 1, high + 1) if 0 <= i < len(ranks)}
        if first and not deal.rows()[SUITS.index(first[1])]:
            frontier = {first}
        frontier &= set(deck)
        assert texts(deal.open) == frontier
        assert texts(deal.legal_mask()) == texts(deal.hands[deal.to_act]) & frontier


@quick
@given(setups(wrongful_pass=("refused",)))
def test_7_4_a_pass_is_legal_exactly_when_the_legal_set_is_empty(setup: Setup) -> None:
    for deal in steps(setup):
        if deal.over:
            continue
        try:
            deal.check(PASS)
            passes = True
        except IllegalAction as error:
            assert error.code == "illegal_pass"
            passes = False
        assert passes == (not deal.legal())


@quick
@given(setups())
def test_7_5_plays_and_cards_left_are_the_hand_size_of_every_seat(setup: Setup) -> None:
    sizes = hand_sizes(setup.rules.deck, setup.seats, setup.dealer)
    plays = [0] * setup.seats
    deal = setup.deal()
    for action in setup.actions():
        seat = deal.correctable if action & CORRECTION else deal.to_act
        plays[seat] += action != PASS
        deal.apply(action)
        assert tuple(played + left for played, left in zip(plays, deal.cards_left(), strict=True)) == sizes


@quick
@given(setups(), st.lists(st.integers(0, 9), min_size=6, max_size=6))
def test_7_6_chips_sum_to_zero(setup: Setup, prices: list[int]) -> None:
    deal = replay(setup.rules, setup.dealer, setup.hands, setup.actions())
    names = ("ante", "forced_pass", "wrongful_pass", "withheld_seven", "card_left", "ante_short")
    own = "chip-pot:" + ",".join(f"{name}={price}" for name, price in zip(names, prices, strict=True))
    for scheme in ("pool", "yellowclub-chips", "bicycle", own):
        assert sum(scheme_from_text(scheme).score(deal.result())) == 0


@quick
@given(setups())
def test_7_7_replaying_the_log_gives_the_same_state_after_every_event(setup: Setup) -> None:
    for deal in steps(setup):
        assert state(replay(setup.rules, setup.dealer, setup.hands, bytes(deal.log))) == state(deal)


@quick
@given(setups(), st.permutations(range(4)))
def test_7_8_renaming_suits_changes_nothing_but_names(setup: Setup, suits: list[int]) -> None:
    def renamed(card: int) -> int:
        return suits[card // 13] * 13 + card % 13

    def renamed_action(action: int) -> int:
        return action if action == PASS else action & CORRECTION | renamed(action & ~CORRECTION)

    def renamed_mask(mask: int) -> int:
        return sum(1 << renamed(card) for card in cards_of(mask))

    start = setup.rules.start
    if start != "left_of_dealer":
        start = f"holder:{CARD_TEXT[renamed(parse_card(start[-2:]))]}"
    wrongful = setup.rules.wrongful_pass
    rules = Rules.from_json({"profile": setup.rules.profile, "min_seats": setup.rules.min_seats, "start": start})
    first = setup.deal()
    second = Deal.from_hands(rules.with_wrongful_pass(wrongful), setup.dealer, [renamed_mask(h) for h in first.hands])
    for action in setup.actions():
        first.apply(action)
        second.apply(renamed_action(action))
        assert second.hands == [renamed_mask(hand) for hand in first.hands]
        assert second.open == renamed_mask(first.open)
        assert second.to_act == first.to_act
        assert (second.winner, second.correctable) == (first.winner, first.correctable)
        assert (second.forced, second.wrongful) == (first.forced, first.wrongful)
        assert sorted(second.withheld) == sorted(first.withheld)


@quick
@given(setups(), st.integers(1, 7))
def test_7_8_rotating_seats_changes_nothing_but_seat_numbers(setup: Setup, shift: int) -> None:
    seats = setup.seats

    def rotated(seat: int | None) -> int | None:
        return None if seat is None else (seat + shift) % seats

    def rotated_list(values: list[int]) -> list[int]:
        return [values[(seat - shift) % seats] for seat in range(seats)]

    first = setup.deal()
    second = Deal.from_hands(setup.rules, rotated(setup.dealer), rotated_list(first.hands))
    for action in setup.actions():
        first.apply(action)
        second.apply(action)
        assert second.hands == rotated_list(first.hands)
        assert (second.open, second.rows()) == (first.open, first.rows())
        assert second.to_act == rotated(first.to_act)
        assert (second.winner, second.correctable) == (rotated(first.winner), rotated(first.correctable))
        assert second.forced == rotated_list(first.forced)
        assert second.wrongful == rotated_list(first.wrongful)
        assert sorted(second.withheld) == sorted((rotated(a), rotated(b)) for a, b in first.withheld)


@quick
@given(setups(), st.data())
def test_7_9_nothing_shown_changes_when_unseen_cards_are_swapped_between_two_other_seats(setup: Setup, data) -> None:
    actions = setup.actions()
    actions = actions[: data.draw(st.integers(0, len(actions) - 1), label="actions")]
    deal = replay(setup.rules, setup.dealer, setup.hands, actions)
    one, other = data.draw(st.permutations(range(setup.seats)), label="seats")[:2]
    hands = swapped(deal, setup.hands, one, other, Random(setup.seed))
    try:
        twin = replay(setup.rules, setup.dealer, hands, actions)
    except IllegalAction as error:
        # Where wrongful passes are refused, a pass tells everybody what the seat does not hold: those cards are seen.
        assert error.code == "illegal_pass"
        assume(False)
    assert repr(spectator_view(twin)) == repr(spectator_view(deal))
    for seat in set(range(setup.seats)) - {one, other}:
        assert repr(seat_view(twin, seat)) == repr(seat_view(deal, seat))


def swapped(deal: Deal, dealt: list[int], one: int, other: int, chance: Random) -> list[int]:
    """The dealt hands with cards still in the hands of the two seats swapped, as many one way as the other.

    The start card stays: while it is in a hand, whose turn it is tells everybody who holds it (rules.md 3.4).
    """
    start = deal.rules.tables.start
    free = [[card for card in cards_of(deal.hands[seat]) if card != start] for seat in (one, other)]
    count = chance.randint(0, min(map(len, free)))
    moving = [sum(1 << card for card in chance.sample(cards, count)) for cards in free]
    hands = list(dealt)
    hands[one] ^= moving[0] | moving[1]
    hands[other] ^= moving[0] | moving[1]
    return hands


@quick
@given(setups(wrongful_pass=("refused",)))
def test_3_9_without_wrongful_passes_at_most_all_other_seats_pass_in_a_row(setup: Setup) -> None:
    assert bytes([PASS]) * setup.seats not in bytes(setup.actions())


@quick
@given(setups())
def test_5_7_turns_of_two_seats_differ_by_at_most_one_and_the_winner_had_the_last(setup: Setup) -> None:
    """Plays + passes, a corrected pass and its correction being one turn (rules.md 5.7)."""
    deal = setup.deal()
    first = deal.to_act
    for action in setup.actions():
        deal.apply(action)
    sizes = hand_sizes(setup.rules.deck, setup.seats, setup.dealer)
    turns = [
        size - left + forced + wrongful
        for size, left, forced, wrongful in zip(sizes, deal.cards_left(), deal.forced, deal.wrongful, strict=True)
    ]
    up_to_winner = {(first + step) % setup.seats for step in range((deal.winner - first) % setup.seats + 1)}
    assert turns == [max(turns) - (seat not in up_to_winner) for seat in range(setup.seats)]
