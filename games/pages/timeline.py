"""How many cards each seat had left over a deal, as a picture: a line a seat, told apart by its dashes."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH, HEIGHT = 360, 170
LEFT, RIGHT, TOP, BOTTOM = 22, 14, 8, 22
"""Margins, for the numbers at the lines' ends and at the axes."""
APART = 11
"""From one seat's number to the next at the right, at least."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """`left`: for each step the cards in each hand."""

    left: Sequence[Sequence[int]]

    def x(self, step: int) -> float:
        return LEFT + step * self.a_step

    def y(self, cards: int) -> float:
        return HEIGHT - BOTTOM - cards * (HEIGHT - TOP - BOTTOM) / max(self.left[0])

    @property
    def a_step(self) -> float:
        """The width of one step."""
        return (WIDTH - LEFT - RIGHT) / max(1, len(self.left) - 1)

    def picture(self, step: int, label: str) -> SafeString:
        """With a mark at `step`; a script moves it by what `data-start` and `data-step-width` say."""
        seats = range(len(self.left[0]))
        lines = ((seat + 1, self._points(seat)) for seat in seats)
        ends = ((seat + 1, WIDTH - RIGHT + 3, f"{y:.1f}") for seat, y in self._ends().items())
        most, last = max(self.left[0]), len(self.left) - 1
        axes = [(f"{LEFT - 4}", f"{self.y(cards) + 4:.1f}", "end", cards) for cards in (0, most)]
        axes += [(f"{self.x(number):.1f}", f"{HEIGHT - 6}", "middle", number) for number in (0, last)]
        return format_html(
            '<svg class="timeline" viewBox="0 0 {} {}" role="img" aria-label="{}" data-start="{}" data-step-width="{}">'
            '<path class="axis" d="M{} {}V{}H{}"/>{}{}{}'
            '<path class="now" d="M0 {}V{}" transform="translate({} 0)"/></svg>',
            WIDTH,
            HEIGHT,
            label,
            LEFT,
            f"{self.a_step:.4f}",
            LEFT,
            TOP,
            HEIGHT - BOTTOM,
            WIDTH - RIGHT,
            format_html_join("", '<text x="{}" y="{}" text-anchor="{}">{}</text>', axes),
            format_html_join("", '<polyline class="seat-{}" points="{}"/>', lines),
            format_html_join("", '<text class="end seat-{0}" x="{1}" y="{2}">{0}</text>', ends),
            TOP,
            HEIGHT - BOTTOM,
            f"{self.x(step):.1f}",
        )

    def _points(self, seat: int) -> str:
        """Level from step to step, and straight down where a card is laid."""
        points = [f"{self.x(0):.1f},{self.y(self.left[0][seat]):.1f}"]
        for step in range(1, len(self.left)):
            before, after = self.left[step - 1][seat], self.left[step][seat]
            if before != after:
                points += [f"{self.x(step):.1f},{self.y(cards):.1f}" for cards in (before, after)]
        points.append(f"{self.x(len(self.left) - 1):.1f},{self.y(self.left[-1][seat]):.1f}")
        return " ".join(points)

    def _ends(self) -> dict[int, float]:
        """The height of each seat's number at the right, by seat: at its line's end, or below another's."""
        placed: dict[int, float] = {}
        lowest = 0.0
        for seat in sorted(range(len(self.left[0])), key=lambda seat: (-self.left[-1][seat], seat)):
            lowest = max(lowest + APART, self.y(self.left[-1][seat]) + 4)
            placed[seat] = lowest
        over = max(0.0, lowest - (HEIGHT - BOTTOM + 4))
        return {seat: y - over for seat, y in placed.items()}
