"""Deals that count, for ratings: who played whom, under which terms, who came where. A JSON object a line.

A rating is of those who sat at the table in that deal; who gets the points in the session's table, and in a
competition's, may be somebody else (`credit`), which is theirs to say.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any

import orjson
from django.db import connection
from django.db.models.functions import Coalesce

from games.engine.rules import Rules
from games.exporting import FETCH, Deals, Seating
from scoring.schemes import Scheme, scheme_from_json

_FROM = "FROM games_deal d JOIN games_session s ON s.id = d.session_id WHERE d.current AND d.counted AND "
_COLUMNS = """
    SELECT d.session_id, s.public_id, s.label, d.number, d.mode, s.rules::text, s.scheme::text, d.ended_at,
        d.points::text, d.result::text, d.dealer
"""
_ORDER = " ORDER BY d.ended_at, d.session_id, d.number OFFSET %s"
_WHO = (
    Coalesce("player__merged_into__public_id", "player__public_id"),
    Coalesce("player__merged_into__name", "player__name"),
    Coalesce("player__merged_into__strategy", "player__strategy"),
)

About = Callable[[Collection[int]], Mapping[int, Mapping[str, Any]]]
"""What else is said of deals, by their session's row id: members of each line."""


@dataclass(frozen=True, slots=True)
class _Row:
    session_id: int
    session: str
    label: str
    number: int
    mode: str
    rules: str
    scheme: str
    ended_at: datetime
    points: str
    result: str
    dealer: int


def count(deals: Deals) -> int:
    """How many lines there are."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) {_FROM} ({deals.condition})", deals.values)
        return int(cursor.fetchone()[0])


def lines(deals: Deals, *, about: About, otherwise: Mapping[str, Any], skip: int = 0) -> Iterator[str]:
    """Those of `deals` that count, in the order in which they ended, all but the first `skip`. Inside a transaction;
    FETCH of them are in memory at a time. `otherwise`: what is said of deals of which `about` says nothing."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(f"{_COLUMNS} {_FROM} ({deals.condition}) {_ORDER}", (*deals.values, skip))
        while found := cursor.fetchmany(FETCH):
            rows = [_Row(*row) for row in found]
            sessions = {row.session_id for row in rows}
            seating, more = Seating(sessions, _WHO), about(sessions)
            for row in rows:
                yield _line(row, seating.of(row.session_id, row.number), more.get(row.session_id, otherwise))


def _line(row: _Row, seats: Sequence[tuple[str, str, str]], more: Mapping[str, Any]) -> str:
    scheme, points, result = _scheme(row.scheme), json.loads(row.points), json.loads(row.result)
    places = places_of(points, lowest_wins=scheme.lowest_wins)
    line = {
        "type": "deal",
        "time": time_text(row.ended_at),
        "session": row.session,
        "label": row.label,
        "deal": row.number,
        "mode": row.mode,
        "rules": _rules(row.rules),
        "scheme": scheme.text,
        "lowest_wins": scheme.lowest_wins,
        **more,
        "dealer": row.dealer,
        "seats": [
            {
                "player": player,
                "name": name,
                "bot": bool(strategy),
                "place": place,
                "points": own,
                "cards_left": left,
                "winner": seat == result["winner"],
            }
            for seat, ((player, name, strategy), place, own, left) in enumerate(
                zip(seats, places, points, result["cards_left"], strict=True)
            )
        ],
    }
    return orjson.dumps(line).decode()


def places_of(points: Sequence[int | str], *, lowest_wins: bool) -> list[int]:
    """Places by the points of one deal, exact ones (whole, or "n/d"): equal points share a place, 1 2 2 4."""
    sign = -1 if lowest_wins else 1
    worth = [sign * (own if isinstance(own, int) else Fraction(own)) for own in points]
    return [1 + sum(other > own for other in worth) for own in worth]


def time_text(at: datetime) -> str:
    """As everywhere in the API: ISO 8601 in UTC, to the microsecond."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


@lru_cache(maxsize=256)
def _rules(stored: str) -> Any:
    """What was played, whether hosted or at a real table."""
    return Rules.from_json(json.loads(stored)).with_wrongful_pass(None).to_json()


@lru_cache(maxsize=256)
def _scheme(stored: str) -> Scheme:
    return scheme_from_json(scheme_from_json(json.loads(stored)).to_json())
