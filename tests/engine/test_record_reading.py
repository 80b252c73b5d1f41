"""Every fault of a line by its code, the first one that holds (docs/record-format.md)."""

import json
from typing import Any

import pytest

from games.engine.record import MAX_LINE, RecordError, parse
from tests.engine.records import GOOD, RESULT, code, finished, line, run
from tests.engine.test_deal import HANDS

SPOILT_HANDS = [HANDS[0].replace("2C", "1X"), *HANDS[1:]]


def raw(text: str) -> bytes:
    """The good line with more members, given as JSON text."""
    return line()[:-1] + b"," + text.encode() + b"}"


def test_the_good_lines_of_these_tests_are_good() -> None:
    assert code(line()) == code(line(RESULT)) == "ok"
    assert run(line(actions=finished())).finished


# -- 1 the shape of the line


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b" \t",
        b"\xef\xbb\xbf" + line(),
        b"[]",
        b"null",
        b"7",
        b'"text"',
        line()[:-1],
        line() + b"}",
        line() + line(),
        b"{'sevens':1}",
        line()[:-1] + b",}",
        line().replace(b"Ana", b"A\xffna"),
        line().replace(b"Ana", b"A\xed\xa0\x80na"),
        line().replace(b"Ana", b"A\xc0\x80na"),
        line().replace(b"Ana", b"A\x00na"),
        line().replace(b"Ana", b"A\tna"),
        line().decode().encode("utf-16"),
        line(GOOD, sevens=1.0),
        line(sevens="1"),
        line(sevens=True),
        line(sevens=0),
        line(sevens=2),
        line(sevens=[1]),
        line(rules=7),
        line(rules=["pagat"]),
        line(rules=True),
        line(scheme=7),
        line(scheme=["wins"]),
        line(session=7),
        line(number="1"),
        line(number=0),
        line(number=-3),
        line(number=True),
        line(number=1.5),
        line(number=1_000_000_000),
        line(players="Ana"),
        line(players=["Ana", "Bo", "Cem", ""]),
        line(players=["Ana", "Bo", "Cem", None]),
        line(players=["Ana", "Bo", "Cem", 7]),
        line(players={"0": "Ana"}),
        line(dealer="3"),
        line(dealer=3.0),
        line(dealer=False),
        line(dealer=12345678901234567890),
        line(dealer=-1_234_567_890),
        line(hands=" ".join(HANDS)),
        line(hands=[held.split() for held in HANDS]),
        line(hands=[*HANDS[:3], None]),
        line(GOOD, "hands", deck=["7D"]),
        line(actions=["7C"]),
        line(actions=7),
        line(result=[13, 13, 13, 13]),
        line(voided=True),
        line(voided=""),
        line(voided=["misdeal"]),
        line(deck=" ".join(HANDS)),
        line(deck=" ".join(HANDS), voided="both"),
        line(GOOD, "hands"),
        line(GOOD, "hands", result={"cards_left": [13, 13, 13, 13]}),
        line(GOOD, "hands", "actions"),
        line(hands=SPOILT_HANDS),
        line(hands=SPOILT_HANDS, voided="misdeal"),
        line(RESULT, hands=SPOILT_HANDS),
        line(GOOD, "hands", deck="7D 7♦"),
        line(hands=[HANDS[0].replace(" ", "\t"), *HANDS[1:]]),
        line(hands=[HANDS[0].replace(" ", ","), *HANDS[1:]]),
        line(hands=[HANDS[0].replace("6C", "6c"), *HANDS[1:]]),
        line(hands=[HANDS[0].replace("6C", "-"), *HANDS[1:]]),
        line(hands=[HANDS[0].replace("6C", "^6C"), *HANDS[1:]]),
    ],
)
def test_a_bad_record(text: bytes) -> None:
    assert code(text) == "bad_record"


@pytest.mark.parametrize("key", ["sevens", "rules", "players", "dealer"])
def test_a_key_that_must_be_there_is_missing(key: str) -> None:
    assert code(line(GOOD, key)) == "bad_record"


@pytest.mark.parametrize(
    "key",
    [*GOOD, "deck", "scheme", "session", "number", "result", "voided", *(f"result.{k}" for k in RESULT["result"])],
)
def test_null_is_no_value_of_a_known_key(key: str) -> None:
    outer, _, inner = key.partition(".")
    record = {**RESULT, outer: {**RESULT["result"], inner: None}} if inner else {**GOOD, outer: None}
    assert code(line(record)) == "bad_record"


