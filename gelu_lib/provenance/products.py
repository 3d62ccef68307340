"""Products of numbers that had been rounded before: 0.044715 times √(2/π) to nine digits.

Who put two constants of a program into one may have multiplied what stood there before. The last
digits are then those of the product.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from gelu_lib.provenance.literals import read

if TYPE_CHECKING:
    from gelu_lib.provenance.catalogue import Constant

SHORTENED = range(4, 18)
"""To so many digits a number may have been rounded or cut off before it was multiplied."""

_PRINTED = ("0.044715", "1.702")

FACTORS = {
    **{printed: Fraction(printed) for printed in _PRINTED},
    **{f"{n}·{p}": Fraction(n) * Fraction(p) for n in ("3", "2", "6", "1.5") for p in _PRINTED},
    **{n: Fraction(n) for n in ("2", "3")},
}
"""A printed constant, alone or with a multiple that σ or a derivative brings; or a multiple."""


def products(constant: Constant, known: Sequence[Constant]) -> Iterator[tuple[str, Fraction]]:
    """The products of ``FACTORS`` and spellings of irrational numbers that lead to another one."""
    found = [
        (name, factor, other)
        for other in known
        for name, factor in FACTORS.items()
        if abs(constant.value - factor * other.value) <= 10 * constant.uncertainty
    ]
    # told first is what is simple: a printed constant alone, then what the formula itself has
    found.sort(key=lambda of: (of[0] not in _PRINTED, of[2].name not in constant.name))
    for name, factor, other in found:
        for text in spellings(other):
            formula = constant.name.replace(other.name, text)
            yield formula if formula != constant.name else f"{name}·{text}", factor * Fraction(text)


def spellings(constant: Constant) -> Iterator[str]:
    """The decimals that were met for a number, and the number shortened as ``SHORTENED`` says."""
    yield from (text.rstrip("fF") for text in constant.seen if read(text)[0].kind == "decimal")
    for digits in SHORTENED:
        yield from (shortened(constant.value, digits, how) for how in (None, ROUND_DOWN))


def shortened(value: Fraction, digits: int, how: str | None = None) -> str:
    """A number in so many significant digits, rounded half up or as ``how`` says."""
    context = Context(prec=digits, rounding=how or ROUND_HALF_UP)
    return f"{context.divide(Decimal(value.numerator), Decimal(value.denominator)):f}"
