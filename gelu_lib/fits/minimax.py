"""Best parameters in the sup norm over the whole real line, at any precision.

That a fit is the best is a theorem, not the outcome of a search. Let n parameters be free, let
e = Φ − Φ̂ lie between −E and E everywhere, and let it be ±E with alternating signs at n + 1
points 0 < x₁ < x₂ < …. Suppose that other parameters have a smaller error. Then their
approximation less Φ̂ has the sign of e at each of these points. So has the difference of the
polynomials, because σ is increasing; it therefore has n positive zeros. But it is a combination
of n odd powers, and has at most n − 1 by Descartes' rule of signs. The same holds for x·e, the
error of GELU, because the weight x is positive at the points, and so it does with another weight.

Hence the equations e(xᵢ) = ±E, e′(xᵢ) = 0 are solved, by Newton's method, and the solution is
checked for what the theorem asks. The error of GELU′ need not alternate; ``balance`` says what is
asked of it.

The forms that are built from tanh have such a theorem where their scale is given: with n free
coefficients the terms of powers of tanh, and of two tanh at different scales, are a Haar system on
(0, ∞], so that n + 1 alternation points, infinity among them if the limit is free, prove that the
coefficients are the best ones (``tanh-powers-alternation``). Where the scale is free, what
alternates is the best that a search found. That it is the best of all is proved in
``gelu_lib.certificates.best.tanh_optima``, form by form.
"""

from __future__ import annotations

from collections.abc import Mapping

import mpmath
import sympy as sp
from mpmath import mpf
from sympy import Expr, oo

from gelu_lib.fits.alternation import Curve, Level, assignments, error_curve, solve_level
from gelu_lib.fits.balance import balanced, check_balance, check_multipliers
from gelu_lib.fits.bands import alternating_start
from gelu_lib.fits.criteria import (
    WEIGHTS,
    Criterion,
    NotAnOptimumError,
    Optimum,
    Problem,
    check_growth,
    fades,
    problem,
    require_limit,
)
from gelu_lib.fits.solving import as_optimum
from gelu_lib.fits.sup_norm import GUARD_DIGITS, check_digits, numerical, sampled_sup_error
from gelu_lib.fits.tanh_starts import exchanged, highest_peak
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import Family, Value, WrongLimitError
from gelu_lib.functions.forms import right_limit
from gelu_lib.functions.tanh_forms import TanhForm


def minimax(
    family: Family | TanhForm,
    of: str = "Phi",
    fixed: Mapping[str, Value] | None = None,
    digits: int = 16,
    weight: Expr = sp.S.One,
) -> Optimum:
    """The parameters with the least sup norm of the error over the whole real line.

    For the error of Φ and GELU linear programs in double precision find where it alternates,
    however far out (``gelu_lib.fits.bands``, ``gelu_lib.fits.tanh_starts``); for that of GELU′ a
    search finds its highest peaks (``gelu_lib.fits.balance``). From there Newton's method solves
    the equations of the optimum at rising precision. The solution is returned only if
    ``check_optimum`` accepts it. For GELU′, and for a form of tanh with a free scale, it is the
    best among all parameters nearby.

    Args:
        family: the family, or a form that is built from tanh, all of whose parameters are free.
        of: ``"Phi"`` for the error of Φ, ``"GELU"`` for that of xΦ, ``"GELU_derivative"``.
        fixed: the values of parameters that are not free, by name; see
            ``families.exact_value``.
        digits: how many significant digits of every number shall hold.
        weight: what the error is multiplied by; see ``criteria.Criterion``. It must not grow so
            fast that the error far out counts; see ``criteria.check_growth``.

    Returns:
        The optimum, with parameters, error, and the points where it is attained.

    Raises:
        TypeError: if ``fixed``, a value in it or ``digits`` is of a type that is not accepted.
        ValueError: if ``of``, a name, a value or ``weight`` is not accepted, if no parameter is
            free, if ``digits`` is below 1 or above 10,000, or if a form of tanh may have another
            limit than 1 where the error of GELU is asked for: it is infinite.
        WrongLimitError: if the last coefficient is fixed at a negative number.
        ConvergenceError: if the equations were not solved; the message says what was reached.
        NotAnOptimumError: if the best member does not alternate so, as where its last
            coefficient is 0, if the solution is not the best member of the family, or if the last
            coefficient is negative, as a weight that fades allows: that case is not solved.

    Example:
        >>> from gelu_lib import LOGISTIC, minimax
        >>> best = minimax(LOGISTIC)
        >>> best.parameters["p1"].n(12), best.error.n(8), best.signs
        (1.70174492534, 0.0094573092, (-1, 1))

    Source: the theorem of alternation, which the head of this module proves for these families; for
    polynomials it is in L. N. Trefethen, Approximation Theory and Approximation Practice, Extended
    Edition, SIAM 2019, https://doi.org/10.1137/1.9781611975949.
    """
    made = problem(family, Criterion("sup", of, weight), fixed)
    require_limit(made)
    check_growth(made)
    check_digits(digits)
    found = _alternating(made, digits) if of in WEIGHTS else balanced(made, digits)
    check_optimum(found)
    return found


def _alternating(made: Problem, digits: int) -> Optimum:
    curve = error_curve(made)
    start = exchanged(made) if isinstance(made.family, TanhForm) else alternating_start(made)
    level = solve_level(curve, start, digits)
    with mpmath.workdps(digits + GUARD_DIGITS):
        multipliers = curve.multipliers(level.parameters, level.points, level.signs)
    return as_optimum(
        made, digits, level.parameters, level.error, level.points, level.signs, multipliers
    )


