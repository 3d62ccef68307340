"""Best parameters in the sup norm over the whole real line, at any precision.

That a fit is the best is a theorem, not the outcome of a search. Let n parameters be free, let
e = Φ − Φ̂ lie between −E and E everywhere, and let it be ±E with alternating signs at n + 1
points 0 < x₁ < x₂ < …. Suppose that other parameters have a smaller error. Then their
approximation less Φ̂ has the sign of e at each of these points. So has the difference of the
polynomials, because σ is increasing; it therefore has n positive zeros. But it is a combination
of n odd powers, and has at most n − 1 by Descartes' rule of signs. The same holds for x·e, the
error of GELU, because the weight x is positive at the points.

Hence the equations e(xᵢ) = ±E, e′(xᵢ) = 0 are solved, by Newton's method, and the solution is
checked for what the theorem asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import mpmath
from mpmath import mpf
from sympy import Expr, Float

from gelu_lib.fits.alternation import NotAnAlternationError, assignments, solve_level
from gelu_lib.fits.bands import alternating_start, error_curve
from gelu_lib.fits.criteria import alternating, alternation_problem, by_name
from gelu_lib.fits.sup_norm import (
    GUARD_DIGITS,
    check_digits,
    error_function,
    numerical,
    sampled_sup_error,
)
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import Family, Value, WrongLimitError, exact_parameters


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

    Linear programs in double precision find where the error alternates, however far out
    (``gelu_lib.fits.bands``). From there Newton's method solves e(xᵢ) = ±E, e′(xᵢ) = 0 at rising
    precision. The solution is returned only if ``check_alternation`` accepts it.

    Args:
        family: the family.
        of: ``"Phi"`` for the error of Φ, ``"GELU"`` for that of xΦ.
        fixed: the values of parameters that are not free, by name; see
            ``families.exact_value``.
        digits: how many significant digits of every number shall hold.

    Returns:
        The fit, with parameters, error and alternation points.

    Raises:
        TypeError: if ``fixed``, a value in it or ``digits`` is of a type that is not accepted.
        ValueError: if ``of``, a name or a value is not accepted, if no parameter is free, or if
            ``digits`` is below 1.
        ConvergenceError: if the equations were not solved; the message says what was reached.
        NotAnAlternationError: if the best member does not alternate so, as where its last
            coefficient is 0, or the solution is not the best member of the family.
    """
    problem = alternation_problem(family, of, fixed)
    check_digits(digits)
    level = solve_level(error_curve(problem), alternating_start(problem), digits)
    with mpmath.workdps(digits + GUARD_DIGITS):
        parameters = problem.complete(level.parameters, numerical(problem.fixed.values()))
    kept = partial(Float, precision=mpmath.libmp.dps_to_prec(digits + GUARD_DIGITS))
    fit = Fit(
        family=family,
        of=of,
        digits=digits,
        fixed=by_name(problem.fixed.keys(), problem.fixed.values()),
        parameters=by_name(family.symbols, map(kept, parameters)),
        error=kept(level.error),
        extrema=tuple((kept(x), sign) for x, sign in level.extrema),
    )
    check_alternation(fit)
    return fit


def check_alternation(fit: Fit) -> None:
    """Check that a fit has what the theorem asks, by other means than those that found it.

    The fixed parameters must be kept and the limit at infinity be right; there must be one
    alternation point more than there are free parameters; they must be extrema of the error,
    recomputed from the parameters, with the values ±E in turn; and no extremum on the real line
    may be larger, found by ``gelu_lib.fits.sup_norm.sampled_sup_error``. Everything is compared to
    ``fit.digits`` digits. This is no proof, because the sup norm is
    sampled; ``gelu_lib.certificates.certify`` gives one.

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


def _check_shape(fit: Fit) -> None:
    places, signs = [x for x, _ in fit.extrema], [sign for _, sign in fit.extrema]
    if len(places) != len(fit.free) + 1:
        raise NotAnAlternationError(
            f"{len(places)} alternation points; {len(fit.free)} free parameters need one more"
        )
    if [0, *places] != sorted({0, *places}):
        raise NotAnAlternationError(f"the points {places} are not positive and increasing")
    if not alternating(signs, len(signs)):
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


def _text(parameters: Mapping) -> str:
    return assignments(parameters.keys(), parameters.values())
