"""League nights: each drawn when it comes, among those who came."""

from competitions.formats.base import Ask, Draw, Format, as_draw
from competitions.seating import draw
from scoring.wording import say


class LeagueNight(Format):
    """Every round is a night. Whoever came is put together with those he has met least in the whole season, and never,
    where it can be helped, with those of the night before. Who has a seat, who acts first and who sits out are evened
    out over the season too. Further tables of the night may be added to the draw, and count like it."""

    key = "league-night"
    title = say("League night")
    description = say("Each night is drawn among those who came; people meet whom they have met least in the season.")

    __slots__ = ()

    def _draw(self, ask: Ask) -> Draw:
        return as_draw(
            draw(
                players=ask.present,
                rounds=1,
                rule=ask.rule,
                seed=ask.seed,
                played=ask.played,
                keep_apart=ask.apart,
                effort=ask.effort,
            )
        )
