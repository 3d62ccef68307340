"""The best fit on a bounded interval, where the end may be a point of the alternation.

Linear programs find where the error of a good fit alternates, and Newton's method solves the
equations of that alternation. What it returns is a candidate. How good it is, others prove.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import scipy.signal
from sympy import Rational

from gelu_lib.fits.alternation import Level, error_curve, solve_level, start_level
from gelu_lib.fits.criteria import Problem
from gelu_lib.fits.starts import (
    ConvergenceError,
    float_errors,
    least_level,
    linear_start,
    weighted_errors,
)

FAR = 8.0
"""Beyond this 1 − Φ is below 1e-15, and points of a grid may be far apart."""

GRID_POINTS = 4000
"""How many points of the interval the peaks are looked for at, and as many beyond ``FAR``."""

PROGRAM_POINTS = 500
"""How many points of the interval a linear program takes."""

DIFFERENCE = 1e-6
"""The step of a difference quotient by a parameter."""

GAIN = 1e-9
"""A step of a linear program that gains less than this, relatively, is not taken."""

LOST = 1e-14
"""A largest error of Φ that is smaller than this is not told from rounding in double precision."""

ROUGH = 1e-6
"""The smallest step of the linear programs that find where an alternation is sought."""

NEAR = 0.2
"""Peaks lower than this part of the highest one are of no use to a bound."""


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


def levelled(problem: Problem, end: float, digits: int) -> Level:
    """Parameters whose error alternates at n + 1 points of 0 < x ≤ end, all of one size.

    Args:
        problem: the family, the error, its weight and the fixed parameters.
        end: the right end of the interval.
        digits: how many significant digits shall hold.

    Returns:
        The free parameters, the size and the points, near those that ``lowered`` finds.

    Raises:
        ConvergenceError: if there are too few alternations, or their equations were not solved.
    """
    x, free = grid_on(end), list(map(float, lowered(problem, end, ROUGH)))
    start = start_level(problem.free, free, x, weighted_errors(problem, x, free))
    level = solve_level(error_curve(problem, end), start, digits)
    if not all(left < right for left, right in pairwise([0, *level.points])):
        raise ConvergenceError(f"the extrema {level.points} do not increase")
    if level.points[-1] > end:
        raise ConvergenceError(f"the extremum {level.points[-1]} lies beyond {end}")
    return level


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
