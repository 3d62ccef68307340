"""Rounding of exact numbers: to a float type, and to a few digits for reading."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from gelu_lib.floats.types import FloatType

__all__ = ["floor_power", "nearest_float", "scientific"]


@lru_cache(maxsize=2**14)  # a search asks again and again for those of the same constants
def nearest_float(number: Fraction, kind: FloatType) -> Fraction | None:
    """The float of a type nearest to a positive number, ties to even.

    Returns:
        The float, exactly; 0 up to half of the smallest float; ``None`` where the type overflows.

    Raises:
        ValueError: if the number is not positive.
    """
    exponent = max(floor_power(number, 2), kind.least_exponent) - kind.digits
    unit = Fraction(2) ** exponent
    rounded = round(number / unit) * unit
    return rounded if rounded <= kind.greatest else None


def floor_power(number: Fraction, base: int) -> int:
    """The n with baseⁿ ≤ number < baseⁿ⁺¹, for a positive number, in exact arithmetic.

    Raises:
        ValueError: if the number is not positive; no power is below it then.
    """
    if not number > 0:
        raise ValueError(f"number is {number}; accepted is a positive number")
    bits = number.numerator.bit_length() - number.denominator.bit_length()
    exponent = int(bits / math.log2(base))  # off by one or two at most
    while number >= Fraction(base) ** (exponent + 1):
        exponent += 1
    while number < Fraction(base) ** exponent:
        exponent -= 1
    return exponent


def scientific(number: Fraction, digits: int) -> str:
    """A number that is not negative, rounded half up to significant digits, as ``1.0e-9``.

    0 is ``0``.
    """
    if number == 0:
        return "0"
    exponent = floor_power(number, 10)
    whole = int(number / Fraction(10) ** (exponent - digits + 1) + Fraction(1, 2))
    if whole == 10**digits:
        whole, exponent = whole // 10, exponent + 1
    text = str(whole)
    return f"{text[0]}.{text[1:]}e{exponent}" if digits > 1 else f"{text}e{exponent}"