@pytest.mark.parametrize(
    "members",
    [
        '"dealer":0',
        '"x":1,"x":1',
        '"x":{"a":1,"b":{"c":[{"d":1,"d":2}]}}',
        '"x":1,"\\u0078":2',
        '"result":{"cards_left":[1],"cards_left":[1]}',
        '"x":NaN',
        '"x":[-Infinity]',
        '"x":Infinity',
        '"x":01',
        '"x":+1',
        '"x":1.',
        '"x":.5',
        '"x":0x10',
        '"x":"\\ud800"',
        '"x":["\\ude00\\ud83d"]',
        '"\\udfff":1',
        '"x":{"a":{"\\ud83d":1}}',
        '"x":"\\x41"',
        '"x":' + "[" * 100 + "]" * 100,
        '"x":' + '{"a":' * 100 + "1" + "}" * 100,
        '"x":' + "[" * 100_000 + "]" * 100_000,
        '"x":' + '{"a":[' * 60_000,
    ],
)
def test_json_that_is_refused_anywhere_in_the_line(members: str) -> None:
    assert code(raw(members)) == "bad_record"


@pytest.mark.parametrize(
    "members",
    [
        '"x":null',
        '"x":1e400',
        '"x":' + "9" * 5_000,
        '"x":"\\ud83d\\ude00"',
        '"x":"\\u0000"',
        '"":0',
        '"x":' + "[" * 99 + "]" * 99,
        '"x":"' + "[{" * 1_000 + '"',
        '"Sevens":2',
    ],
)
def test_json_that_other_keys_may_hold(members: str) -> None:
    assert code(raw(members)) == "ok"


def test_a_line_longer_than_a_megabyte_is_refused_and_one_as_long_is_not() -> None:
    padding = MAX_LINE - len(raw('"x":""'))
    assert code(raw(f'"x":"{"y" * padding}"')) == "ok"
    assert code(raw(f'"x":"{"y" * (padding + 1)}"')) == "bad_record"


@pytest.mark.parametrize(
    ("actions", "index"),
    [
        ("1X", 0),
        ("7C 7D 7h", 2),
        ("7C  7D   --", 2),
        ("7C ^", 1),
        ("^-", 0),
        ("^^7C", 0),
        ("7C 7D\t7H", 1),
        ("7C\u00a07D", 0),
        ("7C 7D 7H - 8C - ^8D 8H 8", 8),
    ],
)
def test_an_unreadable_action_is_named_by_its_index(actions: str, index: int) -> None:
    assert code(line(actions=actions)) == ("bad_record", index)
    assert code(line(actions=actions, rules="nope", voided="also when voided")) == ("bad_record", index)


def test_an_unreadable_card_is_found_before_a_bad_rule_and_wherever_it_stands() -> None:
    assert code(line(rules="nope", dealer=9, hands=SPOILT_HANDS, actions="KS")) == "bad_record"
    assert code(line(rules="nope", dealer=9, actions="KS 1X")) == ("bad_record", 1)


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"forced_passes": [0, 0, 0, 0]},
        {"cards_left": "2 3 1 0"},
        {"cards_left": [2, 3, 1, 0.0]},
        {"cards_left": [2, 3, 1, False]},
        {"cards_left": [2, 3, 1, None]},
        {"cards_left": [2, 3, 1, 10_000_000_000]},
        {"cards_left": [2, 3, 1, 0], "forced_passes": 3},
        {"cards_left": [2, 3, 1, 0], "wrongful_passes": ["1"]},
        {"cards_left": [2, 3, 1, 0], "withheld": {}},
        {"cards_left": [2, 3, 1, 0], "withheld": [1, 0]},
        {"cards_left": [2, 3, 1, 0], "withheld": [[1, 0, 2]]},
        {"cards_left": [2, 3, 1, 0], "withheld": [[1]]},
        {"cards_left": [2, 3, 1, 0], "withheld": [[1, "0"]]},
        {"cards_left": [2, 3, 1, 0], "withheld": [[1, True]]},
    ],
)
def test_a_result_of_the_wrong_shape(result: dict[str, Any]) -> None:
    assert code(line(RESULT, result=result)) == "bad_record"
    assert code(line(RESULT, result=result, rules="nope")) == "bad_record"


