"""Where the fit of a form of tanh starts, and all the peaks that its error has.

For a given scale the best coefficients on a grid are a linear program, in double precision. A
scale that is free is searched for over a range of scales. Remez exchanges bring in the highest
peak. A start is never a result; see ``gelu_lib.fits.minimax``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import mpmath
import numpy as np
import sympy as sp
from mpmath import mpf
from scipy.optimize import minimize_scalar
from sympy import Expr, Symbol

from gelu_lib.fits.alternation import (
    Curve,
    Level,
    alternating_peaks,
    error_curve,
    solve_level,
    start_level,
)
from gelu_lib.fits.criteria import Criterion, NotAnOptimumError, Problem, problem
from gelu_lib.fits.starts import ConvergenceError, least_level
from gelu_lib.fits.sup_norm import GUARD_DIGITS, sign_changes, tail_form
from gelu_lib.functions.expressions import X, numpy_function
from gelu_lib.functions.tanh_forms import S, TanhForm

SCALES = np.geomspace(0.2, 4, 31)
"""Where the search for the best scale looks first."""

GRID = np.concatenate([np.linspace(0, 6, 201)[1:], np.linspace(6, 12, 21)[1:]])
"""The values of b·x, for the smallest scale b if it is below 1, at which the start is made small.
Farther out no difference from the limit is left in double precision."""

VALLEYS = 3
"""How many of the best scales of the search are refined."""

FLAT = 1e-6
"""Where the error is as close to its limit as this, relatively, infinity stands for the place."""

SCALE_TOLERANCE = 1e-5
"""To which a scale is refined; Newton's method does the rest."""

SAMPLES = 12
"""How many samples a check takes on a length in which the slowest term falls by a factor e."""

MARGIN_DIGITS = 6
"""Digits by which the tail beyond the samples is below the tolerance; powers of x and the number
of terms take some of them."""

EXCHANGES = 20
"""The number of exchanges after which the fit of a form gives up."""

EXCHANGE_DIGITS = 10
"""The digits to which an exchange compares peaks."""


@dataclass(frozen=True)
class Valley:
    """A scale at which the error is less than at scales near it, as far as a grid shows.

    Attributes:
        scale: the scale s.
        error: the least error on the grid with this scale.
    """

    scale: float
    error: float


def valleys(form: TanhForm, of: str) -> list[Valley]:
    """The local minima of the least error as a function of the scale, between ``SCALES``.

    Args:
        form: a form with a free scale.
        of: ``"Phi"`` or ``"GELU"``.

    Returns:
        At most ``VALLEYS`` minima, by increasing error.

    Raises:
        ConvergenceError: if there is none between the ends of the range.
    """
    # the offsets of several scales may make the smallest negative
    scales = [scale for scale in SCALES if smallest_scale(form, scale) > 0]
    errors = np.array([_linear(form, of, scale)[0] for scale in scales])
    inner = errors[1:-1]
    lowest = np.flatnonzero((inner <= errors[:-2]) & (inner < errors[2:])) + 1
    if len(lowest) == 0:
        raise ConvergenceError(f"no scale between {scales[0]} and {scales[-1]} is a best one")
    found = [
        minimize_scalar(
            lambda scale: _linear(form, of, scale)[0],
            bounds=(scales[i - 1], scales[i + 1]),
            method="bounded",
            options={"xatol": SCALE_TOLERANCE},
        )
        for i in sorted(lowest, key=lambda i: errors[i])[:VALLEYS]
    ]
    pairs = sorted((float(valley.fun), float(valley.x)) for valley in found)
    return [Valley(scale, error) for error, scale in pairs]


@lru_cache
def start(form: TanhForm, of: str) -> Level:
    """Parameters that are best on a grid, and the peaks of their error.

    Args:
        form: the form.
        of: ``"Phi"`` or ``"GELU"``.

    Returns:
        A start for ``gelu_lib.fits.alternation.solve_level``.

    Raises:
        ConvergenceError: if there is no best scale in the range, or the error does not alternate
            often enough.
    """
    scale = valleys(form, of)[0].scale if S in form.symbols else 1.0
    free, x, error = _best_on_grid(form, of, scale)
    values = [*free, *([scale] if S in form.symbols else [])]
    return start_level(form.symbols, values, x, error)


