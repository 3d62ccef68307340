"""Newton's method for several unknowns, at rising precision, and the value that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import mpmath
from mpmath import mpf
from sympy import Expr, Float, oo

from gelu_lib.fits.criteria import Optimum, Problem, by_name
from gelu_lib.fits.starts import ConvergenceError
from gelu_lib.fits.sup_norm import GUARD_DIGITS, numerical, rising_precisions

System = Callable[[list[mpf]], tuple[list[mpf], "list[list[mpf]] | mpmath.matrix"]]
"""Equations as a function of their unknowns, which returns the residuals, and the matrix of
their derivatives. It computes to the precision that is set when it is called."""

MAX_STEPS = 30
"""The number of steps at one precision after which the method gives up."""


def newton(system: System, start: Sequence[float], digits: int) -> list[mpf]:
    """A solution of as many equations as there are unknowns.

    Args:
        system: the equations.
        start: unknowns close to a solution.
        digits: how many significant digits of every unknown shall hold.

    Returns:
        The unknowns, computed with ``gelu_lib.fits.sup_norm.GUARD_DIGITS`` digits more.

    Raises:
        ConvergenceError: if the steps do not become small, or the derivatives become singular.
    """
    unknowns = [mpf(float(value)) for value in start]
    for precision in rising_precisions(digits + GUARD_DIGITS):
        with mpmath.workdps(precision):
            unknowns = _settle(system, unknowns)
    return unknowns


def _settle(system: System, unknowns: list[mpf]) -> list[mpf]:
    # the error after a step is of the order of the square of the step
    small = mpf(10) ** -(mpmath.mp.dps // 2 + 2)
    for _ in range(MAX_STEPS):
        residuals, rows = system(unknowns)
        try:
            steps = mpmath.lu_solve(mpmath.matrix(rows), -mpmath.matrix(residuals))
        except ZeroDivisionError:  # the matrix is singular
            break
        unknowns = [value + step for value, step in zip(unknowns, steps, strict=True)]
        if all(
            abs(step) <= small * abs(value) for value, step in zip(unknowns, steps, strict=True)
        ):
            return unknowns
    reached = ", ".join(mpmath.nstr(value, 8) for value in unknowns)
    raise ConvergenceError(f"Newton's method did not settle; it reached {reached}")


def as_optimum(
    problem: Problem,
    digits: int,
    free: Sequence[mpf],
    error: mpf,
    points: Sequence[mpf] = (),
    signs: Sequence[int] = (),
    multipliers: Sequence[mpf] = (),
) -> Optimum:
    """The value that a search returns, out of mpmath numbers; see ``criteria.Optimum``.

    Args:
        problem: what was solved.
        digits: how many significant digits of the numbers are meant to hold.
        free: the free parameters.
        error: the norm of the error.
        points: the points of the condition; the last may be infinite.
        signs: the signs of the error there.
        multipliers: their multipliers.
    """
    with mpmath.workdps(digits + GUARD_DIGITS):
        parameters = problem.complete(free, numerical(problem.fixed.values()))
    precision = mpmath.libmp.dps_to_prec(digits + GUARD_DIGITS)

    def kept(number: mpf) -> Expr:
        return oo if number == mpmath.inf else Float(number, precision=precision)

    return Optimum(
        family=problem.family,
        criterion=problem.criterion,
        digits=digits,
        fixed=by_name(problem.fixed.keys(), problem.fixed.values()),
        parameters=by_name(problem.family.symbols, map(kept, parameters)),
        error=kept(error),
        points=tuple(map(kept, points)),
        signs=tuple(map(int, signs)),
        multipliers=tuple(map(kept, multipliers)),
    )
