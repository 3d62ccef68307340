"""Best parameters in a weighted sup norm, where the error need not alternate: that of GELU′.

The size of an error is its largest peak, so at the best parameters no direction lowers every
highest peak to first order. By Gordan's theorem that is so exactly if the gradients of the highest
peaks cancel with multipliers that are not negative and not all 0. This is necessary.

Sufficient, for all other parameters nearby to be worse, is more: the multipliers are all positive,
and the peaks, summed with them, have a positive second derivative along every direction that
changes none of them to first order; every other direction raises one of them. This is what is
sought and checked here. It is not necessary: an optimum with a highest peak whose multiplier is 0
is not accepted.

For n free parameters there are as a rule n + 1 highest peaks, no direction is open in that way, and
for the error of Φ or GELU the peaks alternate in sign. For the error of GELU′ they need not: its
derivative by a parameter changes sign along the line. There may even be fewer peaks than n + 1,
down to a single one whose own gradient vanishes; then the second derivatives decide.

Parameters far away are not covered, except where the error of Φ or GELU alternates at n + 1 peaks
(``alternation-any-degree``).
"""

from __future__ import annotations

import mpmath
import numpy as np
from mpmath import mpf
from sympy import Symbol

from gelu_lib.fits.alternation import Curve, Level, error_curve
from gelu_lib.fits.criteria import NotAnOptimumError, Optimum, Problem
from gelu_lib.fits.solving import System, as_optimum, newton
from gelu_lib.fits.starts import GRID, ConvergenceError, grid_optimum, weighted_errors
from gelu_lib.functions.expressions import X

AS_HIGH = 1e-3
"""A peak on the grid is taken for one of the highest if it lacks no more than this, relatively."""

Vector = list[mpf]


def balanced(made: Problem, digits: int) -> Optimum:
    """Parameters whose highest peaks balance, near those that are best on a grid.

    Args:
        made: the problem.
        digits: how many significant digits of every number shall hold.

    Returns:
        The solution of the equations; that it is an optimum is for others to check.

    Raises:
        ConvergenceError: if the equations were not solved.
    """
    free, size, places, signs = _highest_peaks(made)
    curve, k, m = error_curve(made), len(free), len(places)
    start = _multipliers_start(curve, free, places, signs)
    found = newton(_equations(curve, signs), [*free, size, *places, *start], digits)
    points, multipliers = found[k + 1 : k + 1 + m], found[k + 1 + m :]
    return as_optimum(made, digits, found[:k], found[k], points, signs, multipliers)


def check_multipliers(curve: Curve, level: Level, multipliers: Vector, tolerance: mpf) -> None:
    """Check that multipliers have the sum 1 and cancel the gradients of the peaks.

    Args:
        curve: the error.
        level: the free parameters, and the peaks.
        multipliers: one for each peak.
        tolerance: relative to the largest part of a sum; for a single peak, which has no other
            part, to the largest change of its gradient with a parameter.

    Raises:
        NotAnOptimumError: if it is not so.
    """
    if abs(mpmath.fsum(multipliers) - 1) > tolerance:
        raise NotAnOptimumError(f"the sum of the multipliers is {mpmath.fsum(multipliers)}")
    peaks = list(zip(level.points, level.signs, multipliers, strict=True))
    for p in curve.symbols:
        parts = [m * s * curve.at(x, level.parameters, p) for x, s, m in peaks]
        others = parts
        if len(peaks) == 1:
            pairs = zip(curve.symbols, level.parameters, strict=True)
            others = [
                value * curve.at(level.points[0], level.parameters, p, q) for q, value in pairs
            ]
        if abs(mpmath.fsum(parts)) > tolerance * max(map(abs, others)):
            raise NotAnOptimumError(
                f"the balance of {p} is off by {mpmath.nstr(mpmath.fsum(parts), 5)}"
            )