def test_what_is_accepted_all_the_same() -> None:
    assert code(line() + b"\r") == code(b" " + line() + b"\n") == "ok"
    assert code(line(actions="  7C   7D ", hands=[f"  {held.replace(' ', '   ')} " for held in HANDS])) == "ok"
    assert code(line(hands=[held.replace("T", "10") for held in HANDS], actions="7C 7D 7H - 8C - ^8D 8H")) == "ok"
    assert code(line(players=["Ana"] * 4)) == "ok"
    assert code(line(dealer=3).replace(b'"dealer": 3', b'"dealer": -0')) == code(line(dealer=0))
    assert code(line(session="")) == "ok"
    assert code(json.dumps(GOOD, indent=1).replace("\n", " ").encode()) == "ok"


# -- 2 rules and scheme


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": "nope"},
        {"rules": {}},
        {"rules": {"ace": "low"}},
        {"rules": {"profile": None}},
        {"rules": {"profile": "pagat", "deck": 52.0}},
        {"rules": {"profile": "pagat", "deck": 12345678901}},
        {"rules": {"profile": "pagat", "jokers": 0}},
        {"rules": {"profile": "short-32", "ace": "low"}},
        {"scheme": "golf"},
        {"scheme": ""},
        {"scheme": "wins:"},
        {"scheme": "wins:target=0"},
        {"scheme": "wins:target=3,target=3"},
        {"scheme": {}},
        {"scheme": {"scheme": None}},
        {"scheme": {"scheme": "wins", "target": True}},
        {"scheme": {"scheme": "wins", "target": 2.0}},
        {"scheme": {"scheme": "wins", "target": 12345678901}},
        {"scheme": {"scheme": "wins", "ante": 1}},
    ],
)
def test_bad_rules(changes: dict[str, Any]) -> None:
    assert code(line(**changes)) == "bad_rules"
    assert code(line(**changes, dealer=9, actions="KS")) == "bad_rules"
    assert code(line(**changes, voided="also when voided")) == "bad_rules"
    assert code(line(RESULT, **changes)) == "bad_rules"


# -- 3 seats and cards


@pytest.mark.parametrize(
    "changes",
    [
        {"dealer": -1},
        {"dealer": 4},
        {"dealer": -123_456_789},
        {"players": ["Ana", "Bo"], "dealer": 0},
        {"players": [], "dealer": 0},
        {"players": [str(seat) for seat in range(9)]},
        {"rules": "duel", "players": ["Ana"], "dealer": 0},
    ],
)
def test_bad_seats(changes: dict[str, Any]) -> None:
    assert code(line(**changes)) == "bad_deal"
    assert code(line(**changes, actions="KS")) == "bad_deal"
    assert code(line(**changes, voided="also when voided")) == "bad_deal"
    assert code(line(RESULT, **changes)) == "bad_deal"


@pytest.mark.parametrize(
    "hands",
    [
        HANDS[:3],
        [*HANDS, ""],
        [],
        [" ".join(HANDS[:2]), "", *HANDS[2:]],
        [HANDS[0], HANDS[0], *HANDS[2:]],
        [HANDS[0].replace("2C", "3C"), *HANDS[1:]],
        [HANDS[0].removeprefix("2C "), *HANDS[1:]],
        [HANDS[0] + " 2C", *HANDS[1:]],
        [HANDS[0].removeprefix("2C 3C "), HANDS[1] + " 2C", HANDS[2] + " 3C", HANDS[3]],
        [HANDS[0].replace("3C", "2C 2C"), *HANDS[1:]],  # as bits, in sum the deck
    ],
)
def test_bad_hands(hands: list[str]) -> None:
    assert code(line(hands=hands)) == "bad_deal"
    assert code(line(hands=hands, actions="KS")) == "bad_deal"
    assert code(line(RESULT, hands=hands)) == "bad_deal"
    assert code(line(hands=hands, voided="kept as it was")) == "ok"


