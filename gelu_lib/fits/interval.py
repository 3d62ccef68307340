"""The best fit on a bounded interval, where the end may be a point of the alternation.

Remez' exchange: parameters that level the error at n + 1 points, then the highest peaks of that
error for points, and again. What it returns is a candidate. How good it is, others prove.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import mpmath
import numpy as np
import scipy.signal
from mpmath import mpf
from sympy import Float, Rational

from gelu_lib.fits.alternation import alternating_peaks
from gelu_lib.fits.criteria import Problem
from gelu_lib.fits.starts import (
    ConvergenceError,
    float_errors,
    least_level,
    linear_start,
    weighted_errors,
)
from gelu_lib.fits.sup_norm import GUARD_DIGITS, error_function, numerical
from gelu_lib.functions.expressions import X

FAR = 8.0
"""Beyond this 1 − Φ is below 1e-15, and points of a grid may be far apart."""

GRID_POINTS = 4000
"""How many points of the interval the peaks are looked for at, and as many beyond ``FAR``."""

MOST_EXCHANGES = 30
"""After so many exchanges the search is given up."""

PROGRAM_POINTS = 500
"""How many points of the interval a linear program takes."""

DIFFERENCE = 1e-6
"""The step of a difference quotient by a parameter."""

GAIN = 1e-9
"""A step of a linear program that gains less than this, relatively, is not taken."""

LOST = 1e-14
"""A largest error of Φ that is smaller than this is not told from rounding in double precision."""

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


def grid_on(end: float, count: int = GRID_POINTS) -> np.ndarray:
    """Increasing points of 0 < x ≤ end, dense where Φ varies."""
    near = np.linspace(0, min(end, FAR), count + 1)[1:]
    return near if end <= FAR else np.append(near, np.geomspace(FAR, end, count)[1:])


def check_resolved(problem: Problem, end: float) -> None:
    """Raise a ``ValueError`` where double precision does not resolve the error of a good fit."""
    x = grid_on(end)
    error = np.max(np.abs(float_errors(problem, x, linear_start(problem, x))))
    if not error > LOST * (end if problem.criterion.of == "GELU" else 1):
        raise ValueError(
            f"interval reaches up to |x| = {end:g}, where a plain fit has an error of {error:.1e} "
            "already; that is lost in double precision, and accepted are longer intervals or "
            "families with fewer parameters"
        )


def high_peaks(problem: Problem, end: float, free: list[float]) -> tuple[float, ...]:
    """Where the size of the error has peaks that are not low; the end counts as one."""
    x = grid_on(end)
    size = np.abs(weighted_errors(problem, x, free))
    # some way apart, because the rounding of the errors makes small peaks beside each other
    peaks, _ = scipy.signal.find_peaks(
        np.concatenate([[0], size, [0]]), height=NEAR * size.max(), distance=GRID_POINTS // 100
    )
    return tuple(x[peaks - 1].tolist())


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
            if not all(left < right for left, right in pairwise([0, *points])):
                raise ConvergenceError(f"the extrema {points} do not increase")
            sizes = [abs(value) for value in _errors(problem, points, free)]
            if max(sizes) - min(sizes) <= mpf(10) ** -digits * max(sizes):
                return Levelled(tuple(map(_exact, free)), tuple(map(_exact, points)))
            free = _level(problem, points, np.sign(error[peaks]), free, max(sizes))
    raise ConvergenceError(f"{MOST_EXCHANGES} exchanges did not level the error")


def lowered(problem: Problem, end: float, finest: float = 1e-13) -> tuple[Rational, ...]:
    """Free parameters that make the largest error on a grid small, by linear programs.

    In each step the error is taken to be linear in the parameters, within a box around them. A step
    that does not make the largest error smaller is not taken, and the box shrinks. On an interval
    shorter than 1 it is wider for the coefficients of higher powers, in proportion.

    Args:
        problem: the family, the error, its weight and the fixed parameters.
        end: the right end of the interval.
        finest: the smallest step of the linear coefficient.

    Returns:
        The parameters, the best that were found.
    """
    x = grid_on(end, PROGRAM_POINTS)
    free, reach = linear_start(problem, x), 0.1
    exponents = dict(zip(problem.family.symbols, problem.family.exponents, strict=True))
    units = np.array([min(end, 1.0) ** (1 - exponents[symbol]) for symbol in problem.free])
    error = weighted_errors(problem, x, free)
    while reach > finest:
        step = _program_step(error, _changes(problem, x, free, units) * units, reach) * units
        tried = weighted_errors(problem, x, free + step)
        if np.max(np.abs(tried)) < (1 - GAIN) * np.max(np.abs(error)):
            free, error = free + step, tried
        else:
            reach /= 8
    return tuple(Rational(float(value)) for value in free)


def _program_step(error: np.ndarray, changes: np.ndarray, reach: float) -> np.ndarray:
    """The step d, no entry beyond ``reach``, with the least largest |error + changes·d|."""
    scale = np.max(np.abs(error))
    return least_level(changes * reach / scale, error / scale, reach=1.0)[1] * reach


def _changes(problem: Problem, x: np.ndarray, free: np.ndarray, units: np.ndarray) -> np.ndarray:
    """The derivatives of the weighted errors by the free parameters, by central differences."""
    columns = []
    for i in range(len(free)):
        near = np.zeros(len(free))
        near[i] = DIFFERENCE * units[i]
        rise = weighted_errors(problem, x, free + near) - weighted_errors(problem, x, free - near)
        columns.append(rise / (2 * near[i]))
    return np.column_stack(columns)


def _errors(problem: Problem, points: list[mpf], free: list[mpf], *by) -> list[mpf]:
    criterion = problem.criterion
    function = error_function(problem.family, criterion.of, *by, weight=criterion.weight)
    parameters = problem.complete(free, numerical(problem.fixed.values()))
    return [function(x, *parameters) for x in points]


def _polished(problem: Problem, x: np.ndarray, i: int, free: list[mpf]) -> mpf:
    """The extremum near a point of the grid; the end stays where it is."""
    place = mpf(float(x[i]))
    if i == len(x) - 1:
        return place
    for _ in range(8):
        (slope,), (bend,) = (_errors(problem, [place], free, *[X] * n) for n in (1, 2))
        place -= slope / bend
    # rounding may have moved the peak on the grid, but not changed its sign
    (here,), (there,) = (_errors(problem, [at], free) for at in (mpf(float(x[i])), place))
    if not (0 < place <= x[-1] and here * there > 0):
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
