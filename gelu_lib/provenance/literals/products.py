"""Products of numbers that had been rounded before: 0.044715 times √(2/π) to nine digits.

Who put two constants of a program into one may have multiplied what stood there before. The last
digits are then those of the product.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

from gelu_lib.provenance.literals.literal import read_literal

SHORTENED = range(4, 18)
"""To so many digits a number may have been rounded or cut off before it was multiplied."""

PRINTED = ("0.044715", "1.702")
"""The constants that programs multiply by, as they are printed."""

FACTORS = {
    **{printed: Fraction(printed) for printed in PRINTED},
    **{f"{n}·{p}": Fraction(n) * Fraction(p) for n in ("3", "2", "6", "1.5") for p in PRINTED},
    **{n: Fraction(n) for n in ("2", "3")},
}
"""A printed constant, alone or with a multiple that σ or a derivative brings; or a multiple."""


def decimal_spellings(value: Fraction, met: Iterable[str]) -> Iterator[str]:
    """The decimals that were met for a number, and the number shortened as ``SHORTENED`` says."""
    yield from (text.rstrip("fF") for text in met if read_literal(text)[0].kind == "decimal")
    for digits in SHORTENED:
        yield from (shortened(value, digits, how) for how in (None, ROUND_DOWN))


def shortened(value: Fraction, digits: int, how: str | None = None) -> str:
    """A number in so many significant digits, rounded half up or as ``how`` says."""
    context = Context(prec=digits, rounding=how or ROUND_HALF_UP)
    return f"{context.divide(Decimal(value.numerator), Decimal(value.denominator)):f}"
