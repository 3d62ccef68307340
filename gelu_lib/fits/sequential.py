"""Where the largest error of any family is least nearby, by linear programs in double precision.

Near some parameters the errors are about r + J·d, linear in a change d. Which change makes the
largest of their sizes least is a linear program, and its multipliers tell the points that forbid
less. Towards there the errors fall at first; of the whole step as much is taken as makes them
smaller. Orthonormal columns in the place of J let parameters have any size, and terms be almost
alike. The grid gets finer around the peaks; at last Newton's method makes the errors at the points
equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np
import scipy.optimize
import sympy as sp

from gelu_lib.fits.criteria import Problem
from gelu_lib.fits.exchange import DEPENDENT, LOST, Samples, around, grid
from gelu_lib.fits.start import Start, StartError, made_start, start
from gelu_lib.functions.expressions import X, numpy_function
from gelu_lib.functions.families import exact_values

_STEPS = 100
"""After so many linear programs the search is given up."""

GAIN = 1e-6
"""A step that promises less than this, relatively, is the last; programs are solved to 1e-7."""

_SMALLEST = 1e-4
"""The least part of a step that is tried."""

_ZOOMS = 2
"""How often the grid is made finer around the peaks."""

HIGH = 0.99
"""From this part of the largest error on, an extremum is a peak."""

NEWTON = 5
"""How many of Newton's steps make the errors equal, from a start that is close."""

EQUAL = 1e-6
"""How equal they must be then, relatively."""


def sequential(problem: Problem) -> Start:
    """A start for a family of any kind that has rough parameters, ``near``.

    Raises:
        TypeError: if it has none.
        ValueError: if the value of a parameter is missing, or as ``settled``.
        StartError: as that function.
    """
    family = problem.family
    near = getattr(family, "near", None)
    if not isinstance(near, Mapping):
        raise TypeError(
            f"{family.name} has no near, where its search begins: a mapping from the names of its "
            f"parameters {tuple(symbol.name for symbol in family.symbols)} to rough values"
        )
    values = exact_values(family, near)
    if missing := [symbol.name for symbol in problem.free if symbol not in values]:
        raise ValueError(f"near of {family.name} has {[*near]}; it must have {missing}, too")
    return settled(problem, grid(problem), np.array([float(values[p]) for p in problem.free]))


@start.register
def _(family: object, problem: Problem) -> Start:
    return sequential(problem)


def settled(problem: Problem, x: np.ndarray, free: np.ndarray) -> Start:
    """A start from rough parameters.

    Args:
        problem: a problem in the sup norm, of a family of any kind.
        x: the grid, increasing.
        free: rough values of the free parameters.

    Raises:
        StartError: if the steps do not settle, the points are not one more than there are
            parameters, or the error is lost in rounding.
        ValueError: if something is not defined on the interval.
    """
    goal, size, _ = Samples(problem, x).parts
    x, least = x[size > 0], LOST * np.max(size * np.abs(goal))
    for zoom in range(_ZOOMS + 1):
        free, places, signs, errors = descended(problem, x, free, least)
        if zoom < _ZOOMS:
            x = np.unique(np.concatenate([x, *(around(x, i) for i in _peaks(np.abs(errors)))]))
    if len(places) != len(free) + 1:
        raise StartError(
            f"{len(places)} points forbid a smaller error; {len(free) + 1} are needed for a proof"
        )
    free, error = levelled(problem, x[places], signs, free)
    return made_start(problem, free, error, x[places], signs)


def descended(
    problem: Problem, x: np.ndarray, free: np.ndarray, least: float
) -> tuple[np.ndarray, ...]:
    """Parameters whose largest error on a grid is the least nearby.

    Returns:
        The parameters, the places that forbid a smaller error, their signs, and the errors.

    Raises:
        StartError: if the steps do not settle, or the error is below ``least``.
        ValueError: if the errors are not finite at the first parameters.
    """
    errors, slopes = errors_at(problem, x, free)
    if not np.isfinite(errors).all():
        values = dict(zip(map(str, problem.free), free.tolist(), strict=True))
        raise ValueError(f"near is {values}, where the error is not defined on the interval")
    part = 1.0
    for _ in range(_STEPS):
        size = np.abs(errors).max()
        if size <= least:
            raise StartError(f"the error is below {least:.0e}, which is lost in rounding")
        level, change, places, signs = program(errors, slopes)
        if size - level <= GAIN * size:
            return free, places, signs, errors
        while part > _SMALLEST:
            new = errors_at(problem, x, free + part * change)
            if np.abs(new[0]).max() < size:  # false for what is not a number, too
                break
            part /= 2
        else:
            break
        free, (errors, slopes), part = free + part * change, new, min(1.0, 2 * part)
    reached = {symbol.name: float(value) for symbol, value in zip(problem.free, free, strict=True)}
    raise StartError(f"linear programs do not settle; they reached {reached}")


