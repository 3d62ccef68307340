"""Where the fit of a form of tanh starts: linear programs on a grid, in double precision.

For a given scale the best coefficients are a linear program. A scale that is free is searched for
over a range of scales. A start is never a result; see ``gelu_lib.fits.tanh_minimax``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import sympy as sp
from scipy.optimize import linprog, minimize_scalar
from sympy import Expr, Symbol

from gelu_lib.fits.alternation import Level, alternating_peaks, start_level
from gelu_lib.fits.starts import ConvergenceError
from gelu_lib.functions.expressions import Phi, X, numpy_function
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
    _, free = _linear(form, of, scale)
    rows, right = _system(form, of)(scale)
    error = rows @ free + right
    x = np.append(_grid(form, scale), np.inf)
    if form.limit == 1:  # nothing is left of the error at infinity
        x, error = x[:-1], error[:-1]
    values = [*free, *([scale] if S in form.symbols else [])]
    return start_level(form.symbols, values, x, error)


def error_expression(form: TanhForm, of: str) -> Expr:
    """The error for x > 0, written so that Φ does not cancel far out."""
    error = (1 - form.expression) / 2 - Phi(-X)
    return X * error if of == "GELU" else error


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
    _, free = _linear(form, of, scale)
    rows, right = _system(form, of)(scale)
    error = rows @ free + right
    x = np.append(_grid(form, scale), np.inf)
    if form.limit == 1:
        x, error = x[:-1], error[:-1]
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
    rows, right = _system(form, of)(scale)
    if not form.coefficients:
        return float(np.max(np.abs(right))), np.empty(0)
    return least_level(rows, right)


def least_level(rows: np.ndarray, right: np.ndarray) -> tuple[float, np.ndarray]:
    """The coefficients that make the largest of \\|rows·coefficients + right\\| least.

    Args:
        rows: a float64 array of shape (points, coefficients), of full rank.
        right: a float64 array of shape (points,).

    Returns:
        The level, infinite if the linear program fails, and the coefficients.
    """
    # orthogonal columns, because those of close scales are almost alike
    columns, triangle = np.linalg.qr(rows)
    level = np.ones((len(right), 1))
    count = columns.shape[1]
    found = linprog(
        np.append(np.zeros(count), 1),
        A_ub=np.block([[columns, -level], [-columns, -level]]),
        b_ub=np.concatenate([-right, right]),
        bounds=[(None, None)] * count + [(0, None)],
    )
    if found.status != 0:
        return np.inf, np.full(count, np.nan)
    return float(found.x[-1]), np.linalg.solve(triangle, found.x[:-1])


@lru_cache
def _system(form: TanhForm, of: str) -> Callable[[float], tuple[np.ndarray, np.ndarray]]:
    """The error as rows·coefficients + right on the grid and at infinity, for one scale."""
    expression = error_expression(form, of)
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
