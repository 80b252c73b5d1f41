"""Knockout: so many of each table go on, until one table is the final."""

from collections.abc import Collection
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING

from competitions.formats.base import Ask, Draw, Format, FormatError, Parameter, TableBefore, as_draw
from competitions.formats.seeding import by_seeds, seeded, without_seat
from competitions.seating import Drawn, NoTables, Round, TableRule, draw, split
from competitions.seating.bound import Plan, bounds_of
from competitions.seating.rounds import check_pairs
from scoring.result import Points
from scoring.wording import say, say_n

if TYPE_CHECKING:
    from competitions.settings import Settings

STEP = 1000
"""What one round further is worth: as much as the first place of a table, the most that a round before can give."""


class Knockout(Format):
    """The first `go_on` of each table play the next round. A round with one table is the final.

    The first round is by seeds, going round the tables as a snake does, and by lot for everybody without a seed. Later
    ones keep the winners of tables apart, then those who sat together. A bye goes on: where only full tables are played
    it falls to the strongest seeds without one.

    Who is withdrawn or absent is out, and the next at his table goes on instead. Where a place that decides is shared,
    the organiser has to say who goes on; it is not left to a lot or to the order of ids.

    Points are neutral (0 to 1000 a table), 1000 more for each round reached, and the best round counts: so everybody
    ranks behind all who came further.
    """

    key = "knockout"
    title = say("Knockout")
    description = say("The first of each table go on to the next round, until one table plays the final.")
    parameters = {"go_on": Parameter(2, 1, 7, say("How many of each table play the next round."))}
    by_standing = True
    usual = MappingProxyType({"best": 1})

    __slots__ = ()

    @property
    def go_on(self) -> int:
        return self.values["go_on"]

    def check(self, settings: "Settings") -> None:
        counting, smallest = settings.counting, settings.sizes[0]
        for wrong, sentence in (
            (
                settings.points.by != "neutral",
                say('A knockout is ranked by round and place: its points are "neutral".'),
            ),
            (counting.best != 1, say("In a knockout the furthest round alone counts: best is 1.")),
            (counting.absence is not None, say("Who misses a round of a knockout is out: absence is null.")),
            (settings.bye is not None, say("A bye in a knockout is worth the next round, no points: bye is null.")),
            (settings.rounds is not None, say("A knockout ends with its final: rounds is null.")),
            (
                settings.tables.tables is not None,
                say("A knockout has fewer tables each round: their number is left open."),
            ),
            (
                smallest <= self.go_on,
                say_n(
                    "{go_on} go on from each table, and a table may have {n} player.",
                    "{go_on} go on from each table, and a table may have {n} players.",
                    smallest,
                    go_on=self.go_on,
                ),
            ),
        ):
            if wrong:
                raise FormatError("bad_settings", sentence)

    def total_rounds(self, players: int, settings: "Settings") -> int | None:
        try:
            return self._rounds_from(players, settings.tables, 1)
        except NoTables:
            return None

    def offset(self, number: int) -> Points:
        return STEP * (number - 1)

    def check_round(self, ask: Ask) -> None:
        if len(ask.before) == 1 and not ask.sitting_out_before:
            raise FormatError("competition_over", say("The final has been played: there is no further round."))

    def players(self, ask: Ask) -> tuple[int, ...]:
        if ask.number == 1:
            return super().players(ask)
        through = {who for table in ask.before for who in self._through(table, ask.present)}
        return tuple(sorted(through | ask.present.intersection(ask.sitting_out_before)))

    def _draw(self, ask: Ask) -> Draw:
        players = self.players(ask)
        if len(players) < 2:
            raise FormatError("too_few_players", say("There are not two players left who could play this round."))
        self._rounds_from(len(players), ask.rule, ask.number)
        out = without_seat(ask, players, strongest=True)
        if ask.number == 1 and seeded(ask, players):
            return as_draw(by_seeds(ask, players, out))
        return as_draw(self._by_lot(ask, players, out))

    def _by_lot(self, ask: Ask, players: Collection[int], out: Collection[int]) -> Drawn:
        """A draw that keeps winners apart, and those who have met; reported by what the organiser asked for alone."""
        seating, apart = sorted(set(players) - set(out)), check_pairs(ask.apart)
        sizes = split(len(players), ask.rule).sizes
        winners = {who for table in ask.before for who in _winners(table, ask.present)}
        winners = (winners | set(ask.sitting_out_before)) & set(seating)
        # In the final, or where only winners go on, nobody can be kept apart by it.
        pairs = combinations(sorted(winners), 2) if len(sizes) > 1 and len(winners) < len(seating) else ()
        drawn = draw(
            players=seating,
            rounds=1,
            rule=ask.rule,
            seed=ask.seed,
            played=ask.played,
            keep_apart=apart.union(pairs),
            effort=ask.effort,
        )
        rounds = tuple(Round(each.tables, tuple(sorted(out))) for each in drawn.rounds)
        proven = bounds_of(rounds, played=ask.played, plans=[Plan(frozenset(players), sizes)], apart=apart)
        return Drawn(ask.played, rounds, proven, drawn.how, apart)

    def _through(self, table: TableBefore, present: Collection[int]) -> set[int]:
        """Who goes on from the table. Raise FormatError (tie_to_decide) where the places do not say."""
        there = {who: place for who, place in table.seats if who in present}
        if len(there) <= self.go_on:
            return set(there)
        cut = sorted(there.values())[self.go_on - 1]
        above = {who for who, place in there.items() if place < cut}
        equal = {who for who, place in there.items() if place == cut}
        wanted = self.go_on - len(above)
        if len(equal) == wanted:
            return above | equal
        decided = set(table.decided)
        if decided <= equal and len(decided) == wanted and set(table.among) in (set(), equal):
            return above | decided
        raise FormatError(
            "tie_to_decide",
            say_n(
                "Table {table}: {players} players share place {place}, and {n} of them goes on. Decide who.",
                "Table {table}: {players} players share place {place}, and {n} of them go on. Decide who.",
                wanted,
                table=table.number,
                players=len(equal),
                place=cut,
            ),
            table=table.number,
            equal=sorted(equal),
            wanted=wanted,
        )

    def _rounds_from(self, players: int, rule: TableRule, number: int) -> int:
        """The number of the final when so many play round `number`. Raise NoTables where some round cannot be seated,
        with the round where it is a later one."""
        first = number
        while True:
            try:
                tables = split(players, rule)
            except NoTables as refusal:
                if number == first:
                    raise
                sentence = say(
                    "Round {number} would be for {players}: {why}", number=number, players=players, why=refusal.message
                )
                raise NoTables(sentence) from None
            if len(tables.sizes) == 1 and not tables.sitting_out:
                return number
            on = sum(min(self.go_on, size) for size in tables.sizes) + tables.sitting_out
            if on >= players:
                raise NoTables(
                    say(
                        "If {go_on} go on from tables of {size}, nobody is ever out.",
                        go_on=self.go_on,
                        size=tables.sizes[-1],
                    )
                )
            players, number = on, number + 1


def _winners(table: TableBefore, present: Collection[int]) -> set[int]:
    there = {who: place for who, place in table.seats if who in present}
    return {who for who, place in there.items() if place == min(there.values())}
