"""The best fit on a bounded interval, where the end may be a point of the alternation.

Remez' exchange: parameters that level the error at k + 1 points, then the highest peaks of that
error for points, and again. What it returns is a candidate. How good it is, others prove.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mpmath
import numpy as np
import scipy.optimize
from mpmath import mpf
from sympy import Float, Rational

from gelu_lib.alternation import alternating_peaks
from gelu_lib.criteria import Problem
from gelu_lib.functions import X, numpy_function
from gelu_lib.norms import GUARD_DIGITS, error_function, numerical
from gelu_lib.starts import ConvergenceError, float_errors, linear_start

GRID_POINTS = 4000
"""How many points of the interval the peaks are looked for at."""

MOST_EXCHANGES = 30
"""After so many exchanges the search is given up."""

PROGRAM_POINTS = 500
"""How many points of the interval a linear program takes."""

DIFFERENCE = 1e-6
"""The step of a difference quotient by a parameter."""

NEAR = 0.2
"""Peaks lower than this part of the highest one are of no use to a bound."""


@dataclass(frozen=True)
class Levelled:
    """Free parameters whose error alternates on an interval.

    Attributes:
        free: the free parameters, exact binary fractions.
        points: where the error alternates, exact and increasing.
    """

    free: tuple[Rational, ...]
    points: tuple[Rational, ...]


def weighted_errors(problem: Problem, x: np.ndarray, free: Sequence[float]) -> np.ndarray:
    """The weighted errors in double precision."""
    weight = numpy_function(problem.criterion.weight, X)(x)
    return np.broadcast_to(weight, x.shape) * float_errors(problem, x, free)


def grid_on(end: float) -> np.ndarray:
    """Increasing points of 0 < x ≤ end."""
    return np.linspace(0, end, GRID_POINTS + 1)[1:]


def high_peaks(problem: Problem, end: float, free: list[float]) -> tuple[float, ...]:
    """Where the size of the error has peaks that are not low; the end counts as one."""
    x = grid_on(end)
    size = np.abs(weighted_errors(problem, x, free))
    around = np.concatenate([[0], size, [0]])
    peaks = (size >= around[:-2]) & (size >= around[2:]) & (size >= NEAR * size.max())
    return tuple(x[peaks].tolist())


def levelled(problem: Problem, end: float, digits: int) -> Levelled:
    """Parameters whose error alternates at k + 1 points of 0 < x ≤ end, all of one size.

    Args:
        problem: the family, the error, its weight and the fixed parameters.
        end: the right end of the interval.
        digits: to how many digits the sizes shall be equal.

    Returns:
        The parameters and the points.

    Raises:
        ConvergenceError: if there are too few alternations, or the exchange does not settle.
    """
    x = grid_on(end)
    with mpmath.workdps(digits + GUARD_DIGITS):
        free = [mpf(float(value)) for value in linear_start(problem, x)]
        for _ in range(MOST_EXCHANGES):
            error = np.append(weighted_errors(problem, x, list(map(float, free))), 0.0)
            peaks = alternating_peaks(error, len(free) + 1)
            if len(peaks) <= len(free):
                raise ConvergenceError(
                    f"the error alternates {len(peaks)} times for 0 < x ≤ {end}; "
                    f"{len(free) + 1} are needed"
                )
            points = [_polished(problem, x, i, free) for i in peaks]
            sizes = [abs(value) for value in _errors(problem, points, free)]
            if max(sizes) - min(sizes) <= mpf(10) ** -digits * max(sizes):
                return Levelled(tuple(map(_exact, free)), tuple(map(_exact, points)))
            free = _level(problem, points, np.sign(error[peaks]), free, max(sizes))
    raise ConvergenceError(f"{MOST_EXCHANGES} exchanges did not level the error")


def lowered(problem: Problem, end: float) -> tuple[Rational, ...]:
    """Free parameters that make the largest error on a grid small, by linear programs.

    In each step the error is taken to be linear in the parameters, within a box around them. A step
    that makes the largest error greater is not taken, and the box shrinks.

    Args:
        problem: the family, the error, its weight and the fixed parameters.
        end: the right end of the interval.

    Returns:
        The parameters, the best that were found.
    """
    x = np.linspace(0, end, PROGRAM_POINTS + 1)[1:]
    free, reach = linear_start(problem, x), 0.1
    error = weighted_errors(problem, x, free)
    while reach > 1e-13:
        step = _program_step(error, _changes(problem, x, free), reach)
        tried = weighted_errors(problem, x, free + step)
        if np.max(np.abs(tried)) < np.max(np.abs(error)):
            free, error = free + step, tried
        else:
            reach /= 8
    return tuple(Rational(float(value)) for value in free)


def _program_step(error: np.ndarray, changes: np.ndarray, reach: float) -> np.ndarray:
    """The step d, no entry beyond ``reach``, with the least largest |error + changes·d|."""
    ones = np.ones((len(error), 1))
    scale = np.max(np.abs(error))
    found = scipy.optimize.linprog(
        [0.0] * changes.shape[1] + [1.0],
        A_ub=np.block([[changes * reach / scale, -ones], [-changes * reach / scale, -ones]]),
        b_ub=np.concatenate([-error, error]) / scale,
        bounds=[(-1, 1)] * changes.shape[1] + [(0, None)],
    )
    return found.x[:-1] * reach


def _changes(problem: Problem, x: np.ndarray, free: np.ndarray) -> np.ndarray:
    """The derivatives of the weighted errors by the free parameters, by central differences."""
    columns = []
    for i in range(len(free)):
        near = np.zeros(len(free))
        near[i] = DIFFERENCE
        rise = weighted_errors(problem, x, free + near) - weighted_errors(problem, x, free - near)
        columns.append(rise / (2 * DIFFERENCE))
    return np.column_stack(columns)


def _errors(problem: Problem, points: list[mpf], free: list[mpf], *by) -> list[mpf]:
    criterion = problem.criterion
    function = error_function(problem.family, criterion.of, *by, weight=criterion.weight)
    parameters = problem.complete(free, numerical(problem.fixed.values()))
    return [function(x, *parameters) for x in points]


def _polished(problem: Problem, x: np.ndarray, i: int, free: list[mpf]) -> mpf:
    """The extremum near a point of the grid; the end stays where it is."""
    if i == len(x) - 1:
        return mpf(float(x[i]))
    place = mpf(float(x[i]))
    for _ in range(8):
        (slope,), (bend,) = (_errors(problem, [place], free, *[X] * n) for n in (1, 2))
        place -= slope / bend
    if not x[max(i - 2, 0)] <= place <= x[i + 1]:
        raise ConvergenceError(f"no extremum was found near x = {x[i]}")
    return place


def _level(
    problem: Problem, points: list[mpf], signs: np.ndarray, free: list[mpf], size: mpf
) -> list[mpf]:
    """Free parameters with which the errors at the points are ±E."""

    def residuals(*unknowns: mpf) -> list[mpf]:
        errors = _errors(problem, points, list(unknowns[:-1]))
        return [e - int(s) * unknowns[-1] for e, s in zip(errors, signs, strict=True)]

    try:
        found = mpmath.findroot(residuals, [*free, size], tol=mpf(10) ** -(2 * mpmath.mp.dps - 8))
    except (ValueError, ZeroDivisionError):
        raise ConvergenceError(f"no parameters level the error at {points}") from None
    return list(found[: len(free)])


def _exact(number: mpf) -> Rational:
    return Rational(Float(number, precision=mpmath.mp.prec))
