"""Playing a deal: the moves, the passes and their corrections, the end (rules.md 3, 4, 5.3)."""

import json
from pathlib import Path

import pytest

from games.engine.cards import cards_of, parse_card
from games.engine.deal import PASS, Deal, action_text, deal_out, parse_action, replay
from games.engine.errors import BadDeal, IllegalAction
from games.engine.rules import Rules
from tests.engine.deals import hand, texts

POSITIONS = Path(__file__).parents[1] / "golden" / "cases" / "positions.jsonl"
RECORDED = Rules.from_json("pagat")
REFUSING = RECORDED.with_wrongful_pass("refused")
DIAMONDS = Rules.from_json("diamond-start")

# Four seats, seat 3 deals. Each suit goes to one seat, with a few cards exchanged for the tests below.
HANDS = [
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 6S",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD 7S",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH 8S",
    "AC AD AH 2S 3S 4S 5S 9S TS JS QS KS AS",
]


def start(rules: Rules = RECORDED, hands: list[str] = HANDS, dealer: int = 3) -> Deal:
    return Deal.from_hands(rules, dealer, [hand(cards) for cards in hands])


def play(deal: Deal, tokens: str) -> Deal:
    for token in tokens.split():
        deal.apply(parse_action(token))
    return deal


def code_of(deal: Deal, token: str) -> str:
    with pytest.raises(IllegalAction) as error:
        deal.apply(parse_action(token))
    assert error.value.action == len(deal.log)
    assert error.value.message.endswith(".")
    return error.value.code


# -- moves


