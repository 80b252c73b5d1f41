"""The standings of a competition: one pure function for everyone who shows, seats, publishes or previews by them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.counting import Field, Record, RoundLine, field
from scoring.entries import Adjustment, Entrant, EntrantId, Settings, TableResult
from scoring.result import Points
from scoring.tiebreaks import TieBreak, Worth, tie_breaks

TOTAL = "total"
"""What decides before any tie-break."""

NO_RESULT = "no result yet"
"""Why somebody has no rank who is not marked."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Why a row stands below the one above it.

    - `by`: TOTAL, or the key of the first tie-break on which the two differ; on all before it they are equal.
    - `against`: everyone on the next better rank, by id.
    - `own` and `theirs`: the values compared, as in their rows: totals, or a tie-break's for people; of several on the
      rank above the first one's.
    """

    by: str
    against: tuple[EntrantId, ...]
    own: Points | str
    theirs: Points | str


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant's line of the standings, with everything it comes from.

    - `rank`: 1 the best; equals share a rank and use up as many: 1 2 2 4. Only ranked entrants use up ranks; None for
      the others, who are `unranked_for` the marks named, or for NO_RESULT.
    - `total`: the points of rounds that count, and of adjustments not cancelled.
    - `rounds`: those with a result or a declared value, and for each whether it counts or why not. Others of
      Standings.rounds were missed without one.
    - `tie_breaks`: for each key in the order asked, the value for people; None where it was not asked or is not known.
    - `decided`: why this row is below the rank above; None on the first rank and without one.
    - `level`: those of its rank, itself included, who are equal on everything; one object for all of them, since
      before the first round that is everybody. Empty without a rank.
    """

    entrant: EntrantId
    rank: int | None
    total: Points
    rounds: tuple[RoundLine, ...]
    adjustments: tuple[Adjustment, ...]
    tie_breaks: tuple[tuple[str, str | None], ...]
    decided: Decision | None
    level: tuple[EntrantId, ...]
    unranked_for: tuple[str, ...]

    @property
    def level_with(self) -> tuple[EntrantId, ...]:
        """The others of the same rank."""
        return tuple(other for other in self.level if other != self.entrant)


@dataclass(frozen=True, slots=True)
class Standings:
    """The rows by rank, equals by id, then the unranked by total. Two are equal when they say the same.

    - `ranked`: how many have a rank, the size of the field that a rank is one of.
    - `rounds`: every round held or with a result, in order.
    - `tie_breaks`: in the order asked, to be printed with the table.
    """

    rows: tuple[Row, ...]
    ranked: int
    rounds: tuple[int, ...]
    tie_breaks: tuple[type[TieBreak], ...]
    lower_is_better: bool

    def row(self, entrant: EntrantId) -> Row:
        """The row of one entrant. Raise KeyError when there is none."""
        for row in self.rows:
            if row.entrant == entrant:
                return row
        raise KeyError(entrant)


def standings(
    entrants: Iterable[Entrant],
    results: Iterable[TableResult],
    settings: Settings,
    *,
    adjustments: Iterable[Adjustment] = (),
    held: Iterable[int] | None = None,
) -> Standings:
    """Count, rank and explain. The answer depends on nothing else, and not on the order of what comes in.

    `held`: the numbers of the rounds that are over, where an entrant without any result was absent; left out, every
    round that was played at a table. Raise BadStandings or BadTieBreak (see scoring.entries, scoring.tiebreaks).
    """
    asked = tie_breaks(settings.tie_breaks)
    everyone = field(entrants, results, adjustments, settings, held)
    ids = list(everyone.records)
    kept_out = {who: _unranked_for(everyone.records[who], settings) for who in ids}
    ranked = [who for who in ids if not kept_out[who]]
    values: list[dict[EntrantId, Worth | None]] = [
        {} if tie_break.among_tied else dict(tie_break.worths(ids, everyone)) for tie_break in asked
    ]

    rows: list[Row] = []
    above: tuple[EntrantId, ...] = ()
    for equals, cut in _ordered(ranked, everyone, asked, values):
        level = tuple(equals)
        decided = {who: _decision(who, above, cut, everyone, asked, values) for who in level}
        rank = 1 + len(rows)
        rows += [_row(who, rank, everyone, asked, values, decided[who], level, ()) for who in level]
        above = level
    for unranked in _by_total([who for who in ids if kept_out[who]], everyone):
        rows += [_row(who, None, everyone, asked, values, None, (), kept_out[who]) for who in unranked]
    keys = tuple(type(tie_break) for tie_break in asked)
    return Standings(tuple(rows), len(ranked), everyone.rounds, keys, settings.lower_is_better)


