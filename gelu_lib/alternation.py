"""The alternation equations of any form, solved at any precision; a point may lie at infinity.

A form with k free parameters has an error e(x) for x > 0. Sought are parameters, a level E and
k + 1 points with e(xᵢ) = ±E, the signs alternating, and e′(xᵢ) = 0. A form whose limit may differ
from 1 can have its last point at infinity; there the limit of the error takes the place of e(xᵢ).

Nothing here says that a solution is the best one; the modules that use it do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

import mpmath
import numpy as np
import sympy as sp
from mpmath import mpf
from sympy import Expr, Symbol

from gelu_lib.functions import X, mpmath_function
from gelu_lib.newton import newton
from gelu_lib.starts import ConvergenceError


@dataclass(frozen=True)
class Curve:
    """The error of a form for x > 0, and what it depends on.

    Attributes:
        error: the error, in ``X`` and ``symbols``, written so that it does not cancel far out.
        at_infinity: its limit as x → ∞, in ``symbols``.
        symbols: the parameters that are free.
    """

    error: Expr
    at_infinity: Expr
    symbols: tuple[Symbol, ...]

    def at(self, x: mpf, parameters: Sequence[mpf], *derivatives: Symbol) -> mpf:
        """The error at one point, or a derivative of it, to the precision that is set."""
        expression = self.at_infinity if x == mpmath.inf else self.error
        return _function(expression, self.symbols, derivatives)(x, *parameters)


@dataclass(frozen=True)
class Level:
    """Parameters whose error is ±E at some points.

    Attributes:
        parameters: the values of the free parameters, in the order of ``Curve.symbols``.
        error: the level E.
        extrema: the points x > 0 by increasing x, each with the sign of the error there; the last
            x may be infinite.
    """

    parameters: tuple[mpf, ...]
    error: mpf
    extrema: tuple[tuple[mpf, int], ...]


def solve_level(curve: Curve, start: Level, digits: int) -> Level:
    """The solution of the alternation equations near a start.

    Args:
        curve: the error of the form.
        start: parameters, level and points that are close to it, with the signs that are sought.
        digits: how many significant digits shall hold.

    Returns:
        The solution, computed with some guard digits more.

    Raises:
        ValueError: if the start has another number of points than there are parameters, plus 1.
        ConvergenceError: if Newton's method did not settle.
    """
    count = len(curve.symbols)
    if len(start.extrema) != count + 1:
        raise ValueError(f"{len(start.extrema)} points; {count} free parameters need one more")
    signs = [sign for _, sign in start.extrema]
    finite = [x for x, _ in start.extrema if x != mpmath.inf]
    end = [mpmath.inf] * (len(signs) - len(finite))

    def system(unknowns: list[mpf]) -> tuple[list[mpf], list[list[mpf]]]:
        parameters, places = unknowns[:count], unknowns[count:-1]
        points = list(zip(places + end, signs, strict=True))
        return _equations(curve, parameters, points, unknowns[-1])

    found = newton(system, [*start.parameters, *finite, start.error], digits)
    places = found[count:-1] + end
    extrema = tuple(zip(places, signs, strict=True))
    return Level(tuple(found[:count]), found[-1], extrema)


def start_level(
    symbols: Sequence[Symbol], parameters: Sequence[float], x: np.ndarray, error: np.ndarray
) -> Level:
    """A start for ``solve_level`` from the error on a grid.

    Args:
        symbols: the parameters that are free.
        parameters: their values.
        x: increasing points x > 0; the last may be infinite.
        error: the error there.

    Returns:
        The highest run of neighbouring peaks of alternating sign, one more than parameters.

    Raises:
        ConvergenceError: if there are too few peaks.
    """
    count = len(symbols) + 1
    peaks = _alternating_peaks(error, count)
    if len(peaks) < count:
        pairs = zip(symbols, parameters, strict=True)
        reached = ", ".join(f"{symbol} = {value:.3g}" for symbol, value in pairs)
        raise ConvergenceError(
            f"the error of {reached} alternates {len(peaks)} times for x > 0; {count} are needed"
        )
    return Level(
        tuple(mpf(float(value)) for value in parameters),
        mpf(float(np.mean(np.abs(error[peaks])))),
        tuple((mpf(float(x[i])), int(np.sign(error[i]))) for i in peaks),
    )


def _alternating_peaks(error: np.ndarray, count: int) -> list[int]:
    """The indices of the highest ``count`` neighbouring peaks of alternating sign.

    The last point is a peak too if the error does not shrink towards it: it may be at infinity.
    """
    size = np.append(np.abs(error), -1.0)
    peaks: list[int] = []
    for i in np.flatnonzero((size[1:-1] >= size[:-2]) & (size[1:-1] >= size[2:])) + 1:
        if not peaks or error[peaks[-1]] * error[i] < 0:
            peaks.append(int(i))
        elif size[i] > size[peaks[-1]]:
            peaks[-1] = int(i)
    runs = [peaks[first : first + count] for first in range(max(1, len(peaks) - count + 1))]
    return max(runs, key=lambda run: min(size[run], default=0))


@lru_cache
def _function(
    expression: Expr, symbols: tuple[Symbol, ...], derivatives: tuple[Symbol, ...]
) -> Callable[..., mpf]:
    return mpmath_function(reduce(sp.diff, derivatives, expression), X, *symbols)


def _equations(
    curve: Curve, parameters: list[mpf], points: list[tuple[mpf, int]], level: mpf
) -> tuple[list[mpf], list[list[mpf]]]:
    """The residuals of e(xᵢ) = ±E and e′(xᵢ) = 0, and their derivatives by all unknowns."""
    finite = sum(x != mpmath.inf for x, _ in points)
    residuals, rows = [], []
    for i, (x, sign) in enumerate(points):
        place = [mpf(i == j) for j in range(finite)]
        slope = curve.at(x, parameters, X)
        residuals.append(curve.at(x, parameters) - sign * level)
        changes = [curve.at(x, parameters, symbol) for symbol in curve.symbols]
        rows.append([*changes, *(slope * here for here in place), mpf(-sign)])
        if x != mpmath.inf:
            curvature = curve.at(x, parameters, X, X)
            tilts = [curve.at(x, parameters, X, symbol) for symbol in curve.symbols]
            residuals.append(slope)
            rows.append([*tilts, *(curvature * here for here in place), mpf(0)])
    return residuals, rows
