"""The alternation equations of any form, solved at any precision; the last point may be an end.

A form with n free parameters has an error e(x) for x > 0. Sought are parameters, a level E and
n + 1 points with e(xᵢ) = ±E, the signs alternating, and e′(xᵢ) = 0. The last point may be the end
of the line, where the slope need not be 0: that of a bounded interval, or infinity, where the limit
of the error takes the place of e(xᵢ). The limit is other than 0 for some forms made of tanh.

Nothing here says that a solution is the best one; the modules that use it do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce

import mpmath
import numpy as np
import sympy as sp
from mpmath import mpf
from sympy import Expr, Integer, Rational, Symbol

from gelu_lib.fits.criteria import Problem
from gelu_lib.fits.solving import newton
from gelu_lib.fits.starts import ConvergenceError
from gelu_lib.fits.sup_norm import numerical, tail_form
from gelu_lib.functions.expressions import X, mpmath_function
from gelu_lib.functions.tanh_forms import TanhForm


@dataclass(frozen=True)
class Curve:
    """The error of a form for x > 0, and what it depends on.

    Attributes:
        error: the error, in ``X``, ``symbols`` and the keys of ``fixed``, written so that it does
            not cancel far out.
        at_end: the error at the end of the line, or its limit there, in the same parameters.
        symbols: the parameters that are free.
        fixed: exact values of the others.
        end: where the line ends.
    """

    error: Expr
    at_end: Expr
    symbols: tuple[Symbol, ...]
    fixed: Mapping[Symbol, Expr] = field(default_factory=dict)
    end: float = mpmath.inf

    def at(self, x: mpf, parameters: Sequence[mpf], *derivatives: Symbol) -> mpf:
        """The error at one point, or a derivative of it, to the precision that is set.

        Args:
            x: a point x > 0 up to the end.
            parameters: the values of ``symbols``.
            *derivatives: the symbols to differentiate by, in order.

        Returns:
            The number.
        """
        return self._values(x, parameters, (derivatives,))[0]

    def equations(
        self, parameters: Sequence[mpf], points: Sequence[mpf], signs: Sequence[int], level: mpf
    ) -> tuple[list[mpf], list[list[mpf]]]:
        """The residuals of e(xᵢ) = ±E and e′(xᵢ) = 0, and their derivatives by all unknowns.

        Args:
            parameters: the values of ``symbols``.
            points: the points; the last may be the end.
            signs: the sign of the error at each point.
            level: the level E.

        Returns:
            The residuals, and the matrix of their derivatives by the parameters, the points
            before the end and E, row by row.
        """
        inner = sum(x != self.end for x in points)
        residuals, rows = [], []
        for i, (x, sign) in enumerate(zip(points, signs, strict=True)):
            place = [mpf(i == j) for j in range(inner)]
            wanted = ((), *((symbol,) for symbol in self.symbols))
            if x != self.end:
                wanted += ((X,), *((X, symbol) for symbol in self.symbols), (X, X))
            error, *changes = self._values(x, parameters, wanted)
            changes, tilts = changes[: len(self.symbols)], changes[len(self.symbols) :]
            slope, *tilts, curvature = tilts or [mpf(0), mpf(0)]
            residuals.append(error - sign * level)
            rows.append([*changes, *(slope * here for here in place), mpf(-sign)])
            if x != self.end:
                residuals.append(slope)
                rows.append([*tilts, *(curvature * here for here in place), mpf(0)])
        return residuals, rows

    def multipliers(
        self, parameters: Sequence[mpf], points: Sequence[mpf], signs: Sequence[int]
    ) -> list[mpf]:
        """Numbers of sum 1 with which the gradients of the size of the error at points cancel.

        Args:
            parameters: the values of ``symbols``.
            points: one point more than there are parameters; the last may be the end.
            signs: the sign of the error at each point.
        """
        rows = [
            [sign * self.at(x, parameters, p) for x, sign in zip(points, signs, strict=True)]
            for p in self.symbols
        ]
        sides = [0] * len(rows) + [1]
        return list(
            mpmath.lu_solve(mpmath.matrix([*rows, [1] * len(points)]), mpmath.matrix(sides))
        )

    def _values(
        self, x: mpf, parameters: Sequence[mpf], derivatives: tuple[tuple[Symbol, ...], ...]
    ) -> list[mpf]:
        expression = self.at_end if x == self.end else self.error
        function = together(expression, (*self.symbols, *self.fixed), derivatives)
        return function(x, *parameters, *numerical(self.fixed.values()))


def error_curve(problem: Problem, end: float = mpmath.inf) -> Curve:
    """The weighted error of a problem, for the alternation equations on 0 < x ≤ end."""
    family, criterion = problem.family, problem.criterion
    error = tail_form(family, criterion.of, criterion.weight)
    if end < mpmath.inf:
        at_end = error.xreplace({X: Rational(end)})
    else:
        at_end = (1 - family.limit) / 2 if isinstance(family, TanhForm) else Integer(0)
    return Curve(error, at_end, problem.free, problem.fixed, end)


@dataclass(frozen=True)
class Level:
    """Parameters whose error is ±E at some points.

    Attributes:
        parameters: the values of the free parameters, in the order of ``Curve.symbols``.
        error: the level E.
        points: the points x > 0, increasing; the last may be the end of the line.
        signs: the sign of the error at each point.
    """

    parameters: tuple[mpf, ...]
    error: mpf
    points: tuple[mpf, ...]
    signs: tuple[int, ...]


def solve_level(curve: Curve, start: Level, digits: int) -> Level:
    """The solution of the alternation equations near a start.

    Args:
        curve: the error of the form.
        start: parameters, level and points that are close to it, with the signs that are sought.
        digits: how many significant digits shall hold.

    Returns:
        The solution, computed with some guard digits more, and with a positive level; where the
        start has all signs reversed, they are set right.

    Raises:
        ValueError: if the start has another number of points than there are parameters, plus 1.
        ConvergenceError: if Newton's method did not settle.
    """
    count = len(curve.symbols)
    if len(start.points) != count + 1:
        raise ValueError(f"{len(start.points)} points; {count} free parameters need one more")
    signs, inner = start.signs, [x for x in start.points if x != curve.end]
    end = [mpf(curve.end)] * (len(signs) - len(inner))
    reached = list(start.parameters)

    def system(unknowns: list[mpf]) -> tuple[list[mpf], list[list[mpf]]]:
        parameters, places = unknowns[:count], unknowns[count:-1]
        reached[:] = parameters
        return curve.equations(parameters, places + end, signs, unknowns[-1])

    try:
        found = newton(system, [*start.parameters, *inner, start.error], digits)
    except (ConvergenceError, ZeroDivisionError, OverflowError):  # singular, or off into a tail
        text = assignments(curve.symbols, reached)
        raise ConvergenceError(f"Newton's method did not settle; it reached {text}") from None
    if found[-1] < 0:  # the start had all signs reversed
        found[-1], signs = mpmath.fneg(found[-1], exact=True), tuple(-sign for sign in signs)
    return Level(tuple(found[:count]), found[-1], tuple(found[count:-1] + end), signs)


def start_level(
    symbols: Sequence[Symbol], parameters: Sequence[float], x: np.ndarray, error: np.ndarray
) -> Level:
    """A start for ``solve_level`` from the error on a grid.

    Args:
        symbols: the parameters that are free.
        parameters: their values.
        x: increasing points x > 0; the last may be the end of the line.
        error: the error there.

    Returns:
        The highest run of neighbouring peaks of alternating sign, one more than parameters.

    Raises:
        ConvergenceError: if there are too few peaks.
    """
    count = len(symbols) + 1
    # the last point is a peak too if the error does not shrink towards it: it may be the end
    peaks = alternating_peaks(np.append(error, 0.0), count)
    if len(peaks) < count:
        raise ConvergenceError(
            f"the error of {assignments(symbols, parameters)} alternates {len(peaks)} times for "
            f"x > 0; {count} are needed"
        )
    return Level(
        tuple(mpf(float(value)) for value in parameters),
        mpf(float(np.mean(np.abs(error[peaks])))),
        tuple(mpf(float(x[i])) for i in peaks),
        tuple(int(np.sign(error[i])) for i in peaks),
    )


def alternating_peaks(error: np.ndarray, count: int) -> np.ndarray:
    """The highest neighbouring peaks of alternating sign of an error on a grid.

    Args:
        error: a float64 array; its first and last elements are no peaks.
        count: how many peaks are sought.

    Returns:
        The increasing indices of ``count`` peaks, or of all if there are fewer.
    """
    size = np.abs(error)
    peaks: list[int] = []
    for i in np.flatnonzero((size[1:-1] >= size[:-2]) & (size[1:-1] >= size[2:])) + 1:
        if not peaks or error[peaks[-1]] * error[i] < 0:
            peaks.append(i)
        elif size[i] > size[peaks[-1]]:
            peaks[-1] = i
    runs = [peaks[first : first + count] for first in range(max(1, len(peaks) - count + 1))]
    return np.array(max(runs, key=lambda run: min(size[run], default=0)), dtype=int)


def assignments(names: Iterable, values: Iterable) -> str:
    """Names with their values, for messages."""
    pairs = zip(names, values, strict=True)
    return ", ".join(f"{name} = {float(value):.8g}" for name, value in pairs)


@lru_cache
def together(
    expression: Expr, symbols: tuple[Symbol, ...], derivatives: tuple[tuple[Symbol, ...], ...]
) -> Callable[..., list[mpf]]:
    """Several derivatives of one expression, computed together: one compilation for each use.

    Args:
        expression: an expression in ``X`` and the symbols.
        symbols: the parameters.
        derivatives: for each number the symbols to differentiate by; empty for the value itself.

    Returns:
        A function of x and all parameters, which must be mpmath numbers; it computes to the
        precision that is set when it is called.
    """
    wanted = [reduce(sp.diff, by, expression) for by in derivatives]
    return mpmath_function(wanted, X, *symbols)