def _unranked_for(record: Record, settings: Settings) -> tuple[str, ...]:
    """The marks that keep out of the ranks, or NO_RESULT: staying away never leads where fewer points are better."""
    marks = tuple(sorted(record.entrant.marks & settings.unranked))
    waiting = settings.lower_is_better and not record.values and all(one.cancelled for one in record.adjustments)
    return marks or ((NO_RESULT,) if waiting else ())


def _by_total(ids: Sequence[EntrantId], everyone: Field) -> list[list[EntrantId]]:
    sign = 1 if everyone.lower_is_better else -1
    return _groups(ids, {who: (sign * everyone.records[who].total,) for who in ids})


def _groups(ids: Sequence[EntrantId], keys: Mapping[EntrantId, tuple[Points, ...]]) -> list[list[EntrantId]]:
    """The ids in groups of equal key, lowest first, each group in the order given."""
    groups: dict[tuple[Points, ...], list[EntrantId]] = {}
    for who in ids:
        groups.setdefault(keys[who], []).append(who)
    return [groups[key] for key in sorted(groups)]


def _ordered(
    ids: Sequence[EntrantId],
    everyone: Field,
    asked: Sequence[TieBreak],
    values: Sequence[dict[EntrantId, Worth | None]],
) -> list[tuple[list[EntrantId], int]]:
    """Those level with each other, best first, each with what cut it off from the one before: the index of a tie-break,
    or -1 for the total. Fills in the `values` of tie-breaks that depend on who is level."""
    ordered = [(level, -1) for level in _by_total(ids, everyone)]
    for index, tie_break in enumerate(asked):
        finer: list[tuple[list[EntrantId], int]] = []
        for level, cut in ordered:
            if len(level) == 1:
                finer.append((level, cut))
                continue
            if tie_break.among_tied:
                values[index].update(tie_break.worths(level, everyone))
            first, *rest = _split(level, values[index])
            finer.append((first, cut))
            finer += [(part, index) for part in rest]
        ordered = finer
    return ordered


def _split(level: list[EntrantId], values: Mapping[EntrantId, Worth | None]) -> list[list[EntrantId]]:
    """Those level by what they are worth, best first; left as they are when that is not known of one of them."""
    orders = {}
    for who in level:
        worth = values[who]
        if worth is None:
            return [level]
        orders[who] = worth.order
    return list(reversed(_groups(level, orders)))


def _decision(
    who: EntrantId,
    above: tuple[EntrantId, ...],
    cut: int,
    everyone: Field,
    asked: Sequence[TieBreak],
    values: Sequence[Mapping[EntrantId, Worth | None]],
) -> Decision | None:
    if not above:
        return None
    if cut < 0:
        return Decision(TOTAL, above, everyone.records[who].total, everyone.records[above[0]].total)
    own, theirs = values[cut][who], values[cut][above[0]]
    assert own is not None
    assert theirs is not None
    return Decision(asked[cut].key, above, own.shown, theirs.shown)


def _row(
    who: EntrantId,
    rank: int | None,
    everyone: Field,
    asked: Sequence[TieBreak],
    values: Sequence[Mapping[EntrantId, Worth | None]],
    decided: Decision | None,
    level: tuple[EntrantId, ...],
    unranked_for: tuple[str, ...],
) -> Row:
    record = everyone.records[who]
    shown = []
    for tie_break, known in zip(asked, values, strict=True):
        worth = known.get(who)
        shown.append((tie_break.key, None if worth is None else worth.shown))
    return Row(
        entrant=who,
        rank=rank,
        total=record.total,
        rounds=record.rounds,
        adjustments=record.adjustments,
        tie_breaks=tuple(shown),
        decided=decided,
        level=level,
        unranked_for=unranked_for,
    )
