"""Best approximations by a program of its own, in NumPy and mpmath, that shares no code with the
library: exchanges in floats, and then the equations of alternation by Newton's method.

A problem is written with the functions of a module ``m``, so that one formula serves both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace

import mpmath
import numpy as np
import scipy.optimize
import scipy.special
from mpmath import mpf

FLOATS = SimpleNamespace(exp=np.exp, log=np.log, tanh=np.tanh, cosh=np.cosh, sqrt=np.sqrt)
FLOATS.erfc = scipy.special.erfc

DIGITS = 50
POINTS = 4001
TURNS = 12
"""Exchanges in floats."""
STEPS = 4
"""Steps of Newton's method from there; each at least triples the digits, or adds 16."""


@dataclass(frozen=True)
class Own:
    """A problem: the weighted error r(m, x, p), the ends, and parameters of two digits or so."""

    error: Callable
    ends: tuple[float, float]
    near: Sequence[float]

    @property
    def x(self) -> np.ndarray:
        left, right = self.ends
        return (left + right) / 2 - (right - left) / 2 * np.cos(np.linspace(0, np.pi, POINTS))

    def sampled(self, p: Sequence[float]) -> np.ndarray:
        return np.asarray(self.error(FLOATS, self.x, p), float)

    def peaks(self, p: Sequence[float]) -> list[int]:
        """The highest sample of each run of one sign, as many as are needed."""
        values = self.sampled(p)
        runs = np.split(np.arange(POINTS), np.flatnonzero(np.diff(np.sign(values))) + 1)
        found = [int(run[np.argmax(np.abs(values[run]))]) for run in runs]
        while len(found) > len(self.near) + 1:
            del found[0 if abs(values[found[0]]) < abs(values[found[-1]]) else -1]
        assert len(found) == len(self.near) + 1, f"{len(found)} alternations"
        return found

    def rough(self) -> tuple[np.ndarray, float, list[int], np.ndarray]:
        """Parameters, error, peaks and signs in floats."""
        p, level = np.array(self.near), 0.0
        for _ in range(TURNS):
            at = self.peaks(p)
            signs, x = np.sign(self.sampled(p)[at]), self.x[at]

            def gaps(unknowns: np.ndarray, x: np.ndarray = x, s: np.ndarray = signs) -> np.ndarray:
                return s * self.error(FLOATS, x, unknowns[:-1]) - unknowns[-1]

            level = level or float(np.abs(self.sampled(p)[at]).mean())
            *p, level = scipy.optimize.root(gaps, [*p, level], tol=1e-13).x
        return np.array(p), level, at, signs

    def solve(self) -> tuple[list[mpf], mpf, list[mpf]]:
        """Parameters, error and points to some 40 digits; no sample may exceed the error.

        An end that is a peak stays where it is; elsewhere the error is stationary.
        """
        p, level, at, signs = self.rough()
        count, inner = len(p), [i for i, j in enumerate(at) if 0 < j < POINTS - 1]
        places = [mpf(float(self.x[j])) for j in at]

        def residuals(unknowns: Sequence[mpf]) -> list[mpf]:
            x = list(places)
            for i, moved in zip(inner, unknowns[count + 1 :], strict=True):
                x[i] = moved

            def r(t: mpf) -> mpf:
                return self.error(mpmath, t, unknowns[:count])

            levels = [int(s) * r(t) - unknowns[count] for s, t in zip(signs, x, strict=True)]
            return levels + [mpmath.diff(r, x[i]) for i in inner]

        with mpmath.workdps(DIGITS):
            solution = [mpf(float(u)) for u in (*p, level, *(self.x[at[i]] for i in inner))]
            for _ in range(STEPS):
                solution = _step(residuals, solution)
        level = float(solution[count])
        largest = np.abs(self.sampled([float(v) for v in solution[:count]])).max()
        assert largest <= level * (1 + 1e-9), f"{largest} is sampled, and {level} is solved for"
        found = list(places)
        for i, moved in zip(inner, solution[count + 1 :], strict=True):
            found[i] = moved
        return solution[:count], solution[count], found


def _matrix(residuals: Callable, unknowns: Sequence[mpf]) -> mpmath.matrix:
    """The derivatives of residuals, by difference quotients."""
    base, step = residuals(unknowns), mpf(10) ** (-DIGITS // 3)
    columns = []
    for j in range(len(unknowns)):
        moved = [u + step * (i == j) for i, u in enumerate(unknowns)]
        columns.append([(a - b) / step for a, b in zip(residuals(moved), base, strict=True)])
    return mpmath.matrix(columns).T


def _step(residuals: Callable, unknowns: Sequence[mpf]) -> list[mpf]:
    change = mpmath.lu_solve(_matrix(residuals, unknowns), mpmath.matrix(residuals(unknowns)))
    return [u - d for u, d in zip(unknowns, change, strict=True)]
