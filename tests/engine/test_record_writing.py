"""One form of writing: what is written is read and written again as the same bytes (docs/record-format.md)."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given

from games.engine.cards import cards_of
from games.engine.record import parse, replay_record, write
from scoring.schemes import scheme_from_json
from tests.engine.deals import quick
from tests.engine.records import GOOD, RESULT, line, record_lines, run
from tests.engine.test_deal import HANDS

FORMAT = Path(__file__).parents[2] / "docs" / "record-format.md"


@quick
@given(record_lines())
def test_writing_reading_and_writing_again_gives_the_same_bytes(text: bytes) -> None:
    record = parse(text)
    written = write(record)
    again = parse(written.encode())
    assert write(again) == written
    assert "\n" not in written
    first, second = replay_record(record), replay_record(again)
    assert first._replace(deal=None) == second._replace(deal=None)
    assert first.result() == second.result()


@quick
@given(record_lines())
def test_what_is_written_says_what_was_read(text: bytes) -> None:
    before, after = json.loads(text), json.loads(write(parse(text)))
    for key in before.keys() - {"rules", "scheme", "deck", "hands", "actions", "result"}:
        assert after[key] == before[key]
    assert after.get("actions", "") == before.get("actions", "")
    assert after.get("result") == before.get("result")
    assert ("scheme" in before) == ("scheme" in after)
    if "scheme" in before:
        assert scheme_from_json(after["scheme"]).values == scheme_from_json(before["scheme"]).values
    known = "sevens rules scheme session number players dealer hands actions result voided".split()  # noqa: SIM905
    others = [key for key in before if key not in {*known, "deck"}]
    assert list(after) == [key for key in known if key in after] + others


def test_the_written_form() -> None:
    record = dict(reversed(GOOD.items())) | {
        "rules": {"ace": "low", "profile": "pagat", "deck": 52},
        "note": "\u00e9\u2028\n",
    }
    record |= {"hands": [" ".join(reversed(held.split())) for held in HANDS], "actions": " 7C  7D 7H - "}
    assert write(parse(line(record, number=3, session="s"))) == (
        '{"sevens":1,"rules":{"profile":"pagat","ace":"low"},"session":"s","number":3,'
        '"players":["Ana","Бранко","Chloé","Duarte"],"dealer":3,'
        '"hands":["2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 6S","2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD 7S",'
        '"2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH 8S","AC AD AH AS 2S 3S 4S 5S 9S TS JS QS KS"],'
        '"actions":"7C 7D 7H -","note":"é\u2028\\n"}'
    )


def test_a_deck_is_written_as_the_hands_that_it_gives() -> None:
    deck = " ".join(c for cards in zip(*[held.split() for held in HANDS], strict=True) for c in cards)
    assert write(parse(line(GOOD, "hands", deck=deck))) == write(parse(line()))


def test_ten_is_written_as_t() -> None:
    hands = [held.replace("T", "10") for held in HANDS]
    assert write(parse(line(hands=hands))) == write(parse(line()))


def test_keys_with_nothing_to_say_are_left_out() -> None:
    written = write(parse(line(actions="", result={})))
    assert "actions" not in json.loads(written)
    assert "result" not in json.loads(written)


def test_an_empty_log_is_written_where_the_result_would_otherwise_stand_alone() -> None:
    text = line(actions="", result={"cards_left": [13, 13, 13, 13]})
    assert run(text).finished is False
    assert json.loads(write(parse(text)))["actions"] == ""
    assert run(write(parse(text)).encode()).finished is False


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("wins", "wins"),
        ("wins:target=3", "wins"),
        ("wins:target=5", {"scheme": "wins", "target": 5}),
        ({"scheme": "pool", "card_left": 2, "ante": 0}, {"scheme": "pool", "ante": 0, "card_left": 2}),
        ("chip-pot:ante=1,forced_pass=0", {"scheme": "chip-pot", "forced_pass": 0}),
    ],
)
def test_a_scheme_is_written_as_an_object_only_where_it_differs_from_its_name(asked: object, written: object) -> None:
    after = json.loads(write(parse(line(scheme=asked))))["scheme"]
    assert after == written
    if isinstance(written, dict):
        assert list(after) == list(written)


def test_numbers_in_other_keys_keep_every_digit() -> None:
    digits = '{"a":1.50,"b":[1E+5,-0,-0.0],"c":' + "9" * 5000 + ',"d":0.1000000000000000055511151231257827}'
    text = line().decode()[:-1] + ',"x":' + digits + "}"
    assert write(parse(text.encode())).endswith(',"x":' + digits + "}")


def test_text_in_other_keys_is_unescaped_except_what_json_demands() -> None:
    text = line().decode()[:-1] + r', "\u0078" : "\u00e9\/\ud83d\ude00\u0022\u005c\u001f\u007f" }'
    assert write(parse(text.encode())).endswith(',"x":"é/😀\\"\\\\\\u001f\x7f"}')


def test_other_keys_of_a_result_are_kept_behind_the_known_ones() -> None:
    text = line(RESULT, result={"note": [1.5], "cards_left": [2, 3, 1, 0]}).replace(b"1.5", b"1.50")
    assert write(parse(text)).endswith('"result":{"cards_left":[2,3,1,0],"note":[1.50]}}')


def test_a_voided_deal_is_kept_as_it_was_with_cards_twice_and_too_many_hands() -> None:
    text = line(hands=["7D 7D 2C", "", "AS", "10H", "KC"], actions="- ^7C 7C 7C", voided="misdeal")
    written = json.loads(write(parse(text)))
    assert written["hands"] == ["2C 7D 7D", "", "AS", "TH", "KC"]
    assert written["actions"] == "- ^7C 7C 7C"
    assert write(parse(write(parse(text)).encode())) == write(parse(text))


def test_a_voided_deck_is_written_as_hands_as_far_as_it_goes_round() -> None:
    text = line(GOOD, "hands", dealer=1, deck="KC KC 2C 3C 4C", voided="misdeal")
    assert json.loads(write(parse(text)))["hands"] == ["2C", "3C", "4C KC", "KC"]


def test_a_voided_deck_sorts_a_low_ace_first() -> None:
    text = line(rules="ace-low", hands=["KC AC 2C"], voided="misdeal")
    assert json.loads(write(parse(text)))["hands"] == ["AC 2C KC"]


def test_a_records_hands_are_those_that_were_dealt() -> None:
    record = parse(line())
    assert record.hands is not None
    assert [len(cards_of(held)) for held in record.hands] == [13, 13, 13, 13]


def test_the_example_of_the_documentation_is_the_worked_deal_of_rules_md_5_5() -> None:
    block = re.search(r"```json\n(.*?)```", FORMAT.read_text(), re.DOTALL)
    assert block is not None
    text = " ".join(block[1].split("\n")).strip()
    record = parse(text.encode())
    outcome = replay_record(record)
    assert outcome.winner == 3
    assert outcome.cards_left == (2, 3, 1, 0)
    assert (outcome.forced_passes, outcome.wrongful_passes) == ((3, 3, 2, 1), (0, 1, 0, 0))
    result = outcome.result()
    assert result is not None
    assert sorted(result.withheld or ()) == [(1, 0), (1, 3)]
    for scheme, points in {
        "pool": (-6, -8, -4, 18),
        "yellowclub-chips": (2, -15, -2, 15),
        "bicycle": (-1, -20, -4, 25),
        "wins": (0, 0, 0, 1),
        "card-count": (2, 3, 1, 0),
    }.items():
        assert scheme_from_json(scheme).score(result) == points
