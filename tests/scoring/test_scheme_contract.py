"""What every scheme has to hold, whoever wrote it: these tests run over all that discovery finds."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.result import DealResult
from scoring.schemes import BadScheme, MissingPasses, Scheme, available, describe, scheme_from_json, scheme_from_text
from scoring.table import session_table
from tests.scoring import cases

SCHEMES = available()
OWN = [cls for cls in SCHEMES.values() if cls.__module__.startswith("scoring.schemes.")]

each_scheme = pytest.mark.parametrize("cls", SCHEMES.values(), ids=SCHEMES.keys())
each_own_scheme = pytest.mark.parametrize("cls", OWN, ids=[cls.key for cls in OWN])

seat_counts = st.integers(2, 8)


def complete_sessions() -> st.SearchStrategy[tuple[int, list[DealResult]]]:
    return seat_counts.flatmap(
        lambda seats: st.tuples(st.just(seats), st.lists(cases.results(seats, complete=True), max_size=12))
    )


# What a scheme brings along


@each_own_scheme
def test_a_scheme_brings_worked_answers_for_its_key_and_its_presets(cls: type[Scheme]) -> None:
    assert cases.golden_fault(cls) is None


@each_own_scheme
def test_a_scheme_has_a_section_that_names_its_parameters_and_presets(cls: type[Scheme]) -> None:
    assert cases.docs_fault(cls) is None


@each_own_scheme
def test_a_schemes_file_is_named_as_its_key(cls: type[Scheme]) -> None:
    assert cls.__module__ == "scoring.schemes." + cls.key.replace("-", "_")


@each_scheme
def test_a_scheme_says_what_a_form_needs(cls: type[Scheme]) -> None:
    about = next(about for about in describe() if about["scheme"] == cls.key)
    assert json.loads(json.dumps(about)) == about
    assert about["title"]
    assert about["description"]
    assert all(parameter["help"] for parameter in about["parameters"])
    assert all(preset["title"] and preset["description"] for preset in about["presets"])


@each_scheme
def test_defaults_and_presets_are_values_that_may_be_asked_for(cls: type[Scheme]) -> None:
    for name in (cls.key, *cls.presets):
        values = {parameter: value for parameter, value in cls.defaults(name).items() if value is not None}
        assert cls(name, values).values == cls(name, {}).values


# Worked answers


@each_own_scheme
def test_the_worked_deals_score_as_expected(cls: type[Scheme]) -> None:
    for line in cases.golden_lines(cases.GOLDEN / f"{cls.key}.jsonl"):
        if "result" in line:
            result = cases.result_from_json(line["result"])
            assert result is not None
            assert list(scheme_from_json(line["scheme"]).score(result)) == line["scores"], line


@each_own_scheme
def test_the_worked_sessions_have_the_expected_table(cls: type[Scheme]) -> None:
    for line in cases.golden_lines(cases.GOLDEN / f"{cls.key}.jsonl"):
        if "results" in line:
            results = [cases.result_from_json(fields) for fields in line["results"]]
            adjustments = [(seat, points) for seat, points in line["adjustments"]]
            table = session_table(scheme_from_json(line["scheme"]), results, len(line["totals"]), adjustments)
            assert list(table.totals) == line["totals"], line
            assert list(table.places) == line["places"], line
            assert list(table.counted) == line["counted"], line
            assert (table.finished, table.missing) == (line["finished"], line.get("missing")), line


# Names and values


@each_scheme
@given(data=st.data())
def test_the_text_form_reads_back_as_the_same_scheme(cls: type[Scheme], data: st.DataObject) -> None:
    scheme = data.draw(cases.asked_schemes(cls))
    again = scheme_from_text(scheme.text)
    assert (again, again.text, again.values) == (scheme, scheme.text, scheme.values)


@each_scheme
@given(data=st.data())
def test_the_json_form_means_the_same_and_is_canonical(cls: type[Scheme], data: st.DataObject) -> None:
    scheme = data.draw(cases.asked_schemes(cls))
    again = scheme_from_json(json.loads(json.dumps(scheme.to_json())))
    assert again.values == scheme.values
    assert json.dumps(again.to_json()) == json.dumps(scheme.to_json())


@each_scheme
@given(data=st.data())
def test_the_frozen_form_names_every_value(cls: type[Scheme], data: st.DataObject) -> None:
    scheme = data.draw(cases.asked_schemes(cls))
    frozen = scheme.frozen()
    again = scheme_from_json(frozen)
    assert (again.values, again.to_json()) == (scheme.values, scheme.to_json())
    assert list(frozen) == ["scheme", *(name for name, value in scheme.values.items() if value is not None)]


@each_scheme
@pytest.mark.parametrize("value", [-1, True, 1.0, "3", None, 10**9, 10**5000, [3], {}], ids=lambda v: type(v).__name__)
def test_no_parameter_takes_what_is_not_a_whole_number_of_nine_digits(cls: type[Scheme], value: object) -> None:
    for name in (cls.key, *cls.presets):
        for parameter in cls.parameters:
            with pytest.raises(BadScheme, match=rf"^{name}: {parameter} must be a whole number from"):
                scheme_from_json({"scheme": name, parameter: value})


@each_scheme
def test_no_parameter_goes_below_its_minimum(cls: type[Scheme]) -> None:
    for parameter, about in cls.parameters.items():
        assert cls(cls.key, {parameter: about.minimum}).values[parameter] == about.minimum
        with pytest.raises(BadScheme):
            cls(cls.key, {parameter: about.minimum - 1})


# Scoring


@each_scheme
@given(data=st.data())
def test_a_score_is_missing_exactly_when_scoring_refuses(cls: type[Scheme], data: st.DataObject) -> None:
    scheme = data.draw(cases.asked_schemes(cls))
    result = data.draw(seat_counts.flatmap(cases.results))
    if scheme.missing(result):
        with pytest.raises(MissingPasses):
            scheme.score(result)
    else:
        assert len(scheme.score(result)) == len(result.cards_left)


@each_scheme
@given(data=st.data())
def test_nothing_is_missing_from_a_complete_result(cls: type[Scheme], data: st.DataObject) -> None:
    scheme = data.draw(cases.asked_schemes(cls))
    assert not scheme.missing(data.draw(seat_counts.flatmap(lambda seats: cases.results(seats, complete=True))))


@each_scheme
@given(data=st.data())
def test_the_same_deal_always_scores_the_same(cls: type[Scheme], data: st.DataObject) -> None:
    scheme = data.draw(cases.asked_schemes(cls))
    result = data.draw(seat_counts.flatmap(lambda seats: cases.results(seats, complete=True)))
    assert scheme.score(result) == scheme.score(result) == scheme_from_text(scheme.text).score(result)


@each_scheme
@given(data=st.data())
def test_turning_the_seats_turns_the_points(cls: type[Scheme], data: st.DataObject) -> None:
    scheme = data.draw(cases.asked_schemes(cls))
    result = data.draw(seat_counts.flatmap(lambda seats: cases.results(seats, complete=True)))
    by, seats = data.draw(st.integers(0, 7)), len(result.cards_left)
    points, turned = scheme.score(result), scheme.score(cases.rotated(result, by))
    assert [turned[(seat + by) % seats] for seat in range(seats)] == list(points)


@each_scheme
@given(data=st.data())
def test_a_session_that_is_over_stays_as_it_is_whatever_is_dealt_on(cls: type[Scheme], data: st.DataObject) -> None:
    scheme = data.draw(cases.asked_schemes(cls))
    seats, results = data.draw(complete_sessions())
    assert not session_table(scheme, [], seats).finished
    tables = [session_table(scheme, results[:end], seats) for end in range(len(results) + 1)]
    for before, after in pairwise(tables):
        if before.finished:
            assert after.finished
            assert (after.totals, after.places) == (before.totals, before.places)
            assert after.counted == (*before.counted, False)
        else:
            assert after.counted == (*before.counted, True)


@each_scheme
@given(data=st.data())
def test_the_places_follow_the_totals_and_are_shared_by_equals(cls: type[Scheme], data: st.DataObject) -> None:
    scheme = data.draw(cases.asked_schemes(cls))
    seats, results = data.draw(complete_sessions())
    table = session_table(scheme, results, seats)
    best_first = sorted(table.totals, reverse=not scheme.lowest_wins)
    assert list(table.places) == [best_first.index(total) + 1 for total in table.totals]


# The contract itself


class Nothing(Scheme):
    key = "nothing"
    presets = {"less": None}  # type: ignore[dict-item]


def test_a_scheme_without_golden_file_or_section_is_named(tmp_path) -> None:
    assert cases.golden_fault(Nothing) == "nothing.jsonl is missing"
    assert cases.docs_fault(Nothing) == "no section headed `nothing`"
    assert cases.docs_fault(Nothing, "## `nothing`\n\nIs `more`.\n\n## Other\n`less`\n") == (
        "the section `nothing` does not name less"
    )
    (tmp_path / "nothing.jsonl").write_text('{"scheme":"nothing:x=1","result":{}}\n')
    assert cases.golden_fault(Nothing, tmp_path) == "nothing.jsonl has no session"
    (tmp_path / "nothing.jsonl").write_text('{"scheme":"nothing","result":{}}\n{"scheme":"nothing","results":[]}\n')
    assert cases.golden_fault(Nothing, tmp_path) == "nothing.jsonl has no deal for less"
