"""Sentences that can be said again in another language."""

import pickle
from string import Template
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scoring.hearing import heard
from scoring.points import figure
from scoring.tiebreaks import available
from scoring.wording import Listed, Said, in_language, listed, mark_n, say, say_n, with_values

RUSSIAN = {
    "{name} has no seat.": "У {name} нет места.",
    " and ": " и ",
    "Wins": "Победы",
    "by {tie_break}": "по показателю «{tie_break}»",
    "{whole}.{hundredths}": "{whole},{hundredths}",
    "{mean} over {n} table": "{mean} за {n} стол|{mean} за {n} стола|{mean} за {n} столов",
}


def one(text: str) -> str:
    return RUSSIAN.get(text, text)


def many(single: str, plural: str, n: int) -> str:
    if single not in RUSSIAN:
        return single if n == 1 else plural
    form = 0 if n % 10 == 1 and n % 100 != 11 else 1 if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else 2
    return RUSSIAN[single].split("|")[form]


def russian(text: Any) -> Any:
    return in_language(text, one, many)


def english(text: Any) -> Any:
    return in_language(text, lambda text: text, lambda single, plural, n: single if n == 1 else plural)


def over_tables(n: int) -> Said:
    return say_n("{mean} over {n} table", "{mean} over {n} tables", n, mean=figure("2.50"))


def test_a_sentence_is_english_and_can_be_said_again() -> None:
    sentence = say("{name} has no seat.", name="Ann")
    assert sentence == "Ann has no seat."
    assert russian(sentence) == "У Ann нет места."


def test_what_was_never_said_stays_as_it_is() -> None:
    assert russian("Wins") == "Wins"
    assert russian(say("{name} has no seat.", name="Wins")) == "У Wins нет места."
    assert russian(None) is None


def test_values_are_said_too() -> None:
    assert russian(say("by {tie_break}", tie_break=say("Wins"))) == "по показателю «Победы»"
    assert russian(say("{name} has no seat.", name=listed(["Ann", "Ben", "Cy"]))) == "У Ann, Ben и Cy нет места."


def test_braces_in_a_value_are_no_places_for_values() -> None:
    assert russian(say("{name} has no seat.", name="{n} {{x}}")) == "У {n} {{x}} нет места."


def test_each_language_has_its_own_plurals() -> None:
    assert [over_tables(n) for n in (1, 2)] == ["2.50 over 1 table", "2.50 over 2 tables"]
    assert [russian(over_tables(n)) for n in (1, 2, 5, 21)] == [
        "2,50 за 1 стол", "2,50 за 2 стола", "2,50 за 5 столов", "2,50 за 21 стол",
    ]  # fmt: skip


def test_lists_are_joined_as_people_do() -> None:
    assert [listed("abc"[:length]) for length in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert russian(listed("abc")) == "a, b и c"
    assert Listed([say("Wins"), "Ann"]) == "Wins Ann"
    assert russian(Listed([say("Wins"), "Ann"], "; ")) == "Победы; Ann"


def test_an_exception_keeps_its_sentence() -> None:
    for sentence in (say("{name} has no seat.", name="Ann"), listed(["Ann", "Ben"])):
        assert str(sentence) is sentence
        assert str(ValueError(sentence)) is sentence


def test_values_can_be_put_otherwise_wherever_they_stand() -> None:
    sentence = Listed([say("{name} has no seat.", name=listed(["Ann", "Ben"])), over_tables(2), "Ann"])
    put = with_values(sentence, lambda value: "Bea" if value == "Ann" else value)
    assert put == "Bea and Ben has no seat. 2.50 over 2 tables Bea"
    assert russian(put) == "У Bea и Ben нет места. 2,50 за 2 стола Bea"


WORDS = st.text(alphabet="ab {}%.", max_size=6)
PLAIN = st.one_of(WORDS, st.integers(-3, 30))


def said_with(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    texts = st.lists(st.one_of(values.filter(lambda value: isinstance(value, str)), WORDS), max_size=3)
    return st.one_of(
        st.builds(lambda value, other: say("{{}} {value}, {other}", value=value, other=other), values, values),
        st.builds(lambda n, value: say_n("{n} {value}", "{n} {value}s", n, value=value), st.integers(0, 30), values),
        st.builds(listed, texts),
        st.builds(Listed, texts, WORDS, WORDS),
    )


SAID = st.recursive(PLAIN, said_with, max_leaves=6)


@given(SAID)
def test_in_english_it_is_the_same_text(text: Any) -> None:
    assert english(text) == text
    assert with_values(text, lambda value: value) == text


@given(SAID)
def test_it_survives_being_kept(text: Any) -> None:
    again = pickle.loads(pickle.dumps(text))
    assert again == text
    assert type(again) is type(text)
    assert russian(again) == russian(text)


TABLES = mark_n("{mean} over {n} table", "{mean} over {n} tables")


def test_a_kept_text_is_heard_as_the_sentence_that_it_was() -> None:
    kept = [str.__str__(over_tables(n)) for n in (1, 2)]
    assert [russian(heard(text, (TABLES,), ", ")) for text in kept] == ["2,50 за 1 стол", "2,50 за 2 стола"]
    assert russian(heard("2.50 over 1 table, 3 over 2 tables", (TABLES,), ", ")) == "2,50 за 1 стол, 3 за 2 стола"
    assert russian(heard("-2.50", (), ", ")) == "-2,50"
    for unknown in ("", "12", "2.50 over 2 chairs", "2.50 over 2 tables, Ann", "a.b"):
        assert heard(unknown, (TABLES,), ", ") == unknown
        assert russian(heard(unknown, (TABLES,), ", ")) == unknown


def test_every_text_of_a_tie_break_is_heard() -> None:
    for tie_break in available().values():
        for marked in tie_break.texts:
            single = marked if isinstance(marked, str) else marked[1]
            text = Template(single.replace("{", "${")).substitute(dict.fromkeys(PLACES, "3"))
            found = tie_break.heard(text)
            assert isinstance(found, Said)
            assert found == text


PLACES = ("n", "mean", "sum", "cards", "deals", "points", "round", "met", "unmet", "count", "place")
