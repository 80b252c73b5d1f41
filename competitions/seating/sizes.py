"""How many sit at each table: sizes that differ by at most one, as near to the preferred size as can be."""

from dataclasses import dataclass
from fractions import Fraction

from competitions.seating.errors import NoTables
from scoring.wording import say, say_n


@dataclass(frozen=True, slots=True)
class TableRule:
    """What tables a competition plays at.

    - `preferred`, `smallest`, `largest`: players at a table.
    - `tables`: exactly so many tables, None for as many as it takes. Who has no room sits out.
    - `full_only`: only tables of exactly the preferred size. Whoever is left over sits out.

    Raise NoTables when the three sizes are not in order, or too small.
    """

    preferred: int
    smallest: int
    largest: int
    tables: int | None = None
    full_only: bool = False

    def __post_init__(self) -> None:
        if self.smallest < 2:
            raise NoTables(say("A table needs 2 players or more, not {size}.", size=self.smallest))
        if self.largest < self.smallest:
            raise NoTables(
                say(
                    "The largest table ({largest}) is smaller than the smallest ({smallest}).",
                    largest=self.largest,
                    smallest=self.smallest,
                )
            )
        if not self.smallest <= self.preferred <= self.largest:
            raise NoTables(
                say(
                    "The preferred size {size} is not one of {smallest} to {largest}.",
                    size=self.preferred,
                    smallest=self.smallest,
                    largest=self.largest,
                )
            )
        if self.tables is not None and self.tables < 1:
            raise NoTables(say("There must be 1 table or more, not {tables}.", tables=self.tables))


@dataclass(frozen=True, slots=True)
class Split:
    """The sizes of one round's tables, largest first, and how many sit out."""

    sizes: tuple[int, ...]
    sitting_out: int = 0


def split(players: int, rule: TableRule) -> Split:
    """The tables for so many players. Raise NoTables with the reason when there are none.

    Where both fit, the number of tables is the one that brings the mean size nearest to the preferred one (17 at
    preferred 5: 6 + 6 + 5, since 5 + 4 + 4 + 4 is further off); of two as near, the one with more and smaller tables,
    where fewer people meet again.
    """
    if players < 1:
        raise NoTables(say("There is nobody to seat."))
    if rule.full_only:
        return _full_tables(players, rule)
    if rule.tables is not None:
        return _so_many_tables(players, rule, rule.tables)
    fitting = [count for count in range(1, players // rule.smallest + 1) if players <= count * rule.largest]
    if not fitting:
        raise NoTables(_cannot_sit(players, rule))
    nearest = min(fitting, key=lambda count: (abs(Fraction(players, count) - rule.preferred), -count))
    return Split(even_sizes(players, nearest))


def even_sizes(players: int, tables: int) -> tuple[int, ...]:
    """The sizes when so many sit at so many tables as evenly as they can, largest first."""
    size, larger = divmod(players, tables)
    return (size + 1,) * larger + (size,) * (tables - larger)


def _full_tables(players: int, rule: TableRule) -> Split:
    fitting = players // rule.preferred
    count = fitting if rule.tables is None else rule.tables
    if count < 1 or count > fitting:
        raise NoTables(
            say_n(
                "{players} cannot fill {n} table of {size}.",
                "{players} cannot fill {n} tables of {size}.",
                max(count, 1),
                players=_players(players),
                size=rule.preferred,
            )
        )
    return Split((rule.preferred,) * count, players - count * rule.preferred)


def _so_many_tables(players: int, rule: TableRule, count: int) -> Split:
    if players < count * rule.smallest:
        raise NoTables(
            say_n(
                "{players} cannot sit at tables of {sizes} if there must be {n} table: that takes {least} or more.",
                "{players} cannot sit at tables of {sizes} if there must be {n} tables: that takes {least} or more.",
                count,
                players=_players(players),
                sizes=_sizes(rule),
                least=count * rule.smallest,
            )
        )
    seated = min(players, count * rule.largest)
    return Split(even_sizes(seated, count), players - seated)


def _cannot_sit(players: int, rule: TableRule) -> str:
    """The tables that are too few for all, and the tables that need more people than there are."""
    enough = players // rule.smallest + 1
    if enough == 1:
        return say(
            "{players} cannot sit at tables of {sizes}: one table needs {least}.",
            players=_players(players),
            sizes=_sizes(rule),
            least=rule.smallest,
        )
    return say(
        "{players} cannot sit at tables of {sizes}: {fewer} would hold {most} at most, {tables} would need {least}.",
        players=_players(players),
        sizes=_sizes(rule),
        fewer=_tables(enough - 1),
        most=(enough - 1) * rule.largest,
        tables=_tables(enough),
        least=enough * rule.smallest,
    )


def _sizes(rule: TableRule) -> str:
    if rule.smallest == rule.largest:
        return str(rule.smallest)
    return say("{smallest} to {largest}", smallest=rule.smallest, largest=rule.largest)


def _players(count: int) -> str:
    return say_n("{n} player", "{n} players", count)


def _tables(count: int) -> str:
    return say_n("{n} table", "{n} tables", count)
