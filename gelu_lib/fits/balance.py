"""Best parameters in a weighted sup norm, where the error need not alternate.

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

from collections.abc import Callable, Mapping

import mpmath
import numpy as np
from mpmath import mpf
from sympy import Float, Symbol

from gelu_lib.fits.criteria import Criterion, Optimum, Problem, by_name, problem
from gelu_lib.fits.solving import System, newton
from gelu_lib.fits.starts import GRID, ConvergenceError, float_errors, grid_optimum
from gelu_lib.fits.sup_norm import (
    GUARD_DIGITS,
    check_digits,
    error_function,
    numerical,
    sampled_sup_error,
)
from gelu_lib.functions.expressions import X, numpy_function
from gelu_lib.functions.families import Family, Value

AS_HIGH = 1e-3
"""A peak on the grid is taken for one of the highest if it lacks no more than this, relatively."""

Vector = list[mpf]


class NotAnOptimumError(ArithmeticError):
    """The parameters do not satisfy the condition that makes them the best nearby."""


def peak_optimum(
    family: Family,
    criterion: Criterion,
    fixed: Mapping[str, Value] | None = None,
    digits: int = 16,
) -> Optimum:
    """The parameters of a family that make the weighted sup norm of the error least nearby.

    Args:
        family: the family.
        criterion: the function that is approximated, and the weight; the norm is ``"sup"``.
        fixed: the values of parameters that are not free, by name.
        digits: how many significant digits of every number shall hold.

    Returns:
        The optimum, with the highest peaks, their signs and their multipliers.

    Raises:
        TypeError: if an argument is of a type that is not accepted.
        ValueError: if the norm is not ``"sup"``, a name or value is not accepted, no parameter
            is free, or ``digits`` is below 1.
        ConvergenceError: if the equations were not solved.
        NotAnOptimumError: if they were, but the solution is not the best nearby.
        WrongLimitError: if Φ̂ does not tend to 1 at +∞ for the solution.
    """
    made = problem(family, criterion, fixed)
    if criterion.norm != "sup":
        raise ValueError(f"norm is {criterion.norm!r}; peaks are those of the norm 'sup'")
    check_digits(digits)
    free, size, places, signs = _highest_peaks(made)
    start = _multipliers_start(made, free, places, signs)
    unknowns = newton(_equations(made, signs), [*free, size, *places, *start], digits)
    k, m = len(free), len(places)
    with mpmath.workdps(digits + GUARD_DIGITS):
        parameters = made.complete(unknowns[:k], numerical(made.fixed.values()))
        kept = mpmath.libmp.dps_to_prec(digits + GUARD_DIGITS)

        def floats(numbers: Vector) -> tuple[Float, ...]:
            return tuple(Float(number, precision=kept) for number in numbers)

        optimum = Optimum(
            family=family,
            criterion=criterion,
            digits=digits,
            fixed=by_name(made.fixed.keys(), made.fixed.values()),
            parameters=by_name(family.symbols, floats(parameters)),
            size=floats(unknowns[k : k + 1])[0],
            points=floats(unknowns[k + 1 : k + 1 + m]),
            signs=tuple(signs),
            multipliers=floats(unknowns[k + 1 + m :]),
        )
    check_peaks(optimum)
    return optimum


def check_peaks(optimum: Optimum) -> None:
    """Check that an optimum has what the condition asks, recomputed from its parameters.

    The fixed parameters must be kept. The weighted error must have extrema of the stated size and
    sign at the points, and by ``gelu_lib.fits.sup_norm.sampled_sup_error`` none that is larger; the
    multipliers must be positive, of sum 1, and cancel the gradients; along the directions that
    change no peak to first order, the second derivatives must be positive. All is compared to the
    digits that are stated. This is no proof, because the sup norm is
    sampled; ``gelu_lib.certificates.certify`` gives one.

    Args:
        optimum: what ``peak_optimum`` returned, or a claim of that shape.

    Raises:
        TypeError: if ``digits`` of the optimum is not an integer.
        ValueError: if it is below 1.
        NotAnOptimumError: if something is not so; the message says what.
        WrongLimitError: if Φ̂ does not tend to 1 at +∞.
    """
    check_digits(optimum.digits)
    made = problem(optimum.family, optimum.criterion, optimum.fixed)
    _check_shape(optimum)
    with mpmath.workdps(optimum.digits + GUARD_DIGITS):
        tolerance = mpf(10) ** -optimum.digits
        _check_fixed(optimum, made, tolerance)
        free = numerical(optimum.parameters[symbol.name] for symbol in made.free)
        (size,), places = numerical([optimum.size]), numerical(optimum.points)
        multipliers, signs = numerical(optimum.multipliers), list(optimum.signs)
        unknowns = [*free, size, *places, *multipliers]
        _check_equations(_equations(made, signs)(unknowns), unknowns, len(free), tolerance)
        _check_curvature(made, free, places, signs, multipliers)
        _check_no_higher_peak(optimum, tolerance)


def _check_shape(optimum: Optimum) -> None:
    points, signs, multipliers = optimum.points, optimum.signs, optimum.multipliers
    if not len(points) == len(signs) == len(multipliers) > 0:
        raise NotAnOptimumError(
            f"{len(points)} points, {len(signs)} signs and {len(multipliers)} multipliers; "
            "there must be as many of each, and at least one"
        )
    if [0, *points] != sorted({0, *points}):
        raise NotAnOptimumError(f"the points {points} are not positive and increasing")
    if not set(signs) <= {1, -1}:
        raise NotAnOptimumError(f"the signs {signs} are not 1 or −1")
    if any(multiplier <= 0 for multiplier in multipliers):
        raise NotAnOptimumError("a multiplier is not positive")
    if not optimum.size > 0:
        raise NotAnOptimumError(f"the size {optimum.size} is not positive")


def _check_fixed(optimum: Optimum, made: Problem, tolerance: mpf) -> None:
    for symbol, exact in made.fixed.items():
        given, number = numerical([optimum.parameters[symbol.name], exact])
        if abs(given - number) > tolerance * abs(number):
            raise NotAnOptimumError(f"{symbol} is {given}, but fixed at {exact}")


def _check_equations(
    equations: tuple[Vector, mpmath.matrix], unknowns: Vector, k: int, tolerance: mpf
) -> None:
    """Check each equation to the tolerance, relative to what it compares."""
    residuals, rows = equations
    m = (len(unknowns) - k - 1) // 2
    size, places, multipliers = unknowns[k], unknowns[k + 1 : k + 1 + m], unknowns[k + 1 + m :]

    def balanced(j: int) -> mpf:
        """The largest part of a balance; for a single peak, its change with a parameter."""
        row = rows[2 * m + j, :]
        parts = [weight * row[k + 1 + m + i] for i, weight in enumerate(multipliers)]
        changes = [row[q] * unknowns[q] for q in range(k)]
        return max(map(abs, parts if m > 1 else changes))

    scales = [("level", size)] * m
    scales += [("slope", x * abs(rows[m + i, k + 1 + i])) for i, x in enumerate(places)]
    scales += [("balance", balanced(j)) for j in range(k)] + [("sum", mpf(1))]
    for residual, (name, scale) in zip(residuals, scales, strict=True):
        if abs(residual) > tolerance * scale:
            raise NotAnOptimumError(f"the {name} equation is off by {mpmath.nstr(residual, 5)}")


def _check_no_higher_peak(optimum: Optimum, tolerance: mpf) -> None:
    criterion = optimum.criterion
    sup = sampled_sup_error(
        optimum.family,
        optimum.parameters,
        criterion.of,
        optimum.digits + GUARD_DIGITS,
        criterion.weight,
    )
    if sup.error > optimum.size * (1 + tolerance):
        raise NotAnOptimumError(
            f"the size {optimum.size.n(8)} is exceeded at x = {sup.where[0].n(8)}, where it is "
            f"{sup.error.n(8)}"
        )


def _highest_peaks(made: Problem) -> tuple[list[float], float, list[float], list[int]]:
    """Free parameters from the grid, the size, places and signs of their highest peaks."""
    free = grid_optimum(made)
    weight = np.broadcast_to(numpy_function(made.criterion.weight)(GRID), GRID.shape)
    error = weight * float_errors(made, GRID, free)
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
    made: Problem, free: list[float], places: list[float], signs: list[int]
) -> np.ndarray:
    """Multipliers of sum 1 that come closest to cancelling the gradients."""
    parameters = [mpf(p) for p in made.complete(free, map(float, made.fixed.values()))]
    rows = [
        [float(sign * _error(made, symbol)(mpf(x), *parameters))]
        for symbol in made.free
        for x, sign in zip(places, signs, strict=True)
    ]
    gradients = np.array(rows).reshape(len(made.free), len(places))
    gradients /= np.abs(gradients).max(axis=1, keepdims=True)
    equations = np.vstack([gradients, np.ones(len(places))])
    return np.linalg.lstsq(equations, np.append(np.zeros(len(made.free)), 1.0))[0]


def _error(made: Problem, *derivatives: Symbol) -> Callable[..., mpf]:
    criterion = made.criterion
    return error_function(made.family, criterion.of, *derivatives, weight=criterion.weight)


def _equations(made: Problem, signs: list[int]) -> System:
    """The level, slope, balance and sum equations, in the unknowns pⱼ, E, xᵢ, λᵢ in this order."""
    free, k, m = made.free, len(made.free), len(signs)
    count = k + 1 + 2 * m

    def system(unknowns: Vector) -> tuple[Vector, mpmath.matrix]:
        size, places, weights = unknowns[k], unknowns[k + 1 : k + 1 + m], unknowns[k + 1 + m :]
        parameters = made.complete(unknowns[:k], numerical(made.fixed.values()))

        def values(*derivatives: Symbol) -> Vector:
            """sign·derivative of the error at every point."""
            function = _error(made, *derivatives)
            return [s * function(x, *parameters) for s, x in zip(signs, places, strict=True)]

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


def _check_curvature(
    made: Problem, free: Vector, places: Vector, signs: list[int], multipliers: Vector
) -> None:
    """Check that the balanced peaks rise along every direction in which none changes at once.

    The height of a peak at x has the second derivatives r_pq − r_xp r_xq/r_xx, since x moves.
    """
    parameters = made.complete(free, numerical(made.fixed.values()))

    def at(x: mpf, *derivatives: Symbol) -> mpf:
        return _error(made, *derivatives)(x, *parameters)

    gradients = mpmath.matrix([[at(x, p) for p in made.free] for x in places])
    open_directions = _null_space(gradients)
    if not open_directions:
        return

    def second(p: Symbol, q: Symbol) -> mpf:
        terms = (
            weight * sign * (at(x, p, q) - at(x, X, p) * at(x, X, q) / at(x, X, X))
            for x, sign, weight in zip(places, signs, multipliers, strict=True)
        )
        return mpmath.fsum(terms)

    hessian = mpmath.matrix([[second(p, q) for q in made.free] for p in made.free])
    basis = mpmath.matrix(open_directions).T
    try:
        mpmath.cholesky(basis.T * hessian * basis)
    except ValueError:
        raise NotAnOptimumError("along an open direction the peaks do not rise") from None


def _null_space(gradients: mpmath.matrix) -> list[Vector]:
    """An orthonormal basis of the directions that change no peak to first order.

    The gradients are balanced by positive numbers, so that their rank is below their count.
    """
    _, singular, rows = mpmath.svd_r(gradients, full_matrices=True)
    small = singular[0] * mpf(10) ** -(mpmath.mp.dps // 2)
    rank = min(gradients.rows - 1, sum(1 for value in singular if value > small))
    return [[rows[i, j] for j in range(rows.cols)] for i in range(rank, rows.rows)]
