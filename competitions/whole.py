"""A whole competition as lines, each a small JSON object with its `type`: for statisticians (docs/api.md lists them).

Everybody gets what they may see: entries are the club's, adjustments and absences its scorers' and organisers', tables
and what was scored there go with their sessions, publications with being out. Points are exact: whole, or "n/d".
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from typing import Any, TypeVar

import orjson
from django.db import connection
from django.db.models import QuerySet

from competitions import eventlog, folding, selectors, showing
from competitions.models import Competition, Entry, Publication, Table
from competitions.showing import People
from competitions.standing_json import number_json
from competitions.state import CompetitionState, plan_from_json
from games import exports
from games.access import Caller
from games.exporting import Deals
from games.models import Player, Role, TableRow
from games.rated import time_text

FORM = 1
"""Counted up when a line changes its meaning."""

AT_ONCE = 500
"""Rows in memory, and those whose people are looked up in one statement."""

Json = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the lines: how many, and they themselves, of which nothing is read before it is asked for."""

    count: int
    lines: Callable[[], Iterator[Json]]


class Whole:
    """A competition as `caller` may see it at the moment `now`. All of it is read inside one snapshot."""

    def __init__(self, caller: Caller, competition: Competition, now: datetime) -> None:
        self.caller, self.competition, self.now = caller, competition, now
        self.whole = selectors.sees_whole(caller, competition)
        self.member = caller.system or caller.has(Role.MEMBER, competition.club_id)
        condition = "s.id IN (SELECT t.session_id FROM competitions_table t WHERE t.competition_id = %s)"
        self.deals = Deals(condition if self.member else f"{condition} AND s.public", (competition.pk,))

    # -- what there is

    def state(self) -> tuple[Any, ...]:
        """Differs as soon as a line would; of what the caller may not see, it tells nothing."""
        tables = Table.objects.filter(competition=self.competition)
        entries = Entry.objects.filter(competition=self.competition)
        return (
            *exports.state_of_sessions(self.deals, self.competition.club_id),
            repr(selectors.setup(self.competition).settings_json),
            repr(selectors.bare_rounds(self.caller, self.competition, now=self.now)),
            repr(list(self._publications().values_list("number", "seq", "not_before", "unpublished_by"))),
            tables.count(),
            repr(list(entries.order_by("pk").values_list())) if self.member else "",
            (self.competition.seq, selectors.version(self.caller, self.competition)) if self.whole else "",
        )

    def parts(self) -> list[Part]:
        """All lines, in order."""
        found = [Part(1, lambda: iter([self._competition()]))]
        if self.member:
            found.append(Part(self._entries().count(), self._entry_lines))
        rounds = selectors.bare_rounds(self.caller, self.competition, now=self.now)
        found.append(Part(len(rounds), lambda: map(_round, rounds)))
        found.append(Part(self._tables().count(), self._table_lines))
        found.append(Part(self._shares(), self._result_lines))
        if self.whole:
            state = folding.state_of(self.competition)
            found += _organisers(state)
        sizes = _sizes(self.competition)
        for row in self._publications():
            found.append(Part(1 + sizes[row.seq], lambda row=row: self._publication_lines(row)))  # type: ignore[misc]
        return found

    # -- the competition, who enters it, its tables and what was scored there

    def _competition(self) -> Json:
        row = self.competition
        setup = selectors.setup(row)
        return {
            "type": "competition",
            "form": FORM,
            "competition": row.public_id,
            "club": row.club.slug,
            "name": row.name,
            "season": row.season,
            "kind": row.kind,
            "format": row.format,
            "status": row.status,
            "public": row.public,
            "starts_on": row.starts_on,
            "ends_on": row.ends_on,
            "settings": setup.settings_json,
            "whole": self.whole,
            "version": selectors.version(self.caller, row),
        }

    def _entries(self) -> QuerySet[Entry]:
        return selectors.entries(self.caller, self.competition)

    def _entry_lines(self) -> Iterator[Json]:
        for row in self._entries().iterator(AT_ONCE):
            yield {
                "type": "entry",
                **_person(row.player.person),
                "seed": row.seed,
                "from_round": row.from_round,
                "withdrawn_from": row.withdrawn,
            }

    def _tables(self) -> QuerySet[Table]:
        return Table.objects.filter(competition=self.competition).order_by("round", "number")

    def _table_lines(self) -> Iterator[Json]:
        columns = ("round", "number", "session__public", "session__public_id", "session__label", "session__status")
        for number, table, public, session, label, status in self._tables().values_list(*columns).iterator(AT_ONCE):
            seen = self.member or public
            yield {
                "type": "table",
                "round": number,
                "table": table,
                "session": session if seen else None,
                "label": label if seen else None,
                "status": status if seen else None,
            }

    def _rows(self) -> QuerySet[TableRow]:
        rows = TableRow.objects.filter(session__competition_table__competition=self.competition)
        return rows if self.member else rows.filter(session__public=True)

    def _shares(self) -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT coalesce(sum(jsonb_array_length(r.players)), 0) FROM games_tablerow r"
                " JOIN games_session s ON s.id = r.session_id"
                " JOIN competitions_table t ON t.session_id = s.id WHERE t.competition_id = %s AND (%s OR s.public)",
                [self.competition.pk, self.member],
            )
            return int(cursor.fetchone()[0])

    def _result_lines(self) -> Iterator[Json]:
        """A line for everybody who sat in a seat of a table."""
        at = ("session__competition_table__round", "session__competition_table__number")
        columns = (*at, "session__public_id", "seat", "place", "total", "deals", "wins", "cards_left", "players")
        rows = self._rows().order_by(*at, "seat").values_list(*columns).iterator(AT_ONCE)
        for some in _batches(rows, AT_ONCE):
            people = showing.people([share["player"] for *_, shares in some for share in shares])
            for number, table, session, seat, place, total, deals, wins, cards_left, shares in some:
                for share in shares:
                    yield {
                        "type": "result",
                        "round": number,
                        "table": table,
                        "session": session,
                        "seat": seat,
                        **_person(people[share["player"]]),
                        "place": place,
                        "total": int(total) if "/" not in total else total,
                        "deals": deals,
                        "wins": wins,
                        "cards_left": cards_left,
                        "own_deals": share["deals"],
                        "own_points": share["points"],
                        "share": share["share"],
                    }

    # -- publications

    def _publications(self) -> QuerySet[Publication]:
        return selectors.publications(self.caller, self.competition, now=self.now)

    def _publication_lines(self, row: Publication) -> Iterator[Json]:
        yield {
            "type": "publication",
            "publication": row.number,
            "what": row.what,
            "round": row.round,
            "at": time_text(row.at),
            "not_before": None if row.not_before is None else time_text(row.not_before),
            "out": selectors.is_out(row, self.now),
        }
        if row.what == Publication.What.STANDINGS:
            yield from self._standing_lines(row)
        else:
            yield from _draw_lines(row, eventlog.content(self.competition.pk, row.seq))

    def _standing_lines(self, row: Publication) -> Iterator[Json]:
        shown = showing.standings_shown(folding.published(self.competition, row.seq))
        for one in shown.rows:
            yield {
                "type": "standing",
                "publication": row.number,
                "rank": one.rank,
                **_person(one.player),
                "total": one.exact,
                "tie_breaks": dict(one.row.tie_breaks),
            }


