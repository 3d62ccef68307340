"""Where the usual formulas give up, as exact real numbers.

Each threshold is the x > 0 at which one operation gives way: a sum that is rounded to 0, or a
product that overflows. Left of −x, or right of x, so does the formula. It is the only zero of a
function that increases strictly, so it lies between two numbers where Arb proves the signs.

A float at which a formula is seen to give up lies close by, but not always next to the threshold.
Each result that is rounded before that operation moves the place by at most one float: a rounding
is a relative change of at most half a unit in the last place, and an equal or smaller relative
change of x undoes it. So the float is at most ``roundings`` + 1 floats away from the first beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from types import MappingProxyType

from flint import arb, fmpq

from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.roots import change, is_positive
from gelu_lib.floats.types import FloatType, first_float, float_type

__all__ = ["THRESHOLDS", "Threshold", "first_beyond", "threshold"]

FLOAT_DIGITS = 30
"""Digits that tell a threshold from every float of float64, or ``first_beyond`` says so."""


@dataclass(frozen=True)
class Threshold:
    """What gives way, and where.

    Attributes:
        excess: how far beyond x is, for a type and x ≥ 1; strictly increasing, negative at 1.
        ends: which formulas of ``usual_formulas`` give up there, by name, and on which side: −1 is
            the left, 1 the right. One of GELU returns 0, one of a slope returns nan.
        roundings: how many results are rounded before the operation that gives way.
    """

    excess: Callable[[FloatType, arb], arb]
    ends: tuple[tuple[str, int], ...]
    roundings: int


@cache
def threshold(name: str, dtype: str, digits: int = 20) -> Enclosure:
    """A threshold in a type, proved.

    Args:
        name: a key of ``THRESHOLDS``.
        dtype: one of the four types, by its name.
        digits: how many significant digits.

    Returns:
        An enclosure with as many digits.

    Raises:
        KeyError: if no threshold has this name.
        TypeError: if ``dtype`` is none of the four types.
        CertificationError: if a sign is not proved.
    """
    excess, kind = THRESHOLDS[name].excess, float_type(dtype)

    def is_before(x: fmpq) -> bool:
        return is_positive(lambda: -excess(kind, arb(x)))

    high = fmpq(2)
    while is_before(high):
        high *= 2
    return change(is_before, fmpq(1), high, digits)


def first_beyond(name: str, dtype: str) -> float:
    """The first positive float beyond a threshold.

    Args:
        name: a key of ``THRESHOLDS``.
        dtype: one of the four types, by its name.

    Returns:
        The float. On the left of 0 its negative is the first beyond.

    Raises:
        CertificationError: if the threshold is too close to a float for its digits.
    """
    found = threshold(name, dtype, FLOAT_DIGITS)
    first, last = (_first_above(end, dtype) for end in (found.lower, found.upper))
    if first != last:
        raise CertificationError("digits", f"{found} does not decide between {first} and {last}")
    return first


def _first_above(number: Decimal, dtype: str) -> float:
    greatest = float_type(dtype).greatest
    return first_float(lambda x: Decimal(float(x)) > number, 1.0, greatest, dtype)


# What gives way. p is the precision of a type, Ω the least number that is rounded to infinity.


def _precision(kind: FloatType) -> int:
    return kind.digits + 1


def _slope() -> arb:
    return (2 / arb.pi()).sqrt()


CUBIC, SCALE = fmpq(44715, 10**6), fmpq(1702, 1000)


def _erf_vanishes(kind: FloatType, x: arb) -> arb:
    # Below 1 floats are 2**−p apart; a tie is rounded to −1, the even side.
    return arb(2) ** -(_precision(kind) + 1) - (x / arb(2).sqrt()).erfc()


def _tanh_vanishes(kind: FloatType, x: arb) -> arb:
    # 1 − tanh u = 2/(e^(2u) + 1) takes the place of erfc.
    u = _slope() * (x + CUBIC * x**3)
    return arb(2) ** -(_precision(kind) + 1) - 2 / ((2 * u).exp() + 1)


def _gelu_vanishes(kind: FloatType, x: arb) -> arb:
    half = arb(2) ** (kind.least_exponent - kind.digits - 1)  # of the smallest float
    return half - x * (x / arb(2).sqrt()).erfc() / 2


def _exponential_overflows(kind: FloatType, x: arb) -> arb:
    return (SCALE * x).exp() - kind.overflow


def _square_overflows(kind: FloatType, x: arb) -> arb:
    return (1 + (SCALE * x).exp()) ** 2 - kind.overflow


def _numerator_overflows(kind: FloatType, x: arb) -> arb:
    return SCALE * x * (SCALE * x).exp() - kind.overflow


def _multiple_overflows(kind: FloatType, x: arb) -> arb:
    return SCALE * x - kind.overflow


def _cube_overflows(kind: FloatType, x: arb) -> arb:
    return x**3 - kind.overflow


def _rise_overflows(kind: FloatType, x: arb) -> arb:
    return x / 2 * _slope() * (1 + 3 * CUBIC * x**2) - kind.overflow


def _left(*formulas: str) -> tuple[tuple[str, int], ...]:
    return tuple((formula, -1) for formula in formulas)


def _both(*formulas: str) -> tuple[tuple[str, int], ...]:
    return tuple((formula, side) for formula in formulas for side in (-1, 1))


THRESHOLDS: Mapping[str, Threshold] = MappingProxyType(
    {
        "gelu-vanishes": Threshold(_gelu_vanishes, (), 0),
        "erf-form-vanishes": Threshold(_erf_vanishes, _left("erf"), 2),
        "tanh-form-vanishes": Threshold(_tanh_vanishes, _left("tanh"), 7),
        "sigmoid-form-vanishes": Threshold(_exponential_overflows, _left("sigmoid"), 2),
        "cube-overflows": Threshold(_cube_overflows, _both("tanh cube", "tanh cosh"), 1),
        "tanh-slope-overflows": Threshold(_rise_overflows, _both("tanh square"), 6),
        "sigmoid-slope-term-vanishes": Threshold(_square_overflows, (), 4),
        "sigmoid-slope-quotient-overflows": Threshold(
            _numerator_overflows, _left("sigmoid quotient"), 3
        ),
        "sigmoid-slope-product-overflows": Threshold(
            _multiple_overflows, (*_both("sigmoid product"), ("sigmoid quotient", 1)), 1
        ),
    }
)
"""The thresholds by the IDs of their results. A type enters by its p, its Ω or its smallest float.

:meta hide-value:
"""