def linear_parts(expression: Expr, coefficients: tuple[Symbol, ...]) -> list[Expr]:
    """The factor of each coefficient in an expression that is linear in them, and the rest."""
    factors = [sp.diff(expression, symbol) for symbol in coefficients]
    return [*factors, expression.subs(dict.fromkeys(coefficients, 0))]


def best_points(form: TanhForm, of: str, scale: float) -> list[float]:
    """Where the error alternates on the grid, with the best coefficients for one scale.

    Args:
        form: a form with a free scale.
        of: ``"Phi"`` or ``"GELU"``.
        scale: the scale.

    Returns:
        Increasing places x > 0, one more than there are coefficients, or fewer if the error does
        not alternate so often; the last may be infinite.
    """
    free, x, error = _best_on_grid(form, of, scale)
    peaks = alternating_peaks(np.append(error, 0.0), len(free) + 1)
    flat = form.limit != 1 and np.isclose(error[peaks[-1]], error[-1], rtol=FLAT)
    return [*map(float, x[peaks[:-1]]), np.inf if flat else float(x[peaks[-1]])]


def smallest_scale(form: TanhForm, scale: float) -> float:
    """The smallest factor of x in a tanh, for a value of the scale ``S``."""
    return min(float(b.subs(S, scale)) for b in form.scales)


def _grid(form: TanhForm, scale: float) -> np.ndarray:
    return GRID / min(1.0, smallest_scale(form, scale))


def _linear(form: TanhForm, of: str, scale: float) -> tuple[float, np.ndarray]:
    """The least error on the grid for one scale, and the coefficients."""
    return least_level(*_system(form, of)(scale))


def _best_on_grid(form: TanhForm, of: str, scale: float) -> tuple[np.ndarray, ...]:
    """The best coefficients for one scale, increasing places x > 0, and the error there."""
    rows, right = _system(form, of)(scale)
    _, free = least_level(rows, right)
    x, error = np.append(_grid(form, scale), np.inf), rows @ free + right
    # with the limit 1 nothing is left of the error at infinity
    return (free, x[:-1], error[:-1]) if form.limit == 1 else (free, x, error)


@lru_cache
def _system(form: TanhForm, of: str) -> Callable[[float], tuple[np.ndarray, np.ndarray]]:
    """The error as rows·coefficients + right on the grid and at infinity, for one scale."""
    expression = tail_form(form, of)
    parts = linear_parts(expression, form.coefficients)
    function = numpy_function(parts, X, S)
    limits = linear_parts((1 - form.limit) / 2, form.coefficients)
    last = np.array([0.0 if form.limit == 1 else float(value) for value in limits])

    def at(scale: float) -> tuple[np.ndarray, np.ndarray]:
        x = _grid(form, scale)
        values = [np.broadcast_to(part, x.shape) for part in function(x, scale)]
        table = np.vstack([np.column_stack(values), last])
        return table[:, :-1], table[:, -1]

    return at


def exchanged(made: Problem) -> Level:
    """A level alternation that no other peak exceeds, by Remez exchanges from the start.

    Args:
        made: the problem of a form of tanh.

    Returns:
        A start for ``gelu_lib.fits.alternation.solve_level``, right to some ten digits.

    Raises:
        ConvergenceError: if there is no start, an exchange fails, or there are too many.
    """
    return _exchanged(made.family, made.criterion.of)


@lru_cache  # the same for every number of digits
def _exchanged(form: TanhForm, of: str) -> Level:
    curve, level = error_curve(problem(form, Criterion("sup", of))), start(form, of)
    for _ in range(EXCHANGES):
        level = solve_level(curve, level, EXCHANGE_DIGITS)
        with mpmath.workdps(EXCHANGE_DIGITS + GUARD_DIGITS):
            if not _smallest_scale(form, level.parameters) > 0:
                raise ConvergenceError(f"a scale went below 0: {level.parameters}")
            peaks = _peaks(form, curve, level, EXCHANGE_DIGITS)
            points, signs = _with_the_highest(level, peaks)
        if points == level.points:
            return level
        level = Level(level.parameters, level.error, points, signs)
    raise ConvergenceError(f"{EXCHANGES} exchanges were not enough; E = {float(level.error):.8g}")


