"""Round-robin: all rounds drawn at once, so that everybody meets everybody as evenly as the tables allow."""

from typing import TYPE_CHECKING

from competitions.formats.base import Ask, Draw, Format, FormatError, absences, as_draw
from competitions.seating import NoTables, TableRule, draw, split
from scoring.wording import say, say_n

if TYPE_CHECKING:
    from competitions.settings import Settings


class RoundRobin(Format):
    """All planned rounds are drawn before the first. Where no number is planned there are as few as would let everybody
    meet everybody if it came out even: 5 for sixteen at tables of four.

    What is drawn changes through `redraw_ahead` when somebody comes or goes, and then only where it must.
    """

    key = "round-robin"
    title = say("Round-robin")
    description = say("All rounds are drawn at once; everybody meets everybody as evenly as the tables allow.")
    draws_ahead = True

    __slots__ = ()

    def total_rounds(self, players: int, settings: "Settings") -> int | None:
        if settings.rounds is not None:
            return settings.rounds
        try:
            return rounds_to_meet(players, settings.tables)
        except NoTables:
            return None

    def check_round(self, ask: Ask) -> None:
        last = self._last(ask)
        if ask.number > last:
            sentence = say_n(
                "The {n} round has been drawn. Plan more of them to play on.",
                "All {n} rounds have been drawn. Plan more of them to play on.",
                last,
            )
            raise FormatError("competition_over", sentence)

    def _draw(self, ask: Ask) -> Draw:
        rounds = self._last(ask) - ask.number + 1
        return as_draw(
            draw(
                players=ask.players,
                rounds=rounds,
                rule=ask.rule,
                seed=ask.seed,
                played=ask.played,
                keep_apart=ask.apart,
                absent=absences(ask, ask.players, rounds),
                effort=ask.effort,
            )
        )

    def _last(self, ask: Ask) -> int:
        return ask.rounds or rounds_to_meet(len(ask.players), ask.rule)


def rounds_to_meet(players: int, rule: TableRule) -> int:
    """The fewest rounds with as many places beside each other as there are pairs. Raise NoTables."""
    meetings = sum(size * (size - 1) for size in split(players, rule).sizes)
    return -(-players * (players - 1) // meetings)
