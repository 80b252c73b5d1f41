"""What the page of a score slip says at once is what the server would have said (rules.md 5.6, 5.7)."""

import json
import random
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page

from competitions.pages.slip_form import DealEntry, texts
from competitions.pages.slip_table import DealShown, Sheet
from games.engine import paper
from games.engine.rules import Rules
from scoring.schemes import describe, scheme_from_json
from tests.servers import ROOT

pytestmark = pytest.mark.browser

SCHEMES = [name for item in describe() for name in (item["scheme"], *(one["scheme"] for one in item["presets"]))]
CHECKS = ROOT / "competitions" / "static" / "competitions" / "slip-checks.js"


class Bare(Sheet):
    """A sheet of so many seats without any session."""

    def __init__(self, rules: str, scheme: str, seats: int) -> None:
        self.state: Any = SimpleNamespace(rules=Rules.from_json(rules), scheme=scheme_from_json(scheme))
        self.seats = seats

    def names_in(self, number: int) -> list[str]:
        return [f"P{seat}" for seat in range(self.seats)]


def a_slip(rng: random.Random, sheet: Sheet) -> dict[str, Any]:
    """A slip that is right as often as not, as the page's script reads it."""
    seats, dealer = sheet.seats, rng.randrange(sheet.seats)
    sizes = sheet.sizes[dealer]
    left = [rng.randint(1, size) for size in sizes]
    winner = rng.randrange(seats)
    left[winner] = 0
    # Passes so that turns go round, as if the left-hand seat had begun.
    start, most = (dealer + 1) % seats, max(sizes) + 2
    turns = [most - ((seat - start) % seats > (winner - start) % seats) for seat in range(seats)]
    passes = [turn - size + rest for turn, size, rest in zip(turns, sizes, left, strict=True)]
    wrongful = [rng.choice((0, 0, 1)) if count else 0 for count in passes]
    forced = [count - wrong for count, wrong in zip(passes, wrongful, strict=True)]
    needs = dict(zip(("forced", "wrongful", "withheld"), sheet.state.scheme.needs(), strict=True))
    columns: dict[str, Any] = {"left": left, "forced": forced, "wrongful": wrongful}
    entry: dict[str, Any] = {
        name: [str(count) for count in counts] if needs.get(name, True) else None for name, counts in columns.items()
    }
    for _ in range(rng.choice((0, 0, 1, 2))):
        column = rng.choice([name for name in columns if entry[name]])
        entry[column][rng.randrange(seats)] = rng.choice(("", "0", "1", "7", "18", "19", "60", "61", "-1", "x", " 3 "))
    names = ["", *map(str, range(seats))]
    pairs = [["", ""] for _ in range(8)] if needs["withheld"] else []
    if pairs and rng.random() < 0.4:
        pairs[rng.randrange(8)] = [rng.choice(names), rng.choice(names)]
    shown_dealer = rng.choice((*[str(dealer)] * 9, ""))
    return {"dealer": shown_dealer, **entry, "withheld": pairs, "none": bool(pairs) and rng.random() < 0.5}


def said_by_server(sheet: Sheet, entry: dict[str, Any]) -> dict[str, Any]:
    data = {"number": "1", "seen": "0", "key": "k", "dealer": entry["dealer"], "none_withheld": entry["none"] or ""}
    for column in ("left", "forced", "wrongful"):
        data |= {f"{column}_{seat}": text for seat, text in enumerate(entry[column] or ())}
    for pair, (payer, payee) in enumerate(entry["withheld"]):
        data |= {f"payer_{pair}": payer, f"payee_{pair}": payee}
    form = DealEntry(sheet, DealShown(1, "missing", None), data)
    errors = {("above" if name == "__all__" else name): str(found[0]) for name, found in form.errors.items()}
    if errors:
        return {"errors": errors, "doubt": False}
    dealer = int(entry["dealer"])
    assert paper.fault(form.result, deck=sheet.state.rules.deck, seats=sheet.seats, dealer=dealer) is None
    return {"errors": {}, "doubt": paper.doubt(form.result, sheet.state.rules, dealer) is not None}


@pytest.mark.parametrize("rules", ["pagat", "heart-start", "short-32"])
def test_the_page_checks_a_slip_just_as_the_server_does(a_page, rules):
    page: Page = a_page()
    rng = random.Random(rules)
    seen = set()
    for scheme in SCHEMES:
        for seats in range(3, 9):
            sheet = Bare(rules, scheme, seats)
            slips = [a_slip(rng, sheet) for _ in range(25)]
            said = page.evaluate(
                """async ([source, slips, limits, texts]) => {
                    const { check } = await import("data:text/javascript;charset=utf-8," + encodeURIComponent(source));
                    return slips.map((slip) => check(slip, limits, texts));
                }""",
                [CHECKS.read_text(), slips, sheet.limits(), json.loads(json.dumps(texts(sheet), default=str))],
            )
            for slip, found in zip(slips, said, strict=True):
                expected = said_by_server(sheet, slip)
                assert found == expected, (scheme, seats, slip)
                seen.add((bool(expected["errors"]), expected["doubt"]))
    assert seen == {(True, False), (False, True), (False, False)}
