"""Best parameters in the sup norm over the whole real line, at any precision.

That a fit is the best is a theorem, not the outcome of a search. Let k parameters be free, let
e = Φ − Φ̂ lie between −E and E everywhere, and let it be ±E with alternating signs at k + 1
points 0 < x₁ < x₂ < …. Suppose that other parameters have a smaller error. Then their
approximation less Φ̂ has the sign of e at each of these points. So has the difference of the
polynomials, because σ is increasing; it therefore has k positive zeros. But it is a combination
of k odd powers, and has at most k − 1 by Descartes' rule of signs. The same holds for x·e, the
error of GELU, because the weight x is positive at the points.

Hence the equations e(xᵢ) = ±E, e′(xᵢ) = 0 are solved, by Newton's method, and the solution is
checked for what the theorem asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import mpmath
import numpy as np
import scipy.optimize
from mpmath import mpf
from sympy import Expr, Float, Symbol

from gelu_lib.criteria import Criterion, Problem, by_name
from gelu_lib.criteria import problem as made_problem
from gelu_lib.families import (
    Family,
    Value,
    WrongLimitError,
    check_target,
    exact_parameters,
)
from gelu_lib.functions import X
from gelu_lib.norms import (
    GUARD_DIGITS,
    check_digits,
    error_function,
    numerical,
    rising_precisions,
    sampled_sup_error,
)
from gelu_lib.starts import ConvergenceError, float_errors, linear_start

WEIGHTS = ("Phi", "GELU")
"""The functions whose error is e = Φ − Φ̂ under a weight that is positive for x > 0."""

START_END = 6.0
"""The start is looked for up to here; 1 − Φ(6) is below 1e-9."""

START_POINTS = 1200
"""The number of points of the grid of the start."""

MAX_STEPS = 50
"""The number of steps after which an iteration is given up."""


class NotAnAlternationError(ArithmeticError):
    """The parameters do not have the alternation that makes them the best."""


@dataclass(frozen=True)
class Fit:
    """The best parameters of a family, with the alternation that shows that they are.

    The numbers are SymPy floats: each carries its own digits, so that a ratio of two of them is
    right to as many, whatever precision is set elsewhere.

    Attributes:
        family: the family.
        of: the function that is approximated, ``"Phi"`` or ``"GELU"``.
        digits: how many significant digits of the numbers are meant to hold; they carry
            some guard digits more.
        fixed: the exact values that were given, by name.
        parameters: the value of every parameter, by name.
        error: the sup norm of the error over the real line, positive.
        extrema: the alternation points x > 0, increasing, each with the sign of the error there.
    """

    family: Family
    of: str
    digits: int
    fixed: Mapping[str, Expr]
    parameters: Mapping[str, Float]
    error: Float
    extrema: tuple[tuple[Float, int], ...]

    @property
    def free(self) -> tuple[str, ...]:
        """The names of the parameters that were fitted."""
        return tuple(name for name in self.family.names if name not in self.fixed)


def minimax(
    family: Family,
    of: str = "Phi",
    fixed: Mapping[str, Value] | None = None,
    digits: int = 16,
) -> Fit:
    """The parameters with the least sup norm of the error over the whole real line.

    An exchange on a grid, in double precision, finds where the error alternates. From there
    Newton's method solves e(xᵢ) = ±E, e′(xᵢ) = 0 at rising precision. The solution is returned
    only if ``check_alternation`` accepts it.

    Args:
        family: the family.
        of: ``"Phi"`` for the error of Φ, ``"GELU"`` for that of xΦ.
        fixed: the values of parameters that are not free, by name; see
            ``gelu_lib.families.exact_value``.
        digits: how many significant digits of every number shall hold.

    Returns:
        The fit, with parameters, error and alternation points.

    Raises:
        TypeError: if ``fixed``, a value in it or ``digits`` is of a type that is not accepted.
        ValueError: if ``of``, a name or a value is not accepted, if no parameter is free, or if
            ``digits`` is below 1.
        ConvergenceError: if the equations were not solved; the message says what was reached.
        NotAnAlternationError: if they were, but the solution is not the best member of the
            family, for instance because it has the wrong limit at infinity.
    """
    problem = _problem(family, of, fixed)
    check_digits(digits)
    free, places, signs = _exchange(problem)
    parameters, error, places, signs = _solve(problem, free, places, signs, digits)
    kept = partial(Float, precision=mpmath.libmp.dps_to_prec(digits + GUARD_DIGITS))
    fit = Fit(
        family=family,
        of=of,
        digits=digits,
        fixed=by_name(problem.fixed.keys(), problem.fixed.values()),
        parameters=by_name(family.symbols, map(kept, parameters)),
        error=kept(error),
        extrema=tuple(zip(map(kept, places), signs, strict=True)),
    )
    check_alternation(fit)
    return fit


def check_alternation(fit: Fit) -> None:
    """Check that a fit has what the theorem asks, by other means than those that found it.

    The fixed parameters must be kept and the limit at infinity be right; there must be one
    alternation point more than there are free parameters; they must be extrema of the error,
    recomputed from the parameters, with the values ±E in turn; and no extremum on the real line
    may be larger, found by ``gelu_lib.norms.sampled_sup_error``. Everything is compared to
    ``fit.digits`` digits. This is no proof, because the sup norm is sampled.

    Args:
        fit: the fit to check.

    Raises:
        NotAnAlternationError: if something is not so; the message says what.
    """
    _check_shape(fit)
    try:
        values = exact_parameters(fit.family, fit.parameters)
    except WrongLimitError as wrong:
        raise NotAnAlternationError(
            f"the alternation of {_text(fit.parameters)} is none on the whole line: {wrong}"
        ) from None
    with mpmath.workdps(fit.digits + GUARD_DIGITS):
        tolerance = mpf(10) ** -fit.digits
        _check_fixed(fit, tolerance)
        _check_level(fit, numerical(values.values()), tolerance)
        sup = sampled_sup_error(fit.family, fit.parameters, fit.of, fit.digits + GUARD_DIGITS)
        if sup.error > fit.error * (1 + tolerance):
            raise NotAnAlternationError(
                f"the error {fit.error.n(8)} of {_text(fit.parameters)} is exceeded at "
                f"x = {sup.where[0].n(8)}, where it is {sup.error.n(8)}"
            )


def _problem(family: Family, of: str, fixed: Mapping[str, Value] | None) -> Problem:
    check_target(of)
    if of not in WEIGHTS:
        raise ValueError(
            f"of = {of!r} is no alternation problem: the error (x·e)′ of GELU′ is not e under a "
            f"weight, so the theorem does not cover it; accepted are {WEIGHTS}"
        )
    return made_problem(family, Criterion("sup", of), fixed)


def _exchange(problem: Problem) -> tuple[list[float], list[float], list[int]]:
    """Free parameters whose error alternates on a grid, the places of its peaks and their signs."""
    x = np.linspace(0, START_END, START_POINTS + 1)[1:]
    free, peaks = linear_start(problem, x), None
    for _ in range(MAX_STEPS):
        error, previous = float_errors(problem, x, free), peaks
        peaks = _alternating_peaks(error, len(problem.free) + 1)
        if len(peaks) <= len(problem.free):
            raise ConvergenceError(
                f"the error of {_reached(problem, free)} alternates {len(peaks)} times for x > 0; "
                f"{len(problem.free) + 1} are needed"
            )
        signs = np.sign(error[peaks])
        if previous is not None and np.max(np.abs(peaks - previous)) <= 1:
            return free.tolist(), x[peaks].tolist(), signs.astype(int).tolist()
        free = _level(problem, x[peaks], signs, free)
    raise ConvergenceError(f"the exchange did not settle; it reached {_reached(problem, free)}")


def _alternating_peaks(error: np.ndarray, count: int) -> np.ndarray:
    """The indices of ``count`` neighbouring peaks of alternating sign, or of all if fewer."""
    size = np.abs(error)
    peaks: list[int] = []
    for i in np.flatnonzero((size[1:-1] >= size[:-2]) & (size[1:-1] >= size[2:])) + 1:
        if not peaks or error[peaks[-1]] * error[i] < 0:
            peaks.append(i)
        elif size[i] > size[peaks[-1]]:
            peaks[-1] = i
    runs = [peaks[first : first + count] for first in range(max(1, len(peaks) - count + 1))]
    return np.array(max(runs, key=lambda run: min(size[run], default=0)), dtype=int)


def _level(problem: Problem, x: np.ndarray, signs: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Free parameters whose errors at ``x`` have these signs and one magnitude."""

    def residual(unknown: np.ndarray) -> np.ndarray:
        return float_errors(problem, x, unknown[:-1]) - signs * unknown[-1]

    found = scipy.optimize.root(residual, np.append(free, 0.0))
    if not found.success:
        raise ConvergenceError(
            f"no parameters level the error at x = {x}; reached {_reached(problem, found.x[:-1])}"
        )
    return found.x[:-1]


