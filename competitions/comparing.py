"""Two standings of one competition, row by row: what a correction, a new night or a publication changed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, islice
from typing import Any

from competitions.standing_json import number_json
from scoring.counting import RoundLine
from scoring.entries import EntrantId
from scoring.explain import compared, names, ordinal, others, points_of, title_of, unranked_for, value_of
from scoring.points import quantity, shown
from scoring.result import Points
from scoring.standings import TOTAL, Row, Standings
from scoring.tiebreaks import available
from scoring.wording import Listed, mark, say, say_n

Name = Callable[[EntrantId], str]

SIDES = ("before", "after")
NAMED = 5
"""How many of those who are level, and how many rounds, are named one by one; of more only the number is given. Before
the first result everybody is level with everybody, and one night parts them all."""


@dataclass(frozen=True, slots=True)
class Parted:
    """One with whom somebody was level and is not any more: what decides between them now, the total or a tie-break,
    and the values compared, the somebody's first."""

    other: EntrantId
    by: str
    own: Points | str
    theirs: Points | str


@dataclass(frozen=True, slots=True)
class RowChange:
    """What changed in one entrant's row. `before` is None for one who came, `after` for one who went.

    - `parted`: those, ranked before and after, with whom it is level no more; `joined`: those with whom it is level now
      and was not. The first NAMED of each, of `parted_count` and `joined_count` in all.
    """

    entrant: EntrantId
    before: Row | None
    after: Row | None
    parted: tuple[Parted, ...] = ()
    parted_count: int = 0
    joined: tuple[EntrantId, ...] = ()
    joined_count: int = 0

    @property
    def kind(self) -> str:
        """`came`, `went`, `changed`, or `neighbours` where only those level with the row or above it are others."""
        if self.before is None:
            return "came"
        if self.after is None:
            return "went"
        return "neighbours" if _own(self.before) == _own(self.after) else "changed"

    @property
    def rounds(self) -> tuple[tuple[int, RoundLine | None, RoundLine | None], ...]:
        """Each round that counts otherwise than before: its number, and the line of each side where there is one."""
        old, new = ({line.round: line for line in row.rounds} if row else {} for row in (self.before, self.after))
        pairs = ((number, old.get(number), new.get(number)) for number in sorted(old.keys() | new.keys()))
        return tuple((number, one, other) for number, one, other in pairs if _line_json(one) != _line_json(other))

    @property
    def tie_breaks(self) -> tuple[tuple[str, str | None, str | None], ...]:
        """Each tie-break with another value than before: its key, and the values for people."""
        old, new = (dict(row.tie_breaks) if row else {} for row in (self.before, self.after))
        pairs = ((key, old.get(key), new.get(key)) for key in {**new, **old})
        return tuple((key, one, other) for key, one, other in pairs if one != other)

    def to_json(self) -> dict[str, Any]:
        """The change as JSON: rank and total of both sides always, the rest only where it changed; what decides also
        where the rank did. Reasons of adjustments are not in it: they stand in the log, by the `id`."""
        before, after = self.before, self.after
        found: dict[str, Any] = {
            "entrant": self.entrant,
            "change": self.kind,
            "rank": _pair(before and before.rank, after and after.rank),
            "total": _pair(before and number_json(before.total), after and number_json(after.total)),
        }
        if tie_breaks := self.tie_breaks:
            found["tie_breaks"] = {key: _pair(one, other) for key, one, other in tie_breaks}
        if _decided(before) != _decided(after) or (_ranks_differ(found) and (_decided(before) or _decided(after))):
            found["decided"] = _pair(_decision_json(before), _decision_json(after))
        if self.parted_count or self.joined_count:
            found["level"] = {
                "parted": [
                    {"from": one.other, "by": one.by, **_values_json(one.own, one.theirs)} for one in self.parted
                ],
                "parted_count": self.parted_count,
                "joined": list(self.joined),
                "joined_count": self.joined_count,
            }
        elif before and after and len(before.level) != len(after.level):
            found["level_with"] = _pair(max(0, len(before.level) - 1), max(0, len(after.level) - 1))
        if rounds := self.rounds:
            found["rounds"] = [{"round": n, **_pair(_line_json(one), _line_json(other))} for n, one, other in rounds]
        if (old := _adjustments_json(before)) != (new := _adjustments_json(after)):
            found["adjustments"] = _pair(old, new)
        if (marks := before.unranked_for if before else ()) != (now := after.unranked_for if after else ()):
            found["unranked_for"] = _pair(list(marks), list(now))
        return found


