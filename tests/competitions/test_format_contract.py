"""What every format has to hold, whoever wrote it: these tests run over all that discovery finds."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.formats import Ask, Draw, Format, FormatError, available, describe, format_from_json
from competitions.formats.telling import report_lines
from competitions.seating import NoTables, SeatingError, TableRule
from competitions.seating.objective import sitting_out_counts
from tests.competitions import asking
from tests.competitions.asking import LITTLE, after, ask, seeds

FORMATS = available()
OWN = [cls for cls in FORMATS.values() if cls.__module__.startswith("competitions.formats.")]

each_format = pytest.mark.parametrize("cls", FORMATS.values(), ids=FORMATS.keys())
each_own_format = pytest.mark.parametrize("cls", OWN, ids=[cls.key for cls in OWN])

few_examples = settings(max_examples=15)  # of whole competitions, for each format

FULL = TableRule(4, 3, 5, full_only=True)
competitions = st.fixed_dictionaries(
    {
        "players": st.integers(6, 21),
        "seeded": st.integers(0, 6),
        "rule": st.sampled_from([asking.FOURS, TableRule(5, 4, 6), TableRule(4, 2, 4), FULL]),
        "seed": st.text(max_size=5),
        "apart": st.sampled_from([frozenset(), frozenset({(1, 2), (6, 3)})]),
        "missing": st.frozensets(st.integers(1, 6), max_size=2),
    }
)


def asked_for(about: dict) -> Ask:
    return ask(
        about["players"],
        rule=about["rule"],
        seed=about["seed"],
        seeds=seeds(about["seeded"]),
        apart=about["apart"],
        absent={1: about["missing"], 3: about["missing"]},
        rounds=3,
        effort=LITTLE,
    )


# What a format brings along


@each_own_format
def test_a_format_has_a_section_that_names_its_parameters(cls: type[Format]) -> None:
    assert asking.docs_fault(cls) is None


@each_own_format
def test_a_formats_file_is_named_as_its_key(cls: type[Format]) -> None:
    assert cls.__module__ == "competitions.formats." + cls.key.replace("-", "_")


@each_format
def test_a_format_says_what_a_form_shows(cls: type[Format]) -> None:
    about = next(about for about in describe() if about["format"] == cls.key)
    assert json.loads(json.dumps(about)) == about
    assert about["title"]
    for sentence in [about["description"], *(parameter["help"] for parameter in about["parameters"])]:
        assert sentence.endswith(".")


def test_a_section_that_is_missing_or_forgets_a_parameter_is_noticed() -> None:
    cls = FORMATS["knockout"]
    assert asking.docs_fault(cls, "# Formats\n") == "no section headed `knockout`"
    assert asking.docs_fault(cls, "## `knockout`\nMuch.\n## `go_on`\n") == "the section `knockout` does not name go_on"


# Being asked for


@each_format
def test_a_format_is_the_same_by_its_key_and_by_all_its_values(cls: type[Format]) -> None:
    plain = format_from_json(cls.key)
    assert plain == format_from_json({"format": cls.key, **plain.values})
    assert plain.to_json() == cls.key
    assert hash(plain) == hash(format_from_json(cls.key))


@each_format
@given(data=st.data())
def test_any_values_are_written_and_read_back(cls: type[Format], data: st.DataObject) -> None:
    values = {
        name: data.draw(st.integers(about.smallest, about.largest), label=name)
        for name, about in cls.parameters.items()
    }
    found = format_from_json({"format": cls.key, **values})
    assert dict(found.values) == values
    assert format_from_json(json.loads(json.dumps(found.to_json()))) == found


@each_format
def test_what_it_does_not_take_is_refused(cls: type[Format]) -> None:
    wrong = [{"colour": 1}]
    for name, about in cls.parameters.items():
        wrong += [{name: value} for value in (about.smallest - 1, about.largest + 1, "1", True, 1.0, None)]
    for asked in wrong:
        with pytest.raises(FormatError) as refusal:
            format_from_json({"format": cls.key, **asked})
        assert refusal.value.code == "bad_settings"
        assert refusal.value.message.startswith(cls.key)


# Whatever is played


@each_format
@few_examples
@given(about=competitions)
def test_everybody_who_takes_part_has_one_place_in_each_round(cls: type[Format], about: dict) -> None:
    plan, asked, points = cls(), asked_for(about), dict[int, int]()
    rng = Random(about["seed"])
    for _ in range(3):
        try:
            taking_part = plan.players(asked)
            draw = plan.draw(asked)
        except (FormatError, SeatingError) as refusal:
            assert refusal.code in ("no_tables", "competition_over", "too_few_players")
            return
        first = draw.rounds[0]
        assert sorted(int(who) for who in first.people()) == list(taking_part)
        assert set(taking_part) <= asked.present
        assert max(first.sizes) - min(first.sizes) <= 1
        assert about["rule"].smallest <= min(first.sizes)
        assert max(first.sizes) <= about["rule"].largest
        for number, each in enumerate(draw.rounds, asked.number):
            missing = asked.absent.get(number, frozenset())
            assert len(set(each.people())) == len(list(each.people()))
            assert not missing & {int(who) for who in each.people()}
        check_report(draw)
        asked = after(asked, first, points, rng)


def check_report(draw: Draw) -> None:
    about = draw.report
    assert json.loads(json.dumps(about, allow_nan=False)) == about
    assert list(about) == [
        "players", "rounds", "how", "repeats", "again", "squares", "apart", "met", "sat_out", "first", "seat_gap",
        "same_table",
    ]  # fmt: skip
    for reached in filter(None, (about["repeats"], about["again"], about["squares"], about["apart"])):
        assert reached["value"] >= reached["minimum"] >= 0
    assert draw.how == about["how"]
    assert list(draw.lines) == report_lines(about)
    for moved in draw.moved:
        assert json.loads(json.dumps(moved)) == moved
        assert moved["why"] in ("fills_up", "met", "makes_room")
        assert set(moved) == {"player", "group", "table", "home", "why", "because"}


@each_format
@few_examples
@given(about=competitions, order=st.randoms(use_true_random=False))
def test_a_draw_depends_on_nothing_but_what_is_asked(cls: type[Format], about: dict, order: Random) -> None:
    asked = asked_for(about)
    people = list(asked.players)
    order.shuffle(people)
    again = replace(asked, players=frozenset(people), seeds=dict(sorted(asked.seeds.items(), reverse=True)))
    try:
        assert cls().draw(asked) == cls().draw(again)
    except NoTables:
        with pytest.raises(NoTables):
            cls().draw(again)


@each_format
def test_another_seed_gives_another_draw(cls: type[Format]) -> None:
    draws = {cls().draw(ask(16, rounds=3, seed=str(seed))).rounds for seed in range(4)}
    assert len(draws) > 1


@each_format
@few_examples
@given(about=competitions)
def test_nobody_sits_out_twice_before_everybody_did_once(cls: type[Format], about: dict) -> None:
    plan, points, rng = cls(), dict[int, int](), Random(1)
    asked = replace(asked_for(about), rule=FULL, absent={})
    for _ in range(3):
        try:
            first = plan.draw(asked).rounds[0]
        except (FormatError, SeatingError):
            return
        counts = sitting_out_counts([*asked.played, first])
        times = [counts[who] for who in first.people()]
        assert max(times) - min(times) <= 1
        asked = after(asked, first, points, rng)


@each_format
def test_tables_that_cannot_be_are_refused_in_the_words_of_the_seating_library(cls: type[Format]) -> None:
    with pytest.raises(NoTables, match="7 players cannot sit at tables of 4 to 6: 1 table would hold 6 at most"):
        cls().draw(ask(7, rule=TableRule(5, 4, 6)))


@each_format
def test_a_drawn_round_is_amended_where_it_must_and_nowhere_else(cls: type[Format]) -> None:
    plan, asked = cls(), ask(16, rounds=1)
    drawn = plan.draw(asked).rounds
    assert plan.redraw_ahead(drawn, asked).rounds == drawn
    without = plan.redraw_ahead(drawn, replace(asked, players=asked.players - {3})).rounds[0]
    stayed = [tuple(who for who in table if who != 3) for table in drawn[0].tables]
    assert [set(table) for table in without.tables] == [set(table) for table in stayed]
