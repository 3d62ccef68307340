"""The best member of a family over the whole line, as a convex problem in the log-odds.

That the error of Φ stays within E means Φ − E ≤ σ(p) ≤ Φ + E. The inverse of σ is increasing, so
p lies in a band, log-odds(Φ − E) ≤ p ≤ log-odds(Φ + E). The band is known and p is linear in its
coefficients: the members with an error of at most E are a convex set, and the least E for which it
is not empty is found by bisection. Far out the upper edge of the band is infinite, and the lower
edge is what forces the right limit.

This finds best members that an exchange near 0 misses, because one of their alternation points
lies far out. The band is sampled on a grid; the result is refined by Newton's method and checked
by ``gelu_lib.fits.minimax.check_optimum``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import ndtr
from sympy import Expr, Symbol

from gelu_lib.fits.alternation import Level, assignments, start_level
from gelu_lib.fits.criteria import (
    WEIGHTS,
    Criterion,
    NotAnOptimumError,
    Problem,
    by_name,
    fades,
)
from gelu_lib.fits.criteria import problem as checked_problem
from gelu_lib.fits.starts import ConvergenceError, float_weight, lowest, weighted_errors
from gelu_lib.functions.families import Family, Value
from gelu_lib.functions.forms import Form

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

EDGE = 1e-3
"""A last term that is smaller than this at x = ``UNIT`` serves nothing but the limit."""

LARGEST_ERROR = 0.4
"""Where the bisection starts; the error of a member with the right limit is below 1/2."""

RATIO = 1e-5
"""The relative width of the bracket of E at which the bisection ends."""


@dataclass(frozen=True)
class BandForm(Form):
    """The best member as far as the samples of the band show, in double precision.

    Attributes:
        family: the family.
        parameters: the coefficients, by name, as floats.
        error: the least E for which the sampled band holds a member, to about ``RATIO``; the
            sampling makes it a little smaller than the sup norm.
    """

    family: Family
    parameters: Mapping[str, float]
    error: float

    def __post_init__(self) -> None:
        """The parameters stay floats."""


def band_minimax(
    family: Family,
    of: str = "Phi",
    fixed: Mapping[str, Value] | None = None,
    *,
    increasing: bool = False,
    end: float = np.inf,
) -> BandForm:
    """The least sampled error over the whole line, by bisection and linear programs.

    Args:
        family: the family.
        of: ``"Phi"`` for the error of Φ, ``"GELU"`` for that of xΦ.
        fixed: the values of parameters that are not free, by name.
        increasing: whether Φ̂ must not fall anywhere.
        end: where the line ends; a member is then free to go wrong beyond.

    Returns:
        The member and its error, right to about three digits.

    Raises:
        TypeError: as ``gelu_lib.fits.criteria.problem``.
        ValueError: as that function, if ``of`` is another one, or ``end`` leaves too few samples.
        ConvergenceError: if no member has a sampled error below ``LARGEST_ERROR``.
    """
    if of not in WEIGHTS:
        raise ValueError(
            f"of = {of!r} is no convex problem: the error (x·e)′ of GELU′ is not e under a weight; "
            f"accepted are {WEIGHTS}"
        )
    problem = checked_problem(family, Criterion("sup", of), fixed)
    x = GRID[end >= GRID]
    if len(x) <= len(family.names):
        raise ValueError(f"end is {end!r}; {len(x)} samples are too few for {family.name}")
    error, free = _least_level(problem, x, increasing)
    values = problem.complete(free, map(float, problem.fixed.values()))
    return BandForm(family, by_name(family.symbols, map(float, values)), error)


def _least_level(problem: Problem, x: np.ndarray, increasing: bool) -> tuple[float, np.ndarray]:
    """The least level whose sampled band holds a member, and the free parameters of one."""
    low, high = 0.0, LARGEST_ERROR
    best = _member(problem, high, x, increasing)
    if best is None:
        weight = problem.criterion.weight
        raise ConvergenceError(
            f"no member of {problem.family.name} with {dict(problem.fixed)} has a sampled error "
            f"below {high}" + (f" under the weight {weight}" if weight != 1 else "")
        )
    while high - low > RATIO * high:
        # geometric once there is a lower end, so that small errors are found as fast
        middle = np.sqrt(low * high) if low > 0 else high / 16
        found = _member(problem, middle, x, increasing)
        low, high, best = (low, middle, found) if found is not None else (middle, high, best)
    return float(high), best


def alternating_start(problem: Problem) -> Level:
    """Where the error of the best member alternates, in double precision.

    Args:
        problem: the problem of the error of Φ or GELU in the sup norm, with any weight.

    Returns:
        The free parameters, the error, and as many points as are needed, with their signs.

    Raises:
        NotAnOptimumError: if the best member is one whose last coefficient is 0, or negative
            under a weight that fades.
        ConvergenceError: if the best member that was found does not alternate often enough.
    """
    return _start(problem.family, problem.criterion, tuple(problem.fixed.items()))


@lru_cache
def _start(family: Family, criterion: Criterion, fixed: tuple[tuple[Symbol, Expr], ...]) -> Level:
    problem = checked_problem(family, criterion, {symbol.name: value for symbol, value in fixed})
    _, free = _least_level(problem, GRID, increasing=False)
    last = _last_term(problem, free)
    if last < EDGE:
        reached = f"the search led to {assignments(problem.free, free)}, where the last coefficient"
        if not fades(criterion):
            raise NotAnOptimumError(
                f"{reached} of {family.name} is 0 as far as the samples show; with a negative one "
                "Φ̂ would tend to 0, and the error of a member at this edge need not alternate, so "
                "no optimum with this power is found: leave it out"
            )
        size = "negative" if last < -EDGE else "close to 0 or negative"
        raise NotAnOptimumError(
            f"{reached} of {family.name} is {size}; the weight {criterion.weight} fades far out "
            "and allows that. As far as the samples show the best member is there, but one with "
            "such a coefficient is not solved for yet"
        )
    error = weighted_errors(problem, GRID, free)
    return start_level(problem.free, free, GRID, error)


def _exponents(problem: Problem) -> dict[Symbol, int]:
    return dict(zip(problem.family.symbols, problem.family.exponents, strict=True))


def _last_term(problem: Problem, free: np.ndarray) -> float:
    """The last term at x = ``UNIT``, infinite if its coefficient is fixed."""
    exponents = _exponents(problem)
    last = [symbol for symbol in exponents if problem.fixed.get(symbol) != 0][-1]
    values = dict(zip(problem.free, free, strict=True))
    return values.get(last, np.inf) * UNIT ** exponents[last]


def _member(problem: Problem, level: float, x: np.ndarray, increasing: bool) -> np.ndarray | None:
    """Free parameters of a member in the sampled band of a level, or None if there is none."""
    exponents = _exponents(problem)
    powers = {symbol: (x / UNIT) ** exponent for symbol, exponent in exponents.items()}
    # in the unit, so that all have like sizes
    fixed = {s: float(v) * UNIT ** exponents[s] for s, v in problem.fixed.items()}
    known = sum((value * powers[symbol] for symbol, value in fixed.items()), np.zeros(len(x)))
    # where nothing is left of the weight, or it is beyond floats, all is in the band
    with np.errstate(divide="ignore", over="ignore"):
        width = level / (x if problem.criterion.of == "GELU" else np.ones_like(x))
        lower, upper = _band(x, width / float_weight(problem.criterion.weight)(x))
    columns = np.column_stack([powers[symbol] for symbol in problem.free])
    scale = np.maximum(columns.max(axis=1), 1)
    rows = columns / scale[:, np.newaxis]
    above, below = np.isfinite(lower), np.isfinite(upper)
    left = [-rows[above], rows[below]]
    right = [-((lower - known) / scale)[above], ((upper - known) / scale)[below]]
    if increasing:
        slopes = np.column_stack([exponents[s] * powers[s] for s in problem.free])
        steepest = np.max(slopes, axis=1)
        given = sum((exponents[s] * v * powers[s] for s, v in fixed.items()), np.zeros(len(x)))
        left.append(-slopes / steepest[:, np.newaxis])
        right.append(given / steepest)
    # a member with the greatest distance from the edges, so that rounding does not decide
    outside, found = lowest(np.concatenate(left), np.concatenate(right), least=-1.0)
    if outside > 0:
        return None
    return found / UNIT ** np.array([exponents[s] for s in problem.free])


def _band(x: np.ndarray, width: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The log-odds of Φ − width and of Φ + width, infinite where there are none."""
    left, right = ndtr(-x), ndtr(x)
    with np.errstate(divide="ignore", invalid="ignore"):
        lower = np.where(right > width, np.log(right - width) - np.log(left + width), -np.inf)
        upper = np.where(left > width, np.log(right + width) - np.log(left - width), np.inf)
    return lower, upper