def program(
    errors: np.ndarray, slopes: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """Which change of parameters makes the largest of linear errors least.

    Args:
        errors: errors of shape (points,), not all of them 0.
        slopes: their derivatives by the parameters, of shape (points, parameters).

    Returns:
        The least level, the change, the places that forbid a smaller one, and the signs there.

    Raises:
        StartError: if the program is not solved, or the derivatives are not independent.
    """
    size, (points, count) = np.abs(errors).max(), slopes.shape
    columns, triangle = np.linalg.qr(slopes)
    if np.any(np.abs(np.diag(triangle)) <= DEPENDENT * np.linalg.norm(triangle, axis=0)):
        raise StartError("what the parameters change in the error is not independent")
    columns, triangle = columns * np.sqrt(points), triangle / np.sqrt(points)
    ones, sides = np.ones((points, 1)), errors / size
    found = scipy.optimize.linprog(
        np.append(np.zeros(count), 1),
        np.block([[columns, -ones], [-columns, -ones]]),
        np.concatenate([-sides, sides]),
        bounds=[(None, None)] * count + [(0, None)],
    )
    if found.status != 0:
        raise StartError(f"a linear program was not solved: {found.message}")
    change = np.linalg.solve(triangle, found.x[:-1] * size)
    forbidding = -found.ineqlin.marginals.reshape(2, points)
    places, signs = _one_of_each(forbidding[0] - forbidding[1])
    return found.x[-1] * size, change, places, signs


def _one_of_each(multipliers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places of multipliers with their signs, the largest one of those that are neighbours."""
    at = np.flatnonzero(np.abs(multipliers) > 1e-9)
    runs = np.split(at, np.flatnonzero(np.diff(at) > 2) + 1)
    places = np.array([run[np.argmax(np.abs(multipliers[run]))] for run in runs if len(run)], int)
    return places, np.sign(multipliers[places]).astype(int)


def levelled(
    problem: Problem, points: np.ndarray, signs: np.ndarray, free: np.ndarray
) -> tuple[np.ndarray, float]:
    """Parameters near others whose errors at some points have one size and given signs.

    Raises:
        StartError: if Newton's method does not find them.
    """
    for _ in range(NEWTON):
        errors, slopes = errors_at(problem, points, free)
        try:
            *step, error = np.linalg.solve(np.column_stack([slopes, -signs]), -errors)
        except np.linalg.LinAlgError:
            raise StartError("the equations of equal errors are singular") from None
        free = free + step
    errors, _ = errors_at(problem, points, free)
    if not np.all(np.abs(errors - signs * error) <= EQUAL * error):
        raise StartError(f"Newton's method does not make the errors equal; it reached {errors}")
    return free, error


def errors_at(problem: Problem, x: np.ndarray, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The weighted errors, of shape (points,), and their derivatives by the free parameters."""
    values = problem.complete(free, problem.float_fixed)
    with np.errstate(all="ignore"):
        errors, *slopes = (np.broadcast_to(v, x.shape) for v in _errors(problem)(x, *values))
    return errors, np.column_stack(slopes)


@lru_cache
def _errors(problem: Problem) -> Callable[..., list[np.ndarray]]:
    parts = [problem.error, *(sp.diff(problem.error, p) for p in problem.free)]
    return numpy_function(parts, X, *problem.family.symbols)


def _peaks(sizes: np.ndarray) -> np.ndarray:
    """The places of the highest local maxima."""
    edged = np.concatenate([[0.0], sizes, [0.0]])
    tops = (sizes > edged[:-2]) & (sizes >= edged[2:]) & (sizes >= HIGH * sizes.max())
    return np.flatnonzero(tops)
