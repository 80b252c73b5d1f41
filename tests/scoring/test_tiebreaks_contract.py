"""What every tie-break has to hold, whoever wrote it: these tests run over all that discovery finds."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.counting import field
from scoring.entries import Entrant, Settings, TableResult
from scoring.tiebreaks import TieBreak, available, describe
from tests.scoring import competing
from tests.scoring.competing import Competition

TIE_BREAKS = available()
OWN = [cls for cls in TIE_BREAKS.values() if cls.__module__.startswith("scoring.tiebreaks.")]

each_tie_break = pytest.mark.parametrize("cls", TIE_BREAKS.values(), ids=TIE_BREAKS.keys())
each_own_tie_break = pytest.mark.parametrize("cls", OWN, ids=[cls.key for cls in OWN])

few_examples = settings(max_examples=30)  # of whole competitions, for each tie-break


def worths(cls: type[TieBreak], competition: Competition, tied: list[object] | None = None):
    everyone = field(
        competition.entrants, competition.results, competition.adjustments, competition.settings, competition.held
    )
    return cls().worths(list(everyone.records) if tied is None else tied, everyone)


# What a tie-break brings along


@each_own_tie_break
def test_a_tie_break_brings_worked_answers(cls: type[TieBreak]) -> None:
    assert competing.golden_fault(cls) is None


@each_own_tie_break
def test_a_tie_break_has_a_section_that_defines_it(cls: type[TieBreak]) -> None:
    assert competing.docs_fault(cls) is None


@each_own_tie_break
def test_a_tie_breaks_file_is_named_as_its_key(cls: type[TieBreak]) -> None:
    assert cls.__module__ == "scoring.tiebreaks." + cls.key.replace("-", "_")


@each_tie_break
def test_a_tie_break_says_what_is_printed_with_a_table(cls: type[TieBreak]) -> None:
    about = next(about for about in describe() if about["tie_break"] == cls.key)
    assert json.loads(json.dumps(about)) == about
    assert about["title"]
    assert about["description"].endswith(".")


def test_every_golden_file_and_section_belongs_to_a_tie_break() -> None:
    assert {path.stem for path in competing.GOLDEN.glob("*.jsonl")} <= set(TIE_BREAKS)


# Worked answers


@each_own_tie_break
def test_the_worked_competitions_rank_and_show_as_expected(cls: type[TieBreak]) -> None:
    for line in competing.golden_lines(competing.GOLDEN / f"{cls.key}.jsonl"):
        table = line.competition.table(cls.key)
        assert competing.ranks(table) == line.ranks, line.case
        for who, shown in line.shown.items():
            assert competing.value(table, who, cls.key) == shown, (line.case, who)


# Whatever is played


@each_tie_break
@few_examples
@given(competition=competing.competitions(), data=st.data())
def test_it_says_something_of_each_of_the_tied_and_of_nobody_else(
    cls: type[TieBreak], competition: Competition, data: st.DataObject
) -> None:
    tied = data.draw(st.lists(st.sampled_from([e.id for e in competition.entrants]), min_size=1, unique=True))
    assert set(worths(cls, competition, tied)) == set(tied)


@each_tie_break
@few_examples
@given(competition=competing.competitions(), data=st.data())
def test_neither_the_order_nor_the_names_of_the_tied_matter(
    cls: type[TieBreak], competition: Competition, data: st.DataObject
) -> None:
    ids = [entrant.id for entrant in competition.entrants]
    renamed = dict(zip(ids, data.draw(st.permutations(ids)), strict=True))
    other = Competition(
        tuple(Entrant(renamed[entrant.id]) for entrant in competition.entrants),
        tuple(
            replace(result, entrant=renamed[result.entrant])
            for result in data.draw(st.permutations(competition.results))
        ),
        competition.settings,
    )
    before = worths(cls, replace(competition, adjustments=()), ids)
    after = worths(cls, other, data.draw(st.permutations(ids)))
    assert {renamed[who]: worth for who, worth in before.items()} == after


@each_tie_break
@few_examples
@given(competition=competing.competitions(), data=st.data())
def test_company_matters_only_where_it_says_so(
    cls: type[TieBreak], competition: Competition, data: st.DataObject
) -> None:
    if not cls.among_tied:
        tied = data.draw(st.lists(st.sampled_from([e.id for e in competition.entrants]), min_size=1, unique=True))
        alone = {who: worths(cls, competition, [who])[who] for who in tied}
        assert worths(cls, competition, tied) == alone


@each_tie_break
@few_examples
@given(competition=competing.competitions())
def test_adjustments_break_no_ties(cls: type[TieBreak], competition: Competition) -> None:
    assert worths(cls, competition) == worths(cls, replace(competition, adjustments=()))


@each_tie_break
def test_a_competition_without_results_is_level(cls: type[TieBreak]) -> None:
    nothing = Competition((Entrant("A"), Entrant("B")), ())
    found = worths(cls, nothing)
    assert found["A"] == found["B"]
    assert competing.ranks(nothing.table(cls.key)) == {"A": 1, "B": 1}


@each_tie_break
def test_two_who_did_the_same_are_level(cls: type[TieBreak]) -> None:
    seats = [TableResult(who, 1, "t", 1, 1, 2, 1, 1, 2, 3, 4) for who in "AB"]
    assert competing.ranks(competing.entered(tuple(seats)).table(cls.key)) == {"A": 1, "B": 1}


@each_tie_break
def test_a_table_whose_others_are_not_entered_is_no_obstacle(cls: type[TieBreak]) -> None:
    alone = Competition((Entrant("A"), Entrant("B")), (TableResult("A", 1, "t", 0, 2, 4, 0, 1, 2, 3, 4),), Settings())
    assert set(competing.ranks(alone.table(cls.key)).values()) <= {1, 2}


# The contract itself


class Nothing(TieBreak):
    key = "nothing"


def test_a_tie_break_without_golden_file_or_section_is_named(tmp_path) -> None:
    assert competing.golden_fault(Nothing) == "nothing.jsonl is missing"
    assert competing.docs_fault(Nothing) == "no section headed `nothing`"
    assert competing.docs_fault(Nothing, "## `nothing`\n\n## Other\n") == "the section `nothing` is empty"
    wins, line = available()["wins"], '{"case":"c","met":["A>B"],"ranks":{"A":1,"B":1},"shown":{}}'
    (tmp_path / "wins.jsonl").write_text(line + "\n")
    assert competing.golden_fault(wins, tmp_path) == "wins.jsonl has no line that it decides"
    decided = (competing.GOLDEN / "wins.jsonl").read_text(encoding="utf-8").splitlines()[1]
    (tmp_path / "wins.jsonl").write_text(decided + "\n")
    assert competing.golden_fault(wins, tmp_path) == "wins.jsonl has no line that leaves somebody level"
