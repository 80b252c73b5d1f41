"""Lines of numbers as points of a drawing."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from games.plots import marks, points, polylines

BOX = {"left": 0, "right": 100, "top": 0, "bottom": 50}


def test_places_lie_with_the_first_at_the_top() -> None:
    assert points([1, 3, 2], **BOX, at_top=1, at_bottom=3) == [(0, 0), (50, 50), (100, 25)]
    assert points([1], **BOX, at_top=1, at_bottom=1) == [(50, 0)]
    assert points([], **BOX, at_top=0, at_bottom=1) == []


def test_a_line_ends_where_a_value_is_missing() -> None:
    found = points([None, 1, 2, None, 2], **BOX, at_top=1, at_bottom=2)
    assert polylines(found) == ["25,0 50,50", "100,50"]
    assert polylines([None]) == []


@given(st.integers(1, 600), st.integers(2, 12))
def test_the_numbers_at_an_axis_begin_with_the_first_and_are_evenly_apart(last: int, most: int) -> None:
    found = marks(last, most)
    assert found[0] == 1
    assert found[-1] <= last
    assert len(found) <= most
    assert len({after - before for before, after in pairwise(found)}) <= 1


@given(st.lists(st.none() | st.integers(1, 40), max_size=30))
def test_every_point_lies_in_the_box(values: list[int | None]) -> None:
    found = points(values, **BOX, at_top=1, at_bottom=40)
    assert [point is None for point in found] == [value is None for value in values]
    assert all(0 <= x <= 100 and 0 <= y <= 50 for x, y in filter(None, found))
