"""What a measurement comes to: rates taken in turn, their ratio round by round, the median with its spread."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import mean, median
from typing import Any

Work = Callable[[], int]
"""A piece of work of a few milliseconds; returns how much of it was done (actions, deals, rows)."""


@dataclass(frozen=True)
class Figure:
    """One line of the report: `values` has one entry a round, or one alone for what does not vary.

    `at_least`, `at_most`: the gate, where there is one. `note`: absolute figures, for scale only.
    """

    name: str
    values: list[float]
    unit: str = "x"
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""

    @property
    def median(self) -> float:
        return median(self.values)

    @property
    def gate(self) -> str:
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        return "" if self.at_most is None else f"≤ {self.at_most:g}"

    @property
    def met(self) -> bool:
        """Whether the median keeps the gate."""
        low, high = self.at_least, self.at_most
        return (low is None or self.median >= low) and (high is None or self.median <= high)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "median": self.median, "met": self.met}

    def as_text(self) -> str:
        spread = f"{shown(min(self.values))}–{shown(max(self.values))}" if len(self.values) > 1 else ""
        verdict = "" if not self.gate else "met" if self.met else "MISSED"
        columns = f"  {self.name:<58}{shown(self.median):>9} {self.unit:<5} {spread:<15}{self.gate:<8}{verdict:<8}"
        return f"{columns}{self.note}".rstrip()


def shown(value: float) -> str:
    """Three digits that say something."""
    if value == int(value) or value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def rate(work: Work, seconds: float, clock: Callable[[], float] = time.process_time) -> float:
    """Units a second of the work, repeated for that long. By CPU time, so that a busy machine matters less."""
    start = clock()
    done = work()
    while (spent := clock() - start) < seconds:
        done += work()
    return done / spent


def in_turn(rounds: int, sides: dict[str, Callable[[], float]], *, slices: int = 1) -> dict[str, list[float]]:
    """Each side's rates, one a round: A B C A B C …, so that a slow minute falls on all of them alike.

    `slices`: how often the sides take turns in one round, whose rate is the mean of theirs.
    """
    rates: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        taken = [{name: measure() for name, measure in sides.items()} for _ in range(slices)]
        for name, values in rates.items():
            values.append(mean([one[name] for one in taken]))
    return rates


def ratios(rates: dict[str, list[float]], one: str, other: str) -> list[float]:
    """How many times as fast `one` was as `other`, taken inside each round."""
    return [a / b for a, b in zip(rates[one], rates[other], strict=True)]
