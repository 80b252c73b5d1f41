"""`manage.py replay` over a file of recorded deals: deals a second of the whole process, and its memory.

The file has deals of every profile with three to eight seats (records.py). The yardsticks go over the same lines in the
same round: reading the JSON alone, and reading it and replaying by the naive model of the tests, which checks neither
cards nor result and scores nothing.
"""

import itertools
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bench.figures import Figure, in_turn, rate, ratios
from bench.records import write_file
from games.engine.rules import Rules
from tests.engine.naive import NaiveDeal

ROOT = Path(__file__).resolve().parent.parent
SHORT, LONG = 10_000, 100_000
MOST_ROUNDS = 5
"""A round takes most of a minute."""
SECONDS = 1.0
"""Of each yardstick in each round."""


def measure(rounds: int) -> Iterator[Figure]:
    rounds = min(rounds, MOST_ROUNDS)
    with tempfile.TemporaryDirectory(prefix="fantan-bench-") as folder:
        start = time.process_time()
        long = write_file(Path(folder) / "long.jsonl", LONG)
        made = LONG / (time.process_time() - start)
        short = Path(folder) / "short.jsonl"
        with long.open("rb") as lines:
            short.write_bytes(b"".join(itertools.islice(lines, SHORT)))

        peaks: dict[Path, list[float]] = {short: [], long: []}

        def whole(file: Path, deals: int) -> float:
            seconds, peak = _replayed(file)
            peaks[file].append(peak)
            return deals / seconds

        with long.open("rb") as naive_lines, long.open("rb") as json_lines:
            sides = {
                "replay": partial(whole, long, LONG),
                "short": partial(whole, short, SHORT),
                "json": partial(rate, partial(_read, json_lines), SECONDS),
                "naive": partial(rate, partial(_naive, naive_lines), SECONDS),
            }
            rates = in_turn(rounds, sides)
    own = {name: sorted(values)[rounds // 2] for name, values in rates.items()}
    scale = f"{own['replay']:,.0f} deals/s in all; deals made at {made:,.0f}/s"
    naive, alone = f"{own['naive']:,.0f} deals/s", f"{own['json']:,.0f} deals/s"
    yield Figure(
        f"replay of {LONG:,} deals over json.loads and naive replay", ratios(rates, "replay", "naive"), note=naive
    )
    yield Figure(f"replay of {LONG:,} deals over json.loads alone", ratios(rates, "replay", "json"), note=alone)
    yield Figure(f"replay of {LONG:,} deals over {SHORT:,}, a deal", ratios(rates, "replay", "short"), note=scale)
    yield Figure(f"peak memory at {SHORT:,} deals", peaks[short], "MB")
    yield Figure(f"peak memory at {LONG:,} deals", peaks[long], "MB")
    growth = [high / low for low, high in zip(peaks[short], peaks[long], strict=True)]
    yield Figure("peak memory at ten times the deals", growth, at_most=1.05)


def _replayed(file: Path) -> tuple[float, float]:
    """CPU seconds of the whole process, start and end included, and its peak memory in MB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "manage.py", "replay", str(file)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        peak = 0.0
        while process.poll() is None:
            peak = max(peak, _peak(process.pid))
            time.sleep(0.02)
    if process.returncode:
        raise RuntimeError(f"replay ended with {process.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, peak


def _peak(pid: int) -> float:
    """Read while it runs: what getrusage says afterwards counts our own memory in, from before the exec."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def _next(lines: Any) -> bytes:
    line = lines.readline()
    if not line:
        lines.seek(0)
        line = lines.readline()
    return line


def _read(lines: Any) -> int:
    json.loads(_next(lines))
    return 1


def _naive(lines: Any) -> int:
    record = json.loads(_next(lines))
    rules = Rules.from_json(record["rules"])
    deal = NaiveDeal(
        ace=rules.ace,
        start=rules.start,
        wrongful_pass=rules.wrongful_pass,
        dealer=record["dealer"],
        hands=[hand.split() for hand in record["hands"]],
    )
    for action in record["actions"].split():
        deal.do(action)
    if [len(hand) for hand in deal.hands] != record["result"]["cards_left"]:
        raise RuntimeError("the naive model comes to another result")
    return 1
