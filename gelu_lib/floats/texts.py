"""A number as text that a program can take over: the float of a type that is nearest to it.

The float is written as the shortest decimal that is read as this float, as a hexadecimal float and
as its bits. That it is the nearest one is proved: interval arithmetic encloses the number, and both
ends of the enclosure are rounded to this float.
"""

from __future__ import annotations

from fractions import Fraction

import gelu_lib._proofs

import numpy as np
import sympy as sp
from sympy import Expr

from gelu_lib.certificates.engine.balls import decided
from gelu_lib.certificates.engine.balls import number as ball_of
from gelu_lib.floats.types import float_type, nearest_float


def nearest(number: Expr, dtype: np.dtype | type | str) -> np.generic:
    """The float of a type nearest to an exact positive number, ties to even, proved.

    Args:
        number: an expression without symbols and without floats, such as ``sqrt(2/pi)``.
        dtype: one of the four types of ``gelu_lib.floats.types``.

    Returns:
        A scalar of the type.

    Raises:
        TypeError: if ``dtype`` is none of the four types.
        ValueError: if the number is not positive, or is rounded to 0 or to infinity.
        NotImplementedError: if the expression has a part that Arb does not evaluate here.
        CertificationError: if no precision decides which float is the nearest.
    """
    kind, number = float_type(dtype), sp.sympify(number)
    if not number.is_positive:
        raise ValueError(f"number is {number}; accepted is a positive number")

    def rounded() -> float | None:
        ball = ball_of(number)
        middle, radius = (_fraction(part) for part in (ball.mid(), ball.rad()))
        below, above = (nearest_float(end, kind) for end in (middle - radius, middle + radius))
        return float(below or 0) if below == above else None

    found = decided(rounded, what=f"its distance from the middle of two {kind.name}")
    if not found:
        raise ValueError(f"number is {number}, which {kind.name} rounds to 0 or to infinity")
    return kind.dtype.type(found)


def shortest(x: np.generic) -> str:
    """The shortest decimal that is read as this float of NumPy, without an exponent.

    Of several that are as short it is the one nearest to the float. It is NumPy's, which knows
    float64, float32 and float16.
    """
    return np.format_float_positional(x, unique=True, trim="-")


def hexadecimal(x: np.generic) -> str:
    """A float as C, C++ and Python's ``float.fromhex`` read it, without zeros at the end.

    It says every bit: ``0x1.988454p-1`` is 1.988454 to base 16, times 2⁻¹.
    """
    digits, _, exponent = float(x).hex().partition("p")
    return f"{digits.rstrip('0').rstrip('.')}p{exponent.lstrip('+')}"


def bit_pattern(x: np.generic) -> str:
    """The bits of a float as hexadecimal digits, sign and exponent first: ``0x3f4c422a``."""
    size = x.dtype.itemsize
    return f"0x{int(np.array(x).view(f'u{size}')):0{2 * size}x}"


def _fraction(ball) -> Fraction:
    exact = ball.fmpq()
    return Fraction(int(exact.p), int(exact.q))