def compare(before: Standings | None, after: Standings) -> tuple[RowChange, ...]:
    """Every row that reads otherwise than before, by rank after; then those who went, by rank before.

    A row has changed with its rank, total, tie-breaks, rounds (points, and whether they count), adjustments and marks,
    with those it is level with, and with who is on the rank above and by what. The size of the field is no change, nor
    is a number that belongs to another row. Without `before` everybody came.
    """
    if before is None:
        return tuple(RowChange(row.entrant, None, row) for row in after.rows)
    old = {row.entrant: row for row in before.rows}
    new = {row.entrant for row in after.rows}
    level = _Level(before, after)
    changes = []
    for row in after.rows:
        one = old.get(row.entrant)
        if one is None:
            changes.append(RowChange(row.entrant, None, row))
        elif _own(one) != _own(row) or one.level != row.level or _decided(one) != _decided(row):
            changes.append(level.change(one, row))
    changes += [RowChange(who, row, None) for who, row in old.items() if who not in new]
    return tuple(changes)


class _Level:
    """Who is level no more, and who is now."""

    def __init__(self, before: Standings, after: Standings) -> None:
        self.rows = {row.entrant: row for row in after.rows if row.rank is not None}
        self.was = {row.entrant: row.rank for row in before.rows if row.rank is not None}
        # By rank: who was there and still has a rank, and who is there.
        self.old = _by_rank(row for row in before.rows if row.entrant in self.rows)
        self.new = _by_rank(self.rows.values())
        self.index = {who: index for index, who in enumerate(self.rows)}
        number_of = {TOTAL: -1, **{one.key: number for number, one in enumerate(after.tie_breaks)}}
        self.cuts = [number_of[row.decided.by] if row.decided else -1 for row in self.rows.values()]
        self.found: dict[tuple[int, int], tuple[list[EntrantId], int, list[EntrantId], int]] = {}

    def change(self, before: Row, after: Row) -> RowChange:
        if before.level == after.level or before.rank is None or after.rank is None:
            return RowChange(after.entrant, before, after)
        gone, gone_count, came, came_count = self.difference(before.rank, after.rank)
        parted = tuple(self.parted(after, self.rows[who]) for who in gone)
        return RowChange(after.entrant, before, after, parted, gone_count, tuple(came), came_count)

    def difference(self, before: int, after: int) -> tuple[list[EntrantId], int, list[EntrantId], int]:
        """Who went and who came, and how many of each: the same for all who were on one rank and are on the other."""
        if (before, after) not in self.found:
            old, new = self.old[before], self.new[after]
            stayed = sum(self.was.get(who) == before for who in new)
            gone = islice((who for who in old if self.rows[who].rank != after), NAMED)
            came = islice((who for who in new if self.was.get(who) != before), NAMED)
            self.found[before, after] = list(gone), len(old) - stayed, list(came), len(new) - stayed
        return self.found[before, after]

    def parted(self, row: Row, other: Row) -> Parted:
        """What decides between two. The field is split by the total, then finer by each tie-break in turn: so it is
        the earliest of the cuts between them."""
        if row.total != other.total:
            return Parted(other.entrant, TOTAL, row.total, other.total)
        above, below = (row, other) if self.index[row.entrant] < self.index[other.entrant] else (other, row)
        assert above.rank is not None
        # A row names the cut above its rank: begin with the first of the rank below.
        cut = min(self.cuts[above.rank - 1 + len(above.level) : self.index[below.entrant] + 1])
        (key, own), (_, theirs) = row.tie_breaks[cut], other.tie_breaks[cut]
        assert own is not None
        assert theirs is not None
        return Parted(other.entrant, key, own, theirs)


