"""What the tests of formats share: rounds asked for at random, and results by lot."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from competitions.formats import Ask, Format, TableBefore
from competitions.seating import Round, TableRule

DOCS = Path(__file__).parents[2] / "docs" / "formats.md"
FOURS = TableRule(4, 3, 5)
LITTLE = 0.02


def ask(players: int, **more: Any) -> Ask:
    """A round for players 1, 2, … Round 1 at tables of 3 to 5, unless said otherwise."""
    return Ask(**{"number": 1, "players": frozenset(range(1, players + 1)), "rule": FOURS, "seed": "s", **more})


def seeds(count: int) -> dict[int, int]:
    """Players 1, 2, … seeded in this order."""
    return {player: player for player in range(1, count + 1)}


def ended(drawn: Round, places: Mapping[int, int] | None = None) -> tuple[TableBefore, ...]:
    """The tables of a round, with these places, or all in the order in which they sit."""
    return tuple(
        TableBefore(number, tuple((int(who), (places or {}).get(int(who), seat)) for seat, who in enumerate(table, 1)))
        for number, table in enumerate(drawn.tables, 1)
    )


def after(asked: Ask, drawn: Round, points: dict[int, int], rng: Random) -> Ask:
    """The next round, after the drawn one was played by lot. Adds to the points."""
    tables = []
    for table in ended(drawn):
        order = rng.sample(table.seats, len(table.seats))
        tables.append(replace(table, seats=tuple((who, place) for place, (who, _) in enumerate(order, 1))))
        for place, (who, _) in enumerate(order):
            points[who] = points.get(who, 0) + len(order) - place
    values = sorted(set(points.values()), reverse=True)
    return replace(
        asked,
        number=asked.number + 1,
        played=(*asked.played, drawn),
        before=tuple(tables),
        sitting_out_before=tuple(int(who) for who in drawn.sitting_out),
        levels=tuple(tuple(sorted(who for who in points if points[who] == value)) for value in values),
    )


def docs_fault(cls: type[Format], page: str | None = None) -> str | None:
    """What is lacking in the format's section of docs/formats.md, or None."""
    page = DOCS.read_text(encoding="utf-8") if page is None else page
    section = re.search(rf"^## `{re.escape(cls.key)}`\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    if not section or not section[1].strip():
        return f"no section headed `{cls.key}`"
    lacking = [name for name in cls.parameters if f"`{name}`" not in section[1]]
    return f"the section `{cls.key}` does not name {', '.join(lacking)}" if lacking else None
