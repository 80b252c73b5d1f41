"""dev.py's own words. They go to stderr, so that `dev.py manage …` leaves stdout to the command."""

import sys
import time
from typing import NoReturn

_STARTED = time.monotonic()


def say(message: str) -> None:
    print(f"[{time.monotonic() - _STARTED:5.1f}s] {message}", file=sys.stderr, flush=True)


def die(message: str, status: int = 2) -> NoReturn:
    """End with one clear message. Status 2: it could not start; 1: something that ran failed."""
    print(f"dev.py: {message}", file=sys.stderr, flush=True)
    raise SystemExit(status)
