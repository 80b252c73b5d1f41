"""The picture of cards left: where each step and each number stands."""

import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from games.pages.timeline import APART, HEIGHT, WIDTH, Timeline


def courses():
    """Seats with cards left that never grow, step by step."""
    drops = st.lists(st.integers(0, 7), min_size=1, max_size=60)
    return st.tuples(st.integers(2, 8), drops).map(lambda found: course(*found))


def course(seats: int, drops: list[int]) -> list[list[int]]:
    left = [[7] * seats]
    for seat in drops:
        after = list(left[-1])
        after[seat % seats] = max(0, after[seat % seats] - 1)
        left.append(after)
    return left


@given(courses())
def test_lines_end_where_the_deal_ends_and_their_numbers_stand_apart(left):
    timeline = Timeline(left)
    picture = str(timeline.picture(0, "label"))
    lines = re.findall(r'<polyline class="seat-(\d)" points="([^"]*)"', picture)
    assert [int(seat) for seat, _ in lines] == list(range(1, len(left[0]) + 1))
    for seat, points in lines:
        x, y = map(float, points.split()[-1].split(","))
        assert abs(x - timeline.x(len(left) - 1)) < 0.1
        assert abs(y - timeline.y(left[-1][int(seat) - 1])) < 0.1
    ends = sorted(float(y) for y in re.findall(r'<text class="end [^"]*" x="[^"]*" y="([^"]*)"', picture))
    assert all(second - first > APART - 0.2 for first, second in itertools.pairwise(ends))
    assert ends[0] > 0
    assert ends[-1] <= HEIGHT
    assert timeline.x(len(left) - 1) < WIDTH


def test_the_mark_stands_at_the_step():
    timeline = Timeline(course(4, [0, 1, 2, 3, 0]))
    assert 'transform="translate(22.0 0)"' in timeline.picture(0, "")
    assert f'transform="translate({timeline.x(5):.1f} 0)"' in timeline.picture(5, "")