def _by_rank(rows: Iterable[Row]) -> dict[int | None, list[EntrantId]]:
    return {rank: [row.entrant for row in group] for rank, group in groupby(rows, key=lambda row: row.rank)}


def sentence(change: RowChange, name: Name) -> str:
    """The change for people: "Ann: 3rd → 1st, 14 → 17 points." "Bea and Cyd are no longer level: Wins (4 to 3)."""
    return told(change.to_json(), name)


def told(change: Mapping[str, Any], name: Name) -> str:
    """The same for a change as JSON."""
    who = name(change["entrant"])
    if change["change"] == "came":
        return say("{name}: new, {place} with {points}.", name=who, **_stand(change, "after"))
    if change["change"] == "went":
        return say("{name}: no longer listed; was {place} with {points}.", name=who, **_stand(change, "before"))
    level = change.get("level")
    decided = change.get("decided", {}).get("after")
    if own := list(_own_parts(change)):
        if _ranks_differ(change):
            if level and level["joined_count"]:
                own.append(say("now level with {others}", others=_joined(level, name)))
            if decided and decided["by"] != TOTAL:
                own.append(say("behind {above} by {reason}", **_behind(decided, name)))
        return _all(who, own)
    if level:
        return Listed(_level_parts(level, who, name))
    if decided:
        # Translators: {above} are names; {reason} is a tie-break, or points, with both values: Wins (3 to 4).
        return say("{name} is now behind {above} by {reason}.", name=who, **_behind(decided, name))
    if tie_breaks := change.get("tie_breaks"):
        return _all(who, [_tie_break(key, **pair) for key, pair in tie_breaks.items()])
    with_others = change.get("level_with", _pair(0, 0))
    return say_n(
        "{name}: level with {before} → {n} other.",
        "{name}: level with {before} → {n} others.",
        with_others["after"],
        name=who,
        before=with_others["before"],
    )


def _all(who: str, changes: Sequence[str]) -> str:
    # Translators: what changed for a player, such as 3rd → 1st, 14 → 17 points.
    return say("{name}: {changes}.", name=who, changes=Listed(changes, ", "))


def _own_parts(change: Mapping[str, Any]) -> Iterator[str]:
    """What changed in the row itself; rounds and adjustments only where the total does not say it already."""
    if _ranks_differ(change) or "unranked_for" in change:
        yield say("{before} → {after}", before=_rank(change, "before"), after=_rank(change, "after"))
    before, after = (Fraction(change["total"][side]) for side in SIDES)
    if before != after:
        yield _from_to(before, after)
    for key, pair in change.get("tie_breaks", {}).items():
        if not available()[key].among_tied or (pair["before"] and pair["after"]):  # else it is only asked among others
            yield _tie_break(key, **pair)
    if before == after:
        rounds = change.get("rounds", [])
        if len(rounds) > NAMED:
            yield say_n("{n} round counts otherwise", "{n} rounds count otherwise", len(rounds))
        else:
            for one in rounds:
                lines = {side: _line(one[side]) for side in SIDES}
                # Translators: {before} and {after} are points, perhaps with a note: 3 (dropped).
                yield say("round {number} {before} → {after}", number=one["round"], **lines)
        if "adjustments" in change:
            yield say("other adjustments")


def _level_parts(level: Mapping[str, Any], who: str, name: Name) -> Iterator[str]:
    if level["parted_count"] > len(level["parted"]):
        yield say("{name} is no longer level with {others}.", name=who, others=others(level["parted_count"]))
    else:
        for one in level["parted"]:
            reason = _compared(one)
            yield say(
                "{name} and {other} are no longer level: {reason}.", name=who, other=name(one["from"]), reason=reason
            )
    if level["joined_count"]:
        yield say("{name} is now level with {others}.", name=who, others=_joined(level, name))


