"""What the scoring tests share: results to score, and what every scheme has to bring along."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from scoring.result import DealResult
from scoring.schemes import Scheme

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "schemes"
DOCS = ROOT / "docs" / "schemes.md"

# rules.md 5.5: A B C D in turn order, D wins; B passed over 7S while A held 6S and D held 8S.
WORKED = DealResult(
    dealer=3,
    hand_sizes=(13, 13, 13, 13),
    winner=3,
    cards_left=(2, 3, 1, 0),
    forced_passes=(3, 3, 2, 1),
    wrongful_passes=(0, 1, 0, 0),
    withheld=((1, 0), (1, 3)),
)


def hand_sizes(seats: int, dealer: int, deck: int = 52) -> tuple[int, ...]:
    """Cards dealt to each seat: the extra ones go to the first seats from the dealer's left (rules.md 2.2)."""
    each, extra = divmod(deck, seats)
    return tuple(each + ((seat - dealer - 1) % seats < extra) for seat in range(seats))


def plain_result(*cards_left: int, dealer: int = 0) -> DealResult:
    """A result of which only the cards left are known (rules.md 5.6)."""
    return DealResult(dealer, hand_sizes(len(cards_left), dealer), cards_left.index(0), cards_left)


def results(seats: int, complete: bool = False) -> st.SearchStrategy[DealResult]:
    """Any result at so many seats. Passes and withheld pairs may be unknown unless it is `complete`."""
    # A seed is one draw where a result drawn number by number is fifty: sessions of them took seconds a test.
    return st.integers(0, 2**32 - 1).map(lambda seed: random_result(Random(seed), seats, complete))


def random_result(rng: Random, seats: int, complete: bool) -> DealResult:
    dealer, winner = rng.randrange(seats), rng.randrange(seats)
    sizes = hand_sizes(seats, dealer, rng.choice([32, 52]))
    left = tuple(0 if seat == winner else rng.randint(1, sizes[seat]) for seat in range(seats))
    forced, wrongful = (tuple(rng.choice([0, 0, 1, 2, 9]) for _ in range(seats)) for _ in range(2))
    withheld = tuple((payer, (payer + rng.randrange(1, seats)) % seats) for payer in range(seats) if wrongful[payer])
    parts = [part if complete or rng.random() < 0.7 else None for part in (forced, wrongful, withheld)]
    return DealResult(dealer, sizes, winner, left, None, *parts)


def asked_schemes(cls: type[Scheme]) -> st.SearchStrategy[Scheme]:
    """Any way to ask for a scheme: its key or a preset, with any of its parameters in any order."""
    names = st.sampled_from([cls.key, *cls.presets])
    values = {
        parameter: st.integers(about.minimum, 30) | st.integers(about.minimum, 999_999_999)
        for parameter, about in cls.parameters.items()
    }
    some = st.permutations(sorted(values)).flatmap(lambda order: st.integers(0, len(order)).map(lambda n: order[:n]))
    given = some.flatmap(lambda chosen: st.fixed_dictionaries({parameter: values[parameter] for parameter in chosen}))
    return st.builds(cls, names, given)


def rotated(result: DealResult, by: int) -> DealResult:
    """The same deal with every person `by` seats further left."""
    seats = len(result.cards_left)

    def seat(old: int) -> int:
        return (old + by) % seats

    def turned(values: tuple[Any, ...] | None) -> Any:
        return values and tuple(values[seat(new - 2 * by)] for new in range(seats))

    return DealResult(
        seat(result.dealer),
        turned(result.hand_sizes),
        seat(result.winner),
        turned(result.cards_left),
        turned(result.left_cards),
        turned(result.forced_passes),
        turned(result.wrongful_passes),
        result.withheld and tuple((seat(payer), seat(payee)) for payer, payee in result.withheld),
    )


def golden_lines(path: Path) -> list[dict[str, Any]]:
    """The worked answers of one scheme; docs/schemes.md says what a line holds."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def result_from_json(fields: dict[str, Any] | None) -> DealResult | None:
    """A golden file's result. The winner is the seat without cards; None is a deal that does not count."""
    if fields is None:
        return None
    tuples = {key: value if isinstance(value, int) else tuple(value) for key, value in fields.items()}
    if "withheld" in fields:
        tuples["withheld"] = tuple((payer, payee) for payer, payee in fields["withheld"])
    return DealResult(winner=fields["cards_left"].index(0), **tuples)


def golden_fault(cls: type[Scheme], folder: Path = GOLDEN) -> str | None:
    """What is lacking in the scheme's golden file, or None."""
    path = folder / f"{cls.key}.jsonl"
    if not path.exists():
        return f"{path.name} is missing"
    lines = golden_lines(path)
    if not any("results" in line for line in lines):
        return f"{path.name} has no session"
    dealt = {line["scheme"].partition(":")[0] for line in lines if "result" in line}
    lacking = [name for name in (cls.key, *cls.presets) if name not in dealt]
    return f"{path.name} has no deal for {', '.join(lacking)}" if lacking else None


def docs_fault(cls: type[Scheme], page: str | None = None) -> str | None:
    """What is lacking in the scheme's section of docs/schemes.md, or None."""
    page = DOCS.read_text(encoding="utf-8") if page is None else page
    section = re.search(rf"^## `{re.escape(cls.key)}`\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    if not section:
        return f"no section headed `{cls.key}`"
    lacking = [name for name in (*cls.parameters, *cls.presets) if f"`{name}`" not in section[1]]
    return f"the section `{cls.key}` does not name {', '.join(lacking)}" if lacking else None
