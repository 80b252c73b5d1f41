"""Settings of a competition: read, refused with a reason, written back, and changed for one round."""

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.seating import NoTables, TableRule
from competitions.settings import DEFAULTS, OVERRIDABLE, BadSettings, read_settings
from games.engine.rules import PROFILES
from games.services.sessions import LONGEST_WAIT, MOST_PLANNED
from scoring.tiebreaks import available

TABLES = DEFAULTS["tables"]


def tables(preferred: int, smallest: int, largest: int, **more: Any) -> dict[str, Any]:
    return {"preferred": preferred, "smallest": smallest, "largest": largest, **more}


def test_settings_that_say_nothing_are_a_league_of_nights() -> None:
    plain = read_settings({})
    assert plain.format.key == "league-night"
    assert plain.rules.profile == "pagat"
    assert plain.scheme.text == "wins"
    assert plain.points.by == "neutral"
    assert plain.tables == TableRule(4, 3, 5)
    assert plain.counting.unranked == {"excluded", "withdrawn", "bot"}
    assert not plain.public


def test_the_scheme_left_open_is_the_one_usual_for_the_rules() -> None:
    found = {profile: read_settings({"rules": profile}).to_json()["scheme"] for profile in PROFILES}
    others = {"pool": "pool", "yellowclub": "card-count", "yellowclub-chips": "yellowclub-chips", "bicycle": "bicycle"}
    assert found == {profile: others.get(profile, "wins") for profile in PROFILES}


def test_parts_that_are_left_out_of_the_tables_are_as_usual() -> None:
    assert read_settings({"tables": {"largest": 4}}).tables == TableRule(4, 3, 4)


def test_points_are_read_exactly() -> None:
    some = read_settings({"absence": "3/2", "bye": "-0.5"})
    assert some.counting.absence == Fraction(3, 2)
    assert some.bye == Fraction(-1, 2)
    assert some.to_json()["absence"] == "3/2"


def test_schemes_and_formats_written_in_two_ways_are_the_same_settings() -> None:
    one = read_settings({"scheme": "wins:target=3", "format": {"format": "league-night"}})
    assert one == read_settings({"scheme": {"scheme": "wins"}, "format": "league-night"})


# Whether fewer points are better


@pytest.mark.parametrize(
    ("scheme", "points", "lower"),
    [
        ("wins", "scheme", False),
        ("card-count", "scheme", True),
        ("card-count", "neutral", False),
        ("wins", {"places": [1, 2, 3, 4, 5]}, True),
        ("wins", {"places": [5, 4, 3, 2, 1]}, False),
    ],
)
def test_whether_fewer_points_are_better_follows_from_points_and_scheme(
    scheme: str, points: object, lower: bool
) -> None:
    asked = {"scheme": scheme, "points": points, "absence": 100}
    assert read_settings(asked).counting.lower_is_better is lower


def test_where_fewer_points_are_better_a_missed_round_needs_a_value() -> None:
    with pytest.raises(ValueError, match="a missed round needs a value") as refusal:
        read_settings({"scheme": "card-count", "points": "scheme"})
    assert refusal.value.code == "bad_standings"  # type: ignore[attr-defined]


# Refusals


