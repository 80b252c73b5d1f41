"""Asking for a scheme as text or JSON, and being told what is wrong with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.schemes import BadScheme, names, scheme_from_json, scheme_from_text


def test_every_key_and_preset_can_be_asked_for_by_its_name() -> None:
    asked = ["wins", "card-count", "chip-pot", "pool", "yellowclub-chips", "bicycle"]
    assert set(asked) <= set(names())
    assert [scheme_from_text(name).text for name in asked] == asked


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("wins:target=3", "wins"),
        ("wins:target=5", {"scheme": "wins", "target": 5}),
        ("pool:ante=1", "pool"),
        ("chip-pot:card_left=2,ante=0", {"scheme": "chip-pot", "ante": 0, "card_left": 2}),
        ("bicycle:deals=12,wrongful_pass=3", {"scheme": "bicycle", "deals": 12}),
        ("yellowclub-chips:forced_pass=1", {"scheme": "yellowclub-chips", "forced_pass": 1}),
    ],
)
def test_what_differs_from_the_name_is_written_in_declared_order(text: str, canonical: object) -> None:
    scheme = scheme_from_text(text)
    assert scheme.text == text
    assert scheme.to_json() == canonical
    if isinstance(canonical, dict):
        assert list(scheme.to_json()) == list(canonical)


def test_an_object_is_listed_under_its_text_form_in_the_order_given() -> None:
    assert scheme_from_json({"deals": 4, "scheme": "pool", "ante": 1}).text == "pool:deals=4,ante=1"
    assert scheme_from_json({"scheme": "wins"}).text == "wins"
    assert scheme_from_json("wins:target=4").text == "wins:target=4"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Wins",
        " wins",
        "wins ",
        "wins\n",
        "win",
        "chip_pot",
        "wins:",
        "wins:target",
        "wins:target=",
        "wins:=3",
        "wins:target=0",
        "wins:target=03",
        "wins:target=+3",
        "wins:target=-3",
        "wins:target=3.0",
        "wins:target=1e1",
        "wins:target=1_0",
        "wins:target=٣",
        "wins:target=3\n",
        "wins:target =3",
        "wins:target= 3",
        "wins:target=1000000000",
        "wins:target=3,",
        "wins:target=3,target=3",
        "wins:target=3, target=4",
        "wins:target=3:target=4",
        "wins:deals=3",
        "wins:scheme=3",
        "card-count:target=0",
        "pool:deals=0",
        "pool:ante=true",
        "wins\x00",
        "\ud800",
    ],
)
def test_anything_but_the_text_form_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(BadScheme) as refused:
        scheme_from_text(text)
    assert refused.value.code == "bad_rules"
    assert str(refused.value).isprintable()
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        True,
        [],
        ["wins"],
        {},
        {"target": 3},
        {"scheme": None},
        {"scheme": ["wins"]},
        {"scheme": "wins:target=3"},
        {"scheme": "wins", "deals": 3},
        {"scheme": "wins", "Target": 3},
        {"scheme": "pool", "deals": None},
    ],
)
def test_anything_but_the_json_form_is_refused_with_a_sentence(value: object) -> None:
    with pytest.raises(BadScheme) as refused:
        scheme_from_json(value)
    assert str(refused.value).isprintable()
    assert str(refused.value).endswith(".")


def test_the_sentence_says_what_is_allowed() -> None:
    with pytest.raises(BadScheme, match=r"There is no scheme 'points'; there are: card-count, chip-pot, pool"):
        scheme_from_text("points")
    with pytest.raises(BadScheme, match=r"^pool has no parameter 'target'; its parameters: ante, forced_pass"):
        scheme_from_text("pool:target=3")
    with pytest.raises(BadScheme, match=r"^pool: deals must be a whole number from 1 to 999999999.*, not '007'"):
        scheme_from_text("pool:deals=007")
    with pytest.raises(BadScheme, match=r"^pool: ante must be a whole number from 0 to 999999999.*, not true"):
        scheme_from_json({"scheme": "pool", "ante": True})
    with pytest.raises(BadScheme, match=r"^pool: 'ante' is given twice"):
        scheme_from_text("pool:ante=1,ante=2")


@given(st.text() | st.text("wins:target=0123,").map("wins:target=".__add__))
def test_a_text_is_either_refused_or_comes_back_as_it_was_asked_for(text: str) -> None:
    try:
        scheme = scheme_from_text(text)
    except BadScheme:
        return
    assert scheme.text == text


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(json_values | json_values.map(lambda value: {"scheme": "pool", "ante": value}))
def test_no_json_value_breaks_the_reader(value: object) -> None:
    try:
        scheme = scheme_from_json(value)
    except BadScheme:
        return
    assert scheme_from_text(scheme.text) == scheme