def check_balance(curve: Curve, level: Level, multipliers: Vector) -> None:
    """Check that the balanced peaks rise along every direction in which none changes at once.

    The height of a peak at x has the second derivatives r_pq − r_xp r_xq/r_xx, since x moves.

    Raises:
        NotAnOptimumError: if it is not so.
    """

    def at(x: mpf, *derivatives: Symbol) -> mpf:
        return curve.at(x, level.parameters, *derivatives)

    gradients = mpmath.matrix([[at(x, p) for p in curve.symbols] for x in level.points])
    open_directions = _null_space(gradients)
    if not open_directions:
        return

    def second(p: Symbol, q: Symbol) -> mpf:
        terms = (
            weight * sign * (at(x, p, q) - at(x, X, p) * at(x, X, q) / at(x, X, X))
            for x, sign, weight in zip(level.points, level.signs, multipliers, strict=True)
        )
        return mpmath.fsum(terms)

    hessian = mpmath.matrix([[second(p, q) for q in curve.symbols] for p in curve.symbols])
    basis = mpmath.matrix(open_directions).T
    try:
        mpmath.cholesky(basis.T * hessian * basis)
    except ValueError:
        raise NotAnOptimumError("along an open direction the peaks do not rise") from None


def _highest_peaks(made: Problem) -> tuple[list[float], float, list[float], list[int]]:
    """Free parameters from the grid, the size, places and signs of their highest peaks."""
    free = grid_optimum(made)
    error = weighted_errors(made, GRID, free)
    size = np.abs(error)
    peaks = np.flatnonzero((size[1:-1] >= size[:-2]) & (size[1:-1] > size[2:])) + 1
    highest = [i for i in peaks if size[i] >= (1 - AS_HIGH) * size.max()]
    if not highest:
        raise ConvergenceError(
            f"at the parameters {free} the error has no highest peak on the grid"
        )
    signs = [int(np.sign(error[i])) for i in highest]
    return free.tolist(), float(size[highest].max()), GRID[highest].tolist(), signs


def _multipliers_start(
    curve: Curve, free: list[float], places: list[float], signs: list[int]
) -> np.ndarray:
    """Multipliers of sum 1 that come closest to cancelling the gradients."""
    parameters = [mpf(p) for p in free]
    gradients = np.array(
        [
            [float(s * curve.at(mpf(x), parameters, p)) for x, s in zip(places, signs, strict=True)]
            for p in curve.symbols
        ]
    )
    gradients /= np.abs(gradients).max(axis=1, keepdims=True)
    equations = np.vstack([gradients, np.ones(len(places))])
    return np.linalg.lstsq(equations, np.append(np.zeros(len(free)), 1.0))[0]


def _equations(curve: Curve, signs: list[int]) -> System:
    """The level, slope, balance and sum equations, in the unknowns pⱼ, E, xᵢ, λᵢ in this order."""
    free, k, m = curve.symbols, len(curve.symbols), len(signs)
    count = k + 1 + 2 * m

    def system(unknowns: Vector) -> tuple[Vector, mpmath.matrix]:
        size, places, weights = unknowns[k], unknowns[k + 1 : k + 1 + m], unknowns[k + 1 + m :]

        def values(*derivatives: Symbol) -> Vector:
            """sign·derivative of the error at every point."""
            pairs = zip(signs, places, strict=True)
            return [s * curve.at(x, unknowns[:k], *derivatives) for s, x in pairs]

        error, slope, curvature = values(), values(X), values(X, X)
        gradients, tilts = [values(p) for p in free], [values(X, p) for p in free]
        rows = mpmath.zeros(count)
        for i in range(m):
            rows[i, k], rows[i, k + 1 + i] = -1, slope[i]
            rows[m + i, k + 1 + i] = curvature[i]
            rows[count - 1, k + 1 + m + i] = 1
            for j in range(k):
                rows[i, j], rows[m + i, j] = gradients[j][i], tilts[j][i]
                rows[2 * m + j, k + 1 + i] = weights[i] * tilts[j][i]
                rows[2 * m + j, k + 1 + m + i] = gradients[j][i]
        for j, p in enumerate(free):
            for other, q in enumerate(free):
                rows[2 * m + j, other] = mpmath.fdot(weights, values(p, q))
        balance = [mpmath.fdot(weights, gradient) for gradient in gradients]
        level = [value - size for value in error]
        return [*level, *slope, *balance, mpmath.fsum(weights) - 1], rows

    return system


def _null_space(gradients: mpmath.matrix) -> list[Vector]:
    """An orthonormal basis of the directions that change no peak to first order.

    The gradients are balanced by positive numbers, so that their rank is below their count.
    """
    _, singular, rows = mpmath.svd_r(gradients, full_matrices=True)
    small = singular[0] * mpf(10) ** -(mpmath.mp.dps // 2)
    rank = min(gradients.rows - 1, sum(1 for value in singular if value > small))
    return [[rows[i, j] for j in range(rows.cols)] for i in range(rank, rows.rows)]