def _joined(level: Mapping[str, Any], name: Name) -> str:
    more = level["joined_count"] > len(level["joined"])
    return others(level["joined_count"]) if more else names(level["joined"], name)


def _behind(decided: Mapping[str, Any], name: Name) -> dict[str, str]:
    several = decided["against_count"] > NAMED
    above = others(decided["against_count"]) if several else names(decided["against"], name)
    return {"above": above, "reason": _compared(decided)}


def _compared(values: Mapping[str, Any]) -> str:
    """What decides, with the values as people read them; of a tie-break they are texts already."""
    total = values["by"] == TOTAL
    one, other = (Fraction(value) if total else value for value in (values["own"], values["theirs"]))
    return compared(values["by"], one, other)


def _stand(change: Mapping[str, Any], side: str) -> dict[str, str]:
    return {"place": _rank(change, side), "points": points_of(Fraction(change["total"][side]))}


def _ranks_differ(change: Mapping[str, Any]) -> bool:
    return bool(change["rank"]["before"] != change["rank"]["after"])


def _rank(change: Mapping[str, Any], side: str) -> str:
    rank = change["rank"][side]
    if rank is None:
        return say("not ranked ({reasons})", reasons=unranked_for(change["unranked_for"][side]))
    return ordinal(rank)


def _from_to(before: Points, after: Points) -> str:
    """Both as people read them, or exactly where they would read the same."""
    one, other = shown(before), shown(after)
    if one == other:
        one, other = str(before), str(after)
    return say_n("{before} → {after} point", "{before} → {after} points", quantity(after), before=one, after=other)


def _tie_break(key: str, before: str | None, after: str | None) -> str:
    missing = say("not asked") if available()[key].among_tied else say("not known")
    return say(
        "tie-break {tie_break} {before} → {after}",
        tie_break=title_of(key),
        before=missing if before is None else value_of(key, before),
        after=missing if after is None else value_of(key, after),
    )


def _line(line: Mapping[str, Any] | None) -> str:
    if line is None:
        return say("none")
    points = say("no value") if line["points"] is None else shown(Fraction(line["points"]))
    return say(_NOTED[line["kind"], line["why"] == "dropped"], points=points)


_NOTED = {
    ("played", False): "{points}",
    ("played", True): mark("{points} (dropped)"),
    ("bye", False): mark("{points} (bye)"),
    ("bye", True): mark("{points} (bye, dropped)"),
    ("absent", False): mark("{points} (absent)"),
    ("absent", True): mark("{points} (absent, dropped)"),
}
"""Points of a round, by its kind and whether it is dropped."""


def _own(row: Row) -> tuple[object, ...]:
    """What a row says of its own entrant."""
    lines = [(line.round, line.kind, line.points, line.why) for line in row.rounds]
    return row.rank, row.total, row.tie_breaks, row.adjustments, row.unranked_for, lines


def _decided(row: Row | None) -> tuple[object, ...]:
    """Who is on the rank above, and what decides; the values compared stand in the rows they belong to."""
    return (row.decided.by, row.decided.against) if row and row.decided else ()


def _pair(before: object, after: object) -> dict[str, object]:
    return {"before": before, "after": after}


def _decision_json(row: Row | None) -> dict[str, object] | None:
    if row is None or row.decided is None:
        return None
    against = row.decided.against
    return {
        "by": row.decided.by,
        "against": list(against[:NAMED]),
        "against_count": len(against),
        **_values_json(row.decided.own, row.decided.theirs),
    }


def _values_json(own: Points | str, theirs: Points | str) -> dict[str, object]:
    one, other = (value if isinstance(value, str) else number_json(value) for value in (own, theirs))
    return {"own": one, "theirs": other}


def _line_json(line: RoundLine | None) -> dict[str, object] | None:
    return None if line is None else {"kind": line.kind, "points": number_json(line.points), "why": line.why}


def _adjustments_json(row: Row | None) -> list[dict[str, object]]:
    return [
        {"id": one.id, "points": number_json(one.points), "cancelled": one.cancelled}
        for one in (row.adjustments if row else ())
    ]
