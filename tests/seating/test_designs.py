"""The known schedules are what they say."""

from collections import Counter
from itertools import combinations

import pytest

from competitions.seating.designs import designs
from competitions.seating.fields import ring
from competitions.seating.sizes import even_sizes
from competitions.seating.starters import STARTERS


def met(rounds: object) -> Counter[tuple[int, ...]]:
    assert isinstance(rounds, tuple)
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8, 9, 11, 16, 25])
def test_a_field_has_sums_products_and_inverses(size: int) -> None:
    field = ring(size)
    elements = range(size)
    one = next(x for x in elements if all(field.products[x][y] == y for y in elements))
    assert all(field.sums[0][x] == x and field.products[0][x] == 0 for x in elements)
    assert all(one in field.products[x] for x in elements[1:])
    assert all(sorted(field.sums[x]) == list(elements) for x in elements)
    for x, y, z in [(x, y, z) for x in elements for y in elements for z in elements[-3:]]:
        assert field.products[x][field.sums[y][z]] == field.sums[field.products[x][y]][field.products[x][z]]


@pytest.mark.parametrize(("size", "fewest"), [(6, 2), (12, 3), (20, 4), (40, 5), (35, 5)])
def test_in_a_product_of_fields_as_many_elements_are_apart_as_the_smallest_field_has(size: int, fewest: int) -> None:
    both = ring(size)
    minus = {x: both.sums[x].index(0) for x in range(size)}
    assert len(both.apart) == fewest
    for one, other in combinations(both.apart, 2):
        assert sorted(both.products[both.sums[one][minus[other]]]) == list(range(size))


@pytest.mark.parametrize(("players", "size"), STARTERS)
def test_a_turned_schedule_seats_everybody_once_a_round_and_all_pairs_evenly(players: int, size: int) -> None:
    sizes = even_sizes(players - players % size, players // size)
    for design in list(designs(players, sizes))[: len(STARTERS[players, size])]:
        for tables in design.rounds:
            assert sorted(map(len, tables), reverse=True) == list(sizes)
            assert len({player for table in tables for player in table}) == sum(sizes)
        counts = met(design.rounds)
        evenly = len(counts) == players * (players - 1) // 2 and len(set(counts.values())) == 1
        assert design.whole == evenly
        if not design.whole:
            repeats = counts.total() - len(counts)
            assert repeats == (10 if (players, size) == (32, 4) else 0)


@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8, 9])
def test_on_an_affine_plane_everybody_meets_everybody_once(order: int) -> None:
    plane = next(each for each in designs(order * order, (order,) * order) if "affine" in each.title)
    assert len(plane.rounds) == order + 1
    assert plane.whole
    assert set(met(plane.rounds).values()) == {1}


@pytest.mark.parametrize(
    ("players", "tables", "rounds"),
    [
        (20, 5, 5),
        (23, 5, 5),
        (24, 5, 6),
        (22, 5, 5),
        (48, 12, 12),
        (70, 12, 12),
        (200, 40, 40),
        (63, 8, 9),
        (33, 11, 11),
    ],
)
def test_without_repeats_there_are_as_many_rounds_as_tables(players: int, tables: int, rounds: int) -> None:
    sizes = even_sizes(players, tables)
    found = max(
        (each for each in designs(players, sizes) if max(met(each.rounds).values()) == 1), key=lambda d: len(d.rounds)
    )
    assert len(found.rounds) >= rounds
    for round_tables in found.rounds:
        assert tuple(map(len, round_tables)) == sizes
        assert len({player for table in round_tables for player in table}) == players


def test_a_whole_design_starts_again_from_its_beginning() -> None:
    plane = next(each for each in designs(9, (3, 3, 3)))
    twice = plane.first(8)
    assert twice == plane.rounds * 2
    assert set(met(twice).values()) == {2}
