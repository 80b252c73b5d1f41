"""The command line: which measurements, how many rounds, text out and JSON on demand."""

import argparse
import json
import logging
import os
import platform
import sys
import time
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import django

NAMES = ("engine", "replay", "storage", "action", "bots", "competitions", "standings", "live", "export", "pages")
PACKAGES = ("django", "djangorestframework", "psycopg", "granian", "orjson", "open-spiel")


def main() -> None:
    parser = argparse.ArgumentParser(prog="dev.py bench", description="Ratios to yardsticks, all inside this one run.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"what to measure, else everything: {', '.join(NAMES)}"
    )
    parser.add_argument("--rounds", type=int, default=9, help="rounds of each comparison (9)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(NAMES))
    if unknown or options.rounds < 1:
        parser.error(f"there is no {unknown[0]}; there are {', '.join(NAMES)}" if unknown else "--rounds is at least 1")

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fantan_site.settings")
    for name in ("READS", "WRITES", "ANONYMOUS", "BULK"):  # counted as always, and never reached
        os.environ[f"RATE_LIMIT_{name}"] = "999999999/60"
    django.setup()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    report = {"machine": _machine(), "rounds": options.rounds, "figures": {}}
    print("\n".join(f"{name}: {value}" for name, value in report["machine"].items()), flush=True)
    for name in options.names or NAMES:
        start = time.monotonic()
        print(f"\n{name}: median, min–max, gate", flush=True)
        measured = []
        for figure in import_module(f"bench.{name}").measure(options.rounds):
            print(figure.as_text(), flush=True)
            measured.append(figure.as_json())
        report["figures"][name] = measured
        print(f"  ({time.monotonic() - start:.0f} s, load now {_load()})", flush=True)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")


def _machine() -> dict[str, str]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        (postgres,) = cursor.fetchone()
    return {
        "cores": f"{os.cpu_count()} ({platform.machine()}), load {_load()}",
        "versions": ", ".join([f"Python {platform.python_version()}", f"PostgreSQL {postgres}", *_packages()]),
    }


def _packages() -> list[str]:
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    return found


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    sys.exit(main())
