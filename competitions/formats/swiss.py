"""Swiss rounds: people meet others who stand as they do, and nobody twice who need not."""

from dataclasses import replace

from competitions.formats.base import Ask, Draw, Format, Parameter, as_draw
from competitions.formats.seeding import by_seeds, seeded, without_seat
from competitions.seating import draw, draw_by_standing
from scoring.wording import say


class Swiss(Format):
    """Each round is drawn when the one before is over: leaders with leaders, as far as that repeats no meeting that can
    be avoided. Everybody plays every round; who has no seat is one who sat out least often, the lowest first.

    The first round is by lot, or by seeds where there are some: the strongest apart, or together. Who comes later has
    no row in the standings yet, and sits at the last tables.
    """

    key = "swiss"
    title = say("Swiss")
    description = say("Tables by standing: people of like results meet, and as few as can be meet again.")
    parameters = {
        "seeds_together": Parameter(
            0, 0, 1, say("In the first round: 0 puts the strongest seeds at different tables, 1 at the same.")
        )
    }
    by_standing = True

    __slots__ = ()

    def _draw(self, ask: Ask) -> Draw:
        if ask.number > 1:
            return self._by_groups(ask, [[who for who in level if who in ask.present] for level in ask.levels], None)
        strong = seeded(ask, ask.present)
        if not strong:
            return as_draw(
                draw(players=ask.present, rounds=1, rule=ask.rule, seed=ask.seed, played=ask.played,
                     keep_apart=ask.apart, effort=ask.effort)
            )  # fmt: skip
        if self.values["seeds_together"]:
            return self._by_groups(ask, [[who] for who in strong], "by seeds")
        return as_draw(by_seeds(ask, ask.present, without_seat(ask, ask.present, strongest=False)))

    def _by_groups(self, ask: Ask, groups: list[list[int]], how: str | None) -> Draw:
        """Tables filled by the groups, the best first, and by everybody else after them."""
        rest = ask.present.difference(*groups)
        found = draw_by_standing(
            [group for group in (*groups, sorted(rest)) if group],
            rule=ask.rule,
            seed=ask.seed,
            played=ask.played,
            keep_apart=ask.apart,
            effort=ask.effort,
        )
        return as_draw(replace(found.drawn, how=how or found.drawn.how), found.moved)
