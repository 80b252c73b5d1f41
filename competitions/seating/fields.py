"""Arithmetic of finite fields and of their products, as tables: what the constructions in `designs` are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product


@dataclass(frozen=True, slots=True)
class Ring:
    """Elements 0 … size-1 with their sums and products. 0 is nought.

    `apart`: elements of which any two differ by a unit, as many as there can be: all of them in a field.
    """

    size: int
    sums: tuple[tuple[int, ...], ...]
    products: tuple[tuple[int, ...], ...]
    apart: tuple[int, ...]


@cache
def ring(size: int) -> Ring:
    """The field of that size; where there is none, the product of the fields of the prime powers that make it up."""
    parts = [_field(prime, degree) for prime, degree in _factors(size)]
    elements = list(product(*(range(part.size) for part in parts)))
    number = {element: index for index, element in enumerate(elements)}
    tables = [
        tuple(
            tuple(number[tuple(t[x][y] for t, x, y in zip(each, one, other, strict=True))] for other in elements)
            for one in elements
        )
        for each in ([part.sums for part in parts], [part.products for part in parts])
    ]
    fewest = min((part.size for part in parts), default=1)
    apart = tuple(number[(value,) * len(parts)] for value in range(fewest))
    return Ring(size, tables[0], tables[1], apart)


def _factors(size: int) -> list[tuple[int, int]]:
    """The prime powers that make up the number: pairs of prime and exponent."""
    found = []
    prime = 2
    while size > 1:
        degree = 0
        while size % prime == 0:
            size //= prime
            degree += 1
        if degree:
            found.append((prime, degree))
        prime += 1
    return found


def _field(prime: int, degree: int) -> Ring:
    """The field of prime ** degree elements: polynomials, their digits in base `prime`, modulo one without a factor."""
    size = prime**degree
    digits = [tuple(number // prime**place % prime for place in range(degree)) for number in range(size)]
    number = {each: index for index, each in enumerate(digits)}
    sums = tuple(
        tuple(number[tuple((x + y) % prime for x, y in zip(one, other, strict=True))] for other in digits)
        for one in digits
    )
    for modulus in digits:
        products = tuple(tuple(number[_times(one, other, modulus, prime)] for other in digits) for one in digits)
        # A ring of this kind is a field when no product of two others is nought.
        if all(products[one][other] for one in range(1, size) for other in range(1, size)):
            return Ring(size, sums, products, tuple(range(size)))
    raise AssertionError(f"There is a field of {size}.")


def _times(one: Sequence[int], other: Sequence[int], modulus: Sequence[int], prime: int) -> tuple[int, ...]:
    """The product of two polynomials, where x ** degree is `modulus`."""
    degree = len(one)
    result = [0] * degree
    for factor in reversed(other):
        carried = result[-1]
        result = [(low + carried * high) % prime for low, high in zip([0, *result[:-1]], modulus, strict=True)]
        result = [(value + factor * each) % prime for value, each in zip(result, one, strict=True)]
    return tuple(result)
