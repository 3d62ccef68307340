"""Where the fit of a form of tanh starts: a linear program for each of many scales.

For a given scale the error is linear in the coefficients. A scale that is free is looked for over a
range of scales; from the best of them ``sequential`` goes on, with the scale free as well. A point
far out, at which nothing is left of the difference from the limit, stands for infinity.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from gelu_lib.fits.criteria import Criterion, Problem
from gelu_lib.fits.sequential import errors_at, program, settled
from gelu_lib.fits.start import Start, StartError, start
from gelu_lib.functions.tanh_forms import S, TanhForm
from gelu_lib.functions.targets import GELU, PHI

SCALES = np.geomspace(0.2, 4, 31)
"""Where the search for the best scale looks first."""

GRID = np.concatenate([np.linspace(0, 6, 201)[1:], np.linspace(6, 12, 21)[1:], [400.0]])
"""The values of b·x, for the smallest scale b if it is below 1, at which the start is made small.
At the last one no difference from the limit is left in double precision."""

VALLEYS = 3
"""How many of the best scales of the search are refined."""

FLAT = 1e-6
"""Where the error is as close to its limit as this, relatively, infinity stands for the place."""


@start.register
def _(family: TanhForm, problem: Problem) -> Start:
    return valleys(problem)[0]


def check_asked(problem: Problem) -> None:
    """Raise a ``ValueError`` unless a form of tanh is asked for what is known of it.

    That is the error of Φ on the line, without a weight, or of GELU if the limit of g is 1.
    """
    plain = problem.criterion == Criterion() and problem.target in (PHI, GELU)
    if not plain or problem.fixed:
        raise ValueError(
            f"target is {problem.target}, criterion {problem.criterion}, fixed {problem.fixed}; of "
            "a form of tanh all parameters are free, and its error is that of 'Phi' or 'GELU' on "
            "the line, without a weight"
        )
    if problem.target == GELU and problem.family.limit != 1:
        raise ValueError("the error of GELU is infinite if the limit of g is not 1; use limit_one")


@lru_cache
def valleys(problem: Problem) -> tuple[Start, ...]:
    """The starts of a form of tanh: where other scales close by have a larger error.

    Args:
        problem: the problem.

    Returns:
        At most ``VALLEYS`` of them, by increasing error; the one start if no scale is free.

    Raises:
        ValueError: if the problem is none of those that ``check_asked`` accepts.
        StartError: if no scale between ``SCALES`` is a best one, or the search does not settle.
    """
    check_asked(problem)
    form = problem.family
    if S not in form.symbols:
        _, coefficients, _ = _linear(problem)
        return (_finished(problem, coefficients),)
    # the offsets of several scales may make the smallest negative
    scales = [scale for scale in SCALES if smallest_scale(form, scale) > 0]
    tried = [_linear(problem, scale) for scale in scales]
    errors = np.array([error for error, *_ in tried])
    inner = errors[1:-1]
    lowest = np.flatnonzero((inner <= errors[:-2]) & (inner < errors[2:])) + 1
    if len(lowest) == 0:
        raise StartError(f"no scale between {scales[0]} and {scales[-1]} is a best one")
    chosen = sorted(lowest, key=lambda i: errors[i])[:VALLEYS]
    found = [_finished(problem, np.append(tried[i][1], scales[i])) for i in chosen]
    return tuple(sorted(found, key=lambda start: start.error))


def best_points(problem: Problem, scale: float) -> list[float]:
    """Which points forbid a smaller error with one scale, as a grid shows.

    Args:
        problem: the problem of a form with a free scale.
        scale: the scale.

    Returns:
        Increasing places x > 0, one more than there are coefficients as a rule; the last may be
        infinite.
    """
    return _linear(problem, scale)[2]


def smallest_scale(form: TanhForm, scale: float) -> float:
    """The smallest factor of x in a tanh, for a value of the scale ``S``."""
    return min(float(b.subs(S, scale)) for b in form.scales)


def _grid(form: TanhForm, scale: float) -> np.ndarray:
    return GRID / min(1.0, smallest_scale(form, scale))


def _linear(problem: Problem, scale: float = 1.0) -> tuple[float, np.ndarray, list[float]]:
    """The least error on the grid for one scale, the coefficients, and the points."""
    form, x = problem.family, _grid(problem.family, scale)
    count, kept = len(form.coefficients), [scale] if S in form.symbols else []
    errors, slopes = errors_at(problem, x, np.array([*np.zeros(count), *kept]))
    level, coefficients, places, _ = program(errors, slopes[:, :count])
    errors = errors + slopes[:, :count] @ coefficients
    points = [*x[places[:-1]].tolist(), float(x[places[-1]])]
    if form.limit != 1 and np.isclose(errors[places[-1]], errors[-1], rtol=FLAT):
        points[-1] = np.inf
    return level, coefficients, points


def _finished(problem: Problem, free: np.ndarray) -> Start:
    """The start near rough parameters, of which a last point at infinity is left out."""
    form = problem.family
    x = _grid(form, free[-1] if S in form.symbols else 1.0)
    found = settled(problem, x, free)
    ends, _ = errors_at(problem, np.array([found.points[-1], x[-1]]), np.array(found.free))
    if form.limit != 1 and np.isclose(*ends, rtol=FLAT):
        return replace(found, points=found.points[:-1])
    return found
