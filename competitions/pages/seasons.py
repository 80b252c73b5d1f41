"""The place over the season as a drawing."""

from dataclasses import dataclass

from games.plots import marks, points, polylines

WIDTH, HEIGHT = 360, 200
LEFT, RIGHT, TOP, BOTTOM = 34, 350, 14, 170
NAMED_ROUNDS, NAMED_PLACES = 8, 5


@dataclass(frozen=True, slots=True)
class Season:
    """The place after each of these rounds, of so many who have one; None where there was none."""

    rounds: tuple[int, ...]
    places: tuple[int | None, ...]
    ranked: int

    @property
    def known(self) -> list[int]:
        return [place for place in self.places if place is not None]


@dataclass(frozen=True, slots=True)
class Mark:
    """A name at an axis, and where."""

    text: int
    at: float


@dataclass(frozen=True, slots=True)
class Dot:
    """A place in the drawing."""

    round: int
    place: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Plot:
    """The drawing, WIDTH by HEIGHT: the first place at the top."""

    lines: tuple[str, ...]
    dots: tuple[Dot, ...]
    places: tuple[Mark, ...]
    rounds: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    bottom: int = BOTTOM


def season_plot(season: Season) -> Plot | None:
    """The drawing; None where fewer than two places are known, which make no line."""
    if len(season.known) < 2:
        return None
    last = max(*season.known, min(season.ranked, 4), 2)
    found = points(season.places, left=LEFT + 10, right=RIGHT - 6, top=TOP, bottom=BOTTOM - 8, at_top=1, at_bottom=last)
    dots = tuple(
        Dot(number, place, *point)
        for number, place, point in zip(season.rounds, season.places, found, strict=True)
        if place is not None and point is not None
    )
    named = marks(last, NAMED_PLACES)
    levels = points(named, left=0, right=1, top=TOP, bottom=BOTTOM - 8, at_top=1, at_bottom=last)
    columns = points([1] * len(season.rounds), left=LEFT + 10, right=RIGHT - 6, top=0, bottom=1, at_top=0, at_bottom=1)
    return Plot(
        lines=tuple(polylines(found)),
        dots=dots,
        places=tuple(Mark(place, level[1]) for place, level in zip(named, levels, strict=True) if level),
        rounds=tuple(
            Mark(season.rounds[at - 1], column[0])
            for at in marks(len(season.rounds), NAMED_ROUNDS)
            if (column := columns[at - 1])
        ),
    )
