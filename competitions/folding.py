"""Reading what tables scored, and the standings of a competition: folded once per version, for everybody."""

import json
from collections import OrderedDict
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django.db import connection, transaction

from competitions import eventlog
from competitions.models import Competition, Folded, Version
from competitions.results import Scores, SeatScore, Share, TableScore, standing_of
from competitions.standing_json import standings_from_json, standings_json
from competitions.state import CompetitionState, fold
from games.models import Player
from scoring.points import exact
from scoring.result import Points
from scoring.schemes import scheme_from_json
from scoring.standings import Standings

_SCORED = """
    SELECT t.session_id, s.status, s.scheme::text, r.seat, r.place, r.total, r.deals, r.wins, r.cards_left,
           r.players::text
    FROM competitions_table t
    JOIN games_session s ON s.id = t.session_id
    LEFT JOIN games_tablerow r ON r.session_id = t.session_id
    WHERE t.competition_id = %s ORDER BY t.session_id, r.seat
"""

_KEPT = 16
_kept: OrderedDict[tuple[int, int], Standings] = OrderedDict()


def state_of(competition: Competition) -> CompetitionState:
    """The fold of the competition's own events; one statement."""
    return fold(eventlog.own_events(competition.pk))


def scores_of(competition: Competition) -> Scores:
    """What every table of the competition scored so far, and who is who; two statements."""
    tables: dict[int, TableScore] = {}
    with connection.cursor() as cursor:
        cursor.execute(_SCORED, [competition.pk])
        for session, status, scheme, seat, place, total, deals, wins, cards_left, players in cursor.fetchall():
            before = tables.get(session) or TableScore(session, status, _chips(scheme), ())
            seats = before.seats
            if seat is not None:
                shares = tuple(
                    Share(item["player"], item["deals"], _number(item["points"]), _number(item["share"]))
                    for item in json.loads(players)
                )
                seats = (*seats, SeatScore(seat, place, _number(total), deals, wins, cards_left, shares))
            tables[session] = TableScore(session, status, before.chips, seats)
    bots = Player.objects.filter(club=competition.club_id).exclude(strategy="").values_list("pk", flat=True)
    return Scores(tables, {}, frozenset(bots))


def version_of(competition: Competition) -> int:
    """The version of the competition's numbers now."""
    return int(Version.objects.values_list("number", flat=True).get(competition=competition))


def standings_now(competition: Competition) -> tuple[int, Standings]:
    """The standings and the version they are of. Folds only where nobody has at this version.

    Two statements where the table is folded already, one where this process has it at hand.
    """
    if connection.in_atomic_block:
        # A write or a rehearsal under way: its numbers are nobody else's yet.
        return version_of(competition), standing_of(state_of(competition), scores_of(competition))
    version = version_of(competition)
    if (known := _kept.get((competition.pk, version))) is not None:
        return version, known
    row = Folded.objects.filter(competition=competition, version=version).first()
    table = standings_from_json(row.standings) if row is not None else None
    if table is None:
        version, table = fold_now(competition)
    _kept[competition.pk, version] = table
    while len(_kept) > _KEPT:
        _kept.popitem(last=False)
    return version, table


def fold_now(competition: Competition) -> tuple[int, Standings]:
    """Fold the standings from one state of the database and keep them with their version."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        version = version_of(competition)
        table = standing_of(state_of(competition), scores_of(competition))
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO competitions_folded AS kept (competition_id, version, standings) VALUES (%s, %s, %s::jsonb)"
            " ON CONFLICT (competition_id) DO UPDATE SET version = excluded.version, standings = excluded.standings"
            " WHERE kept.version < excluded.version",
            [competition.pk, version, json.dumps(standings_json(table))],
        )
    return version, table


def _number(value: Any) -> Points:
    return value if type(value) is int else exact(Fraction(value))


@lru_cache(maxsize=256)
def _chips(scheme: str) -> bool:
    return scheme_from_json(json.loads(scheme)).key == "chip-pot"