def _solve(
    problem: Problem, free: list[float], places: list[float], signs: list[int], digits: int
) -> tuple[list[mpf], mpf, list[mpf], list[int]]:
    """All parameters, the error, its places and signs, to ``digits`` and the guard digits."""
    free, places = [mpf(value) for value in free], [mpf(x) for x in places]
    for precision in rising_precisions(digits + GUARD_DIGITS):
        with mpmath.workdps(precision):
            free, places, error = _newton(problem, free, places, signs)
    with mpmath.workdps(digits + GUARD_DIGITS):
        if error < 0:
            error, signs = -error, [-sign for sign in signs]
        parameters = problem.complete(free, numerical(problem.fixed.values()))
    return parameters, error, places, signs


def _newton(
    problem: Problem, free: list[mpf], places: list[mpf], signs: list[int]
) -> tuple[list[mpf], list[mpf], mpf]:
    """Free parameters, alternation points and error, to the precision that is set."""
    # the error after a step is of the order of the square of the step
    small = mpf(10) ** -(mpmath.mp.dps // 2 + 4)
    for _ in range(MAX_STEPS):
        old = free + places
        try:
            free, places, error = _newton_step(problem, free, places, signs)
        except (ZeroDivisionError, OverflowError):  # singular, or off into a tail
            break
        moved = zip(old, free + places, strict=True)
        if all(abs(after - before) <= small * abs(after) for before, after in moved):
            return free, places, error
    raise ConvergenceError(f"Newton's method did not settle; it reached {_reached(problem, free)}")


def _newton_step(
    problem: Problem, free: list[mpf], places: list[mpf], signs: list[int]
) -> tuple[list[mpf], list[mpf], mpf]:
    """One step of Newton's method for e(xᵢ) = ±E and e′(xᵢ) = 0 in the free pₙ, all xᵢ and E.

    The second set of equations gives each step of xᵢ in terms of the steps of the parameters;
    that is put into the first, which leaves one linear equation for each point.
    """
    parameters = problem.complete(free, numerical(problem.fixed.values()))

    def at(x: mpf, *derivatives: Symbol) -> mpf:
        return error_function(problem.family, problem.criterion.of, *derivatives)(x, *parameters)

    rows, right, moves = [], [], []
    for x, sign in zip(places, signs, strict=True):
        slope, curvature = at(x, X), at(x, X, X)
        changes = [at(x, symbol) for symbol in problem.free]
        tilts = [at(x, X, symbol) for symbol in problem.free]
        ratio = slope / curvature
        rows.append([c - ratio * t for c, t in zip(changes, tilts, strict=True)] + [-sign])
        right.append(slope * ratio - at(x))
        moves.append((slope, curvature, tilts))
    *steps, error = mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix(right))
    free = [value + step for value, step in zip(free, steps, strict=True)]
    places = [
        x - (slope + mpmath.fdot(tilts, steps)) / curvature
        for x, (slope, curvature, tilts) in zip(places, moves, strict=True)
    ]
    return free, places, error


