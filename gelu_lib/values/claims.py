"""The numbers of the chapter claims."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import mpmath
import numpy as np
import sympy as sp
from mpmath import mpf
from sympy import Expr, Float, Rational, erf, pi, sqrt, tanh

from gelu_lib.certificates import Enclosure, certified_sup_error
from gelu_lib.families import LOGISTIC
from gelu_lib.functions import (
    GELU,
    LOCAL_SLOPE,
    LOGISTIC_SCALE,
    Phi,
    X,
    gelu_sigmoid,
    gelu_tanh,
    logistic,
    mpmath_function,
    numpy_function,
)
from gelu_lib.values.recipes import Certification, Computation

GRID_STEP = Rational(1, 1000)
GRID_POINTS = 4000
"""The grid of the sources: 0, 1/1000, … below 4."""


def erf_ratio(cubic: Expr) -> Expr:
    """1 − erf(x)/tanh(2/√π·(x + cubic·x³)), the relative error that one source bounds."""
    return 1 - erf(X) / tanh(2 / sqrt(pi) * (X + cubic * X**3))


def largest(function: Expr, low: Rational, high: Rational) -> Computation:
    """The largest size of a function of x on an interval, searched on a grid and then solved for.

    Args:
        function: an expression in x, smooth on the interval.
        low: the left end, positive.
        high: the right end.

    Returns:
        The computation. It is an end of the interval or a zero of the derivative next to the
        largest sample; that no other place is larger is not proved.
    """

    def compute(digits: int) -> Float:
        x = np.linspace(float(low), float(high), 4001)
        best = int(np.argmax(np.abs(numpy_function(function)(x))))
        with mpmath.workdps(digits + 20):
            place = mpmath.mpmathify(sp.N((low, high)[best > 0], digits + 20))
            if 0 < best < len(x) - 1:
                slope = mpmath_function(sp.diff(function, X))
                place = mpmath.findroot(
                    slope, (mpf(x[best - 1]), mpf(x[best + 1])), solver="anderson"
                )
            return Float(abs(mpmath_function(function)(place)), digits)

    return compute


def best_on_grid(error: Expr, parameter: sp.Symbol, near: float) -> Computation:
    """The parameter for which the largest error on the grid of the sources is least.

    The least and the largest error on the grid have opposite sizes there. The two points where they
    stand are found in double precision, the parameter is solved for, and the points are confirmed
    against their neighbours at full precision.

    Args:
        error: the error, an expression in x and the parameter.
        parameter: the parameter.
        near: a value of the parameter near the best one.

    Returns:
        The computation.
    """
    floats = numpy_function(error, X, parameter)
    exact = mpmath_function(error, X, parameter)
    grid = np.arange(GRID_POINTS) / 1000

    def compute(digits: int) -> Float:
        with mpmath.workdps(digits + 20):
            value, ends = mpf(near), None
            while (found := _ends(floats(grid, float(value)))) != ends:
                ends = found
                value = mpmath.findroot(partial(_imbalance, exact, ends), value)
            _confirm(lambda i: exact(_point(i), value), ends)
            return Float(value, digits)

    return compute


def _point(i: int) -> mpf:
    return mpf(i) / 1000


def _ends(errors: np.ndarray) -> tuple[int, int]:
    return int(np.argmin(errors)), int(np.argmax(errors))


def _imbalance(error: Callable[[mpf, mpf], mpf], ends: tuple[int, int], parameter: mpf) -> mpf:
    return mpmath.fsum(error(_point(i), parameter) for i in ends)


def _confirm(error: Callable[[int], mpf], ends: tuple[int, int]) -> None:
    lowest, highest = ends
    for i in (-1, 1):
        if error(lowest + i) <= error(lowest) or error(highest + i) >= error(highest):
            raise ArithmeticError("the extreme points on the grid are not confirmed")


B = sp.Symbol("b", real=True)
_EIGHT = Rational(8)


def _tanh_erf_distance(digits: int) -> dict[str, Enclosure]:
    """erf(x) − tanh(x) is 2(Φ(y) − σ(√2·y)) with y = √2·x."""
    return {"": certified_sup_error(LOGISTIC, {"p1": sqrt(2)}, "Phi", digits).error.times(2)}


CERTIFIED: dict[str, Certification] = {"tanh-erf-distance": _tanh_erf_distance}

NUMBERS: dict[str, Computation] = {
    "tanh-grid-coefficient": best_on_grid(
        erf(X / sqrt(2)) - tanh(LOCAL_SLOPE * X + B * X**3), B, 0.0357
    ),
    "logistic-grid-scale": best_on_grid(Phi(X) - logistic(B * X), B, 1.7),
    "erf-ratio-taylor-error": largest(erf_ratio((4 - pi) / (3 * pi)), Rational(1, 100), _EIGHT),
    "erf-ratio-pi-over-35-error": largest(erf_ratio(pi / 35), Rational(1, 100), _EIGHT),
    "erf-ratio-11-over-123-error": largest(erf_ratio(Rational(11, 123)), Rational(1, 100), _EIGHT),
    "tanh-sigmoid-gap": largest(gelu_tanh() - gelu_sigmoid(), Rational(1, 100), _EIGHT),
    "page-error-unit-interval": largest(GELU(X) - gelu_tanh(), Rational(1, 100), Rational(1)),
    "scale-1702-error-unit-interval": largest(
        X * (Phi(X) - logistic(LOGISTIC_SCALE * X)), Rational(1, 100), Rational(1)
    ),
}