@pytest.mark.parametrize("line", POSITIONS.read_text().splitlines(), ids=lambda line: json.loads(line)["id"])
def test_worked_position(line: str) -> None:
    """The legal cards of a hand over a layout, both as given: the deal is brought there by playing the rows out."""
    case = json.loads(line)
    rules = Rules.from_json(case["rules"])
    held = hand(case["hand"])
    tables = rules.tables
    rows = [[parse_card(end) for end in row.split("-")] for row in case["layout"].split()]
    laid = [card for row in rows for card in outwards(tables.suits[row[0] // 13], *row)]
    if tables.start is not None and laid:
        laid.sort(key=lambda card: card != tables.start)
    # Seat 0 lays the rows while the others, who hold everything else, pass by mistake; seat 1 holds the hand asked for.
    start_elsewhere = 1 << tables.start if tables.start is not None and not laid and not held >> tables.start & 1 else 0
    rest = tables.deck_mask & ~held & ~sum(1 << card for card in laid) & ~start_elsewhere
    deal = Deal(rules, 2, [sum(1 << card for card in laid) | 1 << 52, held, rest | start_elsewhere])
    for card in laid:
        while deal.to_act != 0:
            deal.apply(PASS)
        deal.apply(card)
    while deal.to_act != 1:
        deal.apply(PASS)
    order = sorted(deal.legal(), key=tables.position.__getitem__)
    assert " ".join(map(action_text, order)) == case["legal"]


def outwards(suit: tuple[int, ...], low: int, high: int) -> list[int]:
    """The cards of a row in an order in which they can be laid."""
    seven = next(place for place, card in enumerate(suit) if action_text(card)[0] == "7")
    lowest, highest = suit.index(low), suit.index(high)
    return [*suit[seven : highest + 1], *reversed(suit[lowest:seven])]


def test_3_3_the_seat_left_of_the_dealer_begins_and_any_seven_opens() -> None:
    for dealer in range(4):
        deal = start(dealer=dealer)
        assert deal.to_act == (dealer + 1) % 4
    assert texts(start().open) == {"7C", "7D", "7H", "7S"}


def test_3_3_a_first_seat_without_a_seven_passes() -> None:
    deal = start(dealer=2)
    assert deal.legal() == []
    deal.apply(PASS)
    assert deal.forced == [0, 0, 0, 1]
    assert deal.to_act == 0


def test_3_4_the_holder_begins_and_may_lay_nothing_but_the_start_card() -> None:
    deal = start(DIAMONDS)
    assert deal.to_act == 1
    assert code_of(deal, "7S") == "illegal_play"
    assert code_of(deal, "6S") == "card_not_held"
    deal.apply(parse_card("7D"))
    assert deal.to_act == 2
    assert texts(deal.open) == {"6D", "8D", "7C", "7H", "7S"}


def test_3_4_after_a_wrongful_pass_of_the_holder_everybody_else_must_pass() -> None:
    deal = play(start(DIAMONDS), "- - - -")
    assert deal.to_act == 1
    assert (deal.forced, deal.wrongful) == ([1, 0, 1, 1], [0, 1, 0, 0])
    assert texts(deal.legal_mask()) == {"7D"}


def test_3_5_a_turn_is_one_card_even_if_the_next_would_fit() -> None:
    deal = play(start(), "7C")
    assert deal.to_act == 1
    assert code_of(deal, "8C") == "card_not_held"


def test_3_8_the_last_card_wins_at_once_and_nothing_follows() -> None:
    deal = play(start(), "7C 7D 7H - " + " ".join(f"{r}C {r}D {r}H -" for r in "65432") + " 8C 7S 8H -")
    while not deal.over:
        deal.apply(deal.legal()[-1] if deal.legal() else PASS)
    assert deal.winner == [hand == 0 for hand in deal.hands].index(True)
    assert deal.to_act is None
    assert deal.legal_mask() == deal.open == 0
    for token in ("-", "7C", "^7C"):
        assert code_of(deal, token) == "deal_over"


def test_a_number_that_is_no_action_is_no_illegal_action_either() -> None:
    for number in (-1, 53, 63, 64 + 52, 255):
        with pytest.raises(ValueError):
            start().apply(number)


# -- passes


def test_4_1_hosted_play_refuses_a_wrongful_pass_and_changes_nothing() -> None:
    deal = start(REFUSING)
    assert code_of(deal, "-") == "illegal_pass"
    assert (deal.to_act, deal.log, deal.wrongful) == (0, bytearray(), [0, 0, 0, 0])


@pytest.mark.parametrize("wrongful_pass", [None, "fined"])
def test_4_2_the_pass_is_corrected_and_the_turn_order_does_not_change(wrongful_pass: str | None) -> None:
    deal = play(start(RECORDED.with_wrongful_pass(wrongful_pass)), "-")
    assert (deal.correctable, deal.to_act, deal.wrongful) == (0, 1, [1, 0, 0, 0])
    play(deal, "^7C")
    assert (deal.correctable, deal.to_act, deal.wrongful) == (None, 1, [0, 0, 0, 0])
    assert texts(deal.open) == {"6C", "8C", "7D", "7H", "7S"}


def test_4_2_after_the_next_action_of_anybody_the_pass_stands() -> None:
    assert code_of(play(start(), "- 7D"), "^7C") == "nothing_to_correct"
    assert code_of(play(start(), "- -"), "^7C") == "card_not_held"  # it is seat 1's pass that can be corrected now


def test_4_2_a_forced_pass_cannot_be_corrected() -> None:
    assert code_of(play(start(dealer=2), "-"), "^7C") == "nothing_to_correct"


def test_4_2_a_correction_cannot_be_corrected_nor_made_twice() -> None:
    assert code_of(play(start(), "- ^7C"), "^6C") == "nothing_to_correct"


def test_4_2_the_card_of_a_correction_must_be_held_and_fit() -> None:
    deal = play(start(), "-")
    assert code_of(deal, "^7D") == "card_not_held"
    assert code_of(deal, "^8C") == "illegal_play"
    assert deal.correctable == 0


def test_4_3_a_correction_may_end_the_deal() -> None:
    deal = start(hands=HANDS)
    while deal.cards_left()[0] > 1 or deal.to_act != 0 or not deal.legal():
        deal.apply(deal.legal()[0] if deal.to_act == 0 and deal.legal() and deal.cards_left()[0] > 1 else _lazy(deal))
    last = deal.legal()[0]
    play(deal, "- ^" + action_text(last))
    assert (deal.winner, deal.to_act, deal.wrongful[0]) == (0, None, 0)


def _lazy(deal: Deal) -> int:
    """A card of the suit that seat 0 waits for, else a pass: nobody but seat 0 gets rid of its cards."""
    wanted = deal.legal_mask() & hand("7S 6S 8S AC")
    return cards_of(wanted)[0] if wanted and deal.to_act != 0 else PASS


# -- withheld sevens


def test_5_3_the_holders_of_six_and_eight_are_paid() -> None:
    deal = play(start(), "7C - 7H -")
    assert deal.wrongful == [0, 1, 0, 0]
    # Seat 1 holds 7D with 6D and 8D itself, which is paid to nobody, and 7S with its neighbours at seats 0 and 2.
    assert deal.withheld == [(1, 0), (1, 2)]


def test_5_3_each_seven_is_paid_once_a_deal_however_often_it_is_withheld() -> None:
    assert play(start(), "7C - 7H - 8C - 8H -").withheld == [(1, 0), (1, 2)]


def test_5_3_a_corrected_pass_pays_nothing_and_a_later_one_pays_then() -> None:
    deal = play(start(), "7C - ^7D")
    assert deal.withheld == []
    play(deal, "7H - 8C -")
    assert deal.withheld == [(1, 0), (1, 2)]


def test_5_3_one_seat_with_both_neighbours_gets_both() -> None:
    hands = [HANDS[0].replace("6S", "8S"), HANDS[1], HANDS[2].replace("8S", "AC"), HANDS[3].replace("AC", "6S")]
    hands[0], hands[3] = hands[0].replace("2C", "6S"), hands[3].replace("6S", "2C")
    assert play(start(hands=hands), "7C -").withheld == [(1, 0), (1, 0)]


def test_5_3_two_sevens_withheld_are_two_penalties() -> None:
    hands = [HANDS[0], HANDS[1].replace("8D", "8H"), HANDS[2].replace("8H", "8D"), HANDS[3]]
    assert sorted(play(start(hands=hands), "7C -").withheld) == [(1, 0), (1, 2), (1, 2)]


def test_5_3_a_deck_of_32_has_no_six_to_be_paid() -> None:
    hands = ["7C 8C 9C TC JC QC KC AC", "7D 8D 9D TD JD QD KD 7S", "7H 8H 9H TH JH QH KH 8S", "AD AH 9S TS JS QS KS AS"]
    assert play(start(Rules.from_json("short-32"), hands), "7C -").withheld == [(1, 2)]


def test_5_3_before_the_start_card_lies_it_alone_can_be_withheld() -> None:
    hands = [HANDS[0], HANDS[1].replace("8D", "8H"), HANDS[2].replace("8H", "8D"), HANDS[3]]
    assert play(start(DIAMONDS, hands), "-").withheld == [(1, 2)]


def test_5_3_a_forced_pass_withholds_nothing() -> None:
    assert play(start(DIAMONDS), "- - -").withheld == []


def test_5_3_playing_something_else_and_keeping_a_seven_is_allowed() -> None:
    assert play(start(), "7C 7D 7H - 8C 8D").withheld == []


# -- cards


def test_2_2_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    deck = list(RECORDED.tables.deck)
    hands = deal_out(5, 1, deck)
    assert [hands[seat].bit_count() for seat in range(5)] == [10, 10, 11, 11, 10]
    assert cards_of(hands[2])[:2] == [0, 5]
    assert Deal.from_deck(RECORDED, 1, deck, 5).hands == hands


@pytest.mark.parametrize(
    ("hands", "dealer"),
    [
        (HANDS, 4),
        (HANDS, -1),
        (HANDS[:3], 0),
        ([*HANDS, ""], 0),
        ([HANDS[0], HANDS[0], *HANDS[2:]], 0),
        ([HANDS[0] + " AC", *HANDS[1:]], 0),
        ([HANDS[0] + " AC", *HANDS[1:3], HANDS[3].removeprefix("AC ")], 0),
        ([HANDS[0].removeprefix("2C "), *HANDS[1:]], 0),
        ([" ".join(HANDS)], 0),
    ],
)
def test_cards_that_make_no_deal_are_refused(hands: list[str], dealer: int) -> None:
    with pytest.raises(BadDeal) as error:
        start(hands=hands, dealer=dealer)
    assert error.value.code == "bad_deal"
    assert error.value.message.endswith(".")


def test_a_deck_that_is_not_whole_is_refused() -> None:
    deck = list(RECORDED.tables.deck)
    for wrong in (deck[:-1], [*deck, deck[0]], [deck[1], *deck[1:]], []):
        with pytest.raises(BadDeal):
            Deal.from_deck(RECORDED, 0, wrong, 4)
    with pytest.raises(BadDeal):
        Deal.from_deck(Rules.from_json("short-32"), 0, deck, 4)


# -- results


def test_a_deal_that_is_not_over_has_no_result() -> None:
    with pytest.raises(ValueError):
        start().result()


def test_replay_names_the_index_of_the_action_refused() -> None:
    with pytest.raises(IllegalAction) as error:
        replay(RECORDED, 3, [hand(cards) for cards in HANDS], [parse_action(t) for t in ["7C", "7D", "7H", "-", "5C"]])
    assert (error.value.code, error.value.action) == ("illegal_play", 4)
