"""Exact numbers as a file holds them: `7`, `2.5`, `2600/3`; never with separators of thousands (T67)."""

import re
from decimal import Decimal
from fractions import Fraction

from scoring.wording import mark

_DIGITS = 15
"""A spreadsheet keeps so many digits of a number; longer ones are written as text."""


def number_text(value: int | Fraction) -> tuple[str, bool]:
    """The number as text, and whether a spreadsheet can hold it as a number: whole or with finitely many places."""
    if value.denominator == 1:
        text = str(value.numerator)
        return text, len(text.lstrip("-")) <= _DIGITS
    places = _places(value.denominator)
    if places is not None:
        text = _decimal(value.numerator * 10**places // value.denominator, places)
        if len(text.replace(".", "").lstrip("-0")) <= _DIGITS and places <= _DIGITS:
            return text, True
    return f"{value.numerator}/{value.denominator}", False


def _places(denominator: int) -> int | None:
    """Decimal places that a fraction with this denominator needs; None where no number of them is enough."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else None


def _decimal(scaled: int, places: int) -> str:
    digits = str(abs(scaled)).rjust(places + 1, "0")
    return f"{'-' if scaled < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def from_spreadsheet(text: str) -> str:
    """A number as a workbook stores it, in the form that people see: `0.7999999999999999` is 0.8, `1E5` 100000.
    Raise ValueError where it is none."""
    if re.fullmatch(r"-?[0-9]{1,15}", text):
        return str(int(text))
    if len(text) > 40:
        raise ValueError("too long")
    number = float(text)
    if number != number or abs(number) >= 1e21:
        raise ValueError("no number that a table holds")
    plain = format(Decimal(f"{number:.{_DIGITS}g}"), "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def whole(text: str) -> int:
    """The whole number; raise ValueError, with a marked sentence about {text}, for anything else."""
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise ValueError(mark("“{text}” is not a whole number; write digits only, without separators."))
    if len(text) > 10:
        raise ValueError(mark("“{text}” has too many digits."))
    return int(text)


def exact_points(text: str) -> int | Fraction:
    """Points: `7`, `2.5`, `2,5` or `5/2`; raise ValueError, with a marked sentence about {text}, for anything else.

    A comma before exactly three digits may part thousands or decimals: that is refused, not guessed.
    """
    if re.fullmatch(r"[+-]?[0-9]{1,3}([.,'’  ][0-9]{3})*,[0-9]{3}|[+-]?[0-9]{1,3}(['’  ][0-9]{3})+", text):
        raise ValueError(
            mark("“{text}” could mean two numbers; leave out separators of thousands, and write decimals with a point.")
        )
    if not re.fullmatch(r"[+-]?[0-9]{1,18}([.,][0-9]{1,15}|/[1-9][0-9]{0,17})?", text):
        raise ValueError(mark("“{text}” is not a number such as 7, 2.5 or 5/2."))
    value = Fraction(text.replace(",", "."))
    return value.numerator if value.denominator == 1 else value
