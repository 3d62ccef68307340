"""Where the best member's error need not alternate: a search on a grid, in double precision.

An integral norm is least where its derivatives vanish. The largest error of GELU′ is least where no
direction lowers every highest peak; these need not alternate, and there may even be a single one.
So the norm on a grid is made small by the simplex search of Nelder and Mead, which asks for no
derivatives. It begins at the member with the least largest error, of GELU in place of GELU′.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.optimize

from gelu_lib.fits.criteria import Problem
from gelu_lib.fits.exchange import ZOOMS, around, grid
from gelu_lib.fits.start import Start, StartError, made_start, start
from gelu_lib.functions.expressions import X, numpy_function

AS_HIGH = 1e-3
"""Errors that lack no more than this of the largest, relatively, are around a highest peak."""

SEARCH = {"xatol": 1e-11, "fatol": 1e-15, "maxiter": 2000}
"""When the search ends, absolutely."""


@dataclass(frozen=True, eq=False)
class Grid:
    """The errors of the members of a family at some places.

    Attributes:
        problem: the problem.
        x: the places, increasing.
    """

    problem: Problem
    x: np.ndarray

    @cached_property
    def weight(self) -> np.ndarray:
        """The weight, or 0 where floats do not hold it."""
        with np.errstate(all="ignore"):
            weight = numpy_function(self.problem.weight)(self.x)
        return np.where(np.isfinite(weight), weight, 0.0)

    @cached_property
    def _error(self) -> object:
        return numpy_function(self.problem.plain_error, X, *self.problem.family.symbols)

    def errors(self, free: np.ndarray) -> np.ndarray:
        """The errors, without weight, for values of the free parameters."""
        fixed = self.problem.float_fixed
        with np.errstate(all="ignore"):
            return self._error(self.x, *self.problem.complete(free, fixed))

    def size(self, free: np.ndarray) -> float:
        """The norm of the error, from the grid alone."""
        size, sides = np.abs(self.errors(free)), self.problem.sides
        match self.problem.criterion.norm:
            case "sup":
                return float(np.max(self.weight * size))
            case "L1":
                return float(sides * np.trapezoid(self.weight * size, self.x))
            case "L2":
                return float(np.sqrt(sides * np.trapezoid(self.weight * size**2, self.x)))

    def points(self, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The places of the points of a start, and the signs of the error there; see ``Start``."""
        error, none = self.weight * self.errors(free), np.array([])
        if self.problem.criterion.norm == "L2":
            return none, none
        if self.problem.criterion.norm == "L1":
            at = np.flatnonzero(np.sign(error[:-1]) * np.sign(error[1:]) < 0)
            share = error[at] / (error[at] - error[at + 1])
            return self.x[at] + share * (self.x[at + 1] - self.x[at]), none
        size = np.abs(error)
        high = np.flatnonzero(size >= (1 - AS_HIGH) * size.max())
        runs = np.split(high, np.flatnonzero(np.diff(high) > 1) + 1)
        highest = [run[np.argmax(size[run])] for run in runs]
        return self.x[highest], np.sign(error[highest])


def searched(problem: Problem) -> Start:
    """Parameters that make the norm of the error small on a grid, a local optimum as a rule.

    Raises:
        StartError: if the search does not settle.
        NotAnOptimumError, ValueError: as ``gelu_lib.fits.start.start``.
    """
    near = replace(
        problem,
        target=replace(problem.target, derivative=False),
        criterion=replace(problem.criterion, norm="sup"),
    )
    sampled = Grid(problem, grid(problem))
    free, size = _least(sampled, np.array(start(problem.family, near).free))
    for _ in range(ZOOMS if problem.criterion.norm == "sup" else 0):
        at = np.searchsorted(sampled.x, sampled.points(free)[0])
        finer = [sampled.x, *(around(sampled.x, i) for i in at)]  # others may get highest
        sampled = Grid(problem, np.unique(np.concatenate(finer)))
        free, size = _least(sampled, free)
    return made_start(problem, free, size, *sampled.points(free))


def _least(sampled: Grid, near: np.ndarray) -> tuple[np.ndarray, float]:
    """Parameters that make the norm on a grid small, and the norm."""
    found = scipy.optimize.minimize(sampled.size, near, method="Nelder-Mead", options=SEARCH)
    if not found.success:
        raise StartError(f"the search on a grid did not settle; it reached {found.x}")
    return found.x, found.fun
