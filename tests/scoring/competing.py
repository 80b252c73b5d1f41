"""What the tests of standings share: competitions written briefly, at random, and from golden files."""

import json
import re
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from scoring.entries import Adjustment, Entrant, Settings, TableResult
from scoring.points import exact, points_rule
from scoring.standings import Standings, standings
from scoring.table import places
from scoring.tiebreaks import TieBreak, available

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "tiebreaks"
DOCS = ROOT / "docs" / "tie-breaks.md"


@dataclass(frozen=True)
class Competition:
    """All that `standings` is given."""

    entrants: tuple[Entrant, ...]
    results: tuple[TableResult, ...]
    settings: Settings = field(default_factory=Settings)
    adjustments: tuple[Adjustment, ...] = ()
    held: tuple[int, ...] | None = None

    def table(self, *keys: str, **changed: Any) -> Standings:
        """Its standings, by these tie-breaks, with other settings changed."""
        settings = replace(self.settings, **({"tie_breaks": keys} if keys else {}), **changed)
        return standings(self.entrants, self.results, settings, adjustments=self.adjustments, held=self.held)


def entered(results: tuple[TableResult, ...], **rest: Any) -> Competition:
    """A competition of everyone who has a result."""
    ids = sorted({result.entrant for result in results}, key=str)
    return Competition(tuple(Entrant(who) for who in ids), results, **rest)


def finished(*orders: str, points: object = None, first_round: int = 1) -> tuple[TableResult, ...]:
    """Tables by their finishing orders, one a round: "C>A=B>D". Without a points rule nobody gets any."""
    return tuple(
        result for number, order in enumerate(orders, first_round) for result in _finished(order, number, points)
    )


def _finished(order: str, number: int, points: object) -> list[TableResult]:
    groups = [group.split("=") for group in order.split(">")]
    ids = [who for group in groups for who in group]
    placed = [1 + sum(len(before) for before in groups[:index]) for index, group in enumerate(groups) for _ in group]
    worth = points_rule(points).of_table((), placed) if points else (0,) * len(ids)
    return [
        TableResult(who, number, order, got, place, len(ids))
        for who, place, got in zip(ids, placed, worth, strict=True)
    ]


def ranks(table: Standings) -> dict[Any, int | None]:
    return {row.entrant: row.rank for row in table.rows}


def totals(table: Standings) -> dict[Any, Any]:
    return {row.entrant: row.total for row in table.rows}


def value(table: Standings, who: object, key: str) -> str | None:
    return dict(table.row(who).tie_breaks)[key]


# At random


def competitions(**asked: Any) -> st.SearchStrategy[Competition]:
    """Any competition, with few enough different points that ties are common."""
    # A seed is one draw where a competition drawn number by number is hundreds.
    return st.integers(0, 2**32 - 1).map(lambda seed: random_competition(Random(seed), **asked))


def random_competition(rng: Random, *, marks: bool = False, unknown: bool = True) -> Competition:
    ids = [f"p{number}" for number in range(rng.randint(2, 9))]
    lower = rng.random() < 0.3
    results: list[TableResult] = []
    rounds = rng.randint(0, 5)
    for number in range(1, rounds + 1):
        here = rng.sample(ids, rng.randint(0, len(ids)))
        for who in [who for who in ids if who not in here]:
            if rng.random() < 0.5:
                kind, points = rng.choice(["bye", "absent"]), rng.choice([0, 1, Fraction(1, 2)])
                results.append(TableResult(who, number, points=points, kind=kind))
        while here:
            seats, here = here[: (size := rng.randint(2, 4))], here[size:]
            results += random_table(rng, number, f"t{len(here)}", seats, lower, unknown)
    limits = rng.choice([{}, {}, {"best": rng.randint(1, 3)}, {"drop": rng.randint(1, 3)}])
    absence = rng.choice([0, 2]) if lower else rng.choice([None, None, 0, -1])
    adjustments = tuple(
        Adjustment(number, rng.choice(ids), rng.choice([-1, 1, Fraction(1, 2)]), "late", rng.random() < 0.5)
        for number in range(rng.choice([0, 0, 0, 1, 3]))
    )
    keys = tuple(rng.sample(sorted(available()), rng.randint(0, len(available()))))
    return Competition(
        tuple(Entrant(who, _marks(rng) if marks else frozenset()) for who in ids),
        tuple(results),
        Settings(lower_is_better=lower, absence=absence, tie_breaks=keys, **limits),
        adjustments,
    )


def _marks(rng: Random) -> frozenset[str]:
    return frozenset(rng.sample(["excluded", "withdrawn", "bot"], rng.choice([0, 0, 0, 1, 2])))


def random_table(
    rng: Random, number: int, table: str, seats: list[str], lower: bool, unknown: bool
) -> list[TableResult]:
    points = [rng.choice([0, 1, 2, Fraction(1, 2)]) for _ in seats]
    deals = rng.randint(1, 3)
    return [
        TableResult(
            who, number, table, exact(got), place, len(seats), exact(got), rng.randint(0, deals), deals,
            rng.randint(0, 4), None if unknown and rng.random() < 0.1 else rng.randint(-2, 2),
        )
        for who, got, place in zip(seats, points, places(points, lowest_wins=lower), strict=True)
    ]  # fmt: skip


# Golden files


@dataclass(frozen=True)
class Golden:
    """One line of a golden file; docs/tie-breaks.md says what it holds."""

    case: str
    competition: Competition
    ranks: dict[str, int]
    shown: dict[str, str | None] = field(default_factory=dict)


def golden_lines(path: Path) -> list[Golden]:
    return [_golden(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _golden(line: dict[str, Any]) -> Golden:
    settings = dict(line.get("settings", {}))
    results = list(finished(*line.get("met", ()), points=line.get("points")))
    for table in line.get("tables", ()):
        for who, numbers in table["seats"].items():
            size = table.get("size", len(table["seats"]))
            given = {key: _exact(number) for key, number in numbers.items()}
            results.append(TableResult(who, table["round"], table.get("table", "1"), size=size, **given))
    for off in line.get("off", ()):
        results.append(TableResult(off["entrant"], off["round"], points=_exact(off["points"]), kind=off["kind"]))
    competition = Competition(tuple(Entrant(who) for who in line["ranks"]), tuple(results), Settings(**settings))
    return Golden(line["case"], competition, line["ranks"], line["shown"])


def _exact(number: int | str | None) -> Any:
    return exact(Fraction(number)) if isinstance(number, str) else number


def golden_fault(cls: type[TieBreak], folder: Path = GOLDEN) -> str | None:
    """What is lacking in the tie-break's golden file, or None."""
    path = folder / f"{cls.key}.jsonl"
    if not path.exists():
        return f"{path.name} is missing"
    lines = golden_lines(path)
    rows = [row for line in lines for row in line.competition.table(cls.key).rows]
    if not any(row.decided and row.decided.by == cls.key for row in rows):
        return f"{path.name} has no line that it decides"
    if all(len(set(line.ranks.values())) == len(line.ranks) for line in lines):
        return f"{path.name} has no line that leaves somebody level"
    return None


def docs_fault(cls: type[TieBreak], page: str | None = None) -> str | None:
    """What is lacking in the tie-break's section of docs/tie-breaks.md, or None."""
    page = DOCS.read_text(encoding="utf-8") if page is None else page
    section = re.search(rf"^## `{re.escape(cls.key)}`\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    if not section:
        return f"no section headed `{cls.key}`"
    return None if section[1].strip() else f"the section `{cls.key}` is empty"