def test_bad_decks() -> None:
    deck = " ".join(HANDS).split()
    as_bits_in_sum_the_deck = [deck[0], deck[0], deck[0], *deck[2:]]
    for wrong in (deck[:-1], [*deck, deck[0]], [deck[1], *deck[1:]], [], as_bits_in_sum_the_deck):
        text = " ".join(wrong)
        assert code(line(GOOD, "hands", "actions", deck=text)) == "bad_deal"
        assert code(line(RESULT, deck=text)) == "bad_deal"
        assert code(line(GOOD, "hands", "actions", deck=text, voided="kept as it was")) == "ok"


def test_cards_must_be_of_the_deck_that_the_rules_say() -> None:
    assert code(line(rules="short-32", actions="")) == "bad_deal"


def test_longer_hands_must_follow_from_the_dealer() -> None:
    deck = [card for held in HANDS for card in held.split()]
    hands = [" ".join(deck[seat::3]) for seat in range(3)]  # seat 0 has 18 cards, so seat 2 has dealt
    for dealer, expected in ((2, "ok"), (0, "bad_deal"), (1, "bad_deal")):
        assert code(line(GOOD, "actions", players=["A", "B", "C"], dealer=dealer, hands=hands)) == expected


# -- 4 actions


@pytest.mark.parametrize(
    ("actions", "wrongful_pass", "fault"),
    [
        ("7C 8C", None, ("card_not_held", 1)),
        ("7C 9D", None, ("illegal_play", 1)),
        ("7C -", "refused", ("illegal_pass", 1)),
        ("7C - 7H - ^7D", None, ("nothing_to_correct", 4)),
        ("7C ^7D", None, ("nothing_to_correct", 1)),
        ("^7C", None, ("nothing_to_correct", 0)),
        ("- ^7C ^6C", None, ("nothing_to_correct", 2)),
        ("- ^7D", None, ("card_not_held", 1)),
        ("- ^8C", None, ("illegal_play", 1)),
        ("- ^7C", "refused", ("illegal_pass", 0)),
        ("7C 7D 7H - ^AC", "refused", ("nothing_to_correct", 4)),
        ("- ^7C", "fined", "ok"),
        ("- -", "fined", "ok"),
        ("- -", None, "ok"),
        ("7C 8C KS", None, ("card_not_held", 1)),
        ("7C 8C", "refused", ("card_not_held", 1)),
        ("7C 7D 7H KS", None, ("illegal_play", 3)),
    ],
)
def test_the_first_action_at_fault(actions: str, wrongful_pass: str | None, fault: object) -> None:
    rules = "pagat" if wrongful_pass is None else {"profile": "pagat", "wrongful_pass": wrongful_pass}
    assert code(line(rules=rules, actions=actions)) == fault


def test_after_the_winning_card_anything_is_deal_over() -> None:
    whole = finished()
    for more in ("-", "7C", "AS", "^7C", "^AS - -"):
        assert code(line(actions=f"{whole} {more}")) == ("deal_over", len(whole.split()))


def test_actions_come_before_the_result() -> None:
    assert code(line(actions="7C 8C", result={"cards_left": [0]})) == ("card_not_held", 1)


# -- 5 results


@pytest.mark.parametrize(
    "changes",
    [
        {"cards_left": [2, 3, 1]},
        {"cards_left": [2, 3, 1, 0, 1]},
        {"cards_left": []},
        {"cards_left": [2, 3, 1, 1]},
        {"cards_left": [2, 3, 0, 0]},
        {"cards_left": [2, -3, 1, 0]},
        {"cards_left": [2, 14, 1, 0]},
        {"forced_passes": [0, 0, 0]},
        {"forced_passes": [0, 0, 0, -1]},
        {"wrongful_passes": [0, 0, 0, 0, 0]},
        {"wrongful_passes": [-1, 0, 0, 0]},
        {"withheld": [[1, 4]]},
        {"withheld": [[-1, 0]]},
        {"withheld": [[1, 1]]},
    ],
)
def test_a_bad_result(changes: dict[str, Any]) -> None:
    result = {**RESULT["result"], **changes}
    assert code(line(RESULT, result=result)) == "bad_result"
    assert code(line(actions=finished(), result=result)) == "bad_result"
    assert code(line(RESULT, result=result, voided="not looked at")) == "ok"


