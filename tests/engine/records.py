"""Records for the tests: a good one to spoil, and random ones."""

import json
from functools import cache
from typing import Any

from hypothesis import strategies as st

from games.engine.deal import PASS, action_text
from games.engine.record import Outcome, RecordError, parse, replay_record
from tests.engine.deals import Setup, setups
from tests.engine.test_deal import HANDS

GOOD: dict[str, Any] = {
    "sevens": 1,
    "rules": "pagat",
    "players": ["Ana", "Бранко", "Chloé", "Duarte"],
    "dealer": 3,
    "hands": HANDS,
    "actions": "7C 7D 7H - 8C - ^8D 8H",
}
RESULT: dict[str, Any] = {
    **{key: GOOD[key] for key in ("sevens", "rules", "players", "dealer")},
    "result": {"cards_left": [2, 3, 1, 0], "forced_passes": [3, 3, 2, 1], "wrongful_passes": [0, 1, 0, 0]},
}


def line(record: dict[str, Any] = GOOD, *without: str, **changes: Any) -> bytes:
    """The record as a line, with changed keys and without some."""
    changed = {key: value for key, value in {**record, **changes}.items() if key not in without}
    return json.dumps(changed, ensure_ascii=False).encode()


def run(text: bytes) -> Outcome:
    return replay_record(parse(text))


def code(text: bytes) -> str | tuple[str, int]:
    """The fault of a bad line, with the action's index where there is one; "ok" for a good one."""
    try:
        run(text)
    except RecordError as error:
        assert error.message.endswith(".")
        assert error.message.isprintable()
        assert len(error.message) < 400
        return error.code if error.action is None else (error.code, error.action)
    return "ok"


@cache
def finished() -> str:
    """The actions of a whole deal of GOOD: every seat lays its first legal card."""
    record = parse(line(actions=""))
    deal = replay_record(record).deal
    assert deal is not None
    tokens = []
    while not deal.over:
        legal = sorted(deal.legal())
        action = legal[0] if legal else PASS
        tokens.append(action_text(action))
        deal.apply(action)
    return " ".join(tokens)


KNOWN = {*GOOD, "deck", "scheme", "session", "number", "result", "voided"}
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
schemes = st.sampled_from(
    [None, "wins", "wins:target=5", "wins:target=3", "pool", {"scheme": "bicycle", "card_left": 2, "ante": 0}]
)


@st.composite
def record_lines(draw: st.DrawFn) -> bytes:
    """A good line of any kind: played, unfinished, not begun, result only, voided, with whatever else it may carry."""
    setup: Setup = draw(setups())
    actions = setup.actions()
    kind = draw(st.sampled_from(["played", "unfinished", "not begun", "with result", "result only", "voided"]))
    record: dict[str, Any] = {
        "sevens": 1,
        "rules": setup.rules.to_json(),
        "players": draw(st.lists(names, min_size=setup.seats, max_size=setup.seats)),
        "dealer": setup.dealer,
    }
    scheme, session = draw(schemes), draw(st.none() | st.just("") | names)
    if scheme is not None:
        record["scheme"] = scheme
    if session is not None:
        record["session"] = session
    if draw(st.booleans()):
        record["number"] = draw(st.integers(1, 999_999_999))
    if draw(st.booleans()) and kind != "result only":
        record["deck"] = " ".join(setup.deck)
    elif kind != "result only" or draw(st.booleans()):
        record["hands"] = [" ".join(hand) for hand in setup.naive().hands]
    if kind in ("unfinished", "voided"):
        actions = actions[: draw(st.integers(0, len(actions)))]
    if kind in ("played", "unfinished", "with result", "voided"):
        record["actions"] = " ".join(map(action_text, actions))
    deal = setup.deal()
    for action in actions:
        deal.apply(action)
    if kind in ("with result", "result only"):
        result = {
            "cards_left": deal.cards_left(),
            "forced_passes": deal.forced,
            "wrongful_passes": deal.wrongful,
            "withheld": draw(st.permutations(deal.withheld)),
        }
        kept = draw(st.sets(st.sampled_from(sorted(result)))) | {"cards_left"}
        record["result"] = {key: value for key, value in result.items() if key in kept}
    if kind == "voided":
        record["voided"] = draw(names)
    items = [*record.items(), *draw(st.dictionaries(names.filter(lambda k: k not in KNOWN), json_values)).items()]
    return json.dumps(dict(draw(st.permutations(items))), ensure_ascii=draw(st.booleans())).encode()
