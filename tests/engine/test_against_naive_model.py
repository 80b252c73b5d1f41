"""The engine and the naive model of the rules say the same at every step of random deals."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.engine.deal import CORRECTION, Deal, action_text
from games.engine.errors import IllegalAction
from games.engine.rules import Rules
from tests.engine.deals import ALL_ACTIONS, Setup, quick, setups, state, texts
from tests.engine.naive import NaiveDeal, deck_cards


def assert_same(deal: Deal, naive: NaiveDeal) -> None:
    assert deal.winner == naive.winner
    assert deal.to_act == (None if deal.over else naive.turn)
    assert texts(deal.legal_mask()) == naive.legal()
    assert {action_text(card) for card in deal.legal()} == naive.legal()
    assert [texts(hand) for hand in deal.hands] == naive.hands
    assert deal.correctable == naive.corrector()
    assert deal.forced == naive.forced()
    assert deal.wrongful == naive.wrongful()
    assert sorted(deal.withheld) == sorted(naive.withheld())
    for row, ranks, suit in zip(deal.rows(), naive.rows(), "CDHS", strict=True):
        assert row is None if not ranks else row and tuple(map(action_text, row)) == (ranks[0] + suit, ranks[-1] + suit)


@quick
@given(setups())
def test_engine_and_naive_model_agree_after_every_action(setup: Setup) -> None:
    deal, naive = setup.deal(), setup.naive()
    assert_same(deal, naive)
    for action in setup.actions():
        deal.apply(action)
        naive.do(action_text(action))
        assert_same(deal, naive)
    assert deal.over


@quick
@given(setups())
def test_engine_and_naive_model_refuse_the_same_actions_for_the_same_first_reason(setup: Setup) -> None:
    deal, naive = setup.deal(), setup.naive()
    actions = setup.actions()
    looked_at = {0, len(actions), *Random(setup.seed).choices(range(len(actions)), k=4)}
    for place, action in enumerate([*actions, None]):
        if place in looked_at:
            for tried in ALL_ACTIONS:
                assert refusal(deal, tried) == naive.why_not(action_text(tried)), action_text(tried)
        if action is not None:
            deal.apply(action)
            naive.do(action_text(action))


def refusal(deal: Deal, action: int) -> str | None:
    """The code with which the deal refuses the action; check and apply must agree, and refusing must change nothing."""
    try:
        deal.check(action)
    except IllegalAction as error:
        assert error.action == len(deal.log)
        before = state(deal)
        with pytest.raises(IllegalAction) as again:
            deal.apply(action)
        assert again.value.code == error.code
        assert state(deal) == before
        return error.code
    deal.copy().apply(action)
    return None


@quick
@given(setups())
def test_a_copy_is_played_on_without_touching_the_deal(setup: Setup) -> None:
    deal = setup.deal()
    for action in setup.actions():
        before = state(deal)
        twin = deal.copy()
        assert state(twin) == before
        twin.apply(action)
        assert state(deal) == before
        deal.apply(action)
        assert state(twin) == state(deal)


@quick
@given(setups(), st.sampled_from([*ALL_ACTIONS, -1, 255]), st.booleans())
@example(Setup(rules=Rules(), seats=4, dealer=0, seed=0, slips=0, repairs=0), -1, True)
def test_a_row_of_actions_ends_where_they_end_one_by_one_also_when_one_is_refused(
    setup: Setup, wrong: int, at_the_end: bool
) -> None:
    actions = setup.actions()
    place = len(actions) if at_the_end else Random(setup.seed).randrange(len(actions))
    row = [*actions[:place], wrong, *actions[place:]]
    one_by_one, together = setup.deal(), setup.deal()

    refused = [reason(lambda: [one_by_one.apply(action) for action in row]), reason(lambda: together.apply_all(row))]

    assert refused[0] == refused[1]
    assert state(one_by_one) == state(together)


def reason(work: Callable[[], object]) -> tuple[object, ...] | None:
    try:
        work()
    except IllegalAction as error:
        return error.code, error.message, error.action
    except ValueError as error:
        return type(error), str(error)
    return None


@quick
@given(setups())
def test_a_result_tells_what_the_naive_model_counts(setup: Setup) -> None:
    deal, naive = setup.deal(), setup.naive()
    for action in setup.actions():
        deal.apply(action)
        naive.do(action_text(action))
    result = deal.result()
    assert result.dealer == setup.dealer
    assert result.winner == naive.winner
    assert result.cards_left == tuple(len(hand) for hand in naive.hands)
    order = deck_cards(setup.rules.deck, setup.rules.ace)
    assert result.left_cards == tuple(tuple(sorted(hand, key=order.index)) for hand in naive.hands)
    assert result.forced_passes == tuple(naive.forced())
    assert result.wrongful_passes == tuple(naive.wrongful())
    assert sorted(result.withheld or ()) == sorted(naive.withheld())


@quick
@given(setups(wrongful_pass=(None,)))
def test_a_corrected_pass_leaves_no_trace_but_in_the_log(setup: Setup) -> None:
    """rules.md 4.2: playing at once and correcting a pass come to the same deal, one action apart."""
    actions = setup.actions()
    uncorrected, taken_back = [], list(zip(actions, [*actions[1:], 0], strict=True))
    for action, following in taken_back:
        if not following & CORRECTION:
            uncorrected.append(action & ~CORRECTION)
    first, second = setup.deal(), setup.deal()
    for action in actions:
        first.apply(action)
    for action in uncorrected:
        second.apply(action)
    assert first.result() == second.result()