@pytest.mark.parametrize(
    ("asked", "code", "sentence"),
    [
        ({"colour": 1}, "bad_settings", "There is no setting 'colour'; there are: format, rules,"),
        ({"format": "chess"}, "bad_settings", "There is no format 'chess'; there are:.* league-night"),
        ({"format": 7}, "bad_settings", 'A format is its key or an object with the key under "format", not 7'),
        ({"format": {"format": "league-night", "nights": 3}}, "bad_settings", "has no parameter 'nights'"),
        ({"rules": "poker"}, "bad_rules", "There is no rules profile"),
        ({"scheme": "golf"}, "bad_rules", "There is no scheme 'golf'"),
        ({"points": {"places": [1, 1]}}, "bad_points", "must fall from the first place on"),
        ({"points": {"places": [3, 2, 1]}}, "bad_points", "A table of 4 has no points: there are points for 3 places"),
        ({"tie_breaks": ["luck"]}, "bad_tie_break", "There is no tie-break 'luck'"),
        ({"tie_breaks": ["wins", "wins"]}, "bad_tie_break", "wins is asked twice"),
        ({"best": 3, "drop": 1}, "bad_standings", "Either the best rounds count or the worst are dropped"),
        ({"best": 0}, "bad_settings", "best is a whole number from 1 to 500, not 0"),
        ({"drop": None}, "bad_settings", "drop is a number of rounds, 0 for none"),
        ({"drop": True}, "bad_settings", "drop is a whole number from 0 to 500, not true"),
        ({"absence": 1.5}, "bad_settings", 'absence is a whole number, a text like "1.5"'),
        ({"bye": "1e9"}, "bad_settings", "bye is a whole number"),
        ({"unranked": ["tired"]}, "bad_standings", "No entrant can be marked tired"),
        ({"unranked": "bot"}, "bad_settings", "unranked is a list of some of: excluded, withdrawn, bot"),
        ({"tables": 4}, "bad_settings", "tables is an object with some of the keys preferred"),
        ({"tables": tables(4, 3, 5, shape=1)}, "bad_settings", "tables is an object with some of the keys"),
        ({"tables": tables(4, 5, 6)}, "no_tables", "The preferred size 4 is not one of 5 to 6"),
        ({"tables": {"preferred": None}}, "bad_settings", "tables: preferred is a number of players"),
        ({"tables": tables(2, 2, 3)}, "bad_settings", "The rules pagat need 3 players, and tables may have 2"),
        ({"tables": tables(8, 3, 9)}, "bad_settings", "A table has 8 seats at most, and tables may have 9 players"),
        ({"tables": tables(4, 3, 5, full_only=1)}, "bad_settings", "tables: full_only is true or false, not 1"),
        ({"rounds": 0}, "bad_settings", "rounds is a whole number from 1 to 500, not 0"),
        ({"deals": "3"}, "bad_settings", "deals is a whole number from 1 to 1000, not '3'"),
        ({"deal_after": -1}, "bad_settings", "deal_after is a whole number from 0"),
        ({"turn_seconds": 0}, "bad_settings", "turn_seconds is a whole number from 1"),
        ({"stand_in": "hal"}, "bad_settings", "stand_in is empty or one of the bots far-first, follow, random"),
        ({"confirm": "yes"}, "bad_settings", "confirm is true or false, not 'yes'"),
        ({"public": None}, "bad_settings", "public is true or false, not null"),
        ([], "bad_settings", "Settings are an object, not a list"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(asked: Any, code: str, sentence: str) -> None:
    with pytest.raises(Exception, match=sentence) as refusal:
        read_settings(asked)
    assert refusal.value.code == code  # type: ignore[attr-defined]


def test_two_can_sit_at_a_table_where_the_rules_allow_it() -> None:
    assert read_settings({"rules": "duel", "tables": tables(2, 2, 2)}).sizes == range(2, 3)


def test_full_tables_only_need_points_for_their_one_size() -> None:
    asked = {"points": {"places": {"4": [3, 2, 1, 0]}}, "tables": tables(4, 3, 5, full_only=True)}
    assert read_settings(asked).sizes == range(4, 5)


@pytest.mark.parametrize(
    ("name", "most"), [("deal_after", LONGEST_WAIT), ("turn_seconds", LONGEST_WAIT), ("deals", MOST_PLANNED)]
)
def test_a_table_takes_no_more_than_its_session_does(name: str, most: int) -> None:
    assert getattr(read_settings({name: most}), name) == most
    with pytest.raises(BadSettings):
        read_settings({name: most + 1})


# One round


def test_a_round_can_have_its_own_rules_scheme_points_tie_breaks_and_deals() -> None:
    season = read_settings({"rounds": 5})
    own = {"rules": "pool", "scheme": "pool", "points": "scheme", "tie_breaks": ["wins"], "deals": 8}
    assert set(own) == set(OVERRIDABLE)
    assert season.overridden(own).to_json() == {**season.to_json(), **own}


def test_a_round_with_other_rules_keeps_the_scheme_of_the_competition() -> None:
    assert read_settings({"scheme": "wins"}).overridden({"rules": "pool"}).scheme.text == "wins"


def test_a_round_cannot_have_its_own_tables_or_format() -> None:
    with pytest.raises(BadSettings, match="A round cannot have its own 'tables'; it can have: rules, scheme"):
        read_settings({}).overridden({"tables": TABLES})


def test_a_round_is_checked_like_the_competition() -> None:
    with pytest.raises(ValueError, match="A table of 5 has no points"):
        read_settings({}).overridden({"points": {"places": [3, 2, 1, 0]}})


def test_a_round_where_fewer_points_are_better_does_not_go_with_others_where_more_are() -> None:
    with pytest.raises(BadSettings, match="In this competition more points are better"):
        read_settings({"absence": 0}).overridden({"points": {"places": [1, 2, 3, 4, 5]}})


# Whatever is asked

whole = st.integers(1, 500)
points = st.integers(-(10**9) + 1, 10**9 - 1) | st.fractions(-1000, 1000, max_denominator=999).map(str)
asked_settings = st.fixed_dictionaries(
    {},
    optional={
        "rules": st.sampled_from(["pagat", "pool", {"profile": "pagat", "ace": "low"}, "duel"]),
        "scheme": st.sampled_from([None, "wins", "wins:target=5", {"scheme": "pool", "deals": 4}]),
        "points": st.sampled_from(["neutral", "scheme", {"places": [9, "7.5", 3, 1, 0, -1]}]),
        "best": st.none() | whole,
        "absence": st.none() | points,
        "bye": st.none() | points,
        "tie_breaks": st.lists(st.sampled_from(sorted(available())), unique=True),
        "unranked": st.lists(st.sampled_from(["bot", "withdrawn", "excluded"]), unique=True),
        "tables": st.sampled_from([{}, tables(5, 4, 6), tables(4, 3, 4, tables=3), tables(3, 3, 3, full_only=True)]),
        "rounds": st.none() | whole,
        "deals": st.none() | whole,
        "deal_after": st.none() | whole,
        "turn_seconds": st.none() | whole,
        "stand_in": st.sampled_from(["", "follow"]),
        "confirm": st.booleans(),
        "slip_entry": st.booleans(),
        "public": st.booleans(),
    },
)


@given(asked=asked_settings)
def test_what_is_written_is_complete_and_reads_back_as_the_same(asked: dict[str, Any]) -> None:
    found = read_settings(asked)
    written = json.loads(json.dumps(found.to_json()))
    assert list(written) == list(DEFAULTS)
    assert read_settings(written) == found
    assert read_settings(written).to_json() == found.to_json()


@given(asked=asked_settings, key=st.sampled_from(list(DEFAULTS)), junk=st.sampled_from([[[]], {"a": {}}, "☃", -3, 1e9]))
def test_junk_is_refused_with_a_code_and_a_sentence_never_by_accident(
    asked: dict[str, Any], key: str, junk: object
) -> None:
    try:
        read_settings({**asked, key: junk})
    except Exception as refusal:
        assert getattr(refusal, "code", None), refusal
        assert str(refusal).endswith(".")


def test_impossible_tables_keep_the_sentence_of_the_seating_library() -> None:
    with pytest.raises(NoTables, match="A table needs 2 players or more, not 1"):
        read_settings({"tables": tables(4, 1, 5)})