def lines(whole: Whole, *, skip: int = 0) -> Iterator[str]:
    """All lines but the first `skip`, as text."""
    for part in whole.parts():
        if skip >= part.count:
            skip -= part.count
            continue
        for line in islice(part.lines(), skip, None):
            yield orjson.dumps(line).decode()
        skip = 0


def count(whole: Whole) -> int:
    """How many lines there are in all."""
    return sum(part.count for part in whole.parts())


# -- single lines


def _person(player: Player) -> Json:
    return {"player": player.public_id, "name": player.name, "bot": bool(player.strategy)}


def _round(row: selectors.RoundSeen) -> Json:
    return {
        "type": "round",
        "round": row.number,
        "title": row.title,
        "day": row.day,
        "status": row.status,
        "publication": row.publication,
        "overrides": row.overrides,
    }


def _organisers(state: CompetitionState) -> Iterable[Part]:
    """What scorers and organisers alone see: points given, who was not there, who sat for whom."""
    people = _Later(
        lambda: showing.people(
            [item.player for item in state.adjustments],
            [item.player for item in state.sit_outs.values()],
            [player for item in state.substitutions.values() for player in (item.player, item.substitute)],
        )
    )
    yield Part(
        len(state.adjustments),
        lambda: (
            {
                "type": "adjustment",
                "seq": item.seq,
                **_person(people.get()[item.player]),
                "points": number_json(item.points),
                "reason": item.reason,
                "cancelled_by": item.cancelled_by,
            }
            for item in state.adjustments
        ),
    )
    yield Part(
        len(state.sit_outs),
        lambda: (
            {
                "type": "sit_out",
                "round": item.round,
                **_person(people.get()[item.player]),
                "bye": item.bye,
                "points": None if item.points is None else number_json(item.points),
            }
            for item in state.sit_outs.values()
        ),
    )
    yield Part(
        len(state.substitutions),
        lambda: (
            {
                "type": "substitution",
                "round": item.round,
                **_person(people.get()[item.player]),
                "by": _person(people.get()[item.substitute]),
                "credit": item.credit,
            }
            for item in state.substitutions.values()
        ),
    )