def _check_shape(fit: Fit) -> None:
    places, signs = [x for x, _ in fit.extrema], [sign for _, sign in fit.extrema]
    if len(places) != len(fit.free) + 1:
        raise NotAnAlternationError(
            f"{len(places)} alternation points; {len(fit.free)} free parameters need one more"
        )
    if [0, *places] != sorted({0, *places}):
        raise NotAnAlternationError(f"the points {places} are not positive and increasing")
    if any(sign != signs[0] * (-1) ** i for i, sign in enumerate(signs)) or abs(signs[0]) != 1:
        raise NotAnAlternationError(f"the signs {signs} do not alternate")
    if not fit.error > 0:
        raise NotAnAlternationError(f"the error {fit.error} is not positive")


def _check_fixed(fit: Fit, tolerance: mpf) -> None:
    for name, exact in fit.fixed.items():
        given, number = numerical([fit.parameters[name], exact])
        if abs(given - number) > tolerance * abs(number):
            raise NotAnAlternationError(f"{name} is {fit.parameters[name]}, but fixed at {exact}")


def _check_level(fit: Fit, parameters: list[mpf], tolerance: mpf) -> None:
    error_at, slope_at, curvature_at = (
        error_function(fit.family, fit.of, *[X] * order) for order in range(3)
    )
    (error,) = numerical([fit.error])
    for place, sign in fit.extrema:
        (x,) = numerical([place])
        if abs(slope_at(x, *parameters)) > tolerance * x * abs(curvature_at(x, *parameters)):
            raise NotAnAlternationError(f"the error has no extremum at x = {mpmath.nstr(x, 20)}")
        found = error_at(x, *parameters)
        if abs(found - sign * error) > tolerance * error:
            raise NotAnAlternationError(
                f"the error at x = {mpmath.nstr(x, 8)} is {mpmath.nstr(found, 20)}, "
                f"and not {mpmath.nstr(sign * error, 20)}"
            )


def _reached(problem: Problem, free: Iterable) -> str:
    return _text(dict(zip(problem.free, free, strict=True)))


def _text(parameters: Mapping) -> str:
    return ", ".join(f"{name} = {float(value):.8g}" for name, value in parameters.items())
