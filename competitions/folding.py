"""Reading what tables scored, and the standings of a competition: folded once per version, for everybody."""

import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django.db import connection

from competitions import eventlog
from competitions.facts import Kind
from competitions.models import Competition, Event, Folded, Version
from competitions.results import Scores, SeatScore, Share, TableScore, standing_of
from competitions.standing_json import standings_from_json, standings_json
from competitions.state import CompetitionState, fold
from games.audit import one_state
from games.models import Player
from scoring.points import exact
from scoring.result import Points
from scoring.schemes import scheme_from_json
from scoring.standings import Standings

_SCORED = """
    SELECT t.session_id, s.status, s.scheme::text, r.seat, r.place, r.total, r.deals, r.wins, r.cards_left,
           r.players::text, s.confirm AND EXISTS (
               SELECT FROM games_deal d WHERE d.session_id = s.id AND d.awaits
           )
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


def setup_of(competition: Competition) -> CompetitionState:
    """What the competition is played by, and nothing of what happened: facts, settings, rounds' own; one statement."""
    return fold(eventlog.setup_events(competition.pk))


def scores_of(competition: Competition) -> Scores:
    """What every table of the competition scored so far, and who is who; two statements."""
    tables: dict[int, TableScore] = {}
    with connection.cursor() as cursor:
        cursor.execute(_SCORED, [competition.pk])
        for session, status, scheme, seat, place, total, deals, wins, cards_left, players, waits in cursor.fetchall():
            before = tables.get(session) or TableScore(session, status, _chips(scheme), (), waits)
            seats = before.seats
            if seat is not None:
                shares = tuple(
                    Share(item["player"], item["deals"], _number(item["points"]), _number(item["share"]))
                    for item in json.loads(players)
                )
                seats = (*seats, SeatScore(seat, place, _number(total), deals, wins, cards_left, shares))
            tables[session] = TableScore(session, status, before.chips, seats, waits)
    keepers, bots = {}, set()
    special = Player.objects.filter(club=competition.club_id).exclude(strategy="", merged_into=None)
    for pk, strategy, keeper in special.values_list("pk", "strategy", "merged_into"):
        if strategy:
            bots.add(pk)
        if keeper is not None:
            keepers[pk] = keeper
    return Scores(tables, keepers, frozenset(bots))


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
    if row is not None:
        table = with_reasons(competition, standings_from_json(row.standings))
    else:
        version, table = fold_now(competition)
    _kept[competition.pk, version] = table
    while len(_kept) > _KEPT:
        _kept.popitem(last=False)
    return version, table


_PUBLISHED = 4
_published: OrderedDict[tuple[str, int], Standings] = OrderedDict()


def forget_kept() -> None:
    """Empty what this process keeps at hand: for measurements, and tests that change rows behind the log's back."""
    _kept.clear()
    _published.clear()


def fold_now(competition: Competition) -> tuple[int, Standings]:
    """Fold the standings from one state of the database and keep them with their version."""
    with one_state():
        version = version_of(competition)
        table = standing_of(state_of(competition), scores_of(competition))
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO competitions_folded AS kept (competition_id, version, standings) VALUES (%s, %s, %s::jsonb)"
            " ON CONFLICT (competition_id) DO UPDATE SET version = excluded.version, standings = excluded.standings"
            " WHERE kept.version < excluded.version",
            [competition.pk, version, json.dumps(standings_json(without_reasons(table)))],
        )
    return version, table


def published(competition: Competition, seq: int) -> Standings:
    """The standings as published by event `seq`, which never change; two statements, or one."""
    at = (competition.public_id, seq)
    table = _published.get(at)
    if table is None:
        table = _published[at] = standings_from_json(eventlog.content(competition.pk, seq)["standings"])
    while len(_published) > _PUBLISHED:
        _published.popitem(last=False)
    return with_reasons(competition, table)


def without_reasons(table: Standings) -> Standings:
    """Standings to be kept for good: why points were given stays in the log alone, where it can be blanked."""
    return _with(table, {})


def with_reasons(competition: Competition, table: Standings) -> Standings:
    """Kept standings with the reasons of adjustments as the log has them now; no statement where there are none."""
    if not any(row.adjustments for row in table.rows):
        return table
    reasons = Event.objects.filter(competition=competition, kind=int(Kind.ADJUSTED)).values_list("seq", "reason")
    return _with(table, dict(reasons))


def _with(table: Standings, reasons: Mapping[int, str]) -> Standings:
    rows = tuple(
        replace(
            row,
            adjustments=tuple(replace(item, reason=reasons.get(int(str(item.id)), "")) for item in row.adjustments),
        )
        if row.adjustments
        else row
        for row in table.rows
    )
    return replace(table, rows=rows)


def _number(value: Any) -> Points:
    return value if type(value) is int else exact(Fraction(value))


@lru_cache(maxsize=256)
def _chips(scheme: str) -> bool:
    return scheme_from_json(json.loads(scheme)).key == "chip-pot"
