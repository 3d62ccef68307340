"""The best member of a family over the whole line, as a convex problem in the log-odds.

That the error of Φ stays within E means Φ − E ≤ σ(p) ≤ Φ + E. The inverse of σ is increasing, so
p lies in a band, log-odds(Φ − E) ≤ p ≤ log-odds(Φ + E). The band is known and p is linear in its
coefficients: the members with an error of at most E are a convex set, and the least E for which it
is not empty is found by bisection. Far out the upper edge of the band is infinite, and the lower
edge is what forces the right limit.

This finds best members that an exchange near 0 misses, because one of their alternation points
lies far out. The band is sampled on a grid; the result is refined by Newton's method and checked
by ``gelu_lib.fits.check_alternation``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from scipy.optimize import linprog
from scipy.special import ndtr
from sympy import Float, Integer

from gelu_lib.alternation import Curve, Level, solve_level, start_level
from gelu_lib.families import Family
from gelu_lib.fits import WEIGHTS, Fit, check_alternation
from gelu_lib.functions import X, numpy_function
from gelu_lib.norms import GUARD_DIGITS, check_digits, tail_form

GRID = np.concatenate(
    [
        np.geomspace(1e-3, 0.05, 10),
        np.linspace(0.05, 6, 401)[1:],
        np.linspace(6, 30, 241)[1:],
        np.geomspace(30, 1e4, 60)[1:],
    ]
)
"""The samples of the band, dense where Φ varies and with some far out for the limit."""

UNIT = 6.0
"""The length in which x is measured in the linear programs, so that powers have like sizes."""

LARGEST_ERROR = 0.4
"""Where the bisection starts; the error of a member with the right limit is below 1/2."""

RATIO = 1e-5
"""The relative width of the bracket of E at which the bisection ends."""


@dataclass(frozen=True)
class BandSolution:
    """The best member as far as the samples of the band show, in double precision.

    Attributes:
        parameters: the coefficients, by name.
        error: the least E for which the sampled band holds a member, to about ``RATIO``; the
            sampling makes it a little smaller than the sup norm.
    """

    parameters: Mapping[str, float]
    error: float


def band_minimax(
    family: Family, of: str = "Phi", *, increasing: bool = False, end: float = np.inf
) -> BandSolution:
    """The least sampled error over the whole line, by bisection and linear programs.

    Args:
        family: the family; all its coefficients are free.
        of: ``"Phi"`` for the error of Φ, ``"GELU"`` for that of xΦ.
        increasing: whether Φ̂ must not fall anywhere.
        end: where the line ends; a member is then free to go wrong beyond.

    Returns:
        The coefficients and the error, right to about three digits.

    Raises:
        ValueError: if ``of`` is not accepted, ``end`` leaves too few samples, or no member has an
            error below ``LARGEST_ERROR``.
    """
    if of not in WEIGHTS:
        raise ValueError(f"of must be one of {WEIGHTS}, got {of!r}")
    x = GRID[end >= GRID]
    if len(x) <= len(family.names):
        raise ValueError(f"end is {end!r}; {len(x)} samples are too few for {family.name}")
    low, high = 0.0, LARGEST_ERROR
    best = _member(family, of, high, x, increasing)
    if best is None:
        raise ValueError(f"no member of {family.name} has a sampled error below {high}")
    while high - low > RATIO * high:
        # geometric once there is a lower end, so that small errors are found as fast
        middle = np.sqrt(low * high) if low > 0 else high / 16
        found = _member(family, of, middle, x, increasing)
        low, high, best = (low, middle, found) if found is not None else (middle, high, best)
    pairs = zip(family.names, map(float, best), strict=True)
    return BandSolution(MappingProxyType(dict(pairs)), float(high))


@lru_cache(typed=True)
def minimax_on_line(family: Family, of: str = "Phi", digits: int = 16) -> Fit:
    """The best member of a family over the whole line, wherever its alternation points lie.

    Unlike ``gelu_lib.fits.minimax`` it also finds a best member whose last alternation point is a
    dip far out. What it returns has passed the same check.

    Args:
        family: the family; all its coefficients are free.
        of: ``"Phi"`` for the error of Φ, ``"GELU"`` for that of xΦ.
        digits: how many significant digits of every number shall hold.

    Returns:
        The fit, with parameters, error and alternation points.

    Raises:
        TypeError: if ``digits`` is not an integer.
        ValueError: if ``of`` is not accepted or ``digits`` is below 1.
        ConvergenceError: if the best member does not alternate often enough, for instance
            because its last coefficients are zero.
        NotAnAlternationError: if the solution is not the best one.
    """
    check_digits(digits)
    curve = Curve(tail_form(family, of), Integer(0), family.symbols)
    level = solve_level(curve, _start(family, of), digits)
    kept = [Float(value, digits + GUARD_DIGITS) for value in level.parameters]
    fit = Fit(
        family=family,
        of=of,
        digits=digits,
        fixed=MappingProxyType({}),
        parameters=MappingProxyType(dict(zip(family.names, kept, strict=True))),
        error=Float(level.error, digits + GUARD_DIGITS),
        extrema=tuple((Float(x, digits + GUARD_DIGITS), sign) for x, sign in level.extrema),
    )
    check_alternation(fit)
    return fit


@lru_cache
def _start(family: Family, of: str) -> Level:
    solution = band_minimax(family, of)
    parameters = list(solution.parameters.values())
    error = numpy_function(tail_form(family, of), X, *family.symbols)(GRID, *parameters)
    # a last coefficient that should be 0 may come out as a tiny negative number
    sound = np.abs(error) <= 2 * solution.error
    return start_level(family.symbols, parameters, GRID[sound], error[sound])


def _member(
    family: Family, of: str, level: float, x: np.ndarray, increasing: bool
) -> np.ndarray | None:
    """Coefficients of a member in the sampled band of a level, or None if there is none."""
    exponents = np.array(family.exponents)
    lower, upper = _band(x, level / (x if of == "GELU" else np.ones_like(x)))
    powers = (x[:, np.newaxis] / UNIT) ** exponents
    scale = np.maximum(powers.max(axis=1), 1)
    rows = powers / scale[:, np.newaxis]
    above, below = np.isfinite(lower), np.isfinite(upper)
    left = [-rows[above], rows[below]]
    right = [-(lower / scale)[above], (upper / scale)[below]]
    if increasing:
        slopes = exponents * powers
        left.append(-slopes / np.max(slopes, axis=1, keepdims=True))
        right.append(np.zeros(len(x)))
    # the members with the greatest distance from the edges, so that rounding does not decide
    matrix = np.concatenate(left)
    found = linprog(
        np.append(np.zeros(len(exponents)), -1),
        A_ub=np.column_stack([matrix, np.ones(len(matrix))]),
        b_ub=np.concatenate(right),
        bounds=[(None, None)] * len(exponents) + [(None, 1)],
    )
    if found.status != 0 or found.x[-1] < 0:
        return None
    return found.x[:-1] / UNIT**exponents


def _band(x: np.ndarray, width: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The log-odds of Φ − width and of Φ + width, infinite where there are none."""
    left, right = ndtr(-x), ndtr(x)
    with np.errstate(divide="ignore", invalid="ignore"):
        lower = np.where(right > width, np.log(right - width) - np.log(left + width), -np.inf)
        upper = np.where(left > width, np.log(right + width) - np.log(left - width), np.inf)
    return lower, upper
