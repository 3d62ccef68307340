"""The numbers of the chapter criteria that are no cells of its table."""

from __future__ import annotations

import mpmath
import sympy as sp
from sympy import Float

from gelu_lib.functions import X, logistic
from gelu_lib.values.recipes import Computation

GUARD_DIGITS = 10
"""Digits computed beyond those that are asked for."""


def steepest_point(digits: int) -> Float:
    """The u > 0 where u·σ(u) is steepest, the root of u·tanh(u/2) = 2."""
    with mpmath.workdps(digits + GUARD_DIGITS):
        return Float(mpmath.findroot(lambda u: u * mpmath.tanh(u / 2) - 2, 2.4), digits)


def _scale(digits: int) -> Float:
    return steepest_point(digits + GUARD_DIGITS) / sp.sqrt(2).n(digits + GUARD_DIGITS)


def _floor(digits: int) -> Float:
    steepest = (1 + sp.erf(1)) / 2 + 1 / (sp.E * sp.sqrt(sp.pi))
    slope = sp.diff(X * logistic(X), X).subs(X, steepest_point(digits + GUARD_DIGITS))
    return (steepest - slope).n(digits)


NUMBERS: dict[str, Computation] = {
    "sigmoid-slope-floor-value": _floor,
    "sigmoid-slope-scale": _scale,
}