def check_optimum(found: Optimum) -> None:
    """Check that an optimum in a sup norm has what its theorem asks, by other means than a search.

    The fixed parameters must be kept and the limit at infinity be right. The points must be
    extrema of the weighted error, recomputed from the parameters, with the values ±E by their
    signs, and no other extremum may be larger. For the error of Φ and GELU there must be one point
    more than there are free parameters, and the signs must alternate; for that of GELU′ the
    multipliers must balance, and the peaks rise along every direction that leaves them balanced.
    Where there are multipliers, they must be positive, of sum 1, and cancel the gradients. All is
    compared to the digits that are stated. This is no proof, because the sup norm is sampled;
    ``gelu_lib.certificates.certify`` gives one.

    Args:
        found: what ``minimax`` returned, or a claim of that shape.

    Raises:
        TypeError: if ``digits`` of the optimum is not an integer.
        ValueError: if it is below 1, or the norm is not ``"sup"``.
        NotAnOptimumError: if something is not so; the message says what.
    """
    check_digits(found.digits)
    if found.criterion.norm != "sup":
        raise ValueError(f"norm is {found.criterion.norm!r}; accepted is 'sup'")
    made = problem(found.family, found.criterion, found.fixed)
    _check_shape(found)
    _check_limit(found)
    with mpmath.workdps(found.digits + GUARD_DIGITS):
        curve, tolerance = error_curve(made), mpf(10) ** -found.digits
        _check_fixed(found, made, tolerance)
        level = _level(found, made)
        _check_points(curve, level, tolerance)
        multipliers = numerical(found.multipliers)
        if multipliers:
            check_multipliers(curve, level, multipliers, tolerance)
        if found.of not in WEIGHTS:
            check_balance(curve, level, multipliers)
        x, highest = _highest(found, curve, level)
        if abs(highest) > level.error * (1 + tolerance):
            raise NotAnOptimumError(
                f"the error {found.error.n(8)} of {_text(found.parameters)} is exceeded at "
                f"x = {mpmath.nstr(x, 8)}, where it is {mpmath.nstr(abs(highest), 8)}"
            )


def _level(found: Optimum, made: Problem) -> Level:
    points = [mpmath.inf if x == oo else numerical([x])[0] for x in found.points]
    free = numerical(found.parameters[symbol.name] for symbol in made.free)
    return Level(tuple(free), *numerical([found.error]), tuple(points), found.signs)


def _check_shape(found: Optimum) -> None:
    points, signs, multipliers = found.points, found.signs, found.multipliers
    needed = len(signs) if multipliers or found.of not in WEIGHTS else 0
    if not (len(points) == len(signs) > 0 and len(multipliers) == needed):
        raise NotAnOptimumError(
            f"{len(points)} points, {len(signs)} signs and {len(multipliers)} multipliers; "
            "there must be as many of each, and at least one"
        )
    if [0, *points] != sorted({0, *points}):
        raise NotAnOptimumError(f"the points {points} are not positive and increasing")
    if not set(signs) <= {1, -1}:
        raise NotAnOptimumError(f"the signs {signs} are not 1 or −1")
    if any(multiplier <= 0 for multiplier in multipliers):
        raise NotAnOptimumError("a multiplier is not positive")
    if not found.error > 0:
        raise NotAnOptimumError(f"the error {found.error} is not positive")
    if found.of in WEIGHTS and len(points) != len(found.free) + 1:
        raise NotAnOptimumError(
            f"{len(points)} alternation points; {len(found.free)} free parameters need one more"
        )
    if found.of in WEIGHTS and not found.alternates:
        raise NotAnOptimumError(f"the signs {signs} do not alternate")


def _check_limit(found: Optimum) -> None:
    """Check that Φ̂ tends to 1, or that the limit of a form of tanh is approached."""
    if isinstance(found.family, TanhForm):
        return  # the error at infinity is looked at with the others
    try:
        right_limit(found)
    except WrongLimitError as wrong:
        text = f"the peaks of {_text(found.parameters)} are not all on the whole line: {wrong}"
        if fades(found.criterion):
            text += "; the weight fades and allows that, but such a member is not solved for yet"
        raise NotAnOptimumError(text) from None


def _check_fixed(found: Optimum, made: Problem, tolerance: mpf) -> None:
    for symbol, exact in made.fixed.items():
        given, number = numerical([found.parameters[symbol.name], exact])
        if abs(given - number) > tolerance * abs(number):
            raise NotAnOptimumError(
                f"{symbol} is {found.parameters[symbol.name]}, but fixed at {exact}"
            )


def _check_points(curve: Curve, level: Level, tolerance: mpf) -> None:
    for x, sign in zip(level.points, level.signs, strict=True):
        found = curve.at(x, level.parameters)
        if abs(found - sign * level.error) > tolerance * level.error:
            raise NotAnOptimumError(
                f"the error at x = {mpmath.nstr(x, 8)} is {mpmath.nstr(found, 20)}, "
                f"and not {mpmath.nstr(sign * level.error, 20)}"
            )
        if x == mpmath.inf:
            continue
        slope, curvature = (curve.at(x, level.parameters, *[X] * order) for order in (1, 2))
        if abs(slope) > tolerance * x * abs(curvature):
            raise NotAnOptimumError(f"the error has no extremum at x = {mpmath.nstr(x, 20)}")


def _highest(found: Optimum, curve: Curve, level: Level) -> tuple[mpf, mpf]:
    """Where samples show the largest error on the whole line, and the error there."""
    if isinstance(found.family, TanhForm):
        return highest_peak(found.family, curve, level, found.digits)
    criterion, digits = found.criterion, found.digits + GUARD_DIGITS
    sup = sampled_sup_error(found, criterion.of, digits, criterion.weight)
    return tuple(numerical([sup.points[0], sup.error]))


def _text(parameters: Mapping) -> str:
    return assignments(parameters.keys(), parameters.values())
