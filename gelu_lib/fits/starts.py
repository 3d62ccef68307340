"""Where a search for best parameters starts: double precision, on a grid.

A start is never a result. It is close enough for Newton's method, whose outcome is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np
import scipy.optimize
from scipy.special import log_ndtr, ndtr
from sympy import Expr

from gelu_lib.fits.criteria import Problem
from gelu_lib.fits.sup_norm import tail_form
from gelu_lib.functions.expressions import X, numpy_function
from gelu_lib.functions.families import Family

GRID = np.linspace(0, 24, 4801)
"""The grid on which a criterion is made small; the errors are far in their tail at its end."""


class ConvergenceError(ArithmeticError):
    """The equations that a best approximation satisfies were not solved."""


def linear_start(problem: Problem, x: np.ndarray) -> np.ndarray:
    """Free parameters with Σ pⱼ xʲ close to log(Φ(x)/Φ(−x)), in the sense of least squares.

    To first order e = σ′(log(Φ(x)/Φ(−x)))·(log(Φ(x)/Φ(−x)) − Σ pⱼ xʲ), and σ′ is Φ(x)Φ(−x).

    Args:
        problem: what is to be fitted; its norm and its weight do not matter here.
        x: a float64 array of positive numbers.

    Returns:
        A float64 array with one value for each free parameter.

    Raises:
        ConvergenceError: if powers of x or fixed values are beyond the range of floats.
    """
    family = problem.family
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused below
        powers = {
            symbol: x**exponent
            for symbol, exponent in zip(family.symbols, family.exponents, strict=True)
        }
        remainder = log_ndtr(x) - log_ndtr(-x)
        for symbol, value in problem.fixed.items():
            remainder = remainder - float(value) * powers[symbol]
        weight = ndtr(x) * ndtr(-x) * (1 if problem.criterion.of == "Phi" else x)
        columns = np.column_stack([weight * powers[symbol] for symbol in problem.free])
        remainder = weight * remainder
    if not (np.all(np.isfinite(columns)) and np.all(np.isfinite(remainder))):
        raise ConvergenceError(f"powers of {family.name} are beyond the range of floats")
    return np.linalg.lstsq(columns, remainder)[0]


def float_errors(problem: Problem, x: np.ndarray, free: Iterable[float]) -> np.ndarray:
    """The errors, without the weight of the criterion, for values of the free parameters.

    Args:
        problem: the family and the function that is approximated.
        x: a float64 array of numbers x ≥ 0.
        free: one float for each free parameter.

    Returns:
        A float64 array of the shape of ``x``.
    """
    parameters = problem.complete(free, map(float, problem.fixed.values()))
    return _float_error(problem.family, problem.criterion.of)(x, *parameters)


def weighted_errors(problem: Problem, x: np.ndarray, free: Iterable[float]) -> np.ndarray:
    """The errors times the weight of the criterion; see ``float_errors``."""
    return float_weight(problem.criterion.weight)(x) * float_errors(problem, x, free)


def grid_size(problem: Problem, free: Iterable[float]) -> float:
    """The size of the error by the criterion, from ``GRID`` alone, in double precision."""
    size = np.abs(float_errors(problem, GRID, free))
    weight = float_weight(problem.criterion.weight)(GRID)
    match problem.criterion.norm:
        case "sup":
            return float(np.max(weight * size))
        case "L1":
            return float(2 * np.trapezoid(weight * size, GRID))
        case "L2":
            return float(np.sqrt(2 * np.trapezoid(weight * size**2, GRID)))


def grid_optimum(problem: Problem) -> np.ndarray:
    """Free parameters that make ``grid_size`` small, by the simplex search of Nelder and Mead.

    Args:
        problem: what is to be made small.

    Returns:
        A float64 array with one value for each free parameter, a local optimum as a rule.

    Raises:
        ConvergenceError: if the search ends without one.
    """
    found = scipy.optimize.minimize(
        lambda free: grid_size(problem, free),
        linear_start(problem, GRID[1:]),
        method="Nelder-Mead",
        options={"xatol": 1e-11, "fatol": 1e-15, "maxiter": 2000},
    )
    if not found.success:
        raise ConvergenceError(f"the search on the grid did not settle; it reached {found.x}")
    return found.x


@lru_cache
def _float_error(family: Family, of: str) -> Callable[..., np.ndarray]:
    return numpy_function(tail_form(family, of), X, *family.symbols)


@lru_cache
def float_weight(weight: Expr) -> Callable[[np.ndarray], np.ndarray]:
    """A weight in double precision; 0 where floats do not hold it, so that no start looks there."""
    function = numpy_function(weight, X)

    def finite(x: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore", invalid="ignore"):
            values = function(x)
        return np.where(np.isfinite(values), values, 0.0)

    return finite


def lowest(
    rows: np.ndarray,
    limits: np.ndarray,
    least: float = 0.0,
    reach: float = np.inf,
    equation: tuple[np.ndarray, float] | None = None,
) -> tuple[float, np.ndarray]:
    """The linear program of every search: the least t with rows·c ≤ limits + t for some c.

    Args:
        rows: a float64 array of shape (edges, unknowns).
        limits: a float64 array of shape (edges,).
        least: t is not made less than this.
        reach: no entry of c is larger in size than this.
        equation: a row and a number that row·c must be, if there is one.

    Returns:
        t, and such a c.

    Raises:
        ConvergenceError: if the program was not solved.
    """
    count = rows.shape[1]
    equations = {} if equation is None else {"A_eq": [[*equation[0], 0]], "b_eq": equation[1]}
    found = scipy.optimize.linprog(
        np.append(np.zeros(count), 1),
        A_ub=np.column_stack([rows, -np.ones(len(rows))]),
        b_ub=limits,
        bounds=[(-reach, reach)] * count + [(least, None)],
        **equations,
    )
    if found.status != 0:
        raise ConvergenceError(f"a linear program was not solved: {found.message}")
    return float(found.x[-1]), found.x[:-1]


def least_level(
    rows: np.ndarray, right: np.ndarray, reach: float = np.inf
) -> tuple[float, np.ndarray]:
    """The coefficients that make the largest of \\|rows·coefficients + right\\| least.

    Args:
        rows: a float64 array of shape (points, coefficients), of full rank.
        right: a float64 array of shape (points,).
        reach: no coefficient is larger in size than this.

    Returns:
        The level and the coefficients.

    Raises:
        ConvergenceError: if the program was not solved.
    """
    if rows.shape[1] == 0:
        return float(np.max(np.abs(right))), np.empty(0)
    if reach < np.inf:
        return lowest(np.vstack([rows, -rows]), np.concatenate([-right, right]), reach=reach)
    # orthogonal columns, because some are almost alike, as those of close scales
    columns, triangle = np.linalg.qr(rows)
    level, found = lowest(np.vstack([columns, -columns]), np.concatenate([-right, right]))
    return level, np.linalg.solve(triangle, found)