def _with_the_highest(
    level: Level, peaks: Sequence[tuple[mpf, mpf]]
) -> tuple[tuple[mpf, ...], tuple[int, ...]]:
    """As many alternating points, with the highest peak among them, if one exceeds the level."""
    tolerance = mpf(10) ** -EXCHANGE_DIGITS
    high = [peak for peak in peaks if abs(peak[1]) >= level.error * (1 - tolerance)]
    if all(abs(value) <= level.error * (1 + tolerance) for _, value in high):
        return level.points, level.signs
    # of all peaks from the level up, so that the next level is higher
    kept: list[tuple[mpf, mpf]] = []
    for peak in high:
        if not kept or kept[-1][1] * peak[1] < 0:
            kept.append(peak)
        elif abs(peak[1]) > abs(kept[-1][1]):
            kept[-1] = peak
    count = len(level.points)
    highest = max(range(len(kept)), key=lambda i: abs(kept[i][1]))
    first = min(max(0, highest - count + 1), len(kept) - count)
    points, values = zip(*kept[first : first + count], strict=True)
    return points, tuple(int(mpmath.sign(value)) for value in values)


def highest_peak(form: TanhForm, curve: Curve, level: Level, digits: int) -> tuple[mpf, mpf]:
    """Where the error of a form is largest, as samples of its derivative show, and the error there.

    Args:
        form: the form.
        curve: its error.
        level: the parameters, and the size of the error.
        digits: to how many digits peaks are compared.

    Returns:
        The place, which may be infinite, and the signed error.

    Raises:
        NotAnOptimumError: if a scale is not positive.
    """
    if not _smallest_scale(form, level.parameters) > 0:
        raise NotAnOptimumError("a scale is not positive")
    return max(_peaks(form, curve, level, digits), key=lambda peak: abs(peak[1]))


def _peaks(form: TanhForm, curve: Curve, level: Level, digits: int) -> list[tuple[mpf, mpf]]:
    """Every extremum x > 0 that samples show, with its error; infinity is the last."""
    # coefficients that cancel take digits from the slope
    largest = max(map(abs, [1, *_coefficients(form, level.parameters)]))
    lost = int(mpmath.log10(largest)) + 1
    with mpmath.workdps(digits + GUARD_DIGITS + lost):
        small = mpf(10) ** -(digits + MARGIN_DIGITS) * level.error / largest
        places = sign_changes(
            lambda x: curve.at(x, level.parameters, X),
            lambda x: curve.at(x, level.parameters, X, X),
            _samples(form, level.parameters, float(-mpmath.log(small))),
        )
        return [(x, curve.at(x, level.parameters)) for x in [*places, mpmath.inf]]


def _samples(form: TanhForm, parameters: Sequence[mpf], fall: float) -> np.ndarray:
    """Increasing x > 0, from close to 0 to where all terms are e^(−fall) from their limits."""
    scale = [float(parameters[-1])] if S in form.symbols else []
    slowest = _smallest_scale(form, parameters)
    fastest = max(1.0, *(float(b.subs(S, *scale)) if scale else float(b) for b in form.scales))
    end = max(fall / (2 * slowest), np.sqrt(2 * fall))
    head = np.geomspace(1e-6, 1, 61)[:-1] / (SAMPLES * fastest)
    return np.concatenate([head, np.arange(1, end * SAMPLES * fastest) / (SAMPLES * fastest)])


def _smallest_scale(form: TanhForm, parameters: Sequence[mpf]) -> float:
    return smallest_scale(form, float(parameters[-1]) if S in form.symbols else 1.0)


def _coefficients(form: TanhForm, parameters: Sequence[mpf]) -> Sequence[mpf]:
    """The linear coefficients among the parameters; the scale comes last."""
    return parameters[: len(form.coefficients)]