def test_no_seat_has_more_cards_left_than_it_was_dealt() -> None:
    three = {"players": ["A", "B", "C"], "dealer": 2}
    assert code(line(RESULT, **three, result={"cards_left": [18, 17, 0]})) == "ok"
    assert code(line(RESULT, **three, result={"cards_left": [0, 18, 1]})) == "bad_result"
    assert code(line(RESULT, rules="short-32", result={"cards_left": [9, 0, 1, 1]})) == "bad_result"


def test_each_key_given_must_be_what_the_replay_says_where_the_log_stops() -> None:
    outcome = run(line())
    right: dict[str, Any] = {
        "cards_left": outcome.cards_left,
        "forced_passes": outcome.forced_passes,
        "wrongful_passes": outcome.wrongful_passes,
        "withheld": [],
    }
    assert code(line(result=right)) == "ok"
    for key, value in right.items():
        assert code(line(result={key: value})) == "ok"
        step = -1 if key == "cards_left" else 1
        wrong = [[0, 1]] if key == "withheld" else [count + step for count in value]
        assert code(line(result={key: wrong})) == "result_mismatch"
        assert code(line(result={**right, key: wrong})) == "result_mismatch"


def test_a_pass_that_could_still_be_corrected_counts_as_wrongful_where_the_log_stops() -> None:
    given = {"wrongful_passes": [0, 1, 0, 0], "forced_passes": [0, 0, 0, 0], "withheld": [[1, 2], [1, 0]]}
    assert code(line(actions="7C -", result=given)) == "ok"
    assert code(line(actions="7C - ^7D", result=given)) == "result_mismatch"


def test_payments_for_withheld_sevens_are_compared_whatever_their_order_but_by_number() -> None:
    for withheld, expected in (
        ([[1, 0], [1, 2]], "ok"),
        ([[1, 2], [1, 0]], "ok"),
        ([[1, 2], [1, 2]], "result_mismatch"),
        ([[1, 0], [1, 2], [1, 2]], "result_mismatch"),
        ([[1, 0]], "result_mismatch"),
        ([], "result_mismatch"),
    ):
        assert code(line(actions="7C - 7H", result={"withheld": withheld})) == expected


def test_an_unfinished_deal_may_have_a_result_without_a_zero() -> None:
    assert code(line(actions="7C", result={"cards_left": [12, 13, 13, 13]})) == "ok"
    assert code(line(actions="", result={"cards_left": [13, 13, 13, 13]})) == "ok"
    assert code(line(actions="7C", result={"cards_left": [0, 13, 13, 13]})) == "result_mismatch"


# -- what a record needs


def test_a_result_alone_needs_no_cards_and_a_voided_deal_nothing_but_its_seats() -> None:
    outcome = run(line(RESULT, result={"cards_left": [2, 3, 1, 0]}))
    assert (outcome.finished, outcome.winner, outcome.actions) == (True, 3, None)
    assert (outcome.forced_passes, outcome.wrongful_passes) == (None, None)
    result = outcome.result()
    assert result is not None
    assert (result.withheld, result.left_cards, result.hand_sizes) == (None, None, (13, 13, 13, 13))
    voided = run(line(GOOD, "hands", "actions", voided="misdeal"))
    assert voided.voided
    assert voided.result() is None


def test_a_deal_without_actions_and_result_is_dealt_and_not_yet_played() -> None:
    outcome = run(line(GOOD, "actions"))
    assert (outcome.finished, outcome.winner, outcome.actions, outcome.cards_left) == (False, None, 0, (13, 13, 13, 13))


def test_a_voided_deal_is_not_replayed() -> None:
    outcome = run(line(actions="KS - ^7C", result={"cards_left": [1, 2]}, voided="a card fell"))
    assert outcome.voided
    assert outcome.deal is None


def test_a_message_says_what_was_wrong_where_and_what_was_expected() -> None:
    for text, words in (
        (line(dealer="3"), ["dealer", "whole number"]),
        (line(players=["A", "B"], dealer=0), ["3 to 8", "2"]),
        (line(rules="nope"), ["'nope'", "pagat"]),
        (line(hands=[HANDS[0].replace("2C", "3C"), *HANDS[1:]]), ["3C", "twice"]),
        (raw('"dealer":0'), ["'dealer'", "twice"]),
    ):
        with pytest.raises(RecordError) as error:
            parse(text)
        assert all(word in error.value.message for word in words), error.value.message