def _draw_lines(row: Publication, content: Json) -> Iterator[Json]:
    """The seats of a published draw, counted from 0 as everywhere in the API; then who sits out."""
    plan = plan_from_json(content["plan"])
    by = {int(player): substitute for player, substitute in content["substitutes"].items()}
    drawn = [int(player) for player in chain(*plan.tables, plan.sitting_out)]
    people = showing.people(drawn, by.values())
    about = {"publication": row.number, "round": row.round}
    for table, players in enumerate(plan.tables, 1):
        for seat, player in enumerate(map(int, players)):
            instead = by.get(player)
            yield {
                "type": "drawn",
                **about,
                "table": table,
                "seat": seat,
                **_person(people[player]),
                "substitute": None if instead is None else _person(people[instead]),
            }
    for player in map(int, plan.sitting_out):
        yield {"type": "sits_out", **about, **_person(people[player])}


def _sizes(competition: Competition) -> dict[int, int]:
    """By the seq of each publication's event how many lines its content makes, as the database counts them."""
    with connection.cursor() as cursor:
        cursor.execute(_SIZES, [competition.pk])
        return dict(cursor.fetchall())


_SIZES = """
    SELECT p.seq, CASE WHEN p.what = 'standings' THEN jsonb_array_length(e.data #> '{content,standings,rows}') ELSE
        jsonb_array_length(e.data #> '{content,plan,sitting_out}') + (
            SELECT coalesce(sum(jsonb_array_length(seats)), 0)
            FROM jsonb_array_elements(e.data #> '{content,plan,tables}') AS seats
        ) END
    FROM competitions_publication p
    JOIN competitions_event e ON e.competition_id = p.competition_id AND e.seq = p.seq
    WHERE p.competition_id = %s
"""


class _Later:
    """People looked up once, by the first line that needs them."""

    def __init__(self, make: Callable[[], People]) -> None:
        self._make = make
        self._made: People | None = None

    def get(self) -> People:
        if self._made is None:
            self._made = self._make()
        return self._made


def _batches(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    rows = iter(rows)
    while some := list(islice(rows, size)):
        yield some
