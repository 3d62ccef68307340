"""Where the usual formulas give up, as exact real numbers.

Each threshold is the x > 0 at which one operation gives way: a sum that is rounded to 0, or a
product that overflows. Left of −x, or right of x, so does the formula. It is the only zero of a
function that increases strictly, so it lies between two numbers where Arb proves the signs. One of
them, ``tanh-clamp``, is a place of the argument of tanh.

A float at which a formula is seen to give up lies close by, but not always next to the threshold.
Each result that is rounded before that operation moves the place by at most one float: a rounding
is a relative change of at most half a unit in the last place, and an equal or smaller relative
change of x undoes it. So the float is at most ``roundings`` + 1 floats away from the first beyond.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from types import MappingProxyType

import gelu_lib._proofs

import sympy as sp
from sympy import Expr

from gelu_lib._extras import flint
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.engine.balls import compiled
from gelu_lib.certificates.engine.roots import change, is_positive
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.floats.types import first_float, float_type
from gelu_lib.functions.expressions import LOCAL_SLOPE, LOGISTIC_SCALE, PAGE_CUBIC, Phi, X
from gelu_lib.functions.forms import FORMS

FLOAT_DIGITS = 30
"""Digits that tell a threshold from every float of float64, or ``first_beyond`` says so."""


TIE, OVERFLOW, TINY = sp.symbols("tie overflow tiny", positive=True)
"""A type enters by half a unit in the last place below 1, by the least number that is rounded to
infinity, and by half of its smallest float."""


@dataclass(frozen=True)
class Threshold:
    """What gives way, and where.

    Attributes:
        excess: how far beyond x is, for x ≥ 1, as an expression in ``X``, ``TIE``, ``OVERFLOW`` and
            ``TINY``; strictly increasing, negative at 1.
        ends: which formulas of ``gelu_lib.floats.formulas`` give up there, by name, and on which
            side: −1 is the left, 1 the right. Those of ``VALUES`` return 0 there, the others nan.
        roundings: how many results are rounded before the operation that gives way.
    """

    excess: Expr
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
    kind, rule = float_type(dtype), THRESHOLDS[name]
    excess = compiled((X, TIE, OVERFLOW, TINY), rule.excess)
    tie, tiny = (
        flint.fmpq(1, 2 ** (kind.digits + 2)),
        flint.fmpq(*kind.smallest.as_integer_ratio()) / 2,
    )

    def is_before(x: flint.fmpq) -> bool:
        return is_positive(
            lambda: -excess(flint.arb(x), flint.arb(tie), flint.arb(kind.overflow), flint.arb(tiny))
        )

    high = flint.fmpq(2)
    while is_before(high):
        high *= 2
    return change(is_before, flint.fmpq(1), high, digits)


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


def _left(*formulas: str) -> tuple[tuple[str, int], ...]:
    return tuple((formula, -1) for formula in formulas)


def _both(*formulas: str) -> tuple[tuple[str, int], ...]:
    return tuple((formula, side) for formula in formulas for side in (-1, 1))


_PRODUCT = LOGISTIC_SCALE * X
_GROWTH = sp.exp(_PRODUCT)
_ARGUMENT = LOCAL_SLOPE * (X + PAGE_CUBIC * X**3)
_RISE = LOCAL_SLOPE * (1 + 3 * PAGE_CUBIC * X**2)

THRESHOLDS: Mapping[str, Threshold] = MappingProxyType(
    {
        "gelu-vanishes": Threshold(TINY - X * Phi(-X), (), 0),
        # Below 1 floats are 2·TIE apart; a tie of 1 + erf or 1 + tanh is rounded to 0, as −1 is
        # the even side. 1 − erf(x/√2) is 2Φ(−x), and 1 − tanh u is 2σ(−2u).
        "erf-form-vanishes": Threshold(TIE - 2 * Phi(-X), _left("erf"), 2),
        "tanh-form-vanishes": Threshold(TIE + 2 * FORMS["tanh"].subs(X, -X) / X, _left("tanh"), 7),
        "sigmoid-form-vanishes": Threshold(_GROWTH - OVERFLOW, _left("sigmoid"), 2),
        "tanh-clamp": Threshold(TIE - 2 / (sp.exp(2 * X) + 1), (), 0),
        "tanh-quotient-overflows": Threshold(
            sp.exp(2 * _ARGUMENT) - OVERFLOW, (("one exponential", 1),), 7
        ),
        "sinh-cosh-overflows": Threshold(sp.exp(_ARGUMENT) - OVERFLOW, _both("sinh and cosh"), 7),
        "cube-overflows": Threshold(X**3 - OVERFLOW, _both("tanh cube", "tanh cosh"), 1),
        "tanh-slope-overflows": Threshold(X / 2 * _RISE - OVERFLOW, _both("tanh square"), 6),
        "sigmoid-slope-term-vanishes": Threshold((1 + _GROWTH) ** 2 - OVERFLOW, (), 4),
        "sigmoid-slope-quotient-overflows": Threshold(
            _PRODUCT * _GROWTH - OVERFLOW, _left("sigmoid quotient"), 3
        ),
        "sigmoid-slope-product-overflows": Threshold(
            _PRODUCT - OVERFLOW, (*_both("sigmoid product"), ("sigmoid quotient", 1)), 1
        ),
    }
)
"""The thresholds by the IDs of their results.

:meta hide-value:
"""
